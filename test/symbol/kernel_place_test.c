#include "symbol/kernel_place.h"

#include <elf.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "elf/elf_relocatable.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/temp_tree.h"

enum { CODE = SHF_ALLOC | SHF_EXECINSTR, BASE = ELF_RELOCATABLE_BASE };

static const uint64_t start = 0xffffffffc0200000;

/*
 * .text of 16 bytes, .init.text, and .text.unlikely of 16 bytes. The vaddrs of the first and the last are BASE and BASE +
 * 16.
 */
static struct elf_file *open_module(void)
{
	struct elf_builder builder;

	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, CODE, 0, "0123456789abcdef", 16);
	elf_builder_section(&builder, ".init.text", SHT_PROGBITS, CODE, 0, "0123456789abcdef", 16);
	elf_builder_section(&builder, ".text.unlikely", SHT_PROGBITS, CODE, 0, "0123456789abcdef", 16);
	return elf_builder_open(&builder, "built.ko");
}

static void assert_vaddr(const struct kernel_place *place, uint64_t address, uint64_t expected)
{
	uint64_t vaddr = 0;

	assert_int_equal(kernel_place_vaddr(place, address, &vaddr), 0);
	assert_true(vaddr == expected);
}

static void assert_nowhere(const struct kernel_place *place, uint64_t address)
{
	uint64_t vaddr;

	assert_int_equal(kernel_place_vaddr(place, address, &vaddr), -1);
}

static void modules_lie_as_their_sections_follow_each_other(void **state)
{
	struct elf_file *module = open_module();
	struct kernel_place *place = kernel_place_of_module(module, start, NULL);

	(void)state;
	assert_vaddr(place, start, BASE);
	assert_vaddr(place, start + 15, BASE + 15);
	assert_vaddr(place, start + 16, BASE + 16);
	assert_nowhere(place, start + 32); /* .init.text is somewhere else, and was freed */
	assert_nowhere(place, start - 1);
	kernel_place_destroy(place);
	elf_file_close(module);
}

/* The place at `address` if sysfs has the two sections at these addresses. */
static struct kernel_place *place_with_sysfs(struct elf_file *module, const char *text, const char *unlikely)
{
	struct kernel_place *place;
	struct temp_tree tree;

	temp_tree_create(&tree);
	temp_tree_file(&tree, ".text", text);
	temp_tree_file(&tree, ".text.unlikely", unlikely);
	place = kernel_place_of_module(module, start, tree.root);
	temp_tree_remove(&tree);
	return place;
}

static void the_running_kernel_knows_where_it_put_the_sections(void **state)
{
	struct elf_file *module = open_module();
	struct kernel_place *place = place_with_sysfs(module, "0xffffffffc0200000\n", "0xffffffffc0209000\n");

	(void)state;
	assert_vaddr(place, start + 1, BASE + 1);
	assert_nowhere(place, start + 16);
	assert_vaddr(place, start + 0x9000, BASE + 16);
	kernel_place_destroy(place);
	elf_file_close(module);
}

static void a_module_that_was_loaded_anew_since_is_not_where_it_was(void **state)
{
	struct elf_file *module = open_module();
	struct kernel_place *place = place_with_sysfs(module, "0xffffffffc0300000\n", "0xffffffffc0309000\n");

	(void)state;
	assert_vaddr(place, start + 16, BASE + 16);
	assert_nowhere(place, 0xffffffffc0300000);
	kernel_place_destroy(place);
	place = place_with_sysfs(module, "0x0000000000000000\n",
				 "0x0000000000000000\n"); /* as kptr_restrict shows them */
	assert_vaddr(place, start + 16, BASE + 16);
	kernel_place_destroy(place);
	elf_file_close(module);
}

static void the_kernel_was_moved_as_far_as_its_reference_symbol(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "_text", 0x401000, 0, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), 0, 1 },
	};
	struct elf_builder builder;
	struct kernel_place *place;
	struct elf_file *vmlinux;

	(void)state;
	elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, CODE, 0x401000, "0123456789abcdef", 16);
	elf_builder_symbols(&builder, SHT_SYMTAB, symbols, 1);
	vmlinux = elf_builder_open(&builder, "vmlinux");

	place = kernel_place_of_kernel(vmlinux, NULL, "_text", 0xffffffff9a000000);
	assert_vaddr(place, 0xffffffff9a000004, 0x401004);
	kernel_place_destroy(place);
	place = kernel_place_of_kernel(vmlinux, NULL, NULL, 0);
	assert_vaddr(place, 0x401004, 0x401004);
	kernel_place_destroy(place);
	elf_file_close(vmlinux);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modules_lie_as_their_sections_follow_each_other),
		cmocka_unit_test(the_running_kernel_knows_where_it_put_the_sections),
		cmocka_unit_test(a_module_that_was_loaded_anew_since_is_not_where_it_was),
		cmocka_unit_test(the_kernel_was_moved_as_far_as_its_reference_symbol),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
