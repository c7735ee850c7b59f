#ifndef XPROF_RECORD_RECORDER_H
#define XPROF_RECORD_RECORDER_H

/*
 * The loop that carries records from the rings into the file.
 *
 * A round drains every ring once. A FINISHED_ROUND record is written after one or more rounds. It bounds what
 * readers have to sort: no record behind the second of two FINISHED_ROUND records is older than a record
 * before the first. Records go from ring to writer in runs of whole records; only their headers are looked
 * at.
 *
 * Between rounds the loop sleeps until a ring is half full, the flush interval is over, or one of the watched
 * descriptors (signals, the workload) is ready.
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
	struct lane_counts taken; /* what was read from the rings; times are of this file, 0 without samples */
	uint64_t lost_records;    /* sum of the LOST records that the kernel wrote into the rings */
	/* Set at the end of a file; both are 0 before Linux 6.0, which does not count losses for each event. */
	uint64_t lost_samples, lost_others; /* lost_samples includes taken.dropped */
	uint64_t throttled;                 /* times an event was stopped for sampling too fast */
	uint64_t rounds;
};

enum recorder_end {
	RECORDER_RUNNING,
	RECORDER_WATCHED_READY, /* watch_fd became readable */
	RECORDER_DEADLINE,
	RECORDER_TARGET_ENDED, /* all recorded threads have ended */
	RECORDER_SIZE_REACHED, /* see recorder_limit_size() */
};

/*
 * `files` collects the mapped files. `evidence` decides which parts of a sample are written; NULL: all.
 * Everything is borrowed.
 */
struct recorder *recorder_create(struct event_set *events, struct perf_writer *writer,
				 struct build_id_table *files, struct evidence *evidence,
				 struct progress *progress);
/*
 * From now on the ring of stack copies is read, too. Once the size of copies is known, the ring is resized
 * for `demand`. The copier is borrowed, the demand copied.
 */
void recorder_watch_copies(struct recorder *recorder, struct stack_copier *copier,
			   const struct ring_demand *demand);
/*
 * From now on samples of waits are written, too, and the loop wakes up when their ring fills up (`fd` becomes readable).
 * Borrowed.
 */
void recorder_sample_waits(struct recorder *recorder, struct wait_sampler *waits, int fd);

/* From now on the perf maps of sampled processes are written, too. Borrowed. */
void recorder_keep_maps(struct recorder *recorder, struct map_snapshots *maps);

/*
 * From now on mappings of processes that no sample needs are left out (unsampled_maps.h). Not for recordings whose samples come
 * after the end of their process.
 */
void recorder_leave_out_unsampled_maps(struct recorder *recorder);

/* From now on only samples that the filter accepts are written. Borrowed. */
void recorder_filter_comms(struct recorder *recorder, struct comm_filter *comms);
/*
 * Lets several threads read the rings as `plan` says (borrowed), at once or as soon as one thread is too
 * slow. `make_evidence` is called for each further thread; NULL without evidence.
 */
void recorder_plan_threads(struct recorder *recorder, const struct drain_plan *plan,
			   struct evidence *(*make_evidence)(void *context), void *context);
/* The number of threads that read rings now. */
size_t recorder_threads(const struct recorder *recorder);
/* Counts of the evidence of all threads together. */
struct evidence_counts recorder_evidence_counts(const struct recorder *recorder);
/*
 * From now on `hear` is called with each record that is not a sample, after the recorder itself has looked at
 * it.
 */
void recorder_tell_state(struct recorder *recorder,
			 void (*hear)(const uint8_t *record, size_t size, void *context), void *context);
/*
 * From now on the records of the rings are appended to `kept` instead of the file (flight recorder), and
 * recorder_limit_size() limits the size of `kept`.
 */
void recorder_keep_records(struct recorder *recorder, struct strbuf *kept);
/* Moves the records that are in the rings to `kept`. */
int recorder_drain_kept(struct recorder *recorder, struct error *err);
/* Writes whole records from memory into the file, as a round of their own. */
int recorder_add(struct recorder *recorder, const uint8_t *records, size_t size, struct error *err);
/* recorder_run() ends when the file has that many bytes of data. 0: no limit. */
void recorder_limit_size(struct recorder *recorder, uint64_t size_bytes);
/* From now on records go to another file; the times of its first and last sample begin anew. Borrowed. */
void recorder_set_output(struct recorder *recorder, struct perf_writer *writer);

void recorder_destroy(struct recorder *recorder);

/*
 * Runs until watch_fd is readable, CLOCK_MONOTONIC passes deadline_ns (0: never), or, if `until_target_ends`,
 * no recorded thread is left; *end says which. Returns 0, or -1 with err if the file cannot be written; what
 * was flushed stays.
 */
int recorder_run(struct recorder *recorder, int watch_fd, uint64_t deadline_ns, bool until_target_ends,
		 enum recorder_end *end, struct error *err);

/*
 * Ends a file: drains the rings and writes the losses that the kernel has counted since the last file.
 * `is_last`: the samplers have stopped.
 */
int recorder_drain(struct recorder *recorder, bool is_last, struct error *err);

const struct recorder_counts *recorder_counts(const struct recorder *recorder);

#endif
