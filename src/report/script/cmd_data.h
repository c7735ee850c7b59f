#ifndef XPROF_REPORT_SCRIPT_CMD_DATA_H
#define XPROF_REPORT_SCRIPT_CMD_DATA_H

#include "cli/option.h"

extern const struct cli_command cmd_data;

#endif
