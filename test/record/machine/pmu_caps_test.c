#include "record/machine/machine_sections.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/sysfs_section.h"

#define DEVICES "bus/event_source/devices/"

/* Two capabilities of "cpu", one of "cpu_atom", none of "msr". */
static int make_machine(void **state)
{
	const struct temp_tree *tree;

	sysfs_section_set_up(state);
	tree = &((struct sysfs_section *)*state)->tree;
	temp_tree_file(tree, DEVICES "cpu/type", "4\n");
	temp_tree_file(tree, DEVICES "cpu/caps/branches", "32\n");
	temp_tree_file(tree, DEVICES "cpu/caps/pmu_name", "skylake\n");
	temp_tree_file(tree, DEVICES "cpu_atom/caps/max_precise", "3\n");
	temp_tree_file(tree, DEVICES "msr/type", "9\n");
	return 0;
}

static void the_cpus_capabilities_are_names_and_values(void **state)
{
	struct sysfs_section *section = *state;
	bool branches_seen = false, name_seen = false;

	pmu_caps_make_cpu(&section->bytes, section->tree.root);
	sysfs_section_begin(section);
	assert_section_u32(section, 2);
	for (int i = 0; i < 2; i++) { /* in the directory's order */
		const char *name = sysfs_section_text(section), *value = sysfs_section_text(section);

		branches_seen |= strcmp(name, "branches") == 0 && strcmp(value, "32") == 0;
		name_seen |= strcmp(name, "pmu_name") == 0 && strcmp(value, "skylake") == 0;
	}
	assert_true(branches_seen && name_seen);
	assert_section_ends(section);
}

static void other_pmus_have_theirs_and_then_their_name(void **state)
{
	struct sysfs_section *section = *state;

	pmu_caps_make_others(&section->bytes, section->tree.root);
	sysfs_section_begin(section);
	assert_section_u32(section, 1);
	assert_section_u32(section, 1);
	assert_section_text(section, "max_precise");
	assert_section_text(section, "3");
	assert_section_text(section, "cpu_atom");
	assert_section_ends(section);
}

static void without_sysfs_there_are_no_sections(void **state)
{
	struct sysfs_section *section = *state;

	pmu_caps_make_cpu(&section->bytes, "/proc/nonexistent");
	pmu_caps_make_others(&section->bytes, "/proc/nonexistent");
	assert_int_equal(section->bytes.size, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_machine, sysfs_section_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_cpus_capabilities_are_names_and_values),
		TEST(other_pmus_have_theirs_and_then_their_name),
		TEST(without_sysfs_there_are_no_sections),
	};

	return cmocka_run_group_tests_name("record/machine/pmu_caps", tests, NULL, NULL);
}
