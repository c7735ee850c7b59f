#ifndef XPROF_REPORT_SCRIPT_SCRIPT_CHAIN_H
#define XPROF_REPORT_SCRIPT_SCRIPT_CHAIN_H

/* Places in code as text, and the call chain of a sample: a frame a line, with what was inlined there. */

#include "report/script/script_sample.h"

/* A place without its address: symbol, DSO and source line, as far as they are asked for. */
void script_chain_add_place(struct script_writer *writer, const struct perf_attr *attr,
			    const struct script_place *place);

/* The unwound stack dump if there is one and it is better, else the recorded chain. */
void script_chain_add(struct script_writer *writer, const struct script_sample *sample);

#endif
