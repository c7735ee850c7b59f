#ifndef XPROF_TEST_TRUTH_FOLLOW_H
#define XPROF_TEST_TRUTH_FOLLOW_H

/*
 * Follows one run of a program, instruction by instruction, unwinds its stack at many of them, and compares the unwinder's frames
 * with the callers on the shadow stack.
 */

#include <stdio.h>

#include "truth/traced_process.h"
#include "truth/verdict.h"

enum { FOLLOW_MAX_DIFFERENCES = 256 }; /* the most printed per program */

enum follow_from {
	FOLLOW_FROM_START, /* the very first instruction, of the loader if there is one */
	FOLLOW_FROM_ENTRY, /* the program's own entry point */
	FOLLOW_FROM_THREAD,
	FOLLOW_GO, /* the entry point of a Go program, whose goroutines have their stacks in one mapping */
	FOLLOW_IN_EMULATOR, /* see follow_emulated.h */
};

struct follow_options {
	enum follow_from from;
	uint64_t max_steps;
	uint64_t seed;
	bool skip;         /* run some calls without stopping, to get around in a large program */
	bool sweep;        /* unwind also with less and less of the stack */
	FILE *differences; /* NULL: do not print */
	size_t max_differences;
};

/* Places where unwinders go wrong. */
enum place {
	PLACE_BODY,
	PLACE_ENTRY,  /* the first instructions of a function */
	PLACE_RETURN, /* the return instruction */
	PLACE_PLT,
	PLACE_LOADER, /* the dynamic linker: start and symbol resolution */
	PLACE_SIGNAL, /* a caller was interrupted by a signal */
	PLACE_THROW,  /* libgcc's unwinder at work */
	PLACES,
};
const char *place_name(enum place place);

struct follow_result {
	struct verdict whole; /* with the whole stack */
	struct verdict sweep; /* with 256 bytes to 64 KiB of it */
	struct verdict places[PLACES];
	uint64_t steps;
	size_t printed; /* differences printed */
	uint64_t printed_near[FOLLOW_MAX_DIFFERENCES + 1];
	/* Instructions that were not compared, because their callers are unknown: */
	uint64_t in_transfer; /* see shadow_stack_in_transfer() */
	uint64_t rewritten; /* a return address on the stack was replaced, as libgcc does to reach a landing pad */
};

/* Adds to the result. Returns 0, or -1 if the program cannot be run. */
int follow(char *const arguments[], const struct follow_options *options, struct module_cache *cache,
	   struct unwinder *unwinder, struct follow_result *result, struct error *err);

#endif
