#ifndef XPROF_TEST_SUPPORT_GO_TABLE_H
#define XPROF_TEST_SUPPORT_GO_TABLE_H

/* The function tables of Go programs (.gopclntab), for tests, byte by byte. */

#include "base/strbuf.h"
#include "elf/elf_file.h"

enum { GO_TEXT = 0x1000 };

enum go_version { GO_1_16 = 0xfa, GO_1_18 = 0xf0, GO_1_20 = 0xf1 };

/*
 * All functions are 16 bytes long, in order of start. Their frames grow by 32 bytes after the first 4 bytes of code and are
 * gone in the last byte. With GO_WITHOUT_SIZES the table has no frame sizes for a function, as for those written in C.
 */
enum { GO_WITHOUT_SIZES = 0x100 }; /* not a flag of Go's: those have 8 bits */

struct built_go_function {
	const char *name;
	uint64_t start;
	uint16_t flags;
};

/* All names together take at most 128 bytes. */
void go_table_build(struct strbuf *bytes, enum go_version version, bool swap,
		    const struct built_go_function *functions, size_t count);

/* A program with these bytes as its table, and no other unwind information. */
struct elf_file *go_table_file(const void *bytes, size_t size, uint16_t machine, bool swap);

#endif
