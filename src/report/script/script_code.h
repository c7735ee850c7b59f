#ifndef XPROF_REPORT_SCRIPT_SCRIPT_CODE_H
#define XPROF_REPORT_SCRIPT_SCRIPT_CODE_H

/* Writes fields with code: the sampled instruction, and the instructions between the branches of a sample. */

#include "report/script/script_sample.h"

/* Writes insn, insnlen, brstackinsn and brstackinsnlen, if wanted; with brcntr also the counts before each branch. */
void script_code_add(struct script_writer *writer, const struct script_sample *sample);

#endif
