#include "record/pmu_caps.h"

#include <string.h>

#include "base/byte_reader.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

#define DEVICES "bus/event_source/devices/"

static struct temp_tree tree;
static struct strbuf section;
static struct byte_reader r; /* of the section */

static const char *read_string(void)
{
	const char *text = byte_reader_string(&r, byte_reader_u32(&r));

	assert_non_null(text);
	return text;
}

/* Two capabilities of "cpu", one of "cpu_atom", none of "msr". */
static int make_machine(void **state)
{
	(void)state;
	strbuf_init(&section);
	temp_tree_create(&tree);
	temp_tree_file(&tree, DEVICES "cpu/type", "4\n");
	temp_tree_file(&tree, DEVICES "cpu/caps/branches", "32\n");
	temp_tree_file(&tree, DEVICES "cpu/caps/pmu_name", "skylake\n");
	temp_tree_file(&tree, DEVICES "cpu_atom/caps/max_precise", "3\n");
	temp_tree_file(&tree, DEVICES "msr/type", "9\n");
	return 0;
}

static int remove_machine(void **state)
{
	(void)state;
	strbuf_fini(&section);
	temp_tree_remove(&tree);
	return 0;
}

static void the_cpus_capabilities_are_names_and_values(void **state)
{
	bool branches_seen = false, name_seen = false;

	(void)state;
	pmu_caps_make_cpu(&section, tree.root);
	r = byte_reader_over(section.bytes, section.size, false);
	assert_int_equal(byte_reader_u32(&r), 2);
	for (int i = 0; i < 2; i++) { /* in the directory's order */
		const char *name = read_string(), *value = read_string();

		branches_seen |= strcmp(name, "branches") == 0 && strcmp(value, "32") == 0;
		name_seen |= strcmp(name, "pmu_name") == 0 && strcmp(value, "skylake") == 0;
	}
	assert_true(branches_seen && name_seen);
	assert_int_equal(byte_reader_left(&r), 0);
}

static void other_pmus_have_theirs_and_then_their_name(void **state)
{
	(void)state;
	pmu_caps_make_others(&section, tree.root);
	r = byte_reader_over(section.bytes, section.size, false);
	assert_int_equal(byte_reader_u32(&r), 1);
	assert_int_equal(byte_reader_u32(&r), 1);
	assert_string_equal(read_string(), "max_precise");
	assert_string_equal(read_string(), "3");
	assert_string_equal(read_string(), "cpu_atom");
	assert_int_equal(byte_reader_left(&r), 0);
}

static void without_sysfs_there_are_no_sections(void **state)
{
	(void)state;
	pmu_caps_make_cpu(&section, "/nonexistent");
	pmu_caps_make_others(&section, "/nonexistent");
	assert_int_equal(section.size, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_machine, remove_machine)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_cpus_capabilities_are_names_and_values),
		TEST(other_pmus_have_theirs_and_then_their_name),
		TEST(without_sysfs_there_are_no_sections),
	};

	return cmocka_run_group_tests_name("record/pmu_caps", tests, NULL, NULL);
}
