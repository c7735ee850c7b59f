#ifndef XPROF_CLI_PROGRAM_RUN_H
#define XPROF_CLI_PROGRAM_RUN_H

#include <stdio.h>

#include "cli/program.h"

/*
 * Runs the program with main()'s arguments: finds the command, parses its options, runs it, and prints an error once, as
 * "xprof: message", on `errors`. Returns the exit status: the command's own, 1 for a failure, 2 for wrong usage. An error in
 * writing standard output is a failure, too.
 */
int cli_program_run(const struct cli_program *program, int argc, char **argv, FILE *errors);

#endif
