#ifndef XPROF_TEST_TRUTH_GDB_REMOTE_H
#define XPROF_TEST_TRUTH_GDB_REMOTE_H

/*
 * The debugger's side of GDB's remote serial protocol (GDB manual, appendix E), as far as stepping needs it: packets out, packets
 * in, over a Unix socket.
 */

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct gdb_remote;

/* Connects to the program that listens at this path. Waits some seconds for it, as long as process `pid` lives. */
struct gdb_remote *gdb_remote_connect(const char *path, pid_t pid, struct error *err);
void gdb_remote_close(struct gdb_remote *remote);

/* Sends a packet and returns the reply: NUL-terminated, valid until the next call; NULL if the other side is gone. */
const char *gdb_remote_ask(struct gdb_remote *remote, const char *packet);

#endif
