#ifndef XPROF_RECORD_CALL_GRAPH_H
#define XPROF_RECORD_CALL_GRAPH_H

/* How call stacks are recorded: the argument of --call-graph. */

#include <stdint.h>

#include "base/error.h"

enum call_graph_mode {
	CALL_GRAPH_NONE,
	CALL_GRAPH_FP,    /* the kernel follows frame pointers */
	CALL_GRAPH_DWARF, /* the kernel's part, the user registers and a copy of the stack's top */
};

enum {
	/* An 8 KiB copy, perf's default, holds the whole stack of few programs; 16 KiB that of most. */
	STACK_DUMP_DEFAULT_BYTES = 16384,
	/* perf_event_header.size has 16 bits, and the dump is a multiple of 8: the kernel takes no more. */
	STACK_DUMP_MAX_BYTES = 65528,
};

struct call_graph {
	enum call_graph_mode mode;
	uint32_t stack_dump_bytes; /* of CALL_GRAPH_DWARF */
	uint64_t asked_bytes;      /* what was asked for when that is more than the kernel takes, else 0 */
};

/* "fp", "dwarf" or "dwarf,BYTES"; BYTES is rounded up to a multiple of 8. */
int call_graph_parse(struct call_graph *call_graph, const char *text, struct error *err);

/* Every general register of this machine (uapi asm/perf_regs.h), for attr.sample_regs_user; 0: not known. */
uint64_t call_graph_user_regs(void);

#endif
