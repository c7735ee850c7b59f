#ifndef XPROF_REPORT_SCRIPT_CMD_SCRIPT_H
#define XPROF_REPORT_SCRIPT_CMD_SCRIPT_H

/* xprof script: the samples of a recording as text, one after the other. */

#include "cli/option.h"

extern const struct cli_command cmd_script;

#endif
