#ifndef XPROF_REPORT_FLAME_CMD_FLAMEGRAPH_H
#define XPROF_REPORT_FLAME_CMD_FLAMEGRAPH_H

/* xprof flamegraph: a recording, or folded stacks, as a picture in one file. */

#include "cli/option.h"

extern const struct cli_command cmd_flamegraph;

#endif
