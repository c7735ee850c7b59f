#include "support/jitdump_builder.h"

#include <string.h>

static void u32(struct jitdump_builder *builder, uint32_t value)
{
	strbuf_add_u32(&builder->bytes, value, builder->swap);
}

static void u64(struct jitdump_builder *builder, uint64_t value)
{
	strbuf_add_u64(&builder->bytes, value, builder->swap);
}

void jitdump_builder_init(struct jitdump_builder *builder, uint32_t pid, uint16_t machine, bool swap,
			  int flags)
{
	*builder = (struct jitdump_builder){ .swap = swap };
	strbuf_init(&builder->bytes);
	u32(builder, 0x4a695444);
	u32(builder, 1);  /* version */
	u32(builder, 40); /* size of the header */
	u32(builder, machine);
	u32(builder, flags & JITDUMP_OF_V8 ? 0xdeadbeef : 0);
	u32(builder, pid);
	u64(builder, 1);
	u64(builder, flags & JITDUMP_ARCH_TIMESTAMP);
}

void jitdump_builder_fini(struct jitdump_builder *builder)
{
	strbuf_fini(&builder->bytes);
}

static void header(struct jitdump_builder *builder, uint32_t id, size_t body_size, uint64_t time_ns)
{
	u32(builder, id);
	u32(builder, (uint32_t)(16 + body_size));
	u64(builder, time_ns);
}

uint64_t jitdump_builder_load(struct jitdump_builder *builder, const struct built_code *code)
{
	size_t name_size = strlen(code->name) + 1;

	header(builder, 0, 40 + name_size + code->size, code->time_ns);
	u32(builder, 7); /* pid, tid */
	u32(builder, 7);
	u64(builder, code->address); /* vma */
	u64(builder, code->address);
	u64(builder, code->size);
	u64(builder, builder->next_index);
	strbuf_add(&builder->bytes, code->name, name_size);
	strbuf_add(&builder->bytes, code->code, code->size);
	return builder->next_index++;
}

void jitdump_builder_move(struct jitdump_builder *builder, uint64_t time_ns, uint64_t from, uint64_t to,
			  uint64_t size, uint64_t index)
{
	header(builder, 1, 48, time_ns);
	u32(builder, 7);
	u32(builder, 7);
	u64(builder, to);
	u64(builder, from);
	u64(builder, to);
	u64(builder, size);
	u64(builder, index);
}

void jitdump_builder_unwinding(struct jitdump_builder *builder, const void *frames, size_t size,
			       size_t hdr_size)
{
	header(builder, 4, 24 + size, 0);
	u64(builder, size);
	u64(builder, hdr_size);
	u64(builder, 0);
	strbuf_add(&builder->bytes, frames, size);
}

/* jitdump_builder_lines_end() fills in the size, which is not known yet. */
void jitdump_builder_lines(struct jitdump_builder *builder, uint64_t address, uint64_t count)
{
	builder->lines_at = builder->bytes.size;
	header(builder, 2, 0, 0);
	u64(builder, address);
	u64(builder, count);
}

void jitdump_builder_line(struct jitdump_builder *builder, uint64_t address, uint32_t line, const char *file)
{
	u64(builder, address);
	u32(builder, line);
	u32(builder, 3); /* discriminator */
	strbuf_add(&builder->bytes, file, strlen(file) + 1);
}

void jitdump_builder_lines_end(struct jitdump_builder *builder)
{
	uint32_t size = (uint32_t)(builder->bytes.size - builder->lines_at);

	if (builder->swap)
		size = __builtin_bswap32(size);
	memcpy(builder->bytes.bytes + builder->lines_at + 4, &size, sizeof(size));
}

void jitdump_builder_close(struct jitdump_builder *builder)
{
	header(builder, 3, 0, 0);
}

void jitdump_builder_record(struct jitdump_builder *builder, uint32_t id, uint32_t total_size)
{
	header(builder, id, total_size - 16, 0);
	strbuf_add_zeros(&builder->bytes, total_size - 16);
}
