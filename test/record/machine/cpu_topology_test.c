#include "record/machine/machine_sections.h"

#include <stdio.h>

#include "support/cmocka.h"
#include "support/sysfs_section.h"

static void add(const struct sysfs_section *section, unsigned int cpu, const char *name, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/topology/%s", cpu, name);
	temp_tree_file(&section->tree, path, text);
}

static void make(struct sysfs_section *section, uint32_t cpus)
{
	cpu_topology_make(&section->bytes, section->tree.root, cpus);
	sysfs_section_begin(section);
}

/* Two cores of two threads, one socket, two dies. */
static void lists_come_once_and_ids_for_every_cpu(void **state)
{
	struct sysfs_section *section = *state;

	for (unsigned int cpu = 0; cpu < 4; cpu++) {
		add(section, cpu, "package_cpus_list", "0-3\n");
		add(section, cpu, "core_cpus_list", cpu % 2 ? "1,3\n" : "0,2\n");
		add(section, cpu, "die_cpus_list", cpu % 2 ? "1,3\n" : "0,2\n");
		add(section, cpu, "core_id", cpu % 2 ? "5\n" : "4\n");
		add(section, cpu, "physical_package_id", "0\n");
		add(section, cpu, "die_id", cpu % 2 ? "1\n" : "0\n");
	}
	make(section, 4);
	assert_section_u32(section, 1);
	assert_section_text(section, "0-3");
	assert_section_u32(section, 2);
	assert_section_text(section, "0,2");
	assert_section_text(section, "1,3");
	for (unsigned int cpu = 0; cpu < 4; cpu++) {
		assert_section_u32(section, 4 + cpu % 2);
		assert_section_u32(section, 0);
	}
	assert_section_u32(section, 2);
	assert_section_text(section, "0,2");
	assert_section_text(section, "1,3");
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		assert_section_u32(section, cpu % 2);
	assert_section_ends(section);
}

/* Linux before 5.3; kernels of machines without dies report -1. */
static void older_names_are_known_and_dies_need_not_be(void **state)
{
	struct sysfs_section *section = *state;

	add(section, 0, "core_siblings_list", "0\n");
	add(section, 0, "thread_siblings_list", "0\n");
	add(section, 0, "core_id", "0\n");
	add(section, 0, "physical_package_id", "-1\n");
	add(section, 0, "die_id", "-1\n");
	add(section, 0, "die_cpus_list", "0\n");
	make(section, 2);
	assert_section_u32(section, 1);
	assert_section_text(section, "0");
	assert_section_u32(section, 1);
	assert_section_text(section, "0");
	assert_section_u32(section, 0);
	assert_section_u32(section, UINT32_MAX);
	assert_section_u32(section, UINT32_MAX); /* CPU 1 is offline */
	assert_section_u32(section, UINT32_MAX);
	assert_section_ends(section);
}

static void without_sysfs_there_is_no_section(void **state)
{
	struct sysfs_section *section = *state;

	make(section, 2);
	assert_int_equal(section->bytes.size, 0);
	assert_section_ends(section);
}

static void the_last_cpu_that_is_present_says_how_many_there_are(void **state)
{
	static const char *const lists[] = { "0\n", "0-7\n", "0-3,8-11\n", "0,5\n" };
	static const uint32_t expected[] = { 1, 8, 12, 6 };
	const struct temp_tree *tree = &((struct sysfs_section *)*state)->tree;

	assert_true(cpu_topology_available(tree->root) >= 1);
	for (size_t i = 0; i < 4; i++) {
		temp_tree_file(tree, "devices/system/cpu/present", lists[i]);
		assert_int_equal(cpu_topology_available(tree->root), expected[i]);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, sysfs_section_set_up, sysfs_section_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lists_come_once_and_ids_for_every_cpu),
		TEST(older_names_are_known_and_dies_need_not_be),
		TEST(without_sysfs_there_is_no_section),
		TEST(the_last_cpu_that_is_present_says_how_many_there_are),
	};

	return cmocka_run_group_tests_name("record/machine/cpu_topology", tests, NULL, NULL);
}
