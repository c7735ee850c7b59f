#ifndef XPROF_REPORT_DIFF_CMD_DIFF_H
#define XPROF_REPORT_DIFF_CMD_DIFF_H

#include "cli/option.h"

extern const struct cli_command cmd_diff;

#endif
