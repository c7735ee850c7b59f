#ifndef XPROF_RECORD_CALL_GRAPH_H
#define XPROF_RECORD_CALL_GRAPH_H

/* How call stacks are recorded: the argument of --call-graph. */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum call_graph_mode {
	CALL_GRAPH_NONE,
	CALL_GRAPH_FP,    /* the kernel follows frame pointers */
	CALL_GRAPH_DWARF, /* the kernel's part, the user registers and a copy of the stack's top */
	CALL_GRAPH_LBR, /* the kernel follows frame pointers, and the CPU keeps calls that have not returned */
	CALL_GRAPH_AUTO, /* both; of each sample is written what its stack takes, see evidence.h */
};

enum {
	/* An 8 KiB copy, perf's default, holds the whole stack of few programs; 16 KiB that of most. */
	STACK_DUMP_DEFAULT_BYTES = 16384,
	/*
	 * perf_event_header.size has 16 bits, and beside the dump, a multiple of 8, a record has its header, up to 9
	 * words of ids and the like, a chain (PERF_MAX_STACK_DEPTH and PERF_MAX_CONTEXTS_PER_STACK entries and their
	 * number), up to 33 registers and their ABI, and two sizes of the dump.
	 */
	STACK_DUMP_MAX_BYTES = (65535 - 8 * (1 + 9 + (127 + 8 + 1) + (33 + 1) + 2)) & ~7,
};

struct call_graph {
	enum call_graph_mode mode;
	uint32_t stack_dump_bytes; /* 0 without dumps */
	bool defer;                /* user stacks are taken on the way out of the kernel, where it can */
	bool size_given;           /* by the user, who may know that it is needed */
	uint64_t asked_bytes;      /* what was asked for when that is more than fits, else 0 */
};

/* "fp", "fp,defer", "lbr", "dwarf", "auto", the latter two with ",BYTES", which are rounded up to a multiple of 8. */
int call_graph_parse(struct call_graph *call_graph, const char *text, struct error *err);

/* The best that this machine can do: auto, or fp where its registers are not known. */
struct call_graph call_graph_best(void);

/* Of this machine, EM_*; 0 where its registers are not known. */
uint16_t call_graph_elf_machine(void);

/* Every general register of this machine (uapi asm/perf_regs.h), for attr.sample_regs_user; 0: not known. */
uint64_t call_graph_user_regs(void);

#endif
