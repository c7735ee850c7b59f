#ifndef XPROF_REPORT_CONVERT_CMD_CONVERT_H
#define XPROF_REPORT_CONVERT_CMD_CONVERT_H

/* xprof convert: a recording in another container, with the same records. */

#include "cli/option.h"

extern const struct cli_command cmd_convert;

#endif
