// Kubecheck decodes Kubernetes manifests without a cluster: an unknown, repeated or mistyped field is an error.
// It also holds them to what this project asks of its Jobs: every index computes its own shard, pods use claims of
// these files, and containers run with few rights and within bounds.
//
//	go run ./kubecheck FILE...
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := check(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check reads the files. The error lists every mistake.
func check(paths []string) (mistakes error) {
	wrong := func(where string, err error) { mistakes = errors.Join(mistakes, fmt.Errorf("%s: %w", where, err)) }
	if len(paths) == 0 {
		return errors.New("kubecheck: no files named")
	}
	type placed struct {
		where string
		job   *batch.Job
	}
	var jobs []placed
	claims := map[string]bool{}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, doc := range strings.Split(string(src), "\n---\n") {
			where := fmt.Sprintf("%s, document %d", path, i+1)
			var head struct{ APIVersion, Kind string }
			if err := yaml.Unmarshal([]byte(doc), &head); err != nil {
				wrong(where, err)
				continue
			}
			var job batch.Job
			var claim core.PersistentVolumeClaim
			switch head.APIVersion + " " + head.Kind {
			case "batch/v1 Job":
				err = yaml.UnmarshalStrict([]byte(doc), &job)
				jobs = append(jobs, placed{where, &job})
			case "v1 PersistentVolumeClaim":
				err = yaml.UnmarshalStrict([]byte(doc), &claim)
				claims[claim.Name] = true
			default:
				err = fmt.Errorf("%q, kind %q: not batch/v1 Job or v1 PersistentVolumeClaim", head.APIVersion, head.Kind)
			}
			if err != nil {
				wrong(where, err)
			}
		}
	}
	for _, p := range jobs {
		for _, m := range ask(p.job, claims) {
			wrong(p.where, errors.New(m))
		}
	}
	return mistakes
}

// ask lists what this project asks of a Job and the Job does not have.
func ask(job *batch.Job, claims map[string]bool) (out []string) {
	wrong := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	pod := &job.Spec.Template.Spec
	for _, v := range pod.Volumes {
		if p := v.PersistentVolumeClaim; p != nil && !claims[p.ClaimName] {
			wrong("volume %q: there is no claim %q in these files", v.Name, p.ClaimName)
		}
	}
	if sc := pod.SecurityContext; sc == nil || sc.RunAsNonRoot == nil || !*sc.RunAsNonRoot {
		wrong("securityContext: must run as a user that is not root")
	}
	for _, c := range pod.Containers {
		if n := job.Spec.Completions; job.Spec.CompletionMode != nil && n != nil {
			if shard := fmt.Sprintf("-shard=$(JOB_COMPLETION_INDEX)/%d", *n); !slices.Contains(c.Args, shard) {
				wrong("container %s: args must hold %s, the number being spec.completions", c.Name, shard)
			}
		}
	}
	for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
		if c.Resources.Limits.Memory().IsZero() || c.Resources.Limits.Cpu().IsZero() {
			wrong("container %s: resources: limits of cpu and memory are needed", c.Name)
		}
		if sc := c.SecurityContext; sc == nil || sc.ReadOnlyRootFilesystem == nil || !*sc.ReadOnlyRootFilesystem {
			wrong("container %s: securityContext: a read-only root is needed", c.Name)
		}
	}
	return out
}
