#ifndef XPROF_SYMBOL_JITDUMP_H
#define XPROF_SYMBOL_JITDUMP_H

/*
 * A jitdump file, jit-PID.dump, in which a run-time compiler describes its code
 * (tools/perf/Documentation/jitdump-specification.txt). The bytes of each piece of code have an offset in the
 * file, and addresses in memory that change over time: where the code was loaded, and where it was moved to.
 * So the offset identifies the code, whatever else was at its addresses before or after.
 *
 * The file may have either byte order, may still be growing, and may be cut off anywhere: complete records
 * are read. Opening reads the records in one pass; the bytes stay mapped, and texts point into them. It does
 * not change afterwards, so any number of threads may use it.
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

/* One JIT_CODE_LOAD record, with the debug and unwinding records before it. */
struct jit_code {
	uint64_t file_offset; /* of its first instruction */
	uint64_t size;        /* at least 1 */
	uint64_t address;     /* its first load address */
	uint64_t index;       /* the compiler's number for it */
	const char *name;
	const uint8_t *instructions;
	/*
	 * JIT_CODE_UNWINDING_INFO: .eh_frame, whose address is assumed to be the end of the code rounded up
	 * to 8 bytes, and .eh_frame_hdr directly behind it. Empty if there is none.
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

/* Is this the path of a jitdump file: "…/jit-PID.dump"? */
bool jitdump_is_path(const char *path);

/*
 * Opens the file that process `pid` mapped as `path`: in its mount namespace if it is still running, else
 * below `symfs` (may be ""). Because any user can write to /tmp, the file must belong to root, to this user,
 * or to the user of the process. Returns NULL with err set on failure.
 */
struct jitdump *jitdump_open(const char *path, uint32_t pid, const char *symfs, struct error *err);

/* Borrows the bytes. Returns NULL with err set if they do not begin with the header of a jitdump file. */
struct jitdump *jitdump_from_bytes(const void *bytes, size_t size, const char *name, struct error *err);

/* The same for mmap()ed bytes, which are unmapped on close and on failure. */
struct jitdump *jitdump_open_mapped(void *bytes, size_t size, const char *name, struct error *err);
void jitdump_close(struct jitdump *dump);

/* All bytes of the file. */
struct jit_bytes jitdump_bytes(const struct jitdump *dump);

const char *jitdump_path(const struct jitdump *dump);
uint16_t jitdump_elf_machine(const struct jitdump *dump);
bool jitdump_swap(const struct jitdump *dump);          /* the file's byte order is not this machine's */
bool jitdump_has_own_clock(const struct jitdump *dump); /* times are the machine's cycles, not nanoseconds */

/* Number of damaged records, which were skipped; includes a last record that is cut off. */
size_t jitdump_bad_record_count(const struct jitdump *dump);

/* All pieces of code, in order of file_offset, which is the order of loading. */
size_t jitdump_code_count(const struct jitdump *dump);
const struct jit_code *jitdump_code(const struct jitdump *dump, size_t number);

/* The code whose instructions contain this offset of the file; NULL if there is none. */
const struct jit_code *jitdump_find(const struct jitdump *dump, uint64_t file_offset);

/* All loads and moves, in file order. */
size_t jitdump_placement_count(const struct jitdump *dump);
const struct jit_placement *jitdump_placement(const struct jitdump *dump, size_t number);

/* The source line of the instruction at `offset` bytes into the code. Returns 1, or 0 if unknown. */
int jitdump_line(const struct jitdump *dump, const struct jit_code *code, uint64_t offset,
		 struct jit_line *line);

#endif
