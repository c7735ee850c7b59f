#ifndef XPROF_REPORT_TABLE_RAW_REPORT_H
#define XPROF_REPORT_TABLE_RAW_REPORT_H

/* Reports on a file without loading its samples: --header-only, --stats, --tasks, --mmaps and -D. */

#include "report/table/report_options.h"

/* Is one of them asked for? */
bool raw_report_is_wanted(const struct report_options *options);

/* Returns an exit status, or CLI_FAILED. */
int raw_report_run(const struct report_options *options, struct error *err);

#endif
