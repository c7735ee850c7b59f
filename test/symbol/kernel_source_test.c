#include "symbol/kernel_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

/* Writes a list to a file; the state is its path. */
static int make_list(void **state)
{
	static char path[64];
	FILE *file;
	int fd;

	memcpy(path, "/tmp/kernel_source_test.XXXXXX", sizeof("/tmp/kernel_source_test.XXXXXX"));
	fd = mkstemp(path);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file)
		return -1;
	fputs("ffffffff81000000 T _text\nffffffffc0200000 t f\t[kvm]\n", file);
	fclose(file);
	*state = path;
	return 0;
}

static int remove_list(void **state)
{
	return unlink(*state);
}

static void list_that_the_user_names_is_moved_to_where_the_kernel_was(void **state)
{
	struct kernel_source *source = kernel_source_create(*state, false, NULL);
	struct recorded_kernel moved = { .relocation_symbol = "_text",
					 .relocation_address = 0xffffffff9a000000 };
	struct recorded_kernel other = { .relocation_symbol = "_no_such", .relocation_address = 1 };
	uint64_t relocation;

	assert_non_null(kernel_source_for_kernel(source, &relocation, NULL));
	assert_int_equal(relocation, 0);
	kernel_source_learn(source, &moved);
	assert_non_null(kernel_source_for_kernel(source, &relocation, NULL));
	assert_int_equal(relocation, 0x19000000);
	kernel_source_learn(source, &other);
	assert_non_null(kernel_source_for_kernel(source, &relocation, NULL));
	assert_int_equal(relocation, 0);
	kernel_source_destroy(source);
}

static void modules_need_the_list_of_their_own_boot(void **state)
{
	struct kernel_source *source = kernel_source_create(*state, false, NULL);
	struct recorded_kernel same = { .relocation_symbol = "_text",
					.relocation_address = 0xffffffff81000000 };
	struct recorded_kernel moved = { .relocation_symbol = "_text",
					 .relocation_address = 0xffffffff9a000000 };
	struct error err;

	kernel_source_learn(source, &same);
	assert_non_null(kernel_source_for_modules(source, &err));
	kernel_source_learn(source, &moved);
	assert_null(kernel_source_for_modules(source, &err));
	assert_non_null(strstr(err.message,
			       "is from another boot than the recording, when modules had other addresses"));
	kernel_source_destroy(source);
}

static void running_kernel_is_not_believed_to_be_another_one(void **state)
{
	struct recorded_kernel other = { .build_id = { .bytes = { 1, 2, 3 }, .size = 20 },
					 .relocation_symbol = "_text",
					 .relocation_address = 0xffffffff81000000 };
	struct kernel_source *source = kernel_source_create(NULL, false, NULL);
	uint64_t relocation;
	struct error err;

	(void)state;
	assert_null(kernel_source_for_kernel(source, &relocation, &err));
	assert_non_null(strstr(err.message, "the recording was made on another kernel than the running one"));
	kernel_source_destroy(source);
	if (access("/sys/kernel/notes", R_OK) != 0) {
		print_message("skipped: no /sys/kernel/notes\n");
		skip();
	}
	/* The caller judged by the host's name; the build-id is more reliable. */
	source = kernel_source_create(NULL, true, NULL);
	kernel_source_learn(source, &other);
	assert_null(kernel_source_for_kernel(source, &relocation, &err));
	assert_null(kernel_source_for_modules(source, &err));
	kernel_source_destroy(source);
}

static void a_copy_that_perf_made_of_the_recorded_build_names_the_kernel_but_not_its_modules(void **state)
{
	struct recorded_kernel recorded = { .build_id = { .bytes = { 1, 2, 3 }, .size = 20 },
					    .relocation_symbol = "_text",
					    .relocation_address = 0xffffffff81000000 };
	struct kernel_source *source = kernel_source_create(NULL, false, NULL);
	uint64_t relocation;
	struct error err;

	kernel_source_learn(source, &recorded);
	kernel_source_offer(source, "/proc/nonexistent/kallsyms");
	assert_null(kernel_source_for_kernel(source, &relocation, &err));
	assert_non_null(strstr(err.message, "the recording was made on another kernel than the running one"));
	recorded.relocation_address += 0x2000000;
	kernel_source_learn(source, &recorded);
	kernel_source_offer(source, *state);
	assert_non_null(kernel_source_for_kernel(source, &relocation, &err));
	assert_int_equal(relocation, 0x2000000);
	recorded.relocation_address -= 0x2000000;
	kernel_source_learn(source, &recorded);
	assert_null(kernel_source_for_modules(source, &err)); /* the offered list may be of any boot */
	kernel_source_destroy(source);
}

static void list_that_cannot_be_read_is_tried_once_and_says_why_each_time(void **state)
{
	struct kernel_source *source = kernel_source_create("/proc/nonexistent/kallsyms", false, NULL);
	uint64_t relocation;
	struct error err;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_null(kernel_source_for_kernel(source, &relocation, &err));
		assert_string_equal(err.message,
				    "cannot open /proc/nonexistent/kallsyms: No such file or directory");
	}
	kernel_source_destroy(source);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_list, remove_list)

static bool shows_kernel(void)
{
	struct kallsyms *kallsyms = kallsyms_open("/proc/kallsyms", NULL);
	uint64_t address;
	bool shows = kallsyms && kallsyms_address(kallsyms, "_stext", &address) == 0;

	kallsyms_close(kallsyms);
	return shows && access("/sys/kernel/notes", R_OK) == 0;
}

static void the_kernel_is_kept_for_the_next_time_and_modules_are_not(void **state)
{
	struct temp_tree tree;
	struct kernel_source *source;
	struct kallsyms *part, *whole;
	uint64_t relocation, address;

	(void)state;
	if (!shows_kernel()) {
		print_message("skipped: addresses of the kernel are hidden\n");
		skip();
	}
	temp_tree_create(&tree);
	source = kernel_source_create(NULL, true, tree.root);
	assert_true(kallsyms_covers(kernel_source_for_kernel(source, &relocation, NULL), 0));
	kernel_source_destroy(source);
	source = kernel_source_create(NULL, true, tree.root);
	part = kernel_source_for_kernel(source, &relocation, NULL);
	assert_false(kallsyms_covers(part, 0));
	assert_int_equal(kallsyms_address(part, "_stext", &address), 0);
	assert_true(kallsyms_covers(part, address));
	whole = kernel_source_for_modules(source, NULL);
	assert_true(kallsyms_covers(whole, 0));
	assert_ptr_equal(kernel_source_for_kernel(source, &relocation, NULL), whole);
	assert_string_equal(symbol_map_find(kallsyms_map(part), address)->name,
			    symbol_map_find(kallsyms_map(whole), address)->name);
	kernel_source_destroy(source);
	source = kernel_source_create(NULL, true, tree.root);
	kernel_source_want_whole(source);
	assert_true(kallsyms_covers(kernel_source_for_kernel(source, &relocation, NULL), 0));
	kernel_source_destroy(source);
	temp_tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(list_that_the_user_names_is_moved_to_where_the_kernel_was),
		TEST(modules_need_the_list_of_their_own_boot),
		TEST(running_kernel_is_not_believed_to_be_another_one),
		TEST(a_copy_that_perf_made_of_the_recorded_build_names_the_kernel_but_not_its_modules),
		TEST(list_that_cannot_be_read_is_tried_once_and_says_why_each_time),
		cmocka_unit_test(the_kernel_is_kept_for_the_next_time_and_modules_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
