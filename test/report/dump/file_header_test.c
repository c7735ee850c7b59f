#include "report/dump/file_header.h"

#include <string.h>

#include "format/perf_abi.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

static struct perf_data_builder *builder;
static struct strbuf out;

static int set_up(void **state)
{
	(void)state;
	builder = perf_data_builder_create(BUILD_NATIVE);
	perf_data_builder_add_clock(builder);
	strbuf_init(&out);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	strbuf_fini(&out);
	perf_data_builder_destroy(builder);
	return 0;
}

static const char *header(bool at_length)
{
	struct perf_file *file;

	perf_data_builder_finish_file(builder);
	file = perf_data_builder_open(builder);
	strbuf_reset(&out);
	file_header_add(&out, file, at_length);
	perf_file_close(file);
	return out.bytes;
}

static void assert_has(const char *text, const char *expected)
{
	if (!strstr(text, expected))
		assert_string_equal(text, expected);
}

static void add_words(unsigned int feature, const uint32_t *words, size_t count)
{
	perf_data_builder_feature(builder, feature, words, count * sizeof(*words));
}

static void features_are_lines_in_perfs_words_and_order(void **state)
{
	(void)state;
	perf_data_builder_feature_string(builder, HEADER_OSRELEASE, "6.1.0");
	perf_data_builder_feature_string(builder, HEADER_HOSTNAME, "server");
	perf_data_builder_feature_string(builder, HEADER_ARCH, "x86_64");
	perf_data_builder_feature_string(builder, HEADER_VERSION, "6.1.4");
	add_words(HEADER_NRCPUS, (const uint32_t[]){ 8, 6 }, 2);
	assert_has(header(false), "# hostname : server\n"
				  "# os release : 6.1.0\n"
				  "# perf version : 6.1.4\n"
				  "# arch : x86_64\n"
				  "# nrcpus online : 6\n"
				  "# nrcpus avail : 8\n");
}

static void what_is_missing_is_listed_at_the_end(void **state)
{
	const char *text, *missing;

	(void)state;
	perf_data_builder_feature_string(builder, HEADER_HOSTNAME, "server");
	text = header(false);
	missing = strstr(text, "# missing features: ");
	assert_non_null(missing);
	assert_non_null(strstr(missing, " OSRELEASE "));
	assert_null(strstr(missing, " HOSTNAME "));
	assert_string_equal(missing + strlen(missing) - strlen("\n# ========\n#\n"), "\n# ========\n#\n");
}

static void control_characters_of_a_name_do_not_reach_the_terminal(void **state)
{
	(void)state;
	perf_data_builder_feature_string(builder, HEADER_HOSTNAME, "a\x1b[31m\nb");
	assert_null(strstr(header(false), "\x1b"));
	assert_null(strstr(out.bytes, "\nb"));
}

static void add_text(struct strbuf *feature, const char *text)
{
	enum { PADDED_BYTES = 64 };
	const size_t length = strlen(text);

	strbuf_add_u32(feature, PADDED_BYTES, false);
	strbuf_add(feature, text, length);
	for (size_t i = length; i < PADDED_BYTES; i++)
		strbuf_addc(feature, '\0');
}

static void nor_do_those_of_caches_and_kinds_of_cpus(void **state)
{
	struct strbuf caches, kinds;

	(void)state;
	strbuf_init(&caches);
	strbuf_init(&kinds);
	for (int i = 0; i < 6; i++) /* version, one cache: level, line size, sets, ways */
		strbuf_add_u32(&caches, i < 3 ? 1 : 64, false);
	add_text(&caches, "Da\x1b[31mta");
	add_text(&caches, "32K\n# hostname : other");
	add_text(&caches, "0-3");
	strbuf_add_u32(&kinds, 1, false);
	add_text(&kinds, "cpu_\x1b[31mcore");
	add_text(&kinds, "0-3\n# hostname : other");
	perf_data_builder_feature(builder, HEADER_CACHE, caches.bytes, caches.size);
	perf_data_builder_feature(builder, HEADER_HYBRID_TOPOLOGY, kinds.bytes, kinds.size);
	assert_has(header(true), "#  L1 Da?[31mta");
	assert_has(out.bytes, "# cpu_?[31mcore cpu list : 0-3?# hostname : other\n");
	assert_null(strstr(out.bytes, "\x1b"));
	assert_null(strstr(out.bytes, "\n# hostname"));
	strbuf_fini(&caches);
	strbuf_fini(&kinds);
}

static void quotes_of_the_command_line_are_marked_as_in_perf(void **state)
{
	struct strbuf feature;
	const char *const words[] = { "perf", "record", "-e", "it's" };

	(void)state;
	strbuf_init(&feature);
	strbuf_add_u32(&feature, 4, false);
	for (size_t i = 0; i < 4; i++) {
		char padded[8] = { 0 };

		memcpy(padded, words[i], strlen(words[i]));
		strbuf_add_u32(&feature, sizeof(padded), false);
		strbuf_add(&feature, padded, sizeof(padded));
	}
	perf_data_builder_feature(builder, HEADER_CMDLINE, feature.bytes, feature.size);
	strbuf_fini(&feature);
	assert_has(header(false), "# cmdline : perf record -e it\\'s \n");
}

static void what_is_long_waits_to_be_asked_for(void **state)
{
	static const struct {
		uint32_t count, node;
		uint64_t total, available;
		uint32_t length;
		char cpus[8];
	} __attribute__((packed)) numa = { 1, 0, 2048, 1024, 8, "0-3" };

	(void)state;
	perf_data_builder_feature(builder, HEADER_NUMA_TOPOLOGY, &numa, sizeof(numa));
	assert_has(header(false), "# NUMA_TOPOLOGY info available, use -I to display\n");
	assert_null(strstr(out.bytes, "# node0"));
	assert_has(header(true),
		   "# node0 meminfo  : total = 2048 kB, free = 1024 kB\n# node0 cpu list : 0-3\n");
	assert_null(strstr(out.bytes, "use -I"));
}

static void a_feature_that_is_cut_off_ends_there(void **state)
{
	(void)state;
	add_words(HEADER_NUMA_TOPOLOGY, (const uint32_t[]){ 1000000, 0, 1 }, 3);
	assert_null(strstr(header(true), "# node0"));
	assert_has(out.bytes, "# missing features: ");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(features_are_lines_in_perfs_words_and_order),
		TEST(what_is_missing_is_listed_at_the_end),
		TEST(control_characters_of_a_name_do_not_reach_the_terminal),
		TEST(nor_do_those_of_caches_and_kinds_of_cpus),
		TEST(quotes_of_the_command_line_are_marked_as_in_perf),
		TEST(what_is_long_waits_to_be_asked_for),
		TEST(a_feature_that_is_cut_off_ends_there),
	};

	return cmocka_run_group_tests_name("report/dump/file_header", tests, NULL, NULL);
}
