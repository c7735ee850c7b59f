#ifndef XPROF_REPORT_CODE_CODE_FUNCTIONS_H
#define XPROF_REPORT_CODE_CODE_FUNCTIONS_H

/* The basic blocks of all objects with recorded branches, each with its function, for views of functions. */

#include "report/code/code_ranking.h"

/* Borrowed for the duration of the call. */
struct code_function_block {
	const struct dso *dso;
	const char *function;           /* its name in reports */
	uint64_t offset;                /* distance of the block from the start of the function */
	const struct code_ranked *rank; /* within the DSO */
	const char *line;               /* "file.c:12"; "": unknown */
};

/*
 * Calls `see` for each block in a function with a name: DSO by DSO, the most expensive block first. DSOs whose file cannot be
 * read are left out.
 */
void code_functions_each(struct code_recording *recording,
			 void (*see)(void *context, const struct code_function_block *block), void *context);

/* Do the file's events record branches that show which code ran between them? Those of call stacks do not. */
bool code_functions_are_recorded(const struct perf_file *file);

#endif
