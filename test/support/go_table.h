#ifndef XPROF_TEST_SUPPORT_GO_TABLE_H
#define XPROF_TEST_SUPPORT_GO_TABLE_H

/* The tables of functions that programs written in Go carry (.gopclntab), for tests, byte by byte. */

#include "base/strbuf.h"
#include "elf/elf_file.h"

enum { GO_TEXT = 0x1000 };

enum go_version { GO_1_16 = 0xfa, GO_1_18 = 0xf0, GO_1_20 = 0xf1 };

/*
 * Its frame grows by 32 bytes behind its first 4, and is gone in its last, unless the table has no sizes of it, as of
 * functions of C. All are 16 bytes long, in order of start.
 */
enum { GO_WITHOUT_SIZES = 0x100 }; /* no flag of Go's, whose flags are 8 bits */

struct built_go_function {
	const char *name;
	uint64_t start;
	uint16_t flags;
};

/* The names take no more than 128 bytes. */
void go_table_build(struct strbuf *bytes, enum go_version version, bool swap,
		    const struct built_go_function *functions, size_t count);

/* A program with these bytes for its table, and no other unwind information. */
struct elf_file *go_table_file(const void *bytes, size_t size, uint16_t machine, bool swap);

#endif
