#ifndef XPROF_REPORT_SCRIPT_SCRIPT_CODE_H
#define XPROF_REPORT_SCRIPT_SCRIPT_CODE_H

/* Fields that show code: the sampled instruction, and what was executed between the branches of a sample. */

#include "report/script/script_sample.h"

/* insn, insnlen, brstackinsn and brstackinsnlen, those of them that are asked for. */
void script_code_add(struct script_writer *writer, const struct script_sample *sample);

#endif
