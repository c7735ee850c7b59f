#include "record/cpu_topology.h"

#include <stdio.h>

#include "base/byte_reader.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

struct fixture {
	struct temp_tree tree;
	struct strbuf section;
	struct byte_reader r;
};

static void add(struct fixture *fixture, unsigned int cpu, const char *name, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/topology/%s", cpu, name);
	temp_tree_file(&fixture->tree, path, text);
}

static void begin(struct fixture *fixture)
{
	temp_tree_create(&fixture->tree);
	strbuf_init(&fixture->section);
}

static void make(struct fixture *fixture, uint32_t cpus)
{
	cpu_topology_make(&fixture->section, fixture->tree.root, cpus);
	fixture->r = byte_reader_over(fixture->section.bytes, fixture->section.size, false);
}

static void end(struct fixture *fixture)
{
	assert_true(byte_reader_ok(&fixture->r));
	assert_int_equal(byte_reader_left(&fixture->r), 0);
	strbuf_fini(&fixture->section);
	temp_tree_remove(&fixture->tree);
}

static void assert_number(struct fixture *fixture, uint32_t expected)
{
	assert_int_equal(byte_reader_u32(&fixture->r), expected);
}

static void assert_text(struct fixture *fixture, const char *expected)
{
	assert_string_equal(byte_reader_string(&fixture->r, byte_reader_u32(&fixture->r)), expected);
}

/* Two cores of two threads, one socket, two dies. */
static void lists_come_once_and_ids_for_every_cpu(void **state)
{
	struct fixture fixture;

	(void)state;
	begin(&fixture);
	for (unsigned int cpu = 0; cpu < 4; cpu++) {
		add(&fixture, cpu, "package_cpus_list", "0-3\n");
		add(&fixture, cpu, "core_cpus_list", cpu % 2 ? "1,3\n" : "0,2\n");
		add(&fixture, cpu, "die_cpus_list", cpu % 2 ? "1,3\n" : "0,2\n");
		add(&fixture, cpu, "core_id", cpu % 2 ? "5\n" : "4\n");
		add(&fixture, cpu, "physical_package_id", "0\n");
		add(&fixture, cpu, "die_id", cpu % 2 ? "1\n" : "0\n");
	}
	make(&fixture, 4);
	assert_number(&fixture, 1);
	assert_text(&fixture, "0-3");
	assert_number(&fixture, 2);
	assert_text(&fixture, "0,2");
	assert_text(&fixture, "1,3");
	for (unsigned int cpu = 0; cpu < 4; cpu++) {
		assert_number(&fixture, 4 + cpu % 2);
		assert_number(&fixture, 0);
	}
	assert_number(&fixture, 2);
	assert_text(&fixture, "0,2");
	assert_text(&fixture, "1,3");
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		assert_number(&fixture, cpu % 2);
	end(&fixture);
}

/* Linux before 5.3; kernels of machines without dies say -1. */
static void older_names_are_known_and_dies_need_not_be(void **state)
{
	struct fixture fixture;

	(void)state;
	begin(&fixture);
	add(&fixture, 0, "core_siblings_list", "0\n");
	add(&fixture, 0, "thread_siblings_list", "0\n");
	add(&fixture, 0, "core_id", "0\n");
	add(&fixture, 0, "physical_package_id", "-1\n");
	add(&fixture, 0, "die_id", "-1\n");
	add(&fixture, 0, "die_cpus_list", "0\n");
	make(&fixture, 2);
	assert_number(&fixture, 1);
	assert_text(&fixture, "0");
	assert_number(&fixture, 1);
	assert_text(&fixture, "0");
	assert_number(&fixture, 0);
	assert_number(&fixture, UINT32_MAX);
	assert_number(&fixture, UINT32_MAX); /* CPU 1 is offline */
	assert_number(&fixture, UINT32_MAX);
	end(&fixture);
}

static void without_sysfs_there_is_no_section(void **state)
{
	struct fixture fixture;

	(void)state;
	begin(&fixture);
	make(&fixture, 2);
	assert_int_equal(fixture.section.size, 0);
	end(&fixture);
}

static void the_last_cpu_that_is_present_says_how_many_there_are(void **state)
{
	static const char *const lists[] = { "0\n", "0-7\n", "0-3,8-11\n", "0,5\n" };
	static const uint32_t expected[] = { 1, 8, 12, 6 };
	struct temp_tree tree;

	(void)state;
	temp_tree_create(&tree);
	assert_true(cpu_topology_available(tree.root) >= 1);
	for (size_t i = 0; i < 4; i++) {
		temp_tree_file(&tree, "devices/system/cpu/present", lists[i]);
		assert_int_equal(cpu_topology_available(tree.root), expected[i]);
	}
	temp_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_come_once_and_ids_for_every_cpu),
		cmocka_unit_test(older_names_are_known_and_dies_need_not_be),
		cmocka_unit_test(without_sysfs_there_is_no_section),
		cmocka_unit_test(the_last_cpu_that_is_present_says_how_many_there_are),
	};

	return cmocka_run_group_tests_name("record/cpu_topology", tests, NULL, NULL);
}
