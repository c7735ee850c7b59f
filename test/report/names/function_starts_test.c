#include "report/names/function_starts.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/cfi_builder.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

/* A stripped library with FDEs for two functions: [0x1000, 0x1040) and [0x1100, 0x1200), by vaddr. */
struct fixture {
	struct temp_tree tree;
	char path[128];
	struct dso dso;
	struct debug_file_search search;
	struct function_starts *starts;
	uint64_t code; /* file offset of vaddr 0x1000 */
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct cfi_builder builder;
	struct elf_file *file;
	uint64_t cie;
	uint8_t *bytes;
	size_t size;

	assert_non_null(fixture);
	cfi_builder_init(&builder, EM_X86_64);
	cie = cfi_builder_usual_cie(&builder);
	cfi_builder_fde(&builder, cie, 0x1000, 0x1040, "", 0);
	cfi_builder_fde(&builder, cie, 0x1100, 0x1200, "", 0);
	bytes = cfi_builder_bytes(&builder, &size);
	temp_tree_create(&fixture->tree);
	temp_tree_bytes(&fixture->tree, "lib.so", bytes, size);
	free(bytes);
	file = cfi_builder_file(&builder);
	assert_int_equal(elf_file_vaddr_to_offset(file, 0x1000, &fixture->code), 0);
	elf_file_close(file);
	cfi_builder_fini(&builder);
	snprintf(fixture->path, sizeof(fixture->path), "%s/lib.so", fixture->tree.root);
	fixture->dso.kind = DSO_FILE;
	fixture->dso.number = 3;
	fixture->dso.path = fixture->path;
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	function_starts_destroy(fixture->starts);
	temp_tree_remove(&fixture->tree);
	free(fixture);
	return 0;
}

/* Where the function of code + distance begins, as a distance from the code; UINT64_MAX: unknown. */
static uint64_t start_of(struct fixture *fixture, uint64_t distance)
{
	uint64_t start;

	if (!fixture->starts)
		fixture->starts = function_starts_create(&fixture->search, NULL);
	return function_starts_find(fixture->starts, &fixture->dso, fixture->code + distance, &start) == 1 ?
		       start - fixture->code :
		       UINT64_MAX;
}

static void all_addresses_of_an_fde_begin_where_it_does(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(start_of(fixture, 0), 0);
	assert_int_equal(start_of(fixture, 0x3f), 0);
	assert_int_equal(start_of(fixture, 0x1ff), 0x100);
	assert_int_equal(start_of(fixture, 0x20), 0);
	assert_int_equal(start_of(fixture, 0x100), 0x100);
}

static void between_fdes_no_function_begins(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(start_of(fixture, 0x3f), 0);
	assert_int_equal(start_of(fixture, 0x40), UINT64_MAX);
	assert_int_equal(start_of(fixture, 0xff), UINT64_MAX);
	assert_int_equal(start_of(fixture, 0x200), UINT64_MAX);
	assert_int_equal(start_of(fixture, 0x100000), UINT64_MAX);
}

static void another_build_of_the_file_is_not_asked(void **state)
{
	struct fixture *fixture = *state;

	fixture->dso.build_id = (struct build_id){ .size = 2, .bytes = { 0xab, 1 } };
	assert_int_equal(start_of(fixture, 0x20), UINT64_MAX);
}

static void files_that_are_gone_and_code_without_files_have_no_starts(void **state)
{
	struct fixture *fixture = *state;

	fixture->dso.kind = DSO_ANON;
	assert_int_equal(start_of(fixture, 0x20), UINT64_MAX);
	fixture->dso.kind = DSO_FILE;
	fixture->dso.path = "/nonexistent/lib.so";
	assert_int_equal(start_of(fixture, 0x20), UINT64_MAX);
	fixture->dso.path = fixture->path;
	fixture->dso.number++;
	assert_int_equal(start_of(fixture, 0x20), 0);
}

static void fdes_that_are_found_are_needed_in_an_archive(void **state)
{
	struct fixture *fixture = *state;
	struct object_needs *needs = object_needs_create();
	const uint64_t *vaddrs;
	size_t count;

	fixture->starts = function_starts_create(&fixture->search, needs);
	assert_int_equal(start_of(fixture, 0x120), 0x100);
	assert_int_equal(start_of(fixture, 0x130), 0x100);
	assert_int_equal(start_of(fixture, 0x50), UINT64_MAX);
	assert_int_equal(object_needs_count(needs), 1);
	vaddrs = object_need_sorted(object_needs_at(needs, 0), OBJECT_NEED_FRAMES, &count);
	assert_int_equal(count, 1);
	assert_int_equal(vaddrs[0], 0x1100);
	object_needs_destroy(needs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_addresses_of_an_fde_begin_where_it_does, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(between_fdes_no_function_begins, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_build_of_the_file_is_not_asked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(files_that_are_gone_and_code_without_files_have_no_starts,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(fdes_that_are_found_are_needed_in_an_archive, set_up,
						tear_down),
	};

	return cmocka_run_group_tests_name("report/names/function_starts", tests, NULL, NULL);
}
