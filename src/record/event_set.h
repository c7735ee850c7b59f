#ifndef XPROF_RECORD_EVENT_SET_H
#define XPROF_RECORD_EVENT_SET_H

/*
 * The opened events of a recording: for every event, thread and CPU a perf event, all of which write into one
 * ring per CPU. Event 0 is the sideband event (see event_attr.h); the others are the samplers, in the user's
 * order.
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
	bool overwrite;      /* samples stay in the rings, where later ones overwrite them */
	bool enable_on_exec; /* the only thread is a workload that has not called exec yet */
	/*
	 * The events sample nothing. If permitted they are opened for CPUs instead of threads: with events of threads the
	 * kernel takes the events of one thread off the CPU at every switch and puts those of the next one on it.
	 */
	bool only_sideband;
	size_t ring_pages; /* per CPU; a power of two; 0: chosen by the size of samples */
	/* Copies the stacks of all samplers for which that is possible. NULL: the kernel dumps stacks. */
	struct stack_copier *copier;
	const struct perf_calls *calls; /* NULL: the real system calls */
};

/*
 * Opens all events. Afterwards the sideband event is running, the samplers are not. Returns NULL with err on
 * failure.
 */
struct event_set *event_set_open(const struct event_specs *specs, const struct target *target,
				 const struct event_set_options *options, struct strbuf *notices,
				 struct error *err);
void event_set_close(struct event_set *set);

/* Start and stop the samplers. Both may be called repeatedly. */
int event_set_enable(struct event_set *set, struct error *err);
void event_set_disable(struct event_set *set);
/* Starts or stops the samplers called `name`. Returns false if there is none. */
bool event_set_switch_named(struct event_set *set, const char *name, bool on);

/* Rings: one for each CPU, online or not. The ring of an offline CPU is not mapped: its `control` is NULL. */
size_t event_set_ring_count(const struct event_set *set);
struct ring_buffer *event_set_ring(struct event_set *set, size_t number);

/*
 * With `overwrite`: appends the samples in the rings, CPU by CPU, the oldest first. Samples collected before
 * are left out.
 */
void event_set_collect_overwritten(struct event_set *set, struct strbuf *records);

/* With `overwrite`: marks the samples that are in the rings, and tells whether they are gone, overwritten or collected. */
void event_set_mark_samples(struct event_set *set);
bool event_set_marked_samples_are_gone(const struct event_set *set);

/* Overwritten rings are this many times as large as others, unless the user chose a size (-m). */
enum { BACKWARD_RING_FACTOR = 4 };

/*
 * CPUs that go offline and come back: call event_set_begin_to_follow() when the recording begins, and
 * event_set_follow_cpus() with the online CPUs whenever one may have come back. It returns true if events
 * were opened anew: then fill the poll entries again. Times are of CLOCK_MONOTONIC.
 */
void event_set_begin_to_follow(struct event_set *set, uint64_t now_ns);
bool event_set_follow_cpus(struct event_set *set, const struct target *online, uint64_t now_ns);

/*
 * Event ids that the file does not list, because the event was opened after the list was written.
 * event_set_has_late_ids(): can the ring hold such records? event_set_rename_ids() replaces these ids in
 * whole records by listed ones.
 */
bool event_set_has_late_ids(const struct event_set *set, size_t ring);
void event_set_rename_ids(const struct event_set *set, uint8_t *records, size_t size);

/* Appends to `text` which CPUs were offline, and for how long. Appends nothing if none was. */
void event_set_say_offline(const struct event_set *set, uint64_t now_ns, struct strbuf *text);

/*
 * Fills one entry per ring, to be polled for POLLIN. An entry's descriptor is -1 if all its threads have
 * ended.
 */
void event_set_poll_entries(const struct event_set *set, struct pollfd *entries);

/*
 * Call it after poll(): if the thread through which a ring is watched has ended, another
 * thread takes its place. Returns false when all recorded threads have ended.
 */
bool event_set_after_poll(struct event_set *set, struct pollfd *entries);

/*
 * The events to write into the file: the samplers. The first one also has the ids and flags of the sideband
 * event. Valid as long as the set.
 */
size_t event_set_sampler_count(const struct event_set *set);
const struct written_event *event_set_samplers(const struct event_set *set);
const struct perf_event_attr *event_set_sideband_attr(const struct event_set *set);

/*
 * Returns how many samples of a sampler the kernel dropped because the ring was full; 0 before Linux 6.0,
 * which does not count them. *first_id is set to the first id of the sampler.
 */
uint64_t event_set_read_lost(const struct event_set *set, size_t sampler, uint64_t *first_id);

/* The same for records other than samples. */
uint64_t event_set_read_lost_others(const struct event_set *set);

/* Does any sampler see the kernel? If so, readers need the kernel's symbols. */
bool event_set_samples_kernel(const struct event_set *set);

/* The size of one ring; the number of open perf events. */
size_t event_set_ring_bytes(const struct event_set *set);
size_t event_set_open_count(const struct event_set *set);

#endif
