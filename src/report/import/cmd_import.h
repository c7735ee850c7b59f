#ifndef XPROF_REPORT_IMPORT_CMD_IMPORT_H
#define XPROF_REPORT_IMPORT_CMD_IMPORT_H

/* `xprof import`. */

#include "cli/option.h"

extern const struct cli_command cmd_import;

#endif
