#include "record/pmu_caps.h"

#include <string.h>

#include "base/byte_reader.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

#define DEVICES "bus/event_source/devices/"

static const char *read_string(struct byte_reader *r)
{
	const char *text = byte_reader_string(r, byte_reader_u32(r));

	assert_non_null(text);
	return text;
}

/* Two capabilities of "cpu", one of "cpu_atom", none of "msr". */
static void make_machine(struct temp_tree *tree)
{
	temp_tree_create(tree);
	temp_tree_file(tree, DEVICES "cpu/type", "4\n");
	temp_tree_file(tree, DEVICES "cpu/caps/branches", "32\n");
	temp_tree_file(tree, DEVICES "cpu/caps/pmu_name", "skylake\n");
	temp_tree_file(tree, DEVICES "cpu_atom/caps/max_precise", "3\n");
	temp_tree_file(tree, DEVICES "msr/type", "9\n");
}

static void the_cpus_capabilities_are_names_and_values(void **state)
{
	bool branches_seen = false, name_seen = false;
	struct temp_tree tree;
	struct strbuf section;
	struct byte_reader r;

	(void)state;
	make_machine(&tree);
	strbuf_init(&section);
	pmu_caps_make_cpu(&section, tree.root);
	r = byte_reader_over(section.bytes, section.size, false);
	assert_int_equal(byte_reader_u32(&r), 2);
	for (int i = 0; i < 2; i++) { /* in the directory's order */
		const char *name = read_string(&r), *value = read_string(&r);

		branches_seen |= strcmp(name, "branches") == 0 && strcmp(value, "32") == 0;
		name_seen |= strcmp(name, "pmu_name") == 0 && strcmp(value, "skylake") == 0;
	}
	assert_true(branches_seen && name_seen);
	assert_int_equal(byte_reader_left(&r), 0);
	strbuf_fini(&section);
	temp_tree_remove(&tree);
}

static void other_pmus_have_theirs_and_then_their_name(void **state)
{
	struct temp_tree tree;
	struct strbuf section;
	struct byte_reader r;

	(void)state;
	make_machine(&tree);
	strbuf_init(&section);
	pmu_caps_make_others(&section, tree.root);
	r = byte_reader_over(section.bytes, section.size, false);
	assert_int_equal(byte_reader_u32(&r), 1);
	assert_int_equal(byte_reader_u32(&r), 1);
	assert_string_equal(read_string(&r), "max_precise");
	assert_string_equal(read_string(&r), "3");
	assert_string_equal(read_string(&r), "cpu_atom");
	assert_int_equal(byte_reader_left(&r), 0);
	strbuf_fini(&section);
	temp_tree_remove(&tree);
}

static void without_sysfs_there_are_no_sections(void **state)
{
	struct strbuf section;

	(void)state;
	strbuf_init(&section);
	pmu_caps_make_cpu(&section, "/nonexistent");
	pmu_caps_make_others(&section, "/nonexistent");
	assert_int_equal(section.size, 0);
	strbuf_fini(&section);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cpus_capabilities_are_names_and_values),
		cmocka_unit_test(other_pmus_have_theirs_and_then_their_name),
		cmocka_unit_test(without_sysfs_there_are_no_sections),
	};

	return cmocka_run_group_tests_name("record/pmu_caps", tests, NULL, NULL);
}
