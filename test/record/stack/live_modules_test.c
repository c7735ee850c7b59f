#include "record/stack/live_modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

/* This program's own file, as its mapping is recorded. */
static struct dso own_dso(char path[static 512])
{
	struct dso dso = { .kind = DSO_FILE, .path = path };
	ssize_t length = readlink("/proc/self/exe", path, 511);
	struct stat status;

	assert_true(length > 0);
	path[length] = '\0';
	assert_int_equal(stat(path, &status), 0);
	dso.inode = status.st_ino;
	dso.device_major = major(status.st_dev);
	dso.device_minor = minor(status.st_dev);
	(void)build_id_read_file(&dso.build_id, path, NULL);
	return dso;
}

static void a_mapped_file_is_opened_once(void **state)
{
	struct dso_modules *modules = live_modules_create();
	char path[512];
	struct dso dso = own_dso(path);
	struct module *module = dso_modules_get(modules, &dso, (uint32_t)getpid());

	(void)state;
	assert_non_null(module);
	assert_ptr_equal(dso_modules_get(modules, &dso, (uint32_t)getpid()), module);
	assert_int_equal(dso_modules_count(modules), 1);
	dso_modules_destroy(modules);
}

static void a_process_that_is_gone_does_not_matter(void **state)
{
	struct dso_modules *modules = live_modules_create();
	char path[512];
	struct dso dso = own_dso(path);

	(void)state;
	assert_non_null(dso_modules_get(modules, &dso, 1 << 29));
	dso_modules_destroy(modules);
}

static void a_file_with_another_build_id_is_not_taken(void **state)
{
	struct dso_modules *modules = live_modules_create();
	char path[512];
	struct dso dso = own_dso(path);

	(void)state;
	dso.build_id.size = 20;
	dso.build_id.bytes[0] ^= 1;
	assert_null(dso_modules_get(modules, &dso, (uint32_t)getpid()));
	assert_int_equal(dso_modules_count(modules), 0);
	dso_modules_destroy(modules);
}

static void without_a_build_id_device_and_inode_tell(void **state)
{
	struct dso_modules *modules = live_modules_create();
	char path[512];
	struct dso dso = own_dso(path), other;

	(void)state;
	dso.build_id.size = 0;
	other = dso;
	other.number = 1;
	other.inode++;
	assert_non_null(dso_modules_get(modules, &dso, (uint32_t)getpid()));
	assert_null(dso_modules_get(modules, &other, (uint32_t)getpid()));
	dso_modules_destroy(modules);
}

static void what_is_no_file_by_now_does_not_stop_the_recorder(void **state)
{
	struct dso_modules *modules = live_modules_create();
	struct temp_tree tree;
	char path[128];
	struct dso dso = { .kind = DSO_FILE, .path = path, .build_id = { .size = 20 } };

	(void)state;
	temp_tree_create(&tree);
	snprintf(path, sizeof(path), "%s/pipe", tree.root);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_null(dso_modules_get(modules, &dso, (uint32_t)getpid()));
	temp_tree_remove(&tree);
	dso_modules_destroy(modules);
}

static void a_file_that_appears_later_is_found_for_another_process(void **state)
{
	struct dso_modules *modules = live_modules_create();
	char real[512], path[128], command[1024];
	struct dso dso = own_dso(real);
	struct temp_tree tree;

	(void)state;
	if (dso.build_id.size == 0)
		skip();
	temp_tree_create(&tree);
	snprintf(path, sizeof(path), "%s/program", tree.root);
	dso.path = path;
	assert_null(dso_modules_get(modules, &dso, 1 << 29));
	snprintf(command, sizeof(command), "cp '%s' '%s'", real, path);
	assert_int_equal(system(command), 0);
	assert_non_null(dso_modules_get(modules, &dso, (uint32_t)getpid()));
	temp_tree_remove(&tree);
	dso_modules_destroy(modules);
}

static void the_vdso_is_our_own_and_jit_code_has_none(void **state)
{
	struct dso_modules *modules = live_modules_create();
	const struct dso vdso = { .kind = DSO_VDSO, .path = "[vdso]" };
	const struct dso anonymous = { .kind = DSO_ANON, .number = 1, .path = "//anon" };

	(void)state;
	assert_null(dso_modules_get(modules, &anonymous, (uint32_t)getpid()));
#ifdef __x86_64__
	assert_non_null(dso_modules_get(modules, &vdso, (uint32_t)getpid()));
#else
	(void)dso_modules_get(modules, &vdso, (uint32_t)getpid());
#endif
	dso_modules_destroy(modules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mapped_file_is_opened_once),
		cmocka_unit_test(a_process_that_is_gone_does_not_matter),
		cmocka_unit_test(a_file_with_another_build_id_is_not_taken),
		cmocka_unit_test(without_a_build_id_device_and_inode_tell),
		cmocka_unit_test(what_is_no_file_by_now_does_not_stop_the_recorder),
		cmocka_unit_test(a_file_that_appears_later_is_found_for_another_process),
		cmocka_unit_test(the_vdso_is_our_own_and_jit_code_has_none),
	};

	return cmocka_run_group_tests_name("record/stack/live_modules", tests, NULL, NULL);
}
