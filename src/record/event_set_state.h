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
	bool copied;   /* stacks come as copies (stack_copier.h) */
	size_t leader; /* of its group; itself without one */
	size_t group_size;
	bool weak_group;    /* given up where the group cannot be opened */
	const char *filter; /* of a tracepoint, the spec's; NULL: none */
	const char *cgroup; /* the spec's; NULL: it counts in any */
	int cgroup_fd;      /* of its directory; -1: none */
	int *fds;      /* [thread * slots + slot]; -1 where the thread had ended, or the CPU is offline */
	uint64_t *ids; /* of those that were open at the start, the sampler's own */
	size_t id_count;
	uint64_t lost;             /* by events that were closed because their CPU was offline */
	uint64_t *counted;         /* per slot: by those events */
	uint64_t refused_branches; /* kinds of branches that the kernel refuses, see event_set_reduce_branches() */
};

/* A CPU, its ring, and what is known of the time that it was offline. */
struct cpu_slot {
	int ring_fd;     /* the event that the ring belongs to; -1: there is no ring */
	int backward_fd; /* the same of the ring that samplers overwrite; -1: there is none */
	bool backward_fd_is_spare;
	bool ring_fd_is_spare; /* it counts no more, and is open because events are directed into its ring */
	bool has_ids;          /* it was online at the start, so the file lists ids of its events */
	bool is_away;          /* nothing is open */
	bool is_refused;       /* it came back, and its events could not be opened */
	bool is_renamed;       /* events were opened later than the file's list of ids was written */
	uint64_t since_ns;     /* CLOCK_MONOTONIC: from then on its events are open */
	uint64_t offline_ns;   /* together, of the times that are over */
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
	struct perf_event_attr *written_attrs; /* of the samplers, the first with the sideband's flags */
	uint64_t *first_ids;                   /* the first sampler's, then the sideband's */
	size_t slot_count;                     /* CPUs of the target, those that are online first */
	struct cpu_slot *slots;
	struct ring_buffer *rings;    /* one per slot */
	struct ring_buffer *backward; /* one per slot, that samplers overwrite; not mapped without that */
	size_t ring_bytes;            /* of each */
	size_t *watched;              /* per ring: the thread whose sideband event is polled */
	size_t open_count;
	bool is_enabled, is_disabled; /* by the last call; neither: the workload's exec starts the samplers */
	bool sideband_is_wide;        /* one for each CPU and all threads, in the cells of the first */
	struct id_aliases
		aliases;      /* of events that were opened later than the file's list of ids was written */
	struct error refusal; /* why a CPU that came back is not sampled */
};

/* event_set_cells.c: opens the cell of a thread and a CPU: *fd is -1 where the thread has ended. Its id is in *id. */
int event_set_open_cell(struct event_set *set, struct opened_event *event, size_t thread, size_t slot,
			uint64_t *id, struct error *err);

/*
 * After a refusal: leaves out what the kernel cannot do with branches, with a notice. False: the refusal has another cause, or
 * no branches of these kinds can be had, and then event->refused_branches has those kinds.
 */
bool event_set_reduce_branches(const struct event_set *set, struct opened_event *event, pid_t tid, int cpu,
			       int open_errno);

/* The space that the events' samples need in a ring. */
struct ring_demand event_set_ring_demand(const struct event_set *set);

/* Maps a ring for each CPU, as large as locked memory allows. -1: none could be mapped, and none is. */
int event_set_map_rings(struct event_set *set, const struct ring_demand *demand, struct error *err);
void event_set_unmap_rings(struct event_set *set);

/* event_set_overwrite.c: maps the rings that samplers overwrite, once the first sampler is open. */
int event_set_map_backward(struct event_set *set, struct error *err);
void event_set_unmap_backward(struct event_set *set);
/* Directs an event of a CPU that came into its ring. */
int event_set_direct_backward(struct event_set *set, size_t slot, int fd, struct error *err);

/* Makes samples small enough for the rings that are mapped: those that are larger would all be lost. */
void event_set_fit_samplers(struct event_set *set, struct ring_demand demand);

/* Directs an opened event into the rings of its CPUs. */
int event_set_redirect(const struct event_set *set, const struct opened_event *event, struct error *err);

struct event_counts {
	uint64_t value, lost; /* lost: 0 where the kernel does not count them */
};

/*
 * event_set_cells.c: reads the count of a cell's event, with those of the threads that inherited it. False if it cannot be read.
 */
bool event_set_read_counts(const struct event_set *set, size_t number, int fd, struct event_counts *counts);

#endif
