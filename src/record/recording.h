#ifndef XPROF_RECORD_RECORDING_H
#define XPROF_RECORD_RECORDING_H

/*
 * One recording from beginning to end. The order of the steps makes it complete:
 *
 *	1. the workload is forked and held back;
 *	2. events are opened: the sideband runs, the samplers do not yet; again if threads began meanwhile;
 *	3. the file begins;
 *	4. existing processes are described (changes meanwhile are in the rings);
 *	5. the samplers start.
 *
 *     recording = recording_open(&plan, &notices, &err);
 *     if (recording && recording_run(recording, progress, &err) == 0)
 *             print_summary(recording_summary(recording));
 *     recording_close(recording);
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "cli/progress.h"
#include "record/event_set.h"
#include "record/process/target.h"
#include "record/recorder.h"
#include "record/switch/sampling_schedule.h"
#include "record/switch/switch_condition.h"
#include "record/wait/wait_sampler.h"

/* A file that is complete, while the recording goes on or at its end. */
struct recorded_file {
	const char *name;
	uint64_t samples, data_bytes;
};

struct recording_plan {
	const struct event_specs *events;
	struct target_request target; /* if it names no threads and no CPUs, the workload is recorded */
	struct event_set_options options;
	char *const *workload;          /* argv, ends with NULL; NULL: no workload */
	const char *output;             /* path, or "-" */
	const char *version;            /* of xprof, to be written into the file */
	bool compression_given;         /* otherwise stacks are compressed */
	unsigned int compression_level; /* 0: none */
	enum evidence_level evidence;   /* with --call-graph auto */
	const char *comms;   /* write only samples of threads with these names, "make,cc1"; NULL: all */
	bool no_continue;    /* do not continue stacks beyond the kernel's dumps */
	bool no_bpf;         /* let the kernel dump stacks instead of copying them with a BPF program */
	const char *threads; /* argument of --threads; NULL: as many as are needed */
	/* used instead of `events` if waits cannot be timed; NULL: none */
	const struct event_specs *switch_events;
	uint64_t off_cpu_period_ns;       /* one sample for so much time off the CPU; 0: not sampled */
	unsigned int realtime_priority;   /* SCHED_FIFO; 0: nice -20, see own_priority.h */
	struct sampling_plan sampling;    /* when the samplers run */
	struct switch_condition switches; /* when the next file begins */
	bool time_in_name;      /* the names of complete files have the time; always so with `switches` */
	unsigned int max_files; /* keep this many complete files, the latest; 0: all */
	const char *control;    /* argument of control_channel_open(); NULL: no commands */
	/* Called with the answer to a command, in whole lines: a list of events, or a remark. May be NULL. */
	void (*say)(const char *text, bool is_list);
	uint64_t max_bytes; /* the recording ends when a file has that much data; 0: no limit */
	/* called for each complete file; may be NULL */
	void (*file_kept)(const struct recorded_file *file, void *context);
	void *file_kept_context;
};

struct recording;

struct recording_summary {
	struct recorder_counts counts;
	struct evidence_counts evidence;
	/* the BPF program that copied stacks; NULL: the kernel dumped them, see no_copies */
	const char *copier;
	struct error no_copies; /* why stacks were not copied */
	/* copies were paired with samples by time, so the recording's clock is CLOCK_MONOTONIC */
	bool copies_by_clock;
	struct stack_copier_counts copies;
	bool waits_timed; /* time off the CPU was sampled */
	struct wait_sampler_counts waits;
	uint64_t elapsed_ns;   /* of sampling */
	size_t files;          /* complete ones */
	const char *last_file; /* its name, if the name has the time; valid as long as the recording */
	bool size_reached;     /* the recording ended at the plan's max_bytes */
	uint64_t data_bytes;   /* data of all files */
	struct compression_totals compression;
	size_t threads;                   /* threads that read rings at the end */
	size_t events, rings, ring_bytes; /* opened */
	size_t processes, mappings;       /* synthesized */
	uint64_t synthesis_ns;
	/* Time at the end in which the workload ran but the kernel had detached its events; 0: none. */
	uint64_t unseen_ns;
	size_t cut_maps; /* perf maps of which the file has only a part */
	/* which CPUs were offline, for how long; NULL: none. Valid as long as the recording */
	const char *offline;
	bool comes_first;   /* the recorder had a raised priority, see own_priority.h */
	bool kernel_hidden; /* the kernel was sampled but hides its addresses */
};

/*
 * Opens everything and describes existing processes; the samplers do not run yet. Departures from the user's
 * request are added to `notices`, one line each. Returns NULL with err on failure.
 */
struct recording *recording_open(const struct recording_plan *plan, struct strbuf *notices,
				 struct error *err);

/*
 * Samples until the workload or the target ends, the duration is over, or a signal of stop_signals.h
 * comes, and finishes the file. Returns 0, or -1 with err if the file cannot be written or the workload
 * cannot be run; what was written before stays readable.
 */
int recording_run(struct recording *recording, struct progress *progress, struct error *err);

enum workload_end {
	WORKLOAD_ENDED,   /* or there is none */
	WORKLOAD_STAYS,   /* it still runs after timeout_ms */
	WORKLOAD_IS_LEFT, /* it still runs, but a signal asked not to wait for it */
};

/*
 * Call it after recording_run(): asks a workload that still runs to end, and waits for it. timeout_ms < 0: no
 * limit.
 */
enum workload_end recording_end_workload(struct recording *recording, int timeout_ms);
pid_t recording_workload_pid(const struct recording *recording);

/*
 * The workload's exit status once it ended; 0 without a workload, or if it was ended because the duration was
 * over.
 */
int recording_workload_status(const struct recording *recording);

/* The signal that ended the recording; 0: another reason. */
int recording_stop_signal(const struct recording *recording);

struct recording_summary recording_summary(const struct recording *recording);
void recording_close(struct recording *recording);

#endif
