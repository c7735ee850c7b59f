#ifndef XPROF_SYMBOL_JITDUMP_H
#define XPROF_SYMBOL_JITDUMP_H

/*
 * A jitdump file, jit-PID.dump: what a run-time compiler wrote about its code
 * while it made it (tools/perf/Documentation/jitdump-specification.txt). Code
 * has a place in the file, its bytes', and places in memory over time: where it
 * was loaded, and where it was moved to. An offset in the file therefore names
 * one piece of code whatever was at its addresses before or after.
 *
 * The file may be of a machine with the other byte order, may still be growing,
 * and may be cut off anywhere: what is whole is read. Reading is one pass over
 * the records; the bytes stay mapped, and texts point into them. Once opened it
 * never changes, so any number of threads may ask.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct jitdump;

struct jit_bytes { /* a part of the file */
	const uint8_t *at;
	size_t size;
};

/* One JIT_CODE_LOAD and what was said of it before. */
struct jit_code {
	uint64_t file_offset; /* of its first instruction */
	uint64_t size;        /* at least 1 */
	uint64_t address;     /* where it was loaded first */
	uint64_t index;       /* the compiler's number for it */
	const char *name;
	const uint8_t *instructions;
	/*
	 * JIT_CODE_UNWINDING_INFO: .eh_frame, whose own address counts as the code's end rounded up to 8
	 * bytes, and .eh_frame_hdr right behind it. Empty where there are none.
	 */
	struct jit_bytes eh_frame, eh_frame_hdr;
	struct jit_bytes line_entries; /* JIT_CODE_DEBUG_INFO; see jitdump_line() */
	uint64_t line_entry_count;
};

struct jit_placement {    /* from time_ns on, code number `code` is at `address` */
	uint64_t time_ns; /* on the writer's clock: CLOCK_MONOTONIC, unless jitdump_has_own_clock() */
	uint64_t address;
	uint32_t code;
};

struct jit_line {
	const char *file;
	uint32_t line;
	uint32_t discriminator;
};

/* Is this what jitdump files are called: "…/jit-PID.dump"? */
bool jitdump_is_path(const char *path);

/*
 * The file that process `pid` had mapped as `path`: in its own mount namespace while it lives, else under
 * symfs (may be ""). Because anybody can write to /tmp, it must belong to root, to the present user, or to
 * the user of the process. NULL with err set.
 */
struct jitdump *jitdump_open(const char *path, uint32_t pid, const char *symfs, struct error *err);

/* Borrows the bytes. NULL with err set when they begin like no jitdump file. */
struct jitdump *jitdump_from_bytes(const void *bytes, size_t size, const char *name, struct error *err);

/* Over bytes that somebody has mmap()ed; they are unmapped on close, and on failure. */
struct jitdump *jitdump_open_mapped(void *bytes, size_t size, const char *name, struct error *err);
void jitdump_close(struct jitdump *dump);

/* All of the file. */
struct jit_bytes jitdump_bytes(const struct jitdump *dump);

const char *jitdump_path(const struct jitdump *dump);
uint16_t jitdump_elf_machine(const struct jitdump *dump);
bool jitdump_swap(const struct jitdump *dump);          /* the file's byte order is not this machine's */
bool jitdump_has_own_clock(const struct jitdump *dump); /* times are the machine's cycles, not nanoseconds */

/* Records that made no sense and were skipped; the rest of a file that ends in the middle of one counts as one. */
size_t jitdump_bad_record_count(const struct jitdump *dump);

/* In order of file_offset, which is that of loading. */
size_t jitdump_code_count(const struct jitdump *dump);
const struct jit_code *jitdump_code(const struct jitdump *dump, size_t number);

/* The code that has this byte of the file among its instructions; NULL: none. */
const struct jit_code *jitdump_find(const struct jitdump *dump, uint64_t file_offset);

/* Loads and moves, in the order of the file. */
size_t jitdump_placement_count(const struct jitdump *dump);
const struct jit_placement *jitdump_placement(const struct jitdump *dump, size_t number);

/* Source line of the instruction at `offset` bytes into the code. 1, or 0: nothing is known. */
int jitdump_line(const struct jitdump *dump, const struct jit_code *code, uint64_t offset,
		 struct jit_line *line);

#endif
