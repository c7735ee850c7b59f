#ifndef XPROF_REPORT_CODE_CODE_TEXT_H
#define XPROF_REPORT_CODE_CODE_TEXT_H

/* Tables of the basic blocks, loops and indirect branches of one object, the most important row first. */

#include "base/strbuf.h"
#include "report/code/code_blocks.h"
#include "report/code/counted_sums.h"
#include "symbol/symbol_table.h"

struct code_text_options {
	unsigned int top;                   /* rows; 0: all */
	bool quiet;                         /* no heading */
	const struct counted_sums *counted; /* for code_text_cycles(); NULL: none */
};

/* Appends "file.c:12" for an address in map space, in printable characters; false, and nothing, if the line is unknown. */
bool code_text_add_line(struct strbuf *out, struct symbol_table *table, uint64_t address);

/* Each appends its table to `out`. `recording` contains the object. */
void code_text_blocks(struct strbuf *out, struct code_recording *recording, const struct code_object *object,
		      const struct code_text_options *options);
void code_text_loops(struct strbuf *out, struct code_recording *recording, const struct code_object *object,
		     const struct code_text_options *options);
void code_text_indirect(struct strbuf *out, struct code_recording *recording,
			const struct code_object *object, const struct code_text_options *options);

/*
 * perf's --total-cycles: for each branch the cycles since the previous branch, and the code that took them: from the first
 * target of another branch in the same function, if one is known. With branch counters, also the events counted in it.
 */
void code_text_cycles(struct strbuf *out, struct code_recording *recording, const struct code_object *object,
		      const struct code_text_options *options);

#endif
