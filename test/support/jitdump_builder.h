#ifndef XPROF_TEST_SUPPORT_JITDUMP_BUILDER_H
#define XPROF_TEST_SUPPORT_JITDUMP_BUILDER_H

/* Jitdump files for tests, byte by byte, in either byte order. */

#include "base/strbuf.h"

struct jitdump_builder {
	struct strbuf bytes;
	bool swap;
	uint64_t next_index;
	size_t lines_at; /* position of the unfinished record of lines */
};

struct built_code {
	uint64_t time_ns, address;
	const char *name;
	const void *code;
	size_t size;
};

enum jitdump_header_flags { JITDUMP_ARCH_TIMESTAMP = 1, JITDUMP_OF_V8 = 2 };

/* Writes the header. */
void jitdump_builder_init(struct jitdump_builder *builder, uint32_t pid, uint16_t machine, bool swap,
			  int flags);
void jitdump_builder_fini(struct jitdump_builder *builder);

/* Returns the index of the code. */
uint64_t jitdump_builder_load(struct jitdump_builder *builder, const struct built_code *code);
void jitdump_builder_move(struct jitdump_builder *builder, uint64_t time_ns, uint64_t from, uint64_t to,
			  uint64_t size, uint64_t index);
/* `frames` is .eh_frame, with .eh_frame_hdr in its last hdr_size bytes. */
void jitdump_builder_unwinding(struct jitdump_builder *builder, const void *frames, size_t size,
			       size_t hdr_size);
/* Adds `count` lines of code that will be loaded at `address`: begin, each line, end. */
void jitdump_builder_lines(struct jitdump_builder *builder, uint64_t address, uint64_t count);
void jitdump_builder_line(struct jitdump_builder *builder, uint64_t address, uint32_t line, const char *file);
void jitdump_builder_lines_end(struct jitdump_builder *builder);
void jitdump_builder_close(struct jitdump_builder *builder);

/* Adds a record of an unknown type. */
void jitdump_builder_record(struct jitdump_builder *builder, uint32_t id, uint32_t total_size);

#endif
