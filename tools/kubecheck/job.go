package main

import (
	"fmt"
	"slices"
	"strings"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
)

// checkJob holds a Job to the API server's rules on indexed Jobs and their failure policies, and its pods
// to what this project asks of them.
func checkJob(j *batch.Job, claims map[string]bool) (out []string) {
	wrong := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	out = checkName("metadata.name", j.Name)
	s := &j.Spec
	for name, n := range map[string]*int32{
		"completions": s.Completions, "parallelism": s.Parallelism, "backoffLimit": s.BackoffLimit,
		"backoffLimitPerIndex": s.BackoffLimitPerIndex, "maxFailedIndexes": s.MaxFailedIndexes,
	} {
		if n != nil && *n < 0 {
			wrong("spec.%s: must not be negative", name)
		}
	}
	indexed := s.CompletionMode != nil && *s.CompletionMode == batch.IndexedCompletion
	switch {
	case s.CompletionMode != nil && !indexed && *s.CompletionMode != batch.NonIndexedCompletion:
		wrong("spec.completionMode %q: must be Indexed or NonIndexed", *s.CompletionMode)
	case indexed && (s.Completions == nil || *s.Completions < 1):
		wrong("spec.completions: completionMode Indexed needs it, at least 1")
	case indexed && s.Parallelism != nil && *s.Parallelism > 100_000:
		wrong("spec.parallelism: an indexed Job may have 100000")
	}
	if s.BackoffLimitPerIndex != nil && !indexed {
		wrong("spec.backoffLimitPerIndex: only with completionMode Indexed")
	}
	if s.MaxFailedIndexes != nil {
		switch {
		case s.BackoffLimitPerIndex == nil:
			wrong("spec.maxFailedIndexes: only with backoffLimitPerIndex")
		case s.Completions != nil && *s.MaxFailedIndexes > *s.Completions:
			wrong("spec.maxFailedIndexes: must be at most completions")
		}
	}
	pod := &s.Template.Spec
	if pod.RestartPolicy != core.RestartPolicyNever && pod.RestartPolicy != core.RestartPolicyOnFailure {
		wrong("restartPolicy %q: must be Never or OnFailure", pod.RestartPolicy)
	}
	if s.PodFailurePolicy != nil {
		if pod.RestartPolicy != core.RestartPolicyNever {
			wrong("podFailurePolicy: only with restartPolicy Never")
		}
		if s.PodReplacementPolicy != nil && *s.PodReplacementPolicy != batch.Failed {
			wrong("podReplacementPolicy %q: must be Failed beside a podFailurePolicy", *s.PodReplacementPolicy)
		}
		out = append(out, checkPolicy(s)...)
	}
	out = append(out, checkPod(pod, claims)...)
	if indexed {
		out = append(out, checkShards(s)...)
	}
	return out
}

// checkPolicy checks the rules for pods that fail.
func checkPolicy(s *batch.JobSpec) (out []string) {
	if n := len(s.PodFailurePolicy.Rules); n < 1 || n > 20 {
		out = append(out, fmt.Sprintf("podFailurePolicy: %d rules, must be 1 to 20", n))
	}
	for i, r := range s.PodFailurePolicy.Rules {
		wrong := func(format string, args ...any) {
			out = append(out, fmt.Sprintf("podFailurePolicy.rules[%d]: ", i)+fmt.Sprintf(format, args...))
		}
		switch r.Action {
		case batch.PodFailurePolicyActionIgnore, batch.PodFailurePolicyActionCount, batch.PodFailurePolicyActionFailJob:
		case batch.PodFailurePolicyActionFailIndex:
			if s.BackoffLimitPerIndex == nil {
				wrong("FailIndex only with backoffLimitPerIndex")
			}
		default:
			wrong("action %q: must be Ignore, Count, FailIndex or FailJob", r.Action)
		}
		if (r.OnExitCodes != nil) == (len(r.OnPodConditions) > 0) {
			wrong("exactly one of onExitCodes and onPodConditions must be given")
		}
		for _, c := range r.OnPodConditions {
			if c.Type == "" || !slices.Contains([]core.ConditionStatus{core.ConditionTrue, core.ConditionFalse, core.ConditionUnknown}, c.Status) {
				wrong("onPodConditions: needs a type and a status True, False or Unknown")
			}
		}
		codes := r.OnExitCodes
		if codes == nil {
			continue
		}
		if codes.Operator != batch.PodFailurePolicyOnExitCodesOpIn && codes.Operator != batch.PodFailurePolicyOnExitCodesOpNotIn {
			wrong("operator %q: must be In or NotIn", codes.Operator)
		}
		if n := len(codes.Values); n < 1 || n > 255 {
			wrong("%d exit codes, must be 1 to 255", n)
		}
		for k, v := range codes.Values {
			if v == 0 && codes.Operator == batch.PodFailurePolicyOnExitCodesOpIn {
				wrong("exit code 0 is no failure")
			}
			if k > 0 && v <= codes.Values[k-1] {
				wrong("exit codes must be in order, each once")
			}
		}
		pod := s.Template.Spec
		named := func(c core.Container) bool { return codes.ContainerName != nil && c.Name == *codes.ContainerName }
		if codes.ContainerName != nil && !slices.ContainsFunc(pod.Containers, named) && !slices.ContainsFunc(pod.InitContainers, named) {
			wrong("containerName %q: there is no such container", *codes.ContainerName)
		}
	}
	return out
}

// checkPod checks volumes, and that nothing runs with more rights or without bounds.
func checkPod(pod *core.PodSpec, claims map[string]bool) (out []string) {
	wrong := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		if volumes[v.Name] {
			wrong("volume %q is there twice", v.Name)
		}
		volumes[v.Name] = true
		if p := v.PersistentVolumeClaim; p != nil && !claims[p.ClaimName] {
			wrong("volume %q: there is no claim %q in these files", v.Name, p.ClaimName)
		}
	}
	if sc := pod.SecurityContext; sc == nil || sc.RunAsNonRoot == nil || !*sc.RunAsNonRoot || sc.RunAsUser == nil || *sc.RunAsUser == 0 {
		wrong("securityContext: must run as a user that is not root, by number")
	}
	if len(pod.Containers) == 0 {
		wrong("containers: at least one is needed")
	}
	names := map[string]bool{}
	for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
		if names[c.Name] {
			wrong("container %q is there twice", c.Name)
		}
		names[c.Name] = true
		out = append(out, checkName("container", c.Name)...)
		if c.Image == "" {
			wrong("container %s: image is missing", c.Name)
		}
		mounted := map[string]bool{}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] {
				wrong("container %s: volumeMount %q: there is no such volume", c.Name, m.Name)
			}
			if !strings.HasPrefix(m.MountPath, "/") || mounted[m.MountPath] {
				wrong("container %s: mountPath %q: must be absolute, and there once", c.Name, m.MountPath)
			}
			mounted[m.MountPath] = true
		}
		for _, r := range []core.ResourceName{core.ResourceCPU, core.ResourceMemory} {
			request, asked := c.Resources.Requests[r]
			limit, limited := c.Resources.Limits[r]
			if !asked || !limited || request.Cmp(limit) > 0 {
				wrong("container %s: resources: %s needs a request and a limit that is no lower", c.Name, r)
			}
		}
		sc := c.SecurityContext
		if sc == nil || sc.ReadOnlyRootFilesystem == nil || !*sc.ReadOnlyRootFilesystem || sc.AllowPrivilegeEscalation == nil ||
			*sc.AllowPrivilegeEscalation || sc.Capabilities == nil || !slices.Contains(sc.Capabilities.Drop, "ALL") {
			wrong("container %s: securityContext: read-only root, no escalation, no capabilities", c.Name)
		}
	}
	return out
}

// checkShards sees that every index computes its own shard, and all of them are computed.
func checkShards(s *batch.JobSpec) []string {
	var n int32
	if s.Completions != nil {
		n = *s.Completions
	}
	want := fmt.Sprintf("-shard=$(JOB_COMPLETION_INDEX)/%d", n)
	for _, c := range s.Template.Spec.Containers {
		if !slices.Contains(c.Args, want) {
			return []string{fmt.Sprintf("container %s: args must hold %s, the number being spec.completions", c.Name, want)}
		}
	}
	return nil
}
