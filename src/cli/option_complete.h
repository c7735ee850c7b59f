#ifndef XPROF_CLI_OPTION_COMPLETE_H
#define XPROF_CLI_OPTION_COMPLETE_H

/*
 * Makes completion scripts for all commands from the option tables. Each script needs only its shell (the bash script not even
 * the bash-completion package). They complete commands, options, and arguments: listed choices (after each comma if an option
 * takes a list), files, processes, users, processors, events of this machine, and the words of a workload, by the completion of
 * that program.
 */

#include "base/strbuf.h"
#include "cli/program.h"

void option_complete_bash(struct strbuf *out, const struct cli_program *program);
void option_complete_zsh(struct strbuf *out, const struct cli_program *program);
void option_complete_fish(struct strbuf *out, const struct cli_program *program);

#endif
