#include "record/memory_nodes.h"

#include "base/byte_reader.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

static int set_up(void **state)
{
	const struct temp_tree *tree;

	temp_tree_set_up(state);
	tree = *state;
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
	const struct temp_tree *tree = *state;
	struct strbuf section;
	struct byte_reader r;

	strbuf_init(&section);
	memory_nodes_make_numa(&section, tree->root);
	r = byte_reader_over(section.bytes, section.size, false);
	assert_int_equal(byte_reader_u32(&r), 2);
	assert_int_equal(byte_reader_u32(&r), 0);
	assert_int_equal(byte_reader_u64(&r), 7956696);
	assert_int_equal(byte_reader_u64(&r), 5777148);
	assert_string_equal(byte_reader_string(&r, byte_reader_u32(&r)), "0-1");
	assert_int_equal(byte_reader_u32(&r), 2);
	assert_int_equal(byte_reader_u64(&r), 0);
	assert_int_equal(byte_reader_u64(&r), 0);
	assert_string_equal(byte_reader_string(&r, byte_reader_u32(&r)), "");
	assert_int_equal(byte_reader_left(&r), 0);
	strbuf_fini(&section);
}

static void blocks_of_memory_are_bits(void **state)
{
	const struct temp_tree *tree = *state;
	struct strbuf section;
	struct byte_reader r;

	strbuf_init(&section);
	memory_nodes_make_blocks(&section, tree->root);
	r = byte_reader_over(section.bytes, section.size, false);
	assert_int_equal(byte_reader_u64(&r), 1);
	assert_int_equal(byte_reader_u64(&r), 0x8000000);
	assert_int_equal(byte_reader_u64(&r), 1); /* node 2 has none */
	assert_int_equal(byte_reader_u64(&r), 0);
	assert_int_equal(byte_reader_u64(&r), 66);
	assert_int_equal(byte_reader_u64(&r), 66);
	assert_int_equal(byte_reader_u64(&r), 1);
	assert_int_equal(byte_reader_u64(&r), 2);
	assert_int_equal(byte_reader_left(&r), 0);
	strbuf_fini(&section);
}

static void without_sysfs_there_are_no_sections(void **state)
{
	struct strbuf section;

	(void)state;
	strbuf_init(&section);
	memory_nodes_make_numa(&section, "/nonexistent");
	memory_nodes_make_blocks(&section, "/nonexistent");
	assert_int_equal(section.size, 0);
	strbuf_fini(&section);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_node_has_its_memory_and_cpus),
		cmocka_unit_test(blocks_of_memory_are_bits),
		cmocka_unit_test(without_sysfs_there_are_no_sections),
	};

	return cmocka_run_group_tests_name("record/memory_nodes", tests, set_up, temp_tree_tear_down);
}
