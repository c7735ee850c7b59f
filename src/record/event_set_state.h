#ifndef XPROF_RECORD_EVENT_SET_STATE_H
#define XPROF_RECORD_EVENT_SET_STATE_H

/* Shared by the files of event_set; no other file includes it. */

#include "record/event/event_fallback.h"
#include "record/event_set.h"
#include "record/id_aliases.h"
#include "record/ring_size.h"

enum { SIDEBAND = 0 };

struct opened_event {
	struct asked_event asked;
	bool copied;   /* its stacks are copied by a BPF program (stack_copier.h) */
	size_t leader; /* number of the group leader; its own without a group */
	size_t group_size;
	bool weak_group;    /* the group is given up if it cannot be opened */
	const char *filter; /* of a tracepoint; borrowed from the spec; NULL: none */
	const char *cgroup; /* borrowed from the spec; NULL: any */
	const char *cpus;   /* of its PMU; borrowed from the spec; NULL: all */
	int cgroup_fd;      /* the cgroup's directory; -1: none */
	int *fds;      /* [thread * slot_count + slot]; -1 if the thread has ended or the CPU is offline */
	uint64_t *ids; /* kernel ids of the events that were open at the start */
	size_t id_count;
	uint64_t lost;             /* samples lost by events that were closed when their CPU went offline */
	uint64_t *counted;         /* per slot: the counts of those closed events */
	uint64_t refused_branches; /* kinds of branches that the kernel refuses, see event_set_reduce_branches() */
};

/* A CPU, its ring, and the times that it was offline. */
struct cpu_slot {
	int ring_fd;     /* the event that the ring is mapped from; -1: no ring */
	int backward_fd; /* the same for the ring that samplers overwrite */
	bool backward_fd_is_spare;
	/* ring_fd counts no more; it is kept open because other events write into its ring */
	bool ring_fd_is_spare;
	bool has_ids;        /* online at the start: the file lists the ids of its events */
	bool is_away;        /* offline, no event is open */
	bool is_refused;     /* it came back, but its events could not be opened */
	bool is_renamed;     /* its events have ids that the file does not list: id_aliases.h */
	uint64_t since_ns;   /* CLOCK_MONOTONIC: when its events were opened */
	uint64_t offline_ns; /* sum of the offline times that are over */
	unsigned int returns;
};

struct event_set {
	const struct target *target;
	const struct event_set_options *options;
	const struct perf_calls *calls;
	struct strbuf *notices;
	struct opened_event *events;
	size_t event_count;
	struct written_event *samplers;
	/* attrs of the samplers; the first has the sideband's flags, too */
	struct perf_event_attr *written_attrs;
	uint64_t *first_ids; /* ids of the first sampler, then of the sideband */
	size_t slot_count;   /* CPUs of the target, the online ones first */
	struct cpu_slot *slots;
	struct ring_buffer *rings;    /* one per slot */
	struct ring_buffer *backward; /* one per slot, mapped with options->overwrite only */
	size_t ring_bytes;            /* size of each ring */
	size_t *watched;              /* per ring: the thread whose sideband event is polled */
	size_t open_count;
	bool is_enabled, is_disabled; /* the last call; neither: exec of the workload starts the samplers */
	/* One event per CPU, for all threads, stored as thread 0: the sideband, the samplers. */
	bool sideband_is_wide, samplers_are_wide;
	struct id_aliases aliases; /* for events that were opened after the file's list of ids was written */
	struct error refusal;      /* why the events of a CPU that came back could not be opened */
};

/*
 * event_set_cells.c: opens the event for one thread and one CPU and stores its descriptor in event->fds, -1
 * if the thread has ended, and its id in *id. Returns 0, or -1 with err.
 */
int event_set_open_cell(struct event_set *set, struct opened_event *event, size_t thread, size_t slot,
			uint64_t *id, struct error *err);

/*
 * Removes branch counters, and adds a notice, if no PMU has them. On AMD the kernel accepts the bit nevertheless, but
 * samples have no counters (amd_pmu_lbr_setup_filter(), arch/x86/events/amd/lbr.c).
 */
void event_set_drop_counters(const struct event_set *set, struct opened_event *event);

/*
 * Call it after the kernel refused the event: removes the branch fields that the kernel cannot record and
 * adds a notice. Returns false if the refusal has another cause, or if the kernel cannot record these kinds
 * of branches, which are then in event->refused_branches.
 */
bool event_set_reduce_branches(const struct event_set *set, struct opened_event *event, pid_t tid, int cpu,
			       int open_errno);

/* The space that the events' samples need in a ring. */
struct ring_demand event_set_ring_demand(const struct event_set *set);

/*
 * Maps a ring for each CPU, as large as the limit of locked memory allows. Returns 0, or -1 with err and no
 * ring mapped.
 */
int event_set_map_rings(struct event_set *set, const struct ring_demand *demand, struct error *err);
void event_set_unmap_rings(struct event_set *set);

/* Size of a CPU's ring in pages, if rings of sampled CPUs have `pages`. */
size_t event_set_ring_pages(const struct event_set *set, size_t slot, size_t pages);

/* event_set_overwrite.c: maps the rings that samplers overwrite, once the first sampler is open. */
int event_set_map_backward(struct event_set *set, struct error *err);
void event_set_unmap_backward(struct event_set *set);
/* Lets event `fd` of a CPU that came online write into the CPU's overwritten ring. */
int event_set_direct_backward(struct event_set *set, size_t slot, int fd, struct error *err);

/*
 * Shortens call chains and stack dumps until a sample fits into the mapped rings: larger samples would all be
 * lost.
 */
void event_set_fit_samplers(struct event_set *set, struct ring_demand demand);

/* Lets an opened event write into the rings of its CPUs. */
int event_set_redirect(const struct event_set *set, const struct opened_event *event, struct error *err);

struct event_counts {
	uint64_t value, lost; /* lost: 0 if the kernel does not count them */
};

/*
 * event_set_cells.c: reads the count of the open event `fd`, including the threads that inherited it.
 * `number` is the event's. Returns false if it cannot be read.
 */
bool event_set_read_counts(const struct event_set *set, size_t number, int fd, struct event_counts *counts);

#endif
