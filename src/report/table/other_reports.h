#ifndef XPROF_REPORT_TABLE_OTHER_REPORTS_H
#define XPROF_REPORT_TABLE_OTHER_REPORTS_H

/* Reports that need no profile. run() functions return an exit status, or CLI_FAILED with err. */

#include "report/table/report_options.h"

/* Reports on the code of one program from recorded branches: --blocks, --loops and --indirect. */
bool code_report_is_wanted(const struct report_options *options);
int code_report_run(const struct report_options *options, struct error *err);

/* Reports on a file without loading its samples: --header-only, --stats, --tasks, --mmaps and -D. */
bool raw_report_is_wanted(const struct report_options *options);
int raw_report_run(const struct report_options *options, struct error *err);

#endif
