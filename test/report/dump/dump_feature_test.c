#include "report/dump/dump_feature.h"

#include "base/error.h"
#include "format/perf_abi.h"
#include "format/perf_file.h"
#include "support/cmocka.h"
#include "support/record_recipe.h"

struct fixture {
	struct strbuf bytes;
	struct dump_out out;
	struct error err;
	int result;
};

static void add_text(struct strbuf *bytes, const char *text)
{
	const size_t size = 64; /* as perf pads it */

	strbuf_add_u32(bytes, size, false);
	strbuf_adds(bytes, text);
	strbuf_add_zeros(bytes, size - strlen(text));
}

static const char *dump(struct fixture *f, unsigned int feature, const struct perf_features *decoded)
{
	dump_out_init(&f->out, false, (struct color){ false });
	f->result = dump_feature(&f->out, feature, byte_reader_over(f->bytes.bytes, f->bytes.size, false),
				 decoded, &f->err);
	return f->out.text.bytes;
}

static void end(struct fixture *f)
{
	strbuf_fini(&f->bytes);
	dump_out_fini(&f->out);
}

static void a_string_is_shown_without_its_padding(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	add_text(&f.bytes, "box");
	assert_string_equal(dump(&f, HEADER_HOSTNAME, &(struct perf_features){ 0 }),
			    "HOSTNAME  bytes 68  value \"box\"\n");
	end(&f);
}

static void available_cpus_come_before_online_ones(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_add_u32(&f.bytes, 8, false);
	strbuf_add_u32(&f.bytes, 6, false);
	assert_string_equal(dump(&f, HEADER_NRCPUS, &(struct perf_features){ 0 }),
			    "NRCPUS  bytes 8  available 8  online 6\n");
	end(&f);
}

static void the_topology_has_as_many_cpus_as_are_available(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_add_u32(&f.bytes, 1, false);
	add_text(&f.bytes, "0-1");
	strbuf_add_u32(&f.bytes, 1, false);
	add_text(&f.bytes, "0,1");
	for (uint32_t word = 0; word < 4; word++)
		strbuf_add_u32(&f.bytes, word, false);
	assert_string_equal(dump(&f, HEADER_CPU_TOPOLOGY, &(struct perf_features){ .cpus_available = 2 }),
			    "CPU_TOPOLOGY  bytes 160\n"
			    "    sibling_cores:\n"
			    "        value \"0-1\"\n"
			    "    sibling_threads:\n"
			    "        value \"0,1\"\n"
			    "    cpus:\n"
			    "        core 0 socket 1\n"
			    "        core 2 socket 3\n");
	end(&f);
}

static void memory_blocks_are_counted(void **state)
{
	const uint64_t words[] = {
		1, 0x8000000, 1, 0, 9, 70, 0xff, 1
	}; /* version, block, nodes, node, its size, bits, bitmap */
	struct fixture f = { 0 };

	(void)state;
	strbuf_add(&f.bytes, words, sizeof(words));
	assert_string_equal(dump(&f, HEADER_MEM_TOPOLOGY, &(struct perf_features){ 0 }),
			    "MEM_TOPOLOGY  bytes 64  version 1  block_size 0x8000000\n"
			    "    nodes:\n"
			    "        node 0 blocks 9\n");
	end(&f);
}

static void a_section_that_ends_too_early_is_damaged(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_add_u32(&f.bytes, 8, false);
	assert_string_equal(dump(&f, HEADER_NRCPUS, &(struct perf_features){ 0 }),
			    "NRCPUS  bytes 4  available 8  feature 7: its 4 bytes end too early\n");
	assert_int_equal(f.result, -1);
	end(&f);
}

static void unknown_features_have_their_number_and_size(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_add_u32(&f.bytes, 8, false);
	assert_string_equal(dump(&f, 200, &(struct perf_features){ 0 }), "FEATURE_200  bytes 4\n");
	end(&f);
}

static void check_recipe(struct perf_file *file, const struct feature_recipe *recipe)
{
	struct dump_out out;
	struct error err;

	assert_true(perf_file_features(file)->present[recipe->feature / 64] >> recipe->feature % 64 & 1);
	dump_out_init(&out, false, (struct color){ false });
	assert_int_equal(dump_feature(&out, recipe->feature, perf_file_feature_bytes(file, recipe->feature),
				      perf_file_features(file), &err),
			 0);
	out.text.bytes[out.text.size - 1] = '\0'; /* the end of the last line */
	assert_string_equal(out.text.bytes, recipe->dumped);
	dump_out_fini(&out);
}

static void check_recipes(enum built_byte_order order)
{
	struct perf_data_builder *b = perf_data_builder_create(order);
	struct perf_file *file;

	perf_data_builder_add_event(
		b, &(struct built_event){ .attr = record_recipe_attr(), .ids = { 7 }, .id_count = 1 });
	for (const struct feature_recipe *recipe = feature_recipes; recipe->feature; recipe++)
		feature_recipe_build(b, recipe);
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	for (const struct feature_recipe *recipe = feature_recipes; recipe->feature; recipe++)
		check_recipe(file, recipe);
	assert_string_equal(perf_file_damage(file)->first_reason, "");
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void every_feature_is_shown_in_either_byte_order(void **state)
{
	(void)state;
	check_recipes(BUILD_NATIVE);
	check_recipes(BUILD_SWAPPED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_feature_is_shown_in_either_byte_order),
		cmocka_unit_test(a_string_is_shown_without_its_padding),
		cmocka_unit_test(available_cpus_come_before_online_ones),
		cmocka_unit_test(the_topology_has_as_many_cpus_as_are_available),
		cmocka_unit_test(memory_blocks_are_counted),
		cmocka_unit_test(a_section_that_ends_too_early_is_damaged),
		cmocka_unit_test(unknown_features_have_their_number_and_size),
	};

	return cmocka_run_group_tests_name("report/dump/dump_feature", tests, NULL, NULL);
}
