#include "record/machine_features.h"

#include <string.h>

#include "base/byte_reader.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

static void every_pmu_is_listed_with_its_type(void **state)
{
	const struct temp_tree *tree = *state;
	bool cpu_seen = false, msr_seen = false;
	struct strbuf section;
	struct byte_reader r;

	temp_tree_file(tree, "bus/event_source/devices/cpu/type", "4\n");
	temp_tree_file(tree, "bus/event_source/devices/msr/type", "9\n");
	temp_tree_file(tree, "bus/event_source/devices/no_pmu/other", "9\n");
	strbuf_init(&section);
	machine_features_make_pmu_mappings(&section, tree->root);
	r = byte_reader_over(section.bytes, section.size, false);
	assert_int_equal(byte_reader_u32(&r), 2);
	for (int i = 0; i < 2; i++) { /* in the directory's order */
		uint32_t type = byte_reader_u32(&r);
		const char *name = byte_reader_string(&r, byte_reader_u32(&r));

		assert_non_null(name);
		cpu_seen |= type == 4 && strcmp(name, "cpu") == 0;
		msr_seen |= type == 9 && strcmp(name, "msr") == 0;
	}
	assert_true(cpu_seen && msr_seen);
	assert_int_equal(byte_reader_left(&r), 0);
	strbuf_fini(&section);
}

static void without_sysfs_there_is_no_section(void **state)
{
	struct strbuf section;

	(void)state;
	strbuf_init(&section);
	machine_features_make_pmu_mappings(&section, "/nonexistent");
	assert_int_equal(section.size, 0);
	strbuf_fini(&section);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_pmu_is_listed_with_its_type, temp_tree_set_up,
						temp_tree_tear_down),
		cmocka_unit_test(without_sysfs_there_is_no_section),
	};

	return cmocka_run_group_tests_name("record/machine_features", tests, NULL, NULL);
}
