#ifndef XPROF_REPORT_EXPORT_CMD_EXPORT_H
#define XPROF_REPORT_EXPORT_CMD_EXPORT_H

/* xprof export: a recording in the formats of other tools. */

#include "cli/option.h"

extern const struct cli_command cmd_export;

#endif
