#ifndef XPROF_CLI_PAGER_H
#define XPROF_CLI_PAGER_H

/*
 * Long output goes through a pager when standard output is a terminal: the value
 * of XPROF_PAGER, else of PAGER, else `less` with FRX (quits at once when
 * everything fits on one screen, keeps colours). An empty value or "cat" means none.
 *
 * The pager is a child that reads what this process writes to standard output,
 * so the command's own exit status is kept. When the user leaves the pager early,
 * later writes fail with EPIPE instead of killing the process: pager_finish()
 * treats that as success. Interrupts (^C) belong to the pager while it runs, so
 * it is started when the output is ready, not before the long work.
 */

#include <stdbool.h>

#include "base/error.h"

struct pager; /* a running pager */

/*
 * Starts a pager if `wanted` and standard output is a terminal. Returns NULL if no pager is used or it cannot
 * be started; output then goes to standard output directly. Call color_init() and terminal_columns() before.
 */
struct pager *pager_start(bool wanted);

/* Flushes and closes standard output and waits until the user has left the pager. May be NULL. */
void pager_finish(struct pager *pager);

/* The ready-made table entry: --pager, --no-pager, into a bool that is true by default. */
/* clang-format off */
#define OPTION_PAGER(type, name_)                                             \
	{ OPTION_NEGATABLE(type, name_), .name = "pager",                     \
	  .help = "show long output in a pager when on a terminal (default)", \
	  .details = "The pager is the value of XPROF_PAGER, else of PAGER, else less." }
/* clang-format on */

#endif
