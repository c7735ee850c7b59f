#ifndef XPROF_REPORT_TABLE_CODE_REPORT_H
#define XPROF_REPORT_TABLE_CODE_REPORT_H

/* Reports on the code of one program, of recorded branches: --blocks, --loops and --indirect. */

#include "report/table/report_options.h"

/* Is one of them wanted? */
bool code_report_is_wanted(const struct report_options *options);

/* Returns an exit status, or CLI_FAILED. */
int code_report_run(const struct report_options *options, struct error *err);

#endif
