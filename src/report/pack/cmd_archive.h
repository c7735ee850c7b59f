#ifndef XPROF_REPORT_PACK_CMD_ARCHIVE_H
#define XPROF_REPORT_PACK_CMD_ARCHIVE_H

#include "cli/option.h"

extern const struct cli_command cmd_archive;

#endif
