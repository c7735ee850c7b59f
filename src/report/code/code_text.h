#ifndef XPROF_REPORT_CODE_CODE_TEXT_H
#define XPROF_REPORT_CODE_CODE_TEXT_H

/* Tables of basic blocks, loops and indirect branches of one object, most important row first. */

#include "base/strbuf.h"
#include "report/code/code_blocks.h"
#include "report/code/counted_sums.h"
#include "symbol/symbol_table.h"

struct code_text_options {
	unsigned int top;                   /* rows; 0: all */
	bool quiet;                         /* no heading */
	const struct counted_sums *counted; /* for code_text_cycles(); NULL: none */
};

/* "file.c:12" of an address in map space, in printable characters; nothing where the line is not known. */
void code_text_add_line(struct strbuf *out, struct symbol_table *table, uint64_t address);

/* Those of all appended to `out`. `recording` is what the object is of. */
void code_text_blocks(struct strbuf *out, struct code_recording *recording, const struct code_object *object,
		      const struct code_text_options *options);
void code_text_loops(struct strbuf *out, struct code_recording *recording, const struct code_object *object,
		     const struct code_text_options *options);
void code_text_indirect(struct strbuf *out, struct code_recording *recording,
			const struct code_object *object, const struct code_text_options *options);

/*
 * perf's --total-cycles: of each branch the cycles since the one before it, and the code that they are of: from the first place
 * that another branch led to in the same function, if one is known. Where branch counters were recorded, what was counted then.
 */
void code_text_cycles(struct strbuf *out, struct code_recording *recording, const struct code_object *object,
		      const struct code_text_options *options);

#endif
