#include "unwind/cfi/cfi_program.h"

#include <dwarf.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "support/cfi_builder.h"
#include "support/cmocka.h"
#include "support/rule_text.h"
#include "unwind/module.h"

/* The CIE of every x86-64 program: CFA = rsp + 8, the return address below it. */
#define BEGIN "cfa=r7+8 r16=*(cfa-8)"

enum { FUNCTION_BYTES = 0x200 };

struct built {
	struct cfi_builder builder;
	struct module *module;
};

static void build(struct built *built, const uint8_t *program, size_t size)
{
	struct error err;
	uint64_t cie = cfi_builder_usual_cie(&built->builder);

	cfi_builder_fde(&built->builder, cie, CFI_CODE, CFI_CODE + FUNCTION_BYTES, program, size);
	built->module = module_create(0, cfi_builder_file(&built->builder), NULL, &err);
	assert_non_null(built->module);
}

static void release(struct built *built)
{
	module_destroy(built->module);
	cfi_builder_fini(&built->builder);
}

static void assert_rule(struct built *built, uint64_t distance, const char *expected)
{
	char text[RULE_TEXT_BYTES];

	rule_text(text, module_arch(built->module), module_rule(built->module, CFI_CODE + distance, false));
	assert_string_equal(text, expected);
}

/* Asserts the rows of a program at its start and behind 4 bytes. */
static void assert_rows(const uint8_t *program, size_t size, const char *at_0, const char *at_4)
{
	struct built built;

	cfi_builder_init(&built.builder, EM_X86_64);
	build(&built, program, size);
	assert_rule(&built, 0, at_0);
	assert_rule(&built, 3, at_0);
	assert_rule(&built, 4, at_4);
	assert_rule(&built, FUNCTION_BYTES - 1, at_4);
	release(&built);
}

/* Puts the instructions behind one that advances by 4. */
#define ASSERT_INSTRUCTION(expected, ...)                                                 \
	do {                                                                              \
		static const uint8_t program[] = { DW_CFA_advance_loc + 4, __VA_ARGS__ }; \
		assert_rows(program, sizeof(program), BEGIN, expected);                   \
	} while (0)

static void each_instruction_changes_the_row(void **state)
{
	(void)state;
	ASSERT_INSTRUCTION(BEGIN, DW_CFA_nop);
	ASSERT_INSTRUCTION("cfa=r7+8 r3=*(cfa-24) r16=*(cfa-8)", DW_CFA_offset + 3, 3);
	ASSERT_INSTRUCTION("cfa=r7+8 r12=*(cfa-1024) r16=*(cfa-8)", DW_CFA_offset_extended, 12, 0x80, 0x01);
	ASSERT_INSTRUCTION("cfa=r7+8 r12=*(cfa+16) r16=*(cfa-8)", DW_CFA_offset_extended_sf, 12, 0x7e);
	ASSERT_INSTRUCTION("cfa=r7+8 r12=*(cfa+24) r16=*(cfa-8)", DW_CFA_GNU_negative_offset_extended, 12, 3);
	ASSERT_INSTRUCTION("cfa=r7+8 r7=cfa-16 r16=*(cfa-8)", DW_CFA_val_offset, 7, 2);
	ASSERT_INSTRUCTION("cfa=r7+8 r7=cfa+16 r16=*(cfa-8)", DW_CFA_val_offset_sf, 7, 0x7e);
	ASSERT_INSTRUCTION("cfa=r7+8 r16=undefined", DW_CFA_undefined, 16);
	ASSERT_INSTRUCTION("cfa=r7+8 r3=same r16=*(cfa-8)", DW_CFA_same_value, 3);
	ASSERT_INSTRUCTION("cfa=r7+8 r16=r5+0", DW_CFA_register, 16, 5); /* __vfork */
	ASSERT_INSTRUCTION("cfa=r6+16 r16=*(cfa-8)", DW_CFA_def_cfa, 6, 16);
	ASSERT_INSTRUCTION("cfa=r6-16 r16=*(cfa-8)", DW_CFA_def_cfa_sf, 6, 2);
	ASSERT_INSTRUCTION("cfa=r6+8 r16=*(cfa-8)", DW_CFA_def_cfa_register, 6);
	ASSERT_INSTRUCTION("cfa=r7+200 r16=*(cfa-8)", DW_CFA_def_cfa_offset, 0xc8, 0x01);
	ASSERT_INSTRUCTION("cfa=r7+16 r16=*(cfa-8)", DW_CFA_def_cfa_offset_sf, 0x7e);
	ASSERT_INSTRUCTION(BEGIN, DW_CFA_GNU_args_size, 0x90, 0x01);
	ASSERT_INSTRUCTION(BEGIN, DW_CFA_offset + 3, 3, DW_CFA_restore + 3);
	ASSERT_INSTRUCTION(BEGIN, DW_CFA_undefined, 16, DW_CFA_restore_extended, 16);
	ASSERT_INSTRUCTION(BEGIN, DW_CFA_offset_extended, 40, 1); /* a vector register */
}

static void expressions_of_usual_shapes_are_plain_rules(void **state)
{
	(void)state;
	ASSERT_INSTRUCTION("cfa=r10-8 r16=*(cfa-8)", DW_CFA_def_cfa_expression, 2, DW_OP_breg10, 0x78);
	/* gcc, behind a realigned stack */
	ASSERT_INSTRUCTION("cfa=*(r6-16)+0 r16=*(cfa-8)", DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x70,
			   DW_OP_deref);
	/* libcrypto */
	ASSERT_INSTRUCTION("cfa=*(r7+152)+8 r16=*(cfa-8)", DW_CFA_def_cfa_expression, 6, DW_OP_breg7, 0x98,
			   0x01, DW_OP_deref, DW_OP_plus_uconst, 8);
	/* GNU ld's .plt; with 9 instead of 11 for a .plt with landing pads */
	ASSERT_INSTRUCTION("cfa=r7+8+((pc&15)>=11)<<3 r16=*(cfa-8)", DW_CFA_def_cfa_expression, 11,
			   DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge,
			   DW_OP_lit3, DW_OP_shl, DW_OP_plus);
	ASSERT_INSTRUCTION("cfa=r7+8+((pc&15)>=9)<<3 r16=*(cfa-8)", DW_CFA_def_cfa_expression, 11,
			   DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit9, DW_OP_ge,
			   DW_OP_lit3, DW_OP_shl, DW_OP_plus);
	/* anything else stays an expression */
	ASSERT_INSTRUCTION("cfa=expression r16=*(cfa-8)", DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 8,
			   DW_OP_neg);
	ASSERT_INSTRUCTION("cfa=r7+8 r3=*(r6-8) r16=*(cfa-8)", DW_CFA_expression, 3, 2, DW_OP_breg6, 0x78);
	ASSERT_INSTRUCTION("cfa=r7+8 r3=r6-8 r16=*(cfa-8)", DW_CFA_val_expression, 3, 2, DW_OP_breg6, 0x78);
	ASSERT_INSTRUCTION("cfa=r7+8 r3=*(expression) r16=*(cfa-8)", DW_CFA_expression, 3, 2, DW_OP_lit1,
			   DW_OP_plus);
	ASSERT_INSTRUCTION("cfa=r7+8 r3=expression r16=*(cfa-8)", DW_CFA_val_expression, 3, 1, DW_OP_deref);
}

static void every_way_to_advance_begins_a_row(void **state)
{
	static const uint8_t by_1[] = { DW_CFA_advance_loc1, 4, DW_CFA_undefined, 16 };
	static const uint8_t by_2[] = { DW_CFA_advance_loc2, 4, 0, DW_CFA_undefined, 16 };
	static const uint8_t by_4[] = { DW_CFA_advance_loc4, 4, 0, 0, 0, DW_CFA_undefined, 16 };
	static const uint8_t by_8[] = {
		DW_CFA_MIPS_advance_loc8, 4, 0, 0, 0, 0, 0, 0, 0, DW_CFA_undefined, 16
	};
	static const uint8_t to[] = { DW_CFA_set_loc, 4, 0x10, 0, 0, 0, 0, 0, 0, DW_CFA_undefined, 16 };
	static const char expected[] = "cfa=r7+8 r16=undefined";

	(void)state;
	assert_rows(by_1, sizeof(by_1), BEGIN, expected);
	assert_rows(by_2, sizeof(by_2), BEGIN, expected);
	assert_rows(by_4, sizeof(by_4), BEGIN, expected);
	assert_rows(by_8, sizeof(by_8), BEGIN, expected);
	assert_rows(to, sizeof(to), BEGIN, expected);
}

static void remembered_rows_come_back_from_any_depth(void **state)
{
	enum { DEPTH = 100 };
	uint8_t program[2 * DEPTH * 3];
	struct built built;
	size_t size = 0;

	(void)state;
	cfi_builder_init(&built.builder, EM_X86_64);
	for (unsigned int depth = 0; depth < DEPTH; depth++) {
		const uint8_t down[] = { DW_CFA_remember_state, DW_CFA_advance_loc + 1,
					 DW_CFA_def_cfa_register, (uint8_t)(depth % 16) };

		memcpy(program + size, down, sizeof(down));
		size += sizeof(down);
	}
	for (int depth = 0; depth < DEPTH; depth++) {
		const uint8_t up[] = { DW_CFA_advance_loc + 1, DW_CFA_restore_state };

		memcpy(program + size, up, sizeof(up));
		size += sizeof(up);
	}
	build(&built, program, size);
	for (unsigned int depth = 1; depth <= DEPTH; depth++) {
		char expected[RULE_TEXT_BYTES];

		snprintf(expected, sizeof(expected), "cfa=r%u+8 r16=*(cfa-8)", (depth - 1) % 16);
		assert_rule(&built, depth, expected);
		assert_rule(&built, 2 * DEPTH - depth, expected);
	}
	assert_rule(&built, 2 * DEPTH, BEGIN);
	release(&built);
}

static void code_and_data_are_aligned_as_the_cie_says(void **state)
{
	static const uint8_t program[] = { DW_CFA_advance_loc + 1, DW_CFA_offset + 3, 2 };
	struct built built;

	(void)state;
	cfi_builder_init(&built.builder, EM_X86_64);
	built.builder.code_alignment = 4;
	built.builder.data_alignment = -4;
	build(&built, program, sizeof(program));
	assert_rule(&built, 3, "cfa=r7+8 r16=*(cfa-4)");
	assert_rule(&built, 4, "cfa=r7+8 r3=*(cfa-8) r16=*(cfa-4)");
	release(&built);
}

static void signal_frames_are_known_by_their_augmentation(void **state)
{
	struct built built;

	(void)state;
	cfi_builder_init(&built.builder, EM_X86_64);
	built.builder.augmentation = "zRS";
	build(&built, NULL, 0);
	assert_rule(&built, 0, BEGIN " signal");
	assert_int_equal(module_rule(built.module, CFI_CODE, false)->path, PATH_GENERAL);
	release(&built);
}

static void long_function_keeps_its_late_rows(void **state)
{
	static const uint8_t program[] = { DW_CFA_advance_loc4,   0x00, 0x00, 0x02, 0x00,
					   DW_CFA_def_cfa_offset, 16 };
	struct built built;
	struct error err;
	uint64_t cie;

	(void)state;
	cfi_builder_init(&built.builder, EM_X86_64);
	cie = cfi_builder_usual_cie(&built.builder);
	cfi_builder_fde(&built.builder, cie, CFI_CODE, CFI_CODE + 0x30000, program, sizeof(program));
	built.module = module_create(0, cfi_builder_file(&built.builder), NULL, &err);
	assert_rule(&built, 0x1ffff, BEGIN);
	assert_rule(&built, 0x20000, "cfa=r7+16 r16=*(cfa-8)");
	assert_rule(&built, 0x2ffff, "cfa=r7+16 r16=*(cfa-8)");
	assert_rule(&built, 0x30000, "cfa=unspecified");
	release(&built);
}

#define ASSERT_DAMAGED(...) ASSERT_INSTRUCTION("cfa=unspecified", DW_CFA_advance_loc + 0, __VA_ARGS__)

static void damaged_program_keeps_the_rows_before_the_damage(void **state)
{
	(void)state;
	ASSERT_DAMAGED(0x3f);                                            /* no such instruction */
	ASSERT_DAMAGED(DW_CFA_restore_state);                            /* nothing remembered */
	ASSERT_DAMAGED(DW_CFA_def_cfa, 99, 8);                           /* CFA from a vector register */
	ASSERT_DAMAGED(DW_CFA_def_cfa, 7, 0xff, 0xff, 0xff, 0xff, 0x7f); /* an offset beyond 2^31 */
	ASSERT_DAMAGED(DW_CFA_def_cfa_expression, 200, DW_OP_breg7);     /* longer than the FDE */
	ASSERT_DAMAGED(DW_CFA_set_loc, 0, 0, 0, 0, 0, 0, 0, 0);          /* backwards */
	ASSERT_DAMAGED(0x2d); /* DW_CFA_AARCH64_negate_ra_state, on x86-64 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_instruction_changes_the_row),
		cmocka_unit_test(expressions_of_usual_shapes_are_plain_rules),
		cmocka_unit_test(every_way_to_advance_begins_a_row),
		cmocka_unit_test(remembered_rows_come_back_from_any_depth),
		cmocka_unit_test(code_and_data_are_aligned_as_the_cie_says),
		cmocka_unit_test(signal_frames_are_known_by_their_augmentation),
		cmocka_unit_test(long_function_keeps_its_late_rows),
		cmocka_unit_test(damaged_program_keeps_the_rows_before_the_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
