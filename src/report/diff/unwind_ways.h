#ifndef XPROF_REPORT_DIFF_UNWIND_WAYS_H
#define XPROF_REPORT_DIFF_UNWIND_WAYS_H

/*
 * Compares two stacks of each sample: by frame pointers alone, and by call frame information. Samples are
 * added while the recording is loaded (report/load/sample_observer.h); afterwards places get names, and the
 * results can be read.
 *
 * The chain is the one that the kernel recorded; where it recorded none, frame pointers are followed through
 * the stack dump as the kernel would have done.
 */

#include "base/str_pool.h"
#include "base/strbuf.h"
#include "format/perf_features.h"
#include "format/sample.h"
#include "process/process_table.h"
#include "profile/intern_table.h"
#include "report/diff/chain_alignment.h"
#include "report/load/dump_unwinder.h"
#include "symbol/symbolizer.h"

#define WAYS_NONE UINT32_MAX

/* A place in code: first an address, after naming a function. */
struct ways_place {
	uint32_t dso;     /* the process table's number; WAYS_NONE: nothing is mapped there */
	uint64_t address; /* DSO address of the call, or of the instruction that was sampled */
};

/* Samples of one command whose two stacks differ in the same way. */
struct ways_group {
	uint32_t comm;          /* string of texts */
	enum chain_fault fault; /* the first difference; or CHAIN_AGREES */
	struct ways_place at;   /* the last common frame before it; { WAYS_NONE, 0 }: they agree */
	struct ways_place end;  /* the place where the chain ends early; { WAYS_NONE, 0 }: it does not */
	uint32_t end_missing;   /* frames missing after it, at most 100 */
	bool rooted;            /* call frame information reaches the start of the thread */
	uint64_t samples;
	/* of all samples: frames found by CFI; frames that the chain lacks; frames of the chain that are not callers */
	uint64_t frames, missing, wrong;
};

/*
 * Skipped callers, and the functions that hide them; all of them, not only the first difference of a sample.
 */
struct ways_skip {
	struct ways_place at;      /* has no frame pointer of its own at this instruction */
	struct ways_place skipped; /* its caller, which is missing */
	uint64_t samples;
};

struct ways_dso {
	uint64_t samples; /* samples with a frame in the DSO */
	uint32_t last_sample;
};

struct unwind_ways {
	struct str_pool *texts;
	struct intern_table groups; /* struct ways_group */
	struct intern_table skips;  /* struct ways_skip */
	struct ways_dso *dsos;
	size_t dso_capacity;
	uint64_t samples;     /* samples compared */
	uint64_t kernel_only; /* samples without a user stack, of kernel threads for example */
	uint64_t no_dump;     /* user samples without registers or a stack dump */
	/* samples with a dump that cannot be unwound (another machine, 32-bit on arm64) */
	uint64_t no_stack;
	uint64_t recorded; /* chains that the kernel recorded; the others were followed through the dump */
	/* of those, chains that the recorder kept without the dump because the dump gave the same */
	uint64_t proved;
	struct way_buffers *buffers;
};

void unwind_ways_init(struct unwind_ways *ways);
void unwind_ways_fini(struct unwind_ways *ways);

/* The observer of samples. */
struct ways_source {
	struct process_table *processes;
	struct dump_unwinder *unwinder;
	bool by_xprof; /* recorded by xprof, which may keep only the chain; see unwind_ways_is_by_xprof() */
};

void unwind_ways_add(struct unwind_ways *ways, const struct sample *sample, uint64_t time_ns,
		     const struct ways_source *source);

/*
 * Was it recorded by xprof, according to the command line in its header? simpleperf leaves out dumps, too, but for another
 * reason.
 */
bool unwind_ways_is_by_xprof(const struct perf_features *features);

/* --- reading ------------------------------------------------------------------ */

struct way_names {
	struct process_table *processes;
	struct symbolizer *symbolizer;
};

/* Appends the function's name, or "[libfoo.so]" if it is unknown. */
void way_names_add(struct strbuf *out, const struct way_names *names, const struct ways_place *place);
const char *way_names_dso(const struct way_names *names, uint32_t dso);

/*
 * Does the chain end where threads begin? Its last frame is a function that only start-up code calls, or, where the C
 * library or the dynamic linker has no names, lies in it with no more than two frames of start-up code missing.
 */
bool unwind_ways_ends_at_start(const struct ways_group *group, const struct way_names *names);

#endif
