#ifndef XPROF_REPORT_TABLE_CODE_REPORT_H
#define XPROF_REPORT_TABLE_CODE_REPORT_H

/* Reports on the code of one program from recorded branches: --blocks, --loops and --indirect. */

#include "report/table/report_options.h"

/* Does the user want one of them? */
bool code_report_is_wanted(const struct report_options *options);

/* Returns an exit status, or CLI_FAILED with err. */
int code_report_run(const struct report_options *options, struct error *err);

#endif
