#include "record/process/process_maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static void a_line_of_maps_becomes_a_mapping(void **state)
{
	char line[] =
		"7f56abf99000-7f56abfbf000 r-xp 00001000 fe:0a 332383                     /usr/lib/ld linux.so";
	struct process_mapping mapping;

	(void)state;
	assert_int_equal(process_maps_parse_line(line, &mapping), 0);
	assert_true(mapping.start == 0x7f56abf99000 && mapping.end == 0x7f56abfbf000);
	assert_int_equal(mapping.file_offset, 0x1000);
	assert_int_equal(mapping.prot, PROT_READ | PROT_EXEC);
	assert_int_equal(mapping.flags, MAP_PRIVATE);
	assert_int_equal(mapping.device_major, 0xfe);
	assert_int_equal(mapping.device_minor, 0x0a);
	assert_int_equal(mapping.inode, 332383);
	assert_string_equal(mapping.path, "/usr/lib/ld linux.so");
}

static void anonymous_memory_has_an_empty_path(void **state)
{
	char line[] = "1000-2000 rwxs 00000000 00:00 0 ";
	struct process_mapping mapping;

	(void)state;
	assert_int_equal(process_maps_parse_line(line, &mapping), 0);
	assert_string_equal(mapping.path, "");
	assert_int_equal(mapping.flags, MAP_SHARED);
	assert_int_equal(mapping.prot, PROT_READ | PROT_WRITE | PROT_EXEC);
}

static void what_is_no_line_of_maps_is_refused(void **state)
{
	static const char *const texts[] = { "",
					     "1000",
					     "1000-2000",
					     "1000-2000 r",
					     "1000-2000 r-xp",
					     "x-y r-xp 0 0:0 0",
					     "1000-2000 r-xp 0 00 0" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct process_mapping mapping;
		char line[64];

		snprintf(line, sizeof(line), "%s", texts[i]);
		assert_int_equal(process_maps_parse_line(line, &mapping), -1);
	}
}

struct seen {
	size_t count, executable, with_build_id;
	bool own_code;
};

static void see(const struct process_mapping *mapping, void *context)
{
	struct seen *seen = context;
	uint64_t here = (uintptr_t)&see;

	seen->count++;
	seen->executable += (mapping->prot & PROT_EXEC) != 0;
	seen->with_build_id += mapping->build_id.size > 0;
	if (here >= mapping->start && here < mapping->end) {
		seen->own_code = true;
		assert_non_null(strstr(mapping->path, "process_maps_test"));
		assert_true(mapping->inode != 0);
	}
}

static void a_living_process_shows_its_code_and_on_demand_its_data(void **state)
{
	struct seen code = { 0 }, all = { 0 };

	(void)state;
	assert_int_equal(process_maps_each("/proc", getpid(), false, see, &code), 0);
	assert_true(code.own_code);
	assert_int_equal(code.count, code.executable);
	assert_int_equal(process_maps_each("/proc", getpid(), true, see, &all), 0);
	assert_true(all.count > code.count);
}

/* The file is not in /proc, so the ioctl is refused, and the text is read. */
static void where_the_kernel_cannot_be_queried_the_text_is_read(void **state)
{
	struct temp_tree tree;
	struct seen seen = { 0 };

	(void)state;
	temp_tree_create(&tree);
	temp_tree_file(&tree, "7/maps",
		       "1000-2000 r--p 00000000 fe:00 5 /a\n2000-3000 r-xp 00001000 fe:00 5 /a\n"
		       "3000-4000 ---p 00002000 fe:00 5 /a\nno mapping\n");
	assert_int_equal(process_maps_each(tree.root, 7, false, see, &seen), 0);
	assert_int_equal(seen.count, 1);
	assert_int_equal(process_maps_each(tree.root, 7, true, see, &seen), 0);
	assert_int_equal(seen.count, 1 + 2);
	assert_int_equal(process_maps_each(tree.root, 8, true, see, &seen), -1);
	temp_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_of_maps_becomes_a_mapping),
		cmocka_unit_test(anonymous_memory_has_an_empty_path),
		cmocka_unit_test(what_is_no_line_of_maps_is_refused),
		cmocka_unit_test(a_living_process_shows_its_code_and_on_demand_its_data),
		cmocka_unit_test(where_the_kernel_cannot_be_queried_the_text_is_read),
	};

	return cmocka_run_group_tests_name("record/process/process_maps", tests, NULL, NULL);
}
