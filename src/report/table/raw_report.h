#ifndef XPROF_REPORT_TABLE_RAW_REPORT_H
#define XPROF_REPORT_TABLE_RAW_REPORT_H

/* Reports on a file without loading its samples: --header-only, --stats, --tasks, --mmaps and -D. */

#include "report/table/report_options.h"

/* Does the user want one of them? */
bool raw_report_is_wanted(const struct report_options *options);

/* Returns an exit status, or CLI_FAILED with err. */
int raw_report_run(const struct report_options *options, struct error *err);

#endif
