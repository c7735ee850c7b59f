#include "record/machine/machine_sections.h"

#include "support/cmocka.h"
#include "support/sysfs_section.h"

static int set_up(void **state)
{
	const struct temp_tree *tree;

	sysfs_section_set_up(state);
	tree = &((struct sysfs_section *)*state)->tree;
	temp_tree_file(tree, "devices/system/node/node0/meminfo",
		       "Node 0 MemTotal:        7956696 kB\nNode 0 MemFree:         5777148 kB\n");
	temp_tree_file(tree, "devices/system/node/node0/cpulist", "0-1\n");
	temp_tree_file(tree, "devices/system/node/node0/memory0", "");
	temp_tree_file(tree, "devices/system/node/node0/memory65", "");
	temp_tree_file(tree, "devices/system/node/node0/memory_side_cache", "");
	temp_tree_file(tree, "devices/system/node/node2/cpulist", "\n"); /* memory without CPUs */
	temp_tree_file(tree, "devices/system/node/has_cpu", "0\n");
	temp_tree_file(tree, "devices/system/memory/block_size_bytes", "8000000\n");
	return 0;
}

static void each_node_has_its_memory_and_cpus(void **state)
{
	struct sysfs_section *section = *state;

	memory_nodes_make_numa(&section->bytes, section->tree.root);
	sysfs_section_begin(section);
	assert_section_u32(section, 2);
	assert_section_u32(section, 0);
	assert_section_u64(section, 7956696);
	assert_section_u64(section, 5777148);
	assert_section_text(section, "0-1");
	assert_section_u32(section, 2);
	assert_section_u64(section, 0);
	assert_section_u64(section, 0);
	assert_section_text(section, "");
	assert_section_ends(section);
}

static void blocks_of_memory_are_bits(void **state)
{
	struct sysfs_section *section = *state;

	memory_nodes_make_blocks(&section->bytes, section->tree.root);
	sysfs_section_begin(section);
	assert_section_u64(section, 1);
	assert_section_u64(section, 0x8000000);
	assert_section_u64(section, 1); /* node 2 has no blocks */
	assert_section_u64(section, 0);
	assert_section_u64(section, 66);
	assert_section_u64(section, 66);
	assert_section_u64(section, 1);
	assert_section_u64(section, 2);
	assert_section_ends(section);
}

static void without_sysfs_there_are_no_sections(void **state)
{
	struct sysfs_section *section = *state;

	memory_nodes_make_numa(&section->bytes, "/proc/nonexistent");
	memory_nodes_make_blocks(&section->bytes, "/proc/nonexistent");
	assert_int_equal(section->bytes.size, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, sysfs_section_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_node_has_its_memory_and_cpus),
		TEST(blocks_of_memory_are_bits),
		TEST(without_sysfs_there_are_no_sections),
	};

	return cmocka_run_group_tests_name("record/machine/memory_nodes", tests, NULL, NULL);
}
