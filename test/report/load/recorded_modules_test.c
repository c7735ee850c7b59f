#include "report/load/recorded_modules.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/temp_tree.h"

static struct temp_tree tree;
static struct debug_file_search search;
static struct dso_modules *modules;

static int set_up(void **state)
{
	(void)state;
	temp_tree_create(&tree);
	search = (struct debug_file_search){ .symfs = tree.root };
	modules = recorded_modules_create(&search);
	return setenv("HOME", tree.root, 1); /* so perf's cache is not used */
}

static int tear_down(void **state)
{
	(void)state;
	dso_modules_destroy(modules);
	temp_tree_remove(&tree);
	return 0;
}

static void write_elf(const char *path, uint16_t machine, const char *build_id)
{
	struct elf_builder builder;

	elf_builder_init(&builder, true, false, ET_DYN, machine);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, "code", 4);
	elf_builder_code_segment(&builder, 1);
	if (build_id)
		elf_builder_build_id(&builder, (const uint8_t *)build_id, strlen(build_id));
	elf_builder_write(&builder, &tree, path);
}

static struct dso file_dso(uint32_t number, const char *path, const char *build_id)
{
	struct dso dso = { .number = number, .kind = DSO_FILE, .path = path, .name = path };

	if (build_id) {
		dso.build_id.size = (uint8_t)strlen(build_id);
		memcpy(dso.build_id.bytes, build_id, strlen(build_id));
	}
	return dso;
}

static void a_file_is_opened_once(void **state)
{
	struct dso dso = file_dso(3, "/lib/a.so", NULL);
	struct module *module;

	(void)state;
	write_elf("lib/a.so", EM_X86_64, NULL);
	module = dso_modules_get(modules, &dso, 0);
	assert_non_null(module);
	assert_ptr_equal(dso_modules_get(modules, &dso, 0), module);
}

static void files_with_one_build_id_share_their_module(void **state)
{
	struct dso a = file_dso(0, "/lib/a.so", "id-1"), b = file_dso(1, "/chroot/lib/a.so", "id-1"),
		   c = file_dso(2, "/lib/c.so", "id-2");

	(void)state;
	write_elf("lib/a.so", EM_X86_64, "id-1");
	write_elf("lib/c.so", EM_X86_64, "id-2");
	assert_non_null(dso_modules_get(modules, &a, 0));
	assert_ptr_equal(dso_modules_get(modules, &b, 0), dso_modules_get(modules, &a, 0));
	assert_non_null(dso_modules_get(modules, &c, 0));
	assert_ptr_not_equal(dso_modules_get(modules, &c, 0), dso_modules_get(modules, &a, 0));
	assert_int_not_equal(module_number(dso_modules_get(modules, &c, 0)),
			     module_number(dso_modules_get(modules, &a, 0)));
}

static void what_cannot_be_opened_has_no_module(void **state)
{
	struct dso missing = file_dso(0, "/lib/missing.so", NULL),
		   replaced = file_dso(1, "/lib/a.so", "id-2"),
		   foreign = file_dso(2, "/lib/foreign.so", NULL);

	(void)state;
	write_elf("lib/a.so", EM_X86_64, "id-1");
	write_elf("lib/foreign.so", EM_S390, NULL);
	assert_null(dso_modules_get(modules, &missing, 0));
	assert_null(dso_modules_get(modules, &replaced, 0));
	assert_null(dso_modules_get(modules, &foreign, 0));
}

/* Its end, where the unwind information is, reads as zeros. */
static void a_file_that_was_cut_short_while_it_was_open_has_no_module(void **state)
{
	struct dso dso = file_dso(0, "/lib/a.so", "id-1");
	const struct elf_file *file;
	char path[128];
	size_t size;

	(void)state;
	write_elf("lib/a.so", EM_X86_64, "id-1");
	file = module_file(dso_modules_get(modules, &dso, 0));
	snprintf(path, sizeof(path), "%s/lib/a.so", tree.root);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(elf_file_bytes(file, &size)[0], 0);
	assert_null(dso_modules_get(modules, &dso, 0));
}

static void code_made_at_run_time_has_no_file(void **state)
{
	struct dso dso = { .number = 0, .kind = DSO_ANON, .path = "//anon", .name = "[JIT] tid 7" };

	(void)state;
	assert_null(dso_modules_get(modules, &dso, 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_opened_once),
		TEST(files_with_one_build_id_share_their_module),
		TEST(what_cannot_be_opened_has_no_module),
		TEST(a_file_that_was_cut_short_while_it_was_open_has_no_module),
		TEST(code_made_at_run_time_has_no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
