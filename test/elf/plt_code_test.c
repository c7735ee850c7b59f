#include "elf/plt_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "support/cmocka.h"

enum { VADDR = 0x1000 };

static void assert_entry(const struct plt_entry *entry, size_t at, size_t size, uint64_t slot_vaddr,
			 uint32_t lazy_index)
{
	assert_int_equal(entry->at, at);
	assert_int_equal(entry->size, size);
	assert_int_equal(entry->slot_vaddr, slot_vaddr);
	assert_int_equal(entry->lazy_index, lazy_index);
}

/* Asserts that the code is one entry, which begins at its start and jumps through the slot. */
static void assert_jump(const uint8_t *code, size_t size, size_t entry_size, uint64_t slot_vaddr)
{
	const struct elf_section plt = { .bytes = code, .size = size, .vaddr = VADDR };
	struct plt_entry entry;

	assert_true(plt_code_next(&plt_code_x86_64, &plt, 0, &entry));
	assert_entry(&entry, 0, entry_size, slot_vaddr, PLT_NO_LAZY_INDEX);
	assert_false(plt_code_next(&plt_code_x86_64, &plt, entry_size, &entry));
}

#define ASSERT_JUMP(entry_size, slot_vaddr, ...)                                                      \
	assert_jump((const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }), entry_size, \
		    slot_vaddr)

static void each_linkers_jump_of_x86_64_is_an_entry(void **state)
{
	(void)state;
	/* jmp *0x100(%rip); push 0; jmp: lazy */
	ASSERT_JUMP(16, VADDR + 6 + 0x100, 0xff, 0x25, 0, 1, 0, 0, 0x68, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0);
	/* jmp *-0x100(%rip); xchg %ax,%ax: .plt.got */
	ASSERT_JUMP(8, VADDR + 6 - 0x100, 0xff, 0x25, 0, 0xff, 0xff, 0xff, 0x66, 0x90);
	/* bnd jmp; nop: .plt.got for MPX */
	ASSERT_JUMP(8, VADDR + 7 + 0x100, 0xf2, 0xff, 0x25, 0, 1, 0, 0, 0x90);
	/* endbr64; bnd jmp; nop: .plt.sec with IBT */
	ASSERT_JUMP(16, VADDR + 11 + 0x100, 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0, 1, 0, 0, 0x0f, 0x1f,
		    0x44, 0, 0);
	/* endbr64; mov 3,%r11d; jmp: mold */
	ASSERT_JUMP(16, VADDR + 16 + 0x100, 0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0xbb, 3, 0, 0, 0, 0xff, 0x25, 0, 1,
		    0, 0);
}

static void the_lazy_half_of_ibt_names_its_relocation_by_number(void **state)
{
	static const uint8_t code[] = {
		0xf3, 0x0f, 0x1e, 0xfa, 0x68, 7, 0, 0, 0, 0xf2, 0xe9, 0, 0, 0, 0, 0x90
	};
	const struct elf_section plt = { .bytes = code, .size = sizeof(code), .vaddr = VADDR };
	struct plt_entry entry;

	(void)state;
	assert_true(plt_code_next(&plt_code_x86_64, &plt, 0, &entry));
	assert_entry(&entry, 0, 16, 0, 7);
}

static void what_is_no_entry_is_stepped_over(void **state)
{
	static const uint8_t code[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
					0xff, 0x25, 0,    1,    0,    0,    0x66, 0x90 };
	const struct elf_section plt = { .bytes = code, .size = sizeof(code), .vaddr = VADDR };
	struct plt_entry entry;

	(void)state;
	assert_true(plt_code_next(&plt_code_x86_64, &plt, 0, &entry));
	assert_entry(&entry, 8, 8, VADDR + 8 + 6 + 0x100, PLT_NO_LAZY_INDEX);
	assert_false(plt_code_next(&plt_code_x86_64, &plt, 16, &entry));
	assert_false(plt_code_next(&plt_code_x86_64, &plt, 24, &entry));
}

/* Tries every prefix of an entry: a cut one may be no entry, and is never read beyond its end. */
static void code_that_is_cut_off_is_not_read_beyond(void **state)
{
	static const uint8_t code[] = {
		0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0xbb, 3, 0, 0, 0, 0xff, 0x25, 0, 1, 0, 0
	};

	(void)state;
	for (size_t size = 0; size <= sizeof(code); size++) {
		struct elf_section plt = { .size = size, .vaddr = VADDR };
		uint8_t *exact = xmalloc(size + !size);
		struct plt_entry entry;

		memcpy(exact, code, size);
		plt.bytes = exact;
		assert_int_equal(plt_code_next(&plt_code_x86_64, &plt, 0, &entry), size == sizeof(code));
		free(exact);
	}
}

/* Instructions are little-endian, whatever the data's byte order. */
static void entries_of_aarch64_end_behind_their_branch(void **state)
{
	static const uint32_t instructions[] = {
		0xd0000110, 0xf9400211,
		0x91000210, 0xd61f0220, /* adrp x16; ldr x17; add; br x17: slot 23000 */
		0xd503245f, 0xd0000110,
		0xf9400611, 0x91002210, /* bti c; adrp; ldr; add: slot 23008 */
		0xd61f0220, 0xd503201f, /* br x17; nop */
	};
	struct elf_section plt = { .size = sizeof(instructions), .vaddr = VADDR };
	struct plt_entry entry;
	struct strbuf code;

	(void)state;
	strbuf_init(&code);
	for (size_t i = 0; i < sizeof(instructions) / sizeof(*instructions); i++)
		strbuf_add_u32(&code, instructions[i], __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	plt.bytes = (const uint8_t *)code.bytes;
	assert_true(plt_code_next(&plt_code_aarch64, &plt, 0, &entry));
	assert_entry(&entry, 0, 16, 0x23000, PLT_NO_LAZY_INDEX);
	assert_true(plt_code_next(&plt_code_aarch64, &plt, 16, &entry));
	assert_entry(&entry, 16, 24, 0x23008, PLT_NO_LAZY_INDEX);
	assert_false(plt_code_next(&plt_code_aarch64, &plt, 40, &entry));
	strbuf_fini(&code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_linkers_jump_of_x86_64_is_an_entry),
		cmocka_unit_test(the_lazy_half_of_ibt_names_its_relocation_by_number),
		cmocka_unit_test(what_is_no_entry_is_stepped_over),
		cmocka_unit_test(code_that_is_cut_off_is_not_read_beyond),
		cmocka_unit_test(entries_of_aarch64_end_behind_their_branch),
	};

	return cmocka_run_group_tests_name("elf/plt_code", tests, NULL, NULL);
}
