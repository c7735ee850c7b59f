#ifndef XPROF_REPORT_TABLE_CMD_REPORT_H
#define XPROF_REPORT_TABLE_CMD_REPORT_H

#include "cli/option.h"

extern const struct cli_command cmd_report;

#endif
