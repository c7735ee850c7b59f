#ifndef XPROF_REPORT_SCRIPT_SCRIPT_LINE_H
#define XPROF_REPORT_SCRIPT_SCRIPT_LINE_H

/*
 * Writes a sample as perf script (6.1) does: a line, and below it the call chain, one frame per line, then a
 * blank line.
 */

#include "report/script/script_sample.h"

void script_line_write(struct script_writer *writer, const struct script_sample *sample);

#endif
