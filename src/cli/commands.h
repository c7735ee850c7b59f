#ifndef XPROF_CLI_COMMANDS_H
#define XPROF_CLI_COMMANDS_H

/* The commands of other rooms, each defined in a file cmd_NAME.c there. main.c puts them into its table. */

#include "cli/option.h"

extern const struct cli_command cmd_archive;
extern const struct cli_command cmd_buildid_list;
extern const struct cli_command cmd_convert;
extern const struct cli_command cmd_data;
extern const struct cli_command cmd_diff;
extern const struct cli_command cmd_dump;
extern const struct cli_command cmd_evlist;
extern const struct cli_command cmd_export;
extern const struct cli_command cmd_flamegraph;
extern const struct cli_command cmd_import;
extern const struct cli_command cmd_list;
extern const struct cli_command cmd_record;
extern const struct cli_command cmd_report;
extern const struct cli_command cmd_script;

#endif
