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
#include "profile/profile.h"
#include "profile/sample_keys.h"
#include "profile/timeline.h"
#include "report/load/recorded_host.h"
#include "report/load/sample_observer.h"
#include "report/load/stack_resolver.h"
#include "report/load/thread_counts.h"
#include "symbol/symbolizer.h"

struct load_options {
	bool (*keep_sample)(const struct sample *sample, void *context); /* NULL: all */
	void *keep_context;
	const struct sample_observer *observer; /* sees each sample that is kept; may be NULL */
	uint32_t max_stack;                     /* entries of a stack that are used; 0: all */
	enum unwind_choice unwind;
	enum unwind_engine unwinder;
	bool join_stacks, guess; /* see struct dump_unwinder_options */
	struct symbolizer_options symbols;
	unsigned int detail;       /* enum naming_detail */
	struct timeline *timeline; /* gets when the profile's samples were taken; may be NULL */
	struct sample_keys *keys;  /* gets the sets of keys that it asks for; NULL: samples have none */
	struct thread_counts *thread_counts; /* gets what counters came to in each thread; may be NULL */
	bool by_latency; /* samples weigh what their memory access took (PERF_SAMPLE_WEIGHT), 1 at least, not their period */
	void (*progress)(unsigned int percent, uint64_t samples, void *context); /* may be NULL */
	void *progress_context;
};

/* What the trust header says about the recording. Counts, never percentages. */
struct load_summary {
	uint64_t samples;      /* loaded */
	uint64_t lost_samples; /* that the kernel had no room for in a ring */
	uint64_t lost_others;  /* other records: of what was mapped, named, forked */
	uint64_t lost_records; /* of either kind, where the file does not tell them apart: may include lost_samples */
	uint64_t throttle_records;
	uint64_t unknown_event_samples; /* no attr for their id */
	uint64_t damaged_samples;
	uint64_t damaged_records; /* state records that could not be decoded */
	uint64_t jit_dumps_untold; /* jitdump files whose code took turns at addresses, on a clock that is not known */
	uint64_t dumps_not_unwound; /* of a machine that is not supported, or of a 32-bit program of aarch64 */
	uint64_t first_record_ns, last_record_ns; /* likewise, and of threads that began or ended meanwhile */
	uint64_t near_gaps, prompt_gaps;          /* see struct sample_intake_counts */
	bool is_part;                             /* by the options samples were left out */
	uint64_t first_time_ns, last_time_ns;     /* of loaded samples; UINT64_MAX, 0 when none has a time */
	uint64_t unresolved_samples;              /* whose leaf has no function */
	uint64_t continued_samples;               /* whose stack was read on in the process, above its dump */
	uint64_t guessed_samples;                 /* in whose stack a caller was guessed */
	uint64_t stacks_ended[STACK_END_COUNT];   /* samples by the reason their stack ended */
};

struct loaded_profile {
	struct profile *profile;
	struct process_table *processes;
	struct symbolizer *symbolizer;
	struct load_summary summary;
	enum recorded_host host;
	char *hostname;     /* where it was recorded; NULL: not known */
	bool servers_asked; /* debuginfod servers, for what is missing: set by who does */
};

/* -1 when the file cannot be read at all; what is damaged inside is counted in perf_file_damage(). */
int profile_load(struct perf_file *file, const struct load_options *options, struct loaded_profile *loaded,
		 struct error *err);
/* Closes the symbolizer and its files, when no more names will be asked for: the profile has its own. */
void loaded_profile_close_names(struct loaded_profile *loaded);
void loaded_profile_fini(struct loaded_profile *loaded);

#endif
