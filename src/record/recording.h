#ifndef XPROF_RECORD_RECORDING_H
#define XPROF_RECORD_RECORDING_H

/*
 * One recording from beginning to end. The order of its steps is what makes it
 * complete: the workload is forked and held back; events are opened, sideband
 * running, samplers not, and again when threads began meanwhile; the file begins; what is there already is synthesized
 * (what changes meanwhile is in the rings); then the samplers start.
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

/* A file that is complete while the recording goes on, or at its end. */
struct recorded_file {
	const char *name;
	uint64_t samples, data_bytes;
};

struct recording_plan {
	const struct event_specs *events;
	struct target_request target; /* without threads and CPUs: the workload is what is recorded */
	struct event_set_options options;
	char *const *workload;          /* ends with NULL; NULL: none */
	const char *output;             /* path, or "-" */
	const char *version;            /* of this program, for the file */
	bool compression_given;         /* otherwise stacks are compressed */
	unsigned int compression_level; /* 0: none */
	enum evidence_level evidence;   /* with --call-graph auto */
	const char *comms;   /* only samples of threads with these names, "make,cc1"; NULL: of all */
	bool no_continue;    /* stacks end where the kernel's dumps do */
	bool no_bpf;         /* stacks are dumped by the kernel, not copied by a BPF program */
	const char *threads; /* as in drain_plan.h; NULL: as many as are needed */
	const struct event_specs
		*switch_events;         /* in place of `events`, where waits cannot be timed; NULL: none */
	uint64_t off_cpu_period_ns;     /* of time off the CPU; 0: that is not sampled */
	unsigned int realtime_priority; /* SCHED_FIFO; 0: in front of what is ordinary, see own_priority.h */
	struct sampling_plan sampling;  /* when the samplers run */
	struct switch_condition switches; /* when the next file begins */
	bool time_in_name;   /* a complete file gets the time into its name; always if there are more */
	size_t max_files;    /* complete files that are kept, the latest; 0: all */
	const char *control; /* as control_channel_open() takes it; NULL: none */
	/* Answers to commands, whole lines: a list of events, or a remark. May be NULL. */
	void (*say)(const char *text, bool is_list);
	uint64_t max_bytes; /* of a file's data: the recording ends there; 0: no limit */
	void (*file_kept)(const struct recorded_file *file, void *context); /* may be NULL */
	void *file_kept_context;
};

struct recording;

struct recording_summary {
	struct recorder_counts counts;
	struct evidence_counts evidence;
	const char *
		copier; /* the program that copied stacks; NULL: the kernel dumped them, for the reason `no_copies` */
	struct error no_copies;
	bool copies_by_clock; /* paired with samples by CLOCK_MONOTONIC, which is the recording's clock then */
	struct stack_copier_counts copies;
	bool waits_timed; /* time off the CPU was sampled: */
	struct wait_sampler_counts waits;
	uint64_t elapsed_ns;   /* of sampling */
	size_t files;          /* that are complete */
	const char *last_file; /* its name, if it has the time; valid as long as the recording */
	bool size_reached;     /* the plan's max_bytes ended it */
	uint64_t data_bytes;   /* of all files */
	struct compression_totals compression;
	size_t threads;                   /* that read rings at the end */
	size_t events, rings, ring_bytes; /* opened */
	size_t processes, mappings;       /* synthesized */
	uint64_t synthesis_ns;
	/* At the end, while the workload ran, but the kernel had taken its events off it; 0: none. */
	uint64_t unseen_ns;
	size_t cut_maps; /* perf maps that are not whole in the file */
	const char *
		offline; /* which CPUs were offline for how long; NULL: none. Valid as long as the recording */
	bool comes_first;   /* see own_priority.h */
	bool kernel_hidden; /* the kernel is sampled, but it hides its addresses */
};

/*
 * Opens everything and synthesizes; nothing samples yet. Departures from the user's request are added to
 * `notices`.
 */
struct recording *recording_open(const struct recording_plan *plan, struct strbuf *notices,
				 struct error *err);

/*
 * Samples until the workload or the target ends, the duration is over, or a signal
 * comes that ends programs (stop_signals.h), and finishes the file. -1 when it cannot be written,
 * or the workload could not be run: what was written before stays readable.
 */
int recording_run(struct recording *recording, struct progress *progress, struct error *err);

enum workload_end {
	WORKLOAD_ENDED,   /* or there is none */
	WORKLOAD_STAYS,   /* the time is over, it still runs */
	WORKLOAD_IS_LEFT, /* a signal asked not to wait any longer: it goes on running */
};

/* After recording_run(): asks a workload that still runs to end, and waits for it; timeout_ms < 0: no limit. */
enum workload_end recording_end_workload(struct recording *recording, int timeout_ms);
pid_t recording_workload_pid(const struct recording *recording);

/* Its status once it ended; 0 where there is none, or it was ended because the duration is over. */
int recording_workload_status(const struct recording *recording);

/* The signal that ended the recording; 0: something else did. */
int recording_stop_signal(const struct recording *recording);

struct recording_summary recording_summary(const struct recording *recording);
void recording_close(struct recording *recording);

#endif
