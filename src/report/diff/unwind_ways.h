#ifndef XPROF_REPORT_DIFF_UNWIND_WAYS_H
#define XPROF_REPORT_DIFF_UNWIND_WAYS_H

/*
 * Compares the stacks that frame pointers alone give with those of call frame information, for the same
 * samples. Fed sample by sample while the recording is loaded (report/load/sample_observer.h); afterwards
 * places get names, and it can be read.
 *
 * The chain is the one that the kernel recorded; where it recorded none, frame
 * pointers are followed through the stack dump as the kernel would have done.
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

/* Samples whose two stacks part in the same way, in one command. */
struct ways_group {
	uint32_t comm;          /* string of texts */
	enum chain_fault fault; /* the first; CHAIN_AGREES */
	struct ways_place at;  /* the last frame that both have before it; { WAYS_NONE, 0 } when they agree */
	struct ways_place end; /* where the chain ends early, after all else; { WAYS_NONE, 0 }: it does not */
	uint32_t end_missing;  /* frames that are missing behind that, up to a hundred */
	bool rooted;           /* call frame information reaches the start of the thread */
	uint64_t samples;
	uint64_t frames, missing,
		wrong; /* of all these samples: that CFI finds; that the chain lacks; that are none */
};

/* Skipped callers, and the functions that hide them; all faults, not only first ones. */
struct ways_skip {
	struct ways_place at;      /* has no frame pointer of its own at this instruction */
	struct ways_place skipped; /* its caller, which is missing */
	uint64_t samples;
};

struct ways_dso {
	uint64_t samples; /* with a frame in it; by number of the DSO */
	uint32_t last_sample;
};

struct unwind_ways {
	struct str_pool *texts;
	struct intern_table groups; /* struct ways_group */
	struct intern_table skips;  /* struct ways_skip */
	struct ways_dso *dsos;
	size_t dso_capacity;
	uint64_t samples;     /* that were compared */
	uint64_t kernel_only; /* without any user space, as those of the kernel's own threads */
	uint64_t no_dump;     /* of user space, without registers or a stack dump */
	uint64_t no_stack;    /* with a dump that cannot be unwound (another machine, 32 bits of arm64) */
	uint64_t recorded;    /* chains that the kernel recorded; the others were followed through the dump */
	uint64_t proved; /* of those, chains that the recorder has found to be all that the dump gives, and kept alone */
	struct way_buffers *buffers;
};

void unwind_ways_init(struct unwind_ways *ways);
void unwind_ways_fini(struct unwind_ways *ways);

/* The observer of samples. */
struct ways_source {
	struct process_table *processes;
	struct dump_unwinder *unwinder;
	bool by_xprof; /* xprof has recorded it, and may have kept a chain alone; see unwind_ways_is_by_xprof() */
};

void unwind_ways_add(struct unwind_ways *ways, const struct sample *sample, uint64_t time_ns,
		     const struct ways_source *source);

/* By the command line in its header. simpleperf, too, leaves out dumps, whose stacks it has unwound by other means. */
bool unwind_ways_is_by_xprof(const struct perf_features *features);

/* --- reading ------------------------------------------------------------------ */

struct way_names {
	struct process_table *processes;
	struct symbolizer *symbolizer;
};

/* Appends the function's name, or "[libfoo.so]" where none is known. */
void way_names_add(struct strbuf *out, const struct way_names *names, const struct ways_place *place);
const char *way_names_dso(const struct way_names *names, uint32_t dso);

/*
 * Does the chain end where threads begin? Its last frame is a function that only start-up code calls, or, where the C
 * library or the dynamic linker has no names, lies in it with no more than two frames of start-up code missing.
 */
bool unwind_ways_ends_at_start(const struct ways_group *group, const struct way_names *names);

#endif
