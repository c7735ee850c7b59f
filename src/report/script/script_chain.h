#ifndef XPROF_REPORT_SCRIPT_SCRIPT_CHAIN_H
#define XPROF_REPORT_SCRIPT_SCRIPT_CHAIN_H

/* Writes places in code, and the call chain of a sample: one frame per line, with inlined functions. */

#include "report/script/script_sample.h"

/* Writes a place without its address: symbol, DSO and source line, as far as these fields are wanted. */
void script_chain_add_place(struct script_writer *writer, const struct perf_attr *attr,
			    const struct script_place *place);

/* Writes the unwound stack dump if it reaches further, else the recorded chain. */
void script_chain_add(struct script_writer *writer, const struct script_sample *sample);

#endif
