#ifndef XPROF_REPORT_LOAD_PROFILE_LOADER_H
#define XPROF_REPORT_LOAD_PROFILE_LOADER_H

/*
 * perf.data -> profile: the one place where format, process, unwind and symbol meet.
 *
 * Records are scanned once. State records go to the process table at once;
 * a sample is resolved when its round is complete, that is when every record
 * with an earlier or equal time has been seen (FINISHED_ROUND; the end of the
 * file where there are no rounds). Functions are looked up after the last
 * sample, once per distinct location.
 */

#include "base/error.h"
#include "format/perf_file.h"
#include "format/sample.h"
#include "process/process_table.h"
#include "profile/mark_log.h"
#include "profile/sample_keys.h"
#include "profile/sample_log.h"
#include "profile/sample_sums.h"
#include "profile/timeline.h"
#include "report/load/loaded_profile.h"
#include "report/load/sample_observer.h"
#include "report/load/stack_resolver.h"
#include "report/load/thread_counts.h"
#include "report/waits/wait_choice.h"
#include "report/waits/wait_times.h"
#include "symbol/symbolizer.h"

struct load_options {
	bool (*keep_sample)(const struct sample *sample, void *context); /* NULL: keep all */
	void *keep_context;
	const struct wait_choice *waits;        /* keep only samples of these waits; may be NULL */
	const struct sample_observer *observer; /* sees each sample that is kept; may be NULL */
	struct unwind_options stacks;
	struct symbolizer_options symbols;
	unsigned int detail;       /* enum naming_detail */
	struct timeline *timeline; /* gets when the profile's samples were taken; may be NULL */
	struct sample_log *log;    /* gets each sample; may be NULL */
	struct sample_sums *sums;  /* gets the samples by stack; may be NULL */
	/*
	 * Samples of the profile have no stacks, only those of `log` and `sums` have them. Reasons why stacks end are not looked
	 * for. Saves memory if there are many stacks.
	 */
	bool stacks_apart;
	struct wait_times *wait_times; /* gets how long waits were; may be NULL */
	struct mark_log *marks;        /* gets switches, losses and waits; may be NULL */
	struct sample_keys *keys;      /* gets the keys that it asks for; NULL: none */
	bool branches; /* add the branches of each sample instead of the sample: branch_samples.h */
	struct thread_counts *thread_counts; /* gets the counts of each thread; may be NULL */
	/* the weight of a sample is the latency of its memory access (PERF_SAMPLE_WEIGHT), at least 1, not its period */
	bool by_latency;
	void (*progress)(unsigned int percent, uint64_t samples, void *context); /* may be NULL */
	void *progress_context;
};

/*
 * Returns 0, or -1 with err if the file cannot be read at all. Damage inside is counted in
 * perf_file_damage().
 */
int profile_load(struct perf_file *file, const struct load_options *options, struct loaded_profile *loaded,
		 struct error *err);

#endif
