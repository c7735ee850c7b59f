#ifndef XPROF_REPORT_DUMP_CMD_DUMP_H
#define XPROF_REPORT_DUMP_CMD_DUMP_H

/* xprof dump: what is in a perf.data file, record by record. */

#include "cli/option.h"

extern const struct cli_command cmd_dump;

#endif
