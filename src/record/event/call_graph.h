#ifndef XPROF_RECORD_CALL_GRAPH_H
#define XPROF_RECORD_CALL_GRAPH_H

/* How call stacks are recorded: the argument of --call-graph. */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum call_graph_mode {
	CALL_GRAPH_NONE,
	CALL_GRAPH_FP,    /* the kernel follows frame pointers */
	CALL_GRAPH_DWARF, /* the kernel's chain, the user registers and a copy of the top of the stack */
	CALL_GRAPH_LBR,   /* fp, and the CPU records calls that have not returned */
	CALL_GRAPH_AUTO,  /* fp and dwarf; of each sample only the needed parts are written, see evidence.h */
};

enum {
	/* perf's default of 8 KiB holds the whole stack of few programs, 16 KiB that of most. */
	STACK_DUMP_DEFAULT_BYTES = 16384,
	/*
	 * perf_event_header.size has 16 bits. Besides the dump, whose size is a multiple of 8, a record has its header, up
	 * to 9 words of ids and the like, a chain (its length, PERF_MAX_STACK_DEPTH frames, PERF_MAX_CONTEXTS_PER_STACK
	 * markers), up to 33 registers and their ABI, and two sizes of the dump.
	 */
	STACK_DUMP_MAX_BYTES = (65535 - 8 * (1 + 9 + (127 + 8 + 1) + (33 + 1) + 2)) & ~7,
};

struct call_graph {
	enum call_graph_mode mode;
	uint32_t stack_dump_bytes; /* 0 without dumps */
	bool defer;      /* user stacks are taken when the thread returns to user space, if the kernel can */
	bool size_given; /* stack_dump_bytes was chosen by the user */
	uint64_t asked_bytes; /* the size that the user chose, if it is more than fits into a record; else 0 */
};

/*
 * Parses "fp", "fp,defer", "lbr", "dwarf[,BYTES]" or "auto[,BYTES]"; BYTES are rounded up to a multiple of 8.
 * Returns 0, or -1 with err.
 */
int call_graph_parse(struct call_graph *call_graph, const char *text, struct error *err);

/* The best mode for this machine: auto, or fp if its registers are not known. */
struct call_graph call_graph_best(void);

/* EM_* of this machine; 0 if its registers are not known. */
uint16_t call_graph_elf_machine(void);

/*
 * A bit for each general register of this machine (uapi asm/perf_regs.h), for attr.sample_regs_user; 0: not
 * known.
 */
uint64_t call_graph_user_regs(void);

#endif
