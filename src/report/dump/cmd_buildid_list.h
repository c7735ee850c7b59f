#ifndef XPROF_REPORT_DUMP_CMD_BUILDID_LIST_H
#define XPROF_REPORT_DUMP_CMD_BUILDID_LIST_H

/* xprof buildid-list: the build-ids of a recording, as perf buildid-list prints them. */

#include "cli/option.h"

extern const struct cli_command cmd_buildid_list;

#endif
