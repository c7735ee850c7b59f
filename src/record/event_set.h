#ifndef XPROF_RECORD_EVENT_SET_H
#define XPROF_RECORD_EVENT_SET_H

/*
 * The opened events of a recording: for every event, thread and CPU a perf
 * event, all of which write into one ring per CPU. Event 0 is the sideband
 * event (see event_attr.h), the others are the samplers in the user's order.
 *
 * Each departure from the user's request is added to `notices` as one line.
 */

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "format/write/perf_writer.h"
#include "record/bpf/stack_copier.h"
#include "record/event/event_attr.h"
#include "record/event/event_spec.h"
#include "record/machine/perf_calls.h"
#include "record/process/target.h"
#include "record/ring_buffer.h"

struct event_set;

struct event_set_options {
	struct sampling_options sampling;
	bool overwrite;      /* samples stay in rings, where later ones overwrite them */
	bool enable_on_exec; /* the only thread is a workload that has not called exec yet */
	size_t ring_pages;   /* per CPU; a power of two; 0: what suits the call graph */
	/* NULL: the kernel dumps stacks. Else they are copied for all samplers for which that is possible. */
	struct stack_copier *copier;
	const struct perf_calls *calls; /* NULL: the kernel's */
};

/* The sideband event runs when this returns, the samplers do not yet. NULL with err. */
struct event_set *event_set_open(const struct event_specs *specs, const struct target *target,
				 const struct event_set_options *options, struct strbuf *notices,
				 struct error *err);
void event_set_close(struct event_set *set);

/* Starts and stops the samplers, as often as wanted. */
int event_set_enable(struct event_set *set, struct error *err);
void event_set_disable(struct event_set *set);
/* Those of that name; false if there is none. */
bool event_set_switch_named(struct event_set *set, const char *name, bool on);

/* One for each CPU that may come; those of CPUs that are offline are not mapped, so their `control` is NULL. */
size_t event_set_ring_count(const struct event_set *set);
struct ring_buffer *event_set_ring(struct event_set *set, size_t number);

/* With `overwrite`: appends the samples that are in the rings, of each CPU the oldest first, without those handed out before. */
void event_set_collect_overwritten(struct event_set *set, struct strbuf *records);

/* Rings of such samples are so many times as large as others, unless the user says how large. */
enum { BACKWARD_RING_FACTOR = 4 };

/*
 * CPUs that come and go: call event_set_begin_to_follow() when the recording begins, and event_set_follow_cpus() whenever
 * a CPU may have come back, with those that are online. True when events were opened anew: the poll entries are others.
 * Times are of CLOCK_MONOTONIC.
 */
void event_set_begin_to_follow(struct event_set *set, uint64_t now_ns);
bool event_set_follow_cpus(struct event_set *set, const struct target *online, uint64_t now_ns);

/* Are there records with ids in the ring that the file does not list? event_set_rename_ids() gives them those. */
bool event_set_has_late_ids(const struct event_set *set, size_t ring);
void event_set_rename_ids(const struct event_set *set, uint8_t *records, size_t size);

/* In a sentence which CPUs were offline for how long; nothing where none was. */
void event_set_say_offline(const struct event_set *set, uint64_t now_ns, struct strbuf *text);

/* Fills one entry per ring, to be polled for POLLIN. An entry is -1 where every thread has ended. */
void event_set_poll_entries(const struct event_set *set, struct pollfd *entries);

/*
 * After poll(): a ring whose watched thread has ended is watched through
 * another one. Returns false when all recorded threads have ended.
 */
bool event_set_after_poll(struct event_set *set, struct pollfd *entries);

/*
 * The events for the file: the samplers, the first with the sideband's ids and flags. They live as long as
 * the set.
 */
size_t event_set_sampler_count(const struct event_set *set);
const struct written_event *event_set_samplers(const struct event_set *set);
const struct perf_event_attr *event_set_sideband_attr(const struct event_set *set);

/* Samples of a sampler that the kernel had no room for; 0 where it does not count them (before 6.0). */
uint64_t event_set_read_lost(const struct event_set *set, size_t sampler, uint64_t *first_id);

/* The same of records that are no samples. */
uint64_t event_set_read_lost_others(const struct event_set *set);

/* Some sampler sees the kernel, so its symbols are of use. */
bool event_set_samples_kernel(const struct event_set *set);

size_t event_set_ring_bytes(const struct event_set *set);
size_t event_set_open_count(const struct event_set *set);

#endif
