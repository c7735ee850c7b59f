#ifndef XPROF_RECORD_BPF_OFF_CPU_CGROUPS_BPF_H
#define XPROF_RECORD_BPF_OFF_CPU_CGROUPS_BPF_H

/* For off_cpu.bpf.c: is a thread in one of the cgroups whose waits are recorded? */

#include "record/bpf/off_cpu_threads.bpf.h"

struct kernfs_node {
	__u64 id;
} OF_KERNEL;

struct cgroup {
	int level; /* 0: the root */
	struct kernfs_node *kn;
	struct cgroup *ancestors[]; /* from the root to itself */
} OF_KERNEL;

struct css_set {
	struct cgroup *dfl_cgrp; /* of version 2 */
} OF_KERNEL;

struct task_struct___in_cgroups {
	struct css_set *cgroups;
} OF_KERNEL;

enum { CGROUP_LEVELS = 32 }; /* deeper cgroups do not count as recorded */

static bool is_chosen_cgroup(__u64 id)
{
	for (__u32 i = 0; i < OFF_CPU_CGROUPS && i < off_cpu.cgroup_count; i++)
		if (off_cpu.cgroups[i] == id)
			return true;
	return false;
}

/* Is the cgroup at this address, or one of its ancestors, recorded? */
__noinline int is_in_chosen_cgroup(__u64 address)
{
	struct cgroup *own = (struct cgroup *)address;
	const int level = BPF_CORE_READ(own, level);

	for (int i = 0; i < CGROUP_LEVELS && i <= level; i++) {
		struct cgroup *ancestor = NULL;

		bpf_core_read(&ancestor, sizeof(ancestor), &own->ancestors[i]);
		if (is_chosen_cgroup(BPF_CORE_READ(ancestor, kn, id)))
			return 1;
	}
	return 0;
}

static bool is_in_wanted_cgroup(struct task_struct *task)
{
	if (!off_cpu.cgroup_count)
		return true;
	return is_in_chosen_cgroup(
		(__u64)BPF_CORE_READ((struct task_struct___in_cgroups *)task, cgroups, dfl_cgrp));
}

#endif
