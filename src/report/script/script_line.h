#ifndef XPROF_REPORT_SCRIPT_SCRIPT_LINE_H
#define XPROF_REPORT_SCRIPT_SCRIPT_LINE_H

/*
 * A sample as perf script (6.1) prints it: a line, and below it the call chain,
 * a frame a line and a blank line at its end.
 */

#include "report/script/script_sample.h"

void script_line_write(struct script_writer *writer, const struct script_sample *sample);

#endif
