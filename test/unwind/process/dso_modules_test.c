#include "unwind/process/dso_modules.h"

#include <elf.h>
#include <stdio.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/temp_tree.h"

static struct fixture {
	struct temp_tree tree;
	unsigned int opened, failures; /* number of calls; how many fail before one succeeds */
} fixture;

static struct elf_file *open_below_tree(const struct dso *dso, uint32_t pid,
					const struct debug_file_search *search)
{
	char path[512];

	(void)pid;
	(void)search;
	if (fixture.opened++ < fixture.failures)
		return NULL;
	snprintf(path, sizeof(path), "%s/%s", fixture.tree.root, dso->path);
	return elf_file_open(path, NULL);
}

static int set_up(void **state)
{
	struct elf_builder builder;

	(void)state;
	fixture = (struct fixture){ .opened = 0 };
	temp_tree_create(&fixture.tree);
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, "code", 4);
	elf_builder_code_segment(&builder, 1);
	elf_builder_write(&builder, &fixture.tree, "a.so");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	temp_tree_remove(&fixture.tree);
	return 0;
}

static struct dso_modules *make(unsigned int max_attempts)
{
	return dso_modules_create(
		&(struct module_source){ .open = open_below_tree, .max_attempts = max_attempts });
}

static struct dso dso_of(uint32_t number)
{
	return (struct dso){ .number = number, .kind = DSO_FILE, .path = "a.so" };
}

static void a_file_that_opens_is_not_opened_again(void **state)
{
	struct dso_modules *modules = make(3);
	const struct dso dso = dso_of(2);
	struct module *module = dso_modules_get(modules, &dso, 7);

	(void)state;
	assert_non_null(module);
	assert_ptr_equal(dso_modules_get(modules, &dso, 8), module);
	assert_ptr_equal(dso_modules_own(modules, 2), module);
	assert_null(dso_modules_own(modules, 1));
	assert_int_equal(dso_modules_count(modules), 1);
	assert_int_equal(fixture.opened, 1);
	dso_modules_destroy(modules);
}

static void as_many_attempts_are_made_as_the_source_allows(void **state)
{
	struct dso_modules *patient = make(3), *hasty = make(2);
	const struct dso dso = dso_of(0);

	(void)state;
	fixture.failures = 2;
	assert_null(dso_modules_get(patient, &dso, 7));
	assert_null(dso_modules_get(patient, &dso, 7));
	assert_non_null(dso_modules_get(patient, &dso, 7));
	fixture.opened = 0;
	for (int i = 0; i < 3; i++)
		assert_null(dso_modules_get(hasty, &dso, 7));
	assert_int_equal(fixture.opened, 2);
	assert_int_equal(dso_modules_count(hasty), 0);
	dso_modules_destroy(patient);
	dso_modules_destroy(hasty);
}

static void a_dso_uses_the_module_of_another_one_with_its_build_id(void **state)
{
	struct dso_modules *modules = make(1);
	struct dso a = dso_of(0), b = dso_of(1), other = dso_of(2);

	(void)state;
	a.build_id = b.build_id = (struct build_id){ .size = 4, .bytes = "id-1" };
	other.build_id = (struct build_id){ .size = 4, .bytes = "id-2" };
	assert_non_null(dso_modules_get(modules, &a, 7));
	assert_ptr_equal(dso_modules_get(modules, &b, 7), dso_modules_own(modules, 0));
	assert_null(dso_modules_own(modules, 1));
	assert_int_not_equal(module_number(dso_modules_get(modules, &other, 7)),
			     module_number(dso_modules_get(modules, &a, 7)));
	assert_int_equal(fixture.opened, 2);
	assert_int_equal(dso_modules_count(modules), 2);
	dso_modules_destroy(modules);
}

static void a_file_that_was_shortened_meanwhile_is_not_used_further(void **state)
{
	struct dso_modules *modules = make(1);
	struct dso a = dso_of(0), b = dso_of(1);
	char path[512];
	const uint8_t *bytes;
	size_t size;

	(void)state;
	a.build_id = b.build_id = (struct build_id){ .size = 4, .bytes = "id-1" };
	assert_non_null(dso_modules_get(modules, &a, 7));
	assert_non_null(dso_modules_get(modules, &b, 7));
	snprintf(path, sizeof(path), "%s/a.so", fixture.tree.root);
	assert_int_equal(truncate(path, 0), 0);
	bytes = elf_file_bytes(module_file(dso_modules_own(modules, 0)), &size);
	assert_int_equal(*(volatile const uint8_t *)bytes, 0);
	assert_null(dso_modules_get(modules, &a, 7));
	assert_null(dso_modules_get(modules, &b, 7));
	dso_modules_destroy(modules);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_that_opens_is_not_opened_again),
		TEST(as_many_attempts_are_made_as_the_source_allows),
		TEST(a_dso_uses_the_module_of_another_one_with_its_build_id),
		TEST(a_file_that_was_shortened_meanwhile_is_not_used_further),
	};

	return cmocka_run_group_tests_name("unwind/process/dso_modules", tests, NULL, NULL);
}
