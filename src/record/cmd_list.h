#ifndef XPROF_RECORD_CMD_LIST_H
#define XPROF_RECORD_CMD_LIST_H

#include "cli/option.h"

extern const struct cli_command cmd_list;

#endif
