#ifndef XPROF_RECORD_RECORDER_H
#define XPROF_RECORD_RECORDER_H

/*
 * The loop that carries records from the rings into the file.
 *
 * A round drains every ring once. FINISHED_ROUND ends one or more of them, so that
 * readers need to sort only two times what lies between: a record behind the second
 * one is never older than those before the first. Records go from ring to writer in runs, with one look
 * at each record's header and nothing else that costs a system call.
 *
 * Between rounds the loop sleeps until a ring is half full, the flush interval is
 * over, or one of the watched descriptors (signals, the workload) is ready.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/progress.h"
#include "format/write/perf_writer.h"
#include "record/bpf/stack_copier.h"
#include "record/drain_team.h"
#include "record/event_set.h"
#include "record/process/build_id_table.h"
#include "record/process/comm_filter.h"
#include "record/process/map_snapshots.h"
#include "record/ring_lane.h"
#include "record/ring_size.h"
#include "record/stack/evidence.h"
#include "record/wait/wait_sampler.h"

struct recorder;

struct recorder_counts {
	struct lane_counts taken; /* out of the rings; its times are those of the file, and 0 without samples */
	uint64_t lost_records; /* of every kind, that the kernel had no room for in a ring: as it told in the rings */
	/* At the end; both are 0 where the kernel does not count for each event (before Linux 6.0). */
	uint64_t lost_samples, lost_others; /* taken.dropped are among lost_samples */
	uint64_t throttled;                 /* times an event was stopped for sampling too fast */
	uint64_t rounds;
	uint64_t target_ended_ns; /* CLOCK_MONOTONIC, when no recorded thread was left; 0: some are */
};

enum recorder_end {
	RECORDER_RUNNING,
	RECORDER_WATCHED_READY, /* watch_fd became readable */
	RECORDER_DEADLINE,
	RECORDER_TARGET_ENDED, /* every recorded thread has ended */
	RECORDER_SIZE_REACHED, /* recorder_limit_size() */
};

/*
 * `files` takes notes of the mapped files; `evidence`, which may be NULL, says what
 * is written of samples. Everything is borrowed.
 */
struct recorder *recorder_create(struct event_set *events, struct perf_writer *writer,
				 struct build_id_table *files, struct evidence *evidence,
				 struct progress *progress);
/* Also wakes up when the ring of stack copies fills up, and gives it the room that they take: by that demand. Borrowed. */
void recorder_watch_copies(struct recorder *recorder, struct stack_copier *copier,
			   const struct ring_demand *demand);
/* From now on waits are sampled, too: wakes up when their ring, that of `fd`, fills up. Borrowed. */
void recorder_sample_waits(struct recorder *recorder, struct wait_sampler *waits, int fd);

/* From now on the perf maps of what is sampled are written, too. Borrowed. */
void recorder_keep_maps(struct recorder *recorder, struct map_snapshots *maps);

/* From now on only the samples that it accepts are written. Borrowed. */
void recorder_filter_comms(struct recorder *recorder, struct comm_filter *comms);
/*
 * Rings are read by several threads as the plan says, borrowed: at once, or as soon as one does not suffice. `make_evidence`
 * makes the evidence of one more thread; NULL where there is none.
 */
void recorder_plan_threads(struct recorder *recorder, const struct drain_plan *plan,
			   struct evidence *(*make_evidence)(void *context), void *context);
/* How many read rings now. */
size_t recorder_threads(const struct recorder *recorder);
/* Of all threads. */
struct evidence_counts recorder_evidence_counts(const struct recorder *recorder);
/* From now on `hear` is called with each record that is no sample, after it was looked at. */
void recorder_tell_state(struct recorder *recorder,
			 void (*hear)(const uint8_t *record, size_t size, void *context), void *context);
/*
 * From now on the records of the rings are appended to `kept` in place of the file (flight recorder); the size that
 * recorder_limit_size() limits is then that of `kept`.
 */
void recorder_keep_records(struct recorder *recorder, struct strbuf *kept);
/* Takes what is in the rings into `kept`. */
int recorder_drain_kept(struct recorder *recorder, struct error *err);
/* Writes whole records into the file that did not come out of the rings, as a round of its own. */
int recorder_add(struct recorder *recorder, const uint8_t *records, size_t size, struct error *err);
/* recorder_run() ends when the file has as many bytes of data. 0: no limit. */
void recorder_limit_size(struct recorder *recorder, uint64_t size_bytes);
/* From now on records go to another file, for which the times of the first and last sample begin anew. Borrowed. */
void recorder_set_output(struct recorder *recorder, struct perf_writer *writer);

void recorder_destroy(struct recorder *recorder);

/*
 * Runs until watch_fd is readable, CLOCK_MONOTONIC passes deadline_ns (0: never),
 * or, if `until_target_ends`, no recorded thread is left. -1 when the file cannot
 * be written; what was flushed stays.
 */
int recorder_run(struct recorder *recorder, int watch_fd, uint64_t deadline_ns, bool until_target_ends,
		 enum recorder_end *end, struct error *err);

/*
 * Ends a file: takes what is in the rings, and writes what the kernel says it lost since the last file. The last one's
 * samplers have stopped.
 */
int recorder_drain(struct recorder *recorder, bool is_last, struct error *err);

const struct recorder_counts *recorder_counts(const struct recorder *recorder);

#endif
