#ifndef XPROF_REPORT_DUMP_CMD_EVLIST_H
#define XPROF_REPORT_DUMP_CMD_EVLIST_H

/* xprof evlist: the events of a recording, as perf evlist prints them. */

#include "cli/option.h"

extern const struct cli_command cmd_evlist;

#endif
