#include "report/pack/archive_names.h"

#include <stdlib.h>

#include "support/cmocka.h"

static struct archive_names *names;

static int set_up(void **state)
{
	(void)state;
	names = archive_names_create();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	archive_names_destroy(names);
	return 0;
}

static void assert_file(const struct symbol_object *object, const char *expected)
{
	char *name = archive_names_file(names, object);

	assert_string_equal(name, expected);
	free(name);
}

static struct symbol_object library(const char *path)
{
	return (struct symbol_object){ .kind = DSO_FILE,
				       .path = path,
				       .build_id = { .bytes = { 0xab, 0xcd, 0xef }, .size = 3 } };
}

static void files_with_a_build_id_lie_where_perfs_cache_has_them(void **state)
{
	const struct symbol_object elf = library("/usr/lib/libc.so.6");
	struct symbol_object vdso = library("[vdso]");
	char *link = archive_names_link(&elf);

	(void)state;
	vdso.kind = DSO_VDSO;
	assert_file(&elf, "usr/lib/libc.so.6/abcdef/elf");
	assert_file(&vdso, "[vdso]/abcdef/vdso");
	assert_string_equal(link, ".build-id/ab/cdef");
	free(link);
}

static void others_lie_where_symfs_has_them(void **state)
{
	const struct symbol_object elf = { .kind = DSO_FILE, .path = "/bin/a" };
	const struct symbol_object map = { .kind = DSO_ANON, .path = "//anon", .pid = 7 };
	const struct symbol_object dump = { .kind = DSO_JITDUMP, .path = "/tmp/jit-7.dump", .pid = 7 };
	const struct symbol_object kernel = { .kind = DSO_KERNEL, .path = "[kernel.kallsyms]" };

	(void)state;
	assert_file(&elf, "files/bin/a");
	assert_null(archive_names_link(&elf));
	assert_file(&map, "files/tmp/perf-7.map");
	assert_file(&dump, "files/tmp/jit-7.dump");
	assert_file(&dump, "files/tmp/jit-7.dump.2"); /* of another container */
	assert_file(&kernel, "kernel/[kernel.kallsyms]");
	assert_null(archive_names_link(&kernel));
}

static void no_path_leads_out_of_a_directory(void **state)
{
	const struct symbol_object up = library("../../etc/passwd"), dots = library("/a/./..//b/"),
				   empty = library(""), ours = library("/perf.data");

	(void)state;
	assert_file(&up, "_/_/etc/passwd/abcdef/elf");
	assert_file(&dots, "a/_/_/b/abcdef/elf");
	assert_file(&empty, "_/abcdef/elf");
	assert_file(&ours, "_/perf.data/abcdef/elf");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(files_with_a_build_id_lie_where_perfs_cache_has_them),
		TEST(others_lie_where_symfs_has_them),
		TEST(no_path_leads_out_of_a_directory),
	};

	return cmocka_run_group_tests_name("report/pack/archive_names", tests, NULL, NULL);
}
