#include "record/machine/machine_features.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/sysfs_section.h"

static void every_pmu_is_listed_with_its_type(void **state)
{
	struct sysfs_section *section = *state;
	const struct temp_tree *tree = &section->tree;
	bool cpu_seen = false, msr_seen = false;

	temp_tree_file(tree, "bus/event_source/devices/cpu/type", "4\n");
	temp_tree_file(tree, "bus/event_source/devices/msr/type", "9\n");
	temp_tree_file(tree, "bus/event_source/devices/no_pmu/other", "9\n");
	machine_features_make_pmu_mappings(&section->bytes, tree->root);
	sysfs_section_begin(section);
	assert_section_u32(section, 2);
	for (int i = 0; i < 2; i++) { /* in the directory's order */
		uint32_t type = byte_reader_u32(&section->r);
		const char *name = sysfs_section_text(section);

		cpu_seen |= type == 4 && strcmp(name, "cpu") == 0;
		msr_seen |= type == 9 && strcmp(name, "msr") == 0;
	}
	assert_true(cpu_seen && msr_seen);
	assert_section_ends(section);
}

static void without_sysfs_there_is_no_section(void **state)
{
	struct sysfs_section *section = *state;

	machine_features_make_pmu_mappings(&section->bytes, "/proc/nonexistent");
	assert_int_equal(section->bytes.size, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, sysfs_section_set_up, sysfs_section_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_pmu_is_listed_with_its_type),
		TEST(without_sysfs_there_is_no_section),
	};

	return cmocka_run_group_tests_name("record/machine/machine_features", tests, NULL, NULL);
}
