// Kubecheck checks Kubernetes manifests without a cluster: every field against the types of the API,
// strictly, and what the API server, or this project, asks of Jobs beyond that.
//
//	go run ./kubecheck FILE...
//
// The files belong together: a claim that one of them uses must be in one of them.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := check(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// manifest is one document of a file.
type manifest struct {
	where string
	job   *batch.Job
	claim *core.PersistentVolumeClaim
}

// check reads the files and tells w what they hold; the error lists every mistake.
func check(paths []string, w io.Writer) error {
	if len(paths) == 0 {
		return errors.New("kubecheck: no files named")
	}
	var all []manifest
	var mistakes []error
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, doc := range documents(src) {
			m, err := decode(doc)
			m.where = fmt.Sprintf("%s, document %d", path, i+1)
			if err != nil {
				mistakes = append(mistakes, fmt.Errorf("%s: %w", m.where, err))
				continue
			}
			all = append(all, m)
		}
	}
	claims := map[string]bool{}
	for _, m := range all {
		if m.claim != nil {
			claims[m.claim.Name] = true
		}
	}
	for _, m := range all {
		var found []string
		switch {
		case m.job != nil:
			found = checkJob(m.job, claims)
			fmt.Fprintf(w, "%s: Job %s\n", m.where, m.job.Name)
		case m.claim != nil:
			found = checkClaim(m.claim)
			fmt.Fprintf(w, "%s: PersistentVolumeClaim %s\n", m.where, m.claim.Name)
		}
		for _, f := range found {
			mistakes = append(mistakes, fmt.Errorf("%s: %s", m.where, f))
		}
	}
	return errors.Join(mistakes...)
}

var separator = regexp.MustCompile(`(?m)^---\s*$`)

// documents splits a YAML stream.
func documents(src []byte) [][]byte {
	var out [][]byte
	for _, text := range separator.Split(string(src), -1) {
		var content any
		if yaml.Unmarshal([]byte(text), &content) == nil && content == nil {
			continue // comments alone
		}
		out = append(out, []byte(text))
	}
	return out
}

// decode reads one document into the type that its kind asks for; a field that the type has not, or that is
// given twice, is an error.
func decode(doc []byte) (manifest, error) {
	var head meta.TypeMeta
	if err := yaml.Unmarshal(doc, &head); err != nil {
		return manifest{}, err
	}
	var m manifest
	var into any
	switch head.APIVersion + " " + head.Kind {
	case "batch/v1 Job":
		m.job = &batch.Job{}
		into = m.job
	case "v1 PersistentVolumeClaim":
		m.claim = &core.PersistentVolumeClaim{}
		into = m.claim
	default:
		return m, fmt.Errorf("apiVersion %q, kind %q: not one this knows (batch/v1 Job, v1 PersistentVolumeClaim)", head.APIVersion, head.Kind)
	}
	return m, yaml.UnmarshalStrict(bytes.TrimSpace(doc), into)
}

// checkName holds a name to the rule for host names, which indexed pods get theirs from.
func checkName(what, name string) []string {
	var out []string
	for _, e := range validation.IsDNS1123Label(name) {
		out = append(out, fmt.Sprintf("%s %q: %s", what, name, e))
	}
	return out
}

func checkClaim(c *core.PersistentVolumeClaim) []string {
	out := checkName("metadata.name", c.Name)
	if len(c.Spec.AccessModes) == 0 {
		out = append(out, "spec.accessModes: at least one is needed")
	}
	for _, mode := range c.Spec.AccessModes {
		if mode != core.ReadWriteMany {
			out = append(out, fmt.Sprintf("spec.accessModes %s: pods of several nodes need ReadWriteMany", mode))
		}
	}
	if q, ok := c.Spec.Resources.Requests[core.ResourceStorage]; !ok || q.Sign() <= 0 {
		out = append(out, "spec.resources.requests.storage: must be above 0")
	}
	return out
}
