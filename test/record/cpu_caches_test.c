#include "record/cpu_caches.h"

#include <stdio.h>

#include "base/byte_reader.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

static void add(const struct temp_tree *tree, unsigned int cpu, unsigned int index, const char *name,
		const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/cache/index%u/%s", cpu, index, name);
	temp_tree_file(tree, path, text);
}

static void add_cache(const struct temp_tree *tree, unsigned int cpu, unsigned int index, const char *level,
		      const char *size, const char *cpus)
{
	add(tree, cpu, index, "level", level);
	add(tree, cpu, index, "coherency_line_size", "64\n");
	add(tree, cpu, index, "number_of_sets", "512\n");
	add(tree, cpu, index, "ways_of_associativity", "8\n");
	add(tree, cpu, index, "type", "Unified\n");
	add(tree, cpu, index, "size", size);
	add(tree, cpu, index, "shared_cpu_list", cpus);
}

static void assert_text(struct byte_reader *r, const char *expected)
{
	assert_string_equal(byte_reader_string(r, byte_reader_u32(r)), expected);
}

static void assert_cache(struct byte_reader *r, uint32_t level, const char *size, const char *cpus)
{
	assert_int_equal(byte_reader_u32(r), level);
	assert_int_equal(byte_reader_u32(r), 64);
	assert_int_equal(byte_reader_u32(r), 512);
	assert_int_equal(byte_reader_u32(r), 8);
	assert_text(r, "Unified");
	assert_text(r, size);
	assert_text(r, cpus);
}

static void shared_caches_come_once_and_level_by_level(void **state)
{
	const struct temp_tree *tree = *state;
	struct strbuf section;
	struct byte_reader r;

	strbuf_init(&section);
	add_cache(tree, 0, 0, "1\n", "32K\n", "0\n");
	add_cache(tree, 0, 1, "2\n", "4M\n", "0-1\n");
	add_cache(tree, 1, 0, "1\n", "32K\n", "1\n");
	add_cache(tree, 1, 1, "2\n", "4M\n", "0-1\n");
	cpu_caches_make(&section, tree->root, 3); /* CPU 2 is offline */
	r = byte_reader_over(section.bytes, section.size, false);
	assert_int_equal(byte_reader_u32(&r), 1);
	assert_int_equal(byte_reader_u32(&r), 3);
	assert_cache(&r, 1, "32K", "0");
	assert_cache(&r, 1, "32K", "1");
	assert_cache(&r, 2, "4M", "0-1");
	assert_true(byte_reader_ok(&r));
	assert_int_equal(byte_reader_left(&r), 0);
	strbuf_fini(&section);
}

/* Virtual machines: the kernel leaves out what it does not know. */
static void what_the_kernel_does_not_know_is_zero_or_empty(void **state)
{
	const struct temp_tree *tree = *state;
	struct strbuf section;
	struct byte_reader r;

	strbuf_init(&section);
	add(tree, 0, 0, "shared_cpu_list", "0\n");
	add(tree, 0, 0, "level", "4294967295\n");
	cpu_caches_make(&section, tree->root, 1);
	r = byte_reader_over(section.bytes, section.size, false);
	assert_int_equal(byte_reader_u32(&r), 1);
	assert_int_equal(byte_reader_u32(&r), 1);
	assert_int_equal(byte_reader_u32(&r), 15);
	byte_reader_skip(&r, 12);
	assert_text(&r, "");
	assert_text(&r, "");
	assert_text(&r, "0");
	assert_true(byte_reader_ok(&r));
	strbuf_fini(&section);
}

static void without_sysfs_there_is_no_section(void **state)
{
	struct strbuf section;

	(void)state;
	strbuf_init(&section);
	cpu_caches_make(&section, "/nonexistent", 2);
	assert_int_equal(section.size, 0);
	strbuf_fini(&section);
}

#define TREE_TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(shared_caches_come_once_and_level_by_level),
		TREE_TEST(what_the_kernel_does_not_know_is_zero_or_empty),
		cmocka_unit_test(without_sysfs_there_is_no_section),
	};

	return cmocka_run_group_tests_name("record/cpu_caches", tests, NULL, NULL);
}
