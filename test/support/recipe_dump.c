#include "support/recipe_dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/dump/dump_record.h"
#include "support/cmocka.h"

static const char trailer[] = "  sample_id{pid 10 tid 11 time 0.000000012 cpu 3 id 7 stream_id 7}";

struct dumped {
	struct perf_data_builder *builder;
	struct perf_file *file;
	struct event event;
};

static struct dumped begin(const struct record_recipe *recipe, enum built_byte_order order)
{
	struct dumped dumped = { .builder = perf_data_builder_create(order) };
	struct error err;

	dumped.builder->trailer_cpu = 3;
	perf_data_builder_add_event(dumped.builder, &(struct built_event){ .attr = record_recipe_attr(),
									   .ids = { 7 },
									   .id_count = 1 });
	record_recipe_build(dumped.builder, recipe);
	perf_data_builder_finish_file(dumped.builder);
	dumped.file = perf_data_builder_open(dumped.builder);
	assert_int_equal(perf_file_next(dumped.file, &dumped.event, &err), 1);
	assert_int_equal(dumped.event.type, recipe->type);
	return dumped;
}

static void end(struct dumped *dumped)
{
	perf_file_close(dumped->file);
	perf_data_builder_destroy(dumped->builder);
}

/* "OFFSET NAME size N REST": removes offset, size and the trailer, which must be there or not, depending on the record. */
static char *without_place(char *text, bool has_trailer)
{
	char *name = strstr(text, "  ") + 2, *size = strstr(name, "  size "),
	     *behind_size = strstr(size + 2, "  ");
	char *id = strstr(name, trailer);

	assert_int_equal(id != NULL, has_trailer);
	if (id)
		memmove(id, id + sizeof(trailer) - 1, strlen(id + sizeof(trailer) - 1) + 1);
	memmove(size, behind_size, strlen(behind_size) + 1);
	name[strlen(name) - 1] = '\0'; /* newline of the last line */
	return name;
}

static bool has_trailer(const struct record_recipe *recipe)
{
	for (const struct recipe_field *field = recipe->fields; field->kind != RECIPE_END; field++)
		if (field->kind == RECIPE_TRAILER)
			return true;
	return false;
}

static void check_one(const struct record_recipe *recipe, enum built_byte_order order)
{
	struct dumped dumped = begin(recipe, order);
	struct dump_out out;
	struct error err;

	dump_out_init(&out, false, (struct color){ false });
	assert_int_equal(dump_record(&out, dumped.file, &dumped.event, false, &err), 0);
	assert_string_equal(without_place(out.text.bytes, has_trailer(recipe)), recipe->dumped);
	dump_out_fini(&out);
	end(&dumped);
}

void recipe_dump_check(const struct record_recipe recipes[])
{
	for (; recipes->type; recipes++) {
		check_one(recipes, BUILD_NATIVE);
		check_one(recipes, BUILD_SWAPPED);
	}
}

/* In a block of its own, so that no other bytes of the file follow it. */
static void check_cut(const struct dumped *dumped, size_t payload_size)
{
	uint8_t *bytes = xmalloc(payload_size + 1);
	struct event event = dumped->event;
	struct dump_out out;
	struct error err;
	int result;

	memcpy(bytes, event.payload, payload_size);
	event.payload = bytes;
	event.payload_size = payload_size;
	event.size = (uint32_t)payload_size + 8;
	dump_out_init(&out, true, (struct color){ false });
	result = dump_record(&out, dumped->file, &event, true, &err);
	assert_true(result == 0 || strstr(out.text.bytes, err.message));
	assert_int_equal(out.text.bytes[out.text.size - 1], '\n');
	dump_out_fini(&out);
	free(bytes);
}

void recipe_dump_check_cut(const struct record_recipe recipes[])
{
	for (; recipes->type; recipes++) {
		struct dumped dumped = begin(recipes, BUILD_NATIVE);

		for (size_t size = 0; size < dumped.event.payload_size; size++)
			check_cut(&dumped, size);
		end(&dumped);
	}
}
