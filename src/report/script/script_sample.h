#ifndef XPROF_REPORT_SCRIPT_SCRIPT_SAMPLE_H
#define XPROF_REPORT_SCRIPT_SCRIPT_SAMPLE_H

#include <stdbool.h>

#include "format/sample.h"
#include "report/script/script_place.h"
#include "report/script/script_writer.h"

/* A sample to print, with everything that filters have found already, and what writes it and its parts. */
struct script_sample {
	const struct sample *sample;
	size_t event; /* its number in the file */
	const struct event_desc *desc;
	uint64_t period;
	uint64_t state_time_ns; /* for look-ups in the process table */
	const char *comm;
	struct script_place leaf;
};

/*
 * Writes a sample as perf script (6.1) does: a line, and below it the call chain, one frame per line, then a blank line.
 */
void script_line_write(struct script_writer *writer, const struct script_sample *sample);

/* Writes a place without its address: symbol, DSO and source line, as far as these fields are wanted. */
void script_chain_add_place(struct script_writer *writer, const struct perf_attr *attr,
			    const struct script_place *place);

/*
 * Writes the call chain, one frame per line, with inlined functions: the unwound stack dump if it reaches further, else the
 * recorded chain.
 */
void script_chain_add(struct script_writer *writer, const struct script_sample *sample);

enum branch_form { BRANCH_ADDRESS, BRANCH_SYMBOL, BRANCH_OFFSET };

/* Writes the branches of a sample: source, target and flags of each. */
void script_branches_add(struct script_writer *writer, const struct script_sample *sample,
			 enum branch_form form);

/*
 * Writes what a sample of time off the CPU waited for and who woke it, in lines that begin with "#", which readers of perf
 * script's text skip. Writes nothing and returns false for samples of other events and for damaged raw data.
 */
bool script_wait_add(struct script_writer *writer, const struct script_sample *sample);

/*
 * Writes the fields with code: insn, insnlen, brstackinsn and brstackinsnlen, if wanted; with brcntr also the counts before each
 * branch.
 */
void script_code_add(struct script_writer *writer, const struct script_sample *sample);

/*
 * A recording as the JSON that perf data convert --to-json writes (linux-perf-json-version 1): its header, and each sample with
 * its thread, call chain and tracepoint fields. Unlike perf's, call chains include frames unwound from stack dumps.
 */
void script_json_begin(struct script_writer *writer);
void script_json_add_sample(struct script_writer *writer, const struct script_sample *sample);
void script_json_end(struct script_writer *writer);

#endif
