#ifndef XPROF_REPORT_CODE_CODE_FUNCTIONS_H
#define XPROF_REPORT_CODE_CODE_FUNCTIONS_H

/* The blocks of everything that branches were recorded in, each with the function that it is in: for views of a function. */

#include "report/code/code_ranking.h"

/* Borrowed for the length of the call. */
struct code_function_block {
	const struct dso *dso;
	const char *function;           /* as reports call it */
	uint64_t offset;                /* of the block's beginning in the function */
	const struct code_ranked *rank; /* within the DSO */
	const char *line;               /* "file.c:12"; "": not known */
};

/*
 * Calls `see` for each block that is in a function with a name: DSO by DSO, the most expensive block of each first. DSOs whose
 * file cannot be read are left out.
 */
void code_functions_each(struct code_recording *recording,
			 void (*see)(void *context, const struct code_function_block *block), void *context);

/* Are there branches that show what ran between them? Call stacks of branch records do not. By the file's events. */
bool code_functions_are_recorded(const struct perf_file *file);

#endif
