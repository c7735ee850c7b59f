#ifndef XPROF_RECORD_CMD_RECORD_H
#define XPROF_RECORD_CMD_RECORD_H

#include "cli/option.h"

extern const struct cli_command cmd_record;

#endif
