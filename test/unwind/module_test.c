#include "unwind/module.h"

#include <dwarf.h>
#include <elf.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "support/built_module.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/rule_text.h"

static void begin_with_code(struct built_module *built, uint16_t machine, const uint8_t *code, size_t size)
{
	built_module_begin(built, machine);
	built->builder.code = code;
	built->builder.code_size = size;
}

/* Function number n has CFA = rsp + 16 * n throughout. */
static void add_function(struct built_module *built, uint64_t cie, uint8_t n, uint64_t start, uint64_t end)
{
	const uint8_t program[] = { DW_CFA_def_cfa_offset, (uint8_t)(16 * n) };

	cfi_builder_fde(&built->builder, cie, start, end, program, sizeof(program));
}

static void assert_two_functions(struct built_module *built)
{
	assert_int_equal(built_module_cfa_offset(built, 0x10ff, false), -1);
	assert_int_equal(built_module_cfa_offset(built, 0x1100, false), 16);
	assert_int_equal(built_module_cfa_offset(built, 0x11ff, false), 16);
	assert_int_equal(built_module_cfa_offset(built, 0x1200, false), 32);
	assert_int_equal(built_module_cfa_offset(built, 0x12ff, false), 32);
	assert_int_equal(built_module_cfa_offset(built, 0x1300, false), -1);
	assert_int_equal(built_module_cfa_offset(built, 0, false), -1);
	assert_int_equal(built_module_cfa_offset(built, UINT64_MAX, false), -1);
}

static void two_functions(struct built_module *built)
{
	uint64_t cie = cfi_builder_usual_cie(&built->builder);

	add_function(built, cie, 1, 0x1100, 0x1200);
	add_function(built, cie, 2, 0x1200, 0x1300);
}

static void functions_are_found_by_the_linkers_table(void **state)
{
	struct built_module *built = *state;

	two_functions(built);
	built_module_make(built);
	assert_two_functions(built);
	assert_int_equal(module_number(built->module), 3);
}

static void functions_are_found_without_a_table_in_any_order(void **state)
{
	struct built_module *built = *state;
	uint64_t cie;

	built->builder.with_hdr = false;
	cie = cfi_builder_usual_cie(&built->builder);
	add_function(built, cie, 2, 0x1200, 0x1300);
	add_function(built, cie, 1, 0x1100, 0x1200);
	built_module_make(built);
	assert_two_functions(built);
}

static void functions_are_found_in_debug_frame_of_each_version(void **state)
{
	struct built_module *built = *state;
	static const uint8_t versions[] = { 1, 3, 4 };

	for (size_t i = 0; i < sizeof(versions); i++) {
		built_module_begin(built, EM_X86_64);
		built->builder.is_eh_frame = false;
		built->builder.augmentation = "";
		built->builder.version = versions[i];
		two_functions(built);
		built_module_make(built);
		assert_two_functions(built);
	}
}

static void other_byte_order_is_read(void **state)
{
	struct built_module *built = *state;

	built_module_begin(built, EM_AARCH64);
	built->builder.swap = true;
	two_functions(built);
	built_module_make(built);
	assert_two_functions(built);
}

static void return_address_belongs_to_the_call_before_it(void **state)
{
	struct built_module *built = *state;

	two_functions(built);
	built_module_make(built);
	assert_int_equal(built_module_cfa_offset(built, 0x1200, true), 16);
	assert_int_equal(built_module_cfa_offset(built, 0x1201, true), 32);
	assert_int_equal(built_module_cfa_offset(built, 0x1300, true), 32);
}

static void of_overlapping_functions_the_inner_one_counts(void **state)
{
	struct built_module *built = *state;
	uint64_t cie;

	cie = cfi_builder_usual_cie(&built->builder);
	add_function(built, cie, 1, 0x1100, 0x1300);
	add_function(built, cie, 2, 0x1180, 0x1190);
	built_module_make(built);
	assert_int_equal(built_module_cfa_offset(built, 0x117f, false), 16);
	assert_int_equal(built_module_cfa_offset(built, 0x1180, false), 32);
	assert_int_equal(built_module_cfa_offset(built, 0x1190, false), 16);
}

static void table_that_points_elsewhere_finds_nothing(void **state)
{
	struct built_module *built = *state;

	two_functions(built);
	built->builder.fdes[0].offset = 0;        /* the CIE */
	built->builder.fdes[1].offset = 0x100000; /* beyond the section */
	built_module_make(built);
	assert_int_equal(built_module_cfa_offset(built, 0x1150, false), -1);
	assert_int_equal(built_module_cfa_offset(built, 0x1250, false), -1);
}

static void start_that_the_table_has_wrong_is_not_believed(void **state)
{
	struct built_module *built = *state;

	two_functions(built);
	built->builder.fdes[1].start = 0x1180;
	built_module_make(built);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(built_module_cfa_offset(built, 0x1250, false), 32);
		assert_int_equal(built_module_cfa_offset(built, 0x1190, false), 16);
		assert_int_equal(built_module_cfa_offset(built, 0x1300, false), -1);
	}
}

static void function_that_was_looked_up_before_is_found_again(void **state)
{
	struct built_module *built = *state;

	two_functions(built);
	built_module_make(built);
	for (int i = 0; i < 3; i++)
		assert_two_functions(built);
}

/* A CIE of 40,000 instructions that do nothing, for 16 functions: more work than the section's size allows. */
static void work_is_bounded_by_the_size_of_the_section(void **state)
{
	struct built_module *built = *state;
	static uint8_t nothing[40000] = { DW_CFA_def_cfa, 7, 8, DW_CFA_offset + 16, 1 }; /* then DW_CFA_nop */
	uint64_t cie;

	cie = cfi_builder_cie(&built->builder, nothing, sizeof(nothing));
	for (uint64_t i = 0; i < 16; i++)
		add_function(built, cie, 1, 0x1000 + i * 0x10, 0x1010 + i * 0x10);
	built_module_make(built);
	assert_int_equal(built_module_cfa_offset(built, 0x1000, false), 16);
	assert_int_equal(built_module_cfa_offset(built, 0x1040, false), 16);
	for (uint64_t i = 0; i < 16; i++)
		(void)built_module_cfa_offset(built, 0x1000 + i * 0x10, false);
	assert_int_equal(built_module_cfa_offset(built, 0x10f0, false), -1);
	assert_int_equal(built_module_cfa_offset(built, 0x1000, false), 16);
}

static void range_that_wraps_is_no_function(void **state)
{
	struct built_module *built = *state;
	uint64_t cie;

	cie = cfi_builder_usual_cie(&built->builder);
	add_function(built, cie, 1, 0x1100, 0x1000);
	add_function(built, cie, 1, 0x1200, 0x1200);
	built_module_make(built);
	assert_int_equal(built_module_cfa_offset(built, 0x1150, false), -1);
	assert_int_equal(built_module_cfa_offset(built, 0x1200, false), -1);
}

/* Compresses the bytes to an xz stream. The caller frees it. */
static uint8_t *compress(const uint8_t *bytes, size_t size, size_t *compressed_size)
{
	size_t bound = lzma_stream_buffer_bound(size);
	uint8_t *compressed = malloc(bound);

	*compressed_size = 0;
	assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, bytes, size, compressed,
						 compressed_size, bound),
			 LZMA_OK);
	return compressed;
}

static void add_text(struct elf_builder *elf)
{
	static const uint8_t code[0x400];

	elf_builder_code_segment(elf,
				 elf_builder_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
						     0x1000, code, sizeof(code)));
}

static void mini_debuginfo_is_asked_last(void **state)
{
	struct built_module *built = *state;
	uint8_t *mini, *compressed;
	struct elf_builder elf;
	struct elf_file *file;
	struct error err;
	size_t size;

	built->builder.is_eh_frame = false;
	built->builder.augmentation = "";
	two_functions(built);
	mini = cfi_builder_bytes(&built->builder, &size);
	compressed = compress(mini, size, &size);
	elf_builder_init(&elf, true, false, ET_DYN, EM_X86_64);
	add_text(&elf);
	elf_builder_section(&elf, ".gnu_debugdata", SHT_PROGBITS, 0, 0, compressed, size);
	file = elf_builder_open(&elf, "stripped");
	free(mini);
	free(compressed);
	built->module = module_create(0, file, NULL, &err);
	assert_two_functions(built);
}

/* The same contents without section headers, with only program headers. */
static void stripped_file_is_read_by_its_segments(void **state)
{
	struct built_module *built = *state;
	struct elf_builder elf;
	struct elf_file *file;
	struct error err;
	uint8_t *bytes;
	struct strbuf frames;
	const uint64_t no_sections = 0;
	size_t size;
	uint32_t section;

	two_functions(built);
	strbuf_init(&frames);
	cfi_builder_hdr(&built->builder, &frames);
	elf_builder_init(&elf, true, false, ET_DYN, EM_X86_64);
	add_text(&elf);
	section = elf_builder_section(&elf, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, CFI_FRAME,
				      built->builder.frames.bytes, built->builder.frames.size);
	elf_builder_segment(&elf, PT_LOAD, PF_R, elf.sections[section].file_offset, CFI_FRAME,
			    built->builder.frames.size, 1);
	section = elf_builder_section(&elf, ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, CFI_HDR, frames.bytes,
				      frames.size);
	elf_builder_segment(&elf, PT_LOAD, PF_R, elf.sections[section].file_offset, CFI_HDR, frames.size, 1);
	elf_builder_segment(&elf, PT_GNU_EH_FRAME, PF_R, elf.sections[section].file_offset, CFI_HDR,
			    frames.size, 4);
	bytes = elf_builder_finish(&elf, &size);
	memcpy(bytes + 40, &no_sections, sizeof(no_sections)); /* e_shoff */
	file = elf_file_open_memory(bytes, size, "stripped", &err);
	assert_int_equal(elf_file_section_count(file), 0);
	built->module = module_create(0, file, NULL, &err);
	assert_two_functions(built);
	elf_builder_fini(&elf);
	strbuf_fini(&frames);
}

static void jit_code_has_its_own_frames(void **state)
{
	struct built_module *built = *state;
	struct module_frames frames;

	two_functions(built);
	frames = (struct module_frames){
		.eh_frame = (const uint8_t *)built->builder.frames.bytes,
		.eh_frame_size = built->builder.frames.size,
		.eh_frame_vaddr = CFI_FRAME,
	};
	built->module = module_create_jit(5, &unwind_arch_x86_64, &frames);
	built_module_begin(built, EM_X86_64); /* the caller's bytes are gone */
	assert_two_functions(built);
	assert_null(module_file(built->module));
}

static void jit_code_without_frames_has_instructions_alone(void **state)
{
	struct built_module *built = *state;

	/* jmp *0(%rip), which in a file would be a linker's stub */
	static const uint8_t code[] = { 0xff, 0x25, 0, 0, 0, 0 };
	const struct module_frames frames = { .code = code, .code_size = sizeof(code) };
	struct code_bytes bytes;

	built->module = module_create_jit(5, &unwind_arch_x86_64, &frames);
	bytes = module_code(built->module, 2);
	assert_ptr_equal(bytes.at, code + 2);
	assert_int_equal(bytes.before, 2);
	assert_int_equal(bytes.after, 4);
	assert_int_equal(module_code(built->module, 6).before, 6); /* as behind a call at the end */
	assert_null(module_code(built->module, 7).at);
	assert_int_equal(built_module_cfa_offset(built, 0, false), -1);
}

static void trampoline_is_known_by_its_instructions(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = {
		0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05, /* mov $15,%rax; syscall */
		0x0f, 0x1f, 0x80, 0,    0, 0, 0,             /* nopl 0(%rax) */
		0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05, /* without padding */
	};

	begin_with_code(built, EM_X86_64, code, sizeof(code));
	built_module_make(built);
	assert_true(module_rule(built->module, CFI_CODE, true)->signal_frame);
	assert_true(module_rule(built->module, CFI_CODE, false)->signal_frame);
	assert_true(module_rule(built->module, CFI_CODE + 7, false)->signal_frame);
	assert_true(module_rule(built->module, CFI_CODE + 9, false)->signal_frame); /* in the system call */
	assert_false(module_rule(built->module, CFI_CODE + 10, false)->signal_frame);
	assert_true(module_rule(built->module, CFI_CODE + 16, false)->signal_frame);
	assert_false(module_rule(built->module, CFI_CODE + 25, false)->signal_frame);
}

static void stub_that_jumps_on_has_no_frame(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = { 0xf3, 0x0f, 0x1e, 0xfa,             /* endbr64 */
					0xf2, 0xff, 0x25, 0x10, 0x20, 0, 0, /* bnd jmp *0x2010(%rip) */
					0xff, 0x25, 0x10, 0x20, 0,    0 };  /* jmp *0x2010(%rip) */

	begin_with_code(built, EM_X86_64, code, sizeof(code));
	built_module_make(built);
	assert_int_equal(built_module_cfa_offset(built, CFI_CODE, false), 8);
	assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 4, false), 8);
	assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 11, false), 8);
	assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 11, true), -1); /* a stub calls nothing */
	assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 13, false), -1);
}

/* A table for lazy binding, as written by lld. */
static void stubs_of_lazy_binding_are_known_by_their_instructions(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = { 0xff, 0x35, 0x10, 0x20, 0,    0, /* 0: push 0x2010(%rip) */
					0xff, 0x25, 0x18, 0x20, 0,    0, /* 6: jmp *0x2018(%rip) */
					0x0f, 0x1f, 0x40, 0,             /* nop */
					0xff, 0x25, 0x10, 0x20, 0,    0, /* 16: jmp *0x2010(%rip) */
					0x68, 0x01, 0,    0,    0,       /* 22: push $1 */
					0xe9, 0xe0, 0xff, 0xff, 0xff,    /* 27: jmp 0 */
					0x68, 0x01, 0,    0,    0 };     /* 32: push $1, of other code */
	static const int offsets[][2] = { { 0, 16 }, { 6, 24 }, { 16, 8 }, { 22, 8 }, { 27, 16 }, { 32, -1 } };

	begin_with_code(built, EM_X86_64, code, sizeof(code));
	built_module_make(built);
	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++)
		assert_int_equal(built_module_cfa_offset(built, CFI_CODE + (uint64_t)offsets[i][0], false),
				 offsets[i][1]);
}

static void init_and_fini_are_known_by_their_instructions(void **state)
{
	struct built_module *built = *state;
	static const char *const names[] = { ".init", ".fini", ".text.x" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const uint8_t code[] = { 0xf3, 0x0f, 0x1e, 0xfa,         /* endbr64 */
					 0x48, 0x83, 0xec, 0x08,         /* sub $8,%rsp */
					 0xe8, 0x10, 0x20, 0,    0,      /* call */
					 0x48, 0x83, 0xc4, 0x08, 0xc3 }; /* add $8,%rsp; ret */
		const bool is_known = i < 2;

		begin_with_code(built, EM_X86_64, code, sizeof(code));
		built->builder.code_section = names[i];
		built_module_make(built);
		assert_int_equal(built_module_cfa_offset(built, CFI_CODE, false), is_known ? 8 : -1);
		assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 4, false), is_known ? 8 : -1);
		assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 8, false), is_known ? 16 : -1);
		assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 13, true), is_known ? 16 : -1);
		assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 13, false), is_known ? 16 : -1);
		assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 17, false), is_known ? 8 : -1);
		assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 18, false), -1);
	}
}

static void dynamic_linker_begins_stacks_until_it_jumps_to_the_program(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = {
		0x48, 0x89, 0xe7, 0xe8, 0xf8, 0x0b, 0,    0, /* mov %rsp,%rdi; call */
		0x49, 0x89, 0xc4, 0x48, 0x8b, 0x14, 0x24, 0x48, 0x89, 0xd6, 0x49, 0x89, 0xe5, /* mov … */
		0x48, 0x83, 0xe4, 0xf0,                               /* and $-16,%rsp */
		0x48, 0x8b, 0x3d, 0x90, 0x84, 0x01, 0,    0x31, 0xed, /* mov; xor %ebp,%ebp */
		0xe8, 0xf0, 0x9e, 0xfe, 0xff, 0x4c, 0x89, 0xec,       /* call; mov %r13,%rsp */
		0x41, 0xff, 0xe4,                                     /* jmp *%r12 */
	};

	begin_with_code(built, EM_X86_64, code, sizeof(code));
	built->builder.entry = CFI_CODE;
	built_module_make(built);
	assert_int_equal(module_rule(built->module, CFI_CODE + 39, true)->path, PATH_ROOT);
	assert_int_equal(module_rule(built->module, CFI_CODE + 42, false)->path, PATH_ROOT);
	assert_int_equal(module_rule(built->module, CFI_CODE + 45, false)->path, PATH_NO_CFI);
}

static void stub_of_aarch64_leaves_the_link_register(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = { 0x10, 0,    0,    0x90,
					0x11, 0x02, 0x40, 0xf9, /* adrp x16; ldr x17, [x16] */
					0x10, 0x02, 0,    0x91,
					0x20, 0x02, 0x1f, 0xd6 }; /* add x16, x16, 0; br x17 */

	begin_with_code(built, EM_AARCH64, code, sizeof(code));
	built_module_make(built);
	assert_int_equal(module_rule(built->module, CFI_CODE, false)->ra.kind, RULE_SAME_VALUE);
	assert_int_equal(module_rule(built->module, CFI_CODE + 12, false)->ra.kind, RULE_SAME_VALUE);
	assert_int_equal(module_rule(built->module, CFI_CODE + 16, false)->path, PATH_NO_CFI);
}

#define WORD(word) (uint8_t)(word), (uint8_t)((word) >> 8), (uint8_t)((word) >> 16), (uint8_t)((word) >> 24)

static void head_of_the_table_for_lazy_binding_has_pushed_the_link_register(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = { WORD(0xd503245fu),                    /* bti c */
					WORD(0xa9bf7bf0u),                    /* stp x16, x30, [sp, #-16]! */
					WORD(0x90000110u), WORD(0xf947fe11u), /* adrp; ldr */
					WORD(0x913fe210u), WORD(0xd61f0220u) }; /* add; br x17 */

	begin_with_code(built, EM_AARCH64, code, sizeof(code));
	built_module_make(built);
	for (uint64_t at = 0; at < sizeof(code); at += 4) {
		const struct unwind_rule *rule = module_rule(built->module, CFI_CODE + at, false);

		assert_int_equal(rule->cfa.value, at <= 4 ? 0 : 16);
		assert_int_equal(rule->ra.kind, at <= 4 ? RULE_SAME_VALUE : RULE_AT_CFA);
	}
}

static void init_of_aarch64_is_known_by_its_instructions(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = { WORD(0xd503233fu), /* paciasp */
					WORD(0xa9bf7bfdu),
					WORD(0x910003fdu), /* stp x29, x30, [sp, #-16]!; mov x29, sp */
					WORD(0x940000d0u), /* bl */
					WORD(0xa8c17bfdu),
					WORD(0xd50323bfu),   /* ldp x29, x30, [sp], #16; autiasp */
					WORD(0xd65f03c0u) }; /* ret */
	static const int cfa_offsets[] = { 0, 0, 16, 16, 16, 0, 0 };

	begin_with_code(built, EM_AARCH64, code, sizeof(code));
	built->builder.code_section = ".init";
	built_module_make(built);
	for (uint64_t i = 0; i < 7; i++)
		assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 4 * i, false), cfa_offsets[i]);
	assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 16, true), 16);
	assert_int_equal(built_module_cfa_offset(built, CFI_CODE + 28, false), -1);
}

static void what_holds_behind_an_instruction_that_does_nothing_holds_at_it(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = { WORD(0xd503201fu), WORD(0xd280001du) }; /* nop; mov x29, #0 */
	static const uint8_t program[] = { DW_CFA_advance_loc + 4, DW_CFA_undefined, 30 };

	begin_with_code(built, EM_AARCH64, code, sizeof(code));
	cfi_builder_fde(&built->builder, cfi_builder_usual_cie(&built->builder), CFI_CODE, CFI_CODE + 0x40,
			program, sizeof(program));
	built_module_make(built);
	assert_int_equal(module_rule(built->module, CFI_CODE, false)->path, PATH_ROOT);
	assert_int_equal(module_rule(built->module, CFI_CODE + 4, false)->path, PATH_ROOT);
	assert_int_not_equal(module_rule(built->module, CFI_CODE + 4, true)->path,
			     PATH_ROOT); /* as if the nop were the call */
}

static void stacks_begin_at_the_entry_point_and_where_threads_exit(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = { 0x41, 0xff, 0xd1, /* call *%r9 */
					0x89, 0xc7, 0x31,
					0xc0, 0xb0, 0x3c, /* mov %eax,%edi; xor %eax,%eax; mov $60,%al */
					0x0f, 0x05 };     /* syscall */

	begin_with_code(built, EM_X86_64, code, sizeof(code));
	built->builder.entry = CFI_CODE + 0x800;
	built_module_make(built);
	assert_int_equal(module_rule(built->module, CFI_CODE + 3, true)->path, PATH_ROOT);
	assert_int_equal(module_rule(built->module, CFI_CODE + 0x810, true)->path, PATH_ROOT);
	assert_int_equal(module_rule(built->module, CFI_CODE + 0x700, true)->path, PATH_NO_CFI);
}

/* glibc's clone3(), whose CFI ends at the system call, as the child has another stack. */
static void behind_a_clone_holds_what_did_in_front_of_it(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = { 0xb8, 0xb3, 0x01, 0,    0, /* mov $435,%eax */
					0x0f, 0x05,                /* syscall */
					0x48, 0x85, 0xc0,          /* test %rax,%rax */
					0x7c, 0x18, 0x74, 0x01,    /* jl error; je thread_start */
					0xc3, 0x31, 0xed };        /* ret; thread_start: xor %ebp,%ebp */
	static const uint8_t undefined[] = { DW_CFA_undefined, 16 };
	uint64_t cie;

	begin_with_code(built, EM_X86_64, code, sizeof(code));
	cie = cfi_builder_usual_cie(&built->builder);
	add_function(built, cie, 1, CFI_CODE, CFI_CODE + 5);
	cfi_builder_fde(&built->builder, cie, CFI_CODE + 15, CFI_CODE + 17, undefined, sizeof(undefined));
	built_module_make(built);
	for (uint64_t at = 5; at < 15; at += at == 7 ? 3 : 2) {
		const struct unwind_rule *rule = module_rule(built->module, CFI_CODE + at, false);

		assert_int_equal(rule->cfa.value, 16);
		assert_true(rule->by_code); /* must be proved by the result: in the child it leads nowhere */
	}
	assert_false(module_rule(built->module, CFI_CODE + 4, false)->by_code);
	assert_int_equal(module_rule(built->module, CFI_CODE + 15, false)->path, PATH_ROOT);
	assert_int_equal(module_rule(built->module, CFI_CODE + 10, true)->path, PATH_NO_CFI);
}

static void assert_begins_context(struct built_module *built, uint16_t machine, const uint8_t *code,
				  size_t size)
{
	const struct unwind_rule *rule;

	begin_with_code(built, machine, code, size);
	built_module_make(built);
	rule = module_rule(built->module, CFI_CODE, true);
	assert_int_equal(rule->path, PATH_ROOT);
	assert_true(rule->not_called);
	assert_int_not_equal(module_rule(built->module, CFI_CODE, false)->path, PATH_ROOT);
}

static void stacks_of_coroutines_begin_at_what_nothing_has_called(void **state)
{
	static const uint8_t glibc[] = { 0x48, 0x89, 0xdc,       /* mov %rbx,%rsp */
					 0x48, 0x8b, 0x3c, 0x24, /* mov (%rsp),%rdi */
					 0x48, 0x85, 0xff,       /* test %rdi,%rdi */
					 0x74, 0x08,             /* je 1f */
					 0xe8, 0,    0,    0,    0, 0x48,
					 0x89, 0xc7, /* call setcontext; mov %rax,%rdi */
					 0xe8, 0,    0,    0,    0, 0xf4 }; /* 1: call exit; hlt */
	static const uint8_t boost[] = {
		0x48, 0x31, 0xff, 0xe8, 0, 0, 0, 0, 0xf4
	};                                                               /* xor %rdi,%rdi; call _exit; hlt */
	static const uint8_t glibc_aarch64[] = { 0x1f, 0x20, 0x03, 0xd5, /* nop */
						 0xe0, 0x03, 0x13, 0xaa, /* mov x0, x19 */
						 0xc0, 0xf9, 0xff, 0xb5, /* cbnz x0, setcontext */
						 0x79, 0xf5, 0xff, 0x17 }; /* b exit */
	uint8_t with_endbr64[4 + sizeof(glibc)] = { 0xf3, 0x0f, 0x1e, 0xfa };

	memcpy(with_endbr64 + 4, glibc, sizeof(glibc));
	assert_begins_context(*state, EM_X86_64, glibc, sizeof(glibc));
	assert_begins_context(*state, EM_X86_64, with_endbr64, sizeof(with_endbr64));
	assert_begins_context(*state, EM_X86_64, boost, sizeof(boost));
	assert_begins_context(*state, EM_AARCH64, glibc_aarch64, sizeof(glibc_aarch64));
}

static void entry_point_ends_with_the_function_that_it_calls(void **state)
{
	struct built_module *built = *state;
	static const uint8_t code[] = {
		0x90, 0xe8, 0x0a, 0, 0, 0, 0xf4
	}; /* the end of another function; _start: call; hlt */

	begin_with_code(built, EM_X86_64, code, sizeof(code));
	built->builder.entry = CFI_CODE + 1;
	built_module_make(built);
	assert_int_equal(module_rule(built->module, CFI_CODE + 1, false)->path, PATH_ROOT);
	assert_int_equal(module_rule(built->module, CFI_CODE + 1, true)->path, PATH_NO_CFI);
	assert_int_equal(module_rule(built->module, CFI_CODE + 6, true)->path, PATH_ROOT);
	assert_true(module_is_entry(built->module, CFI_CODE + 15));
	assert_false(module_is_entry(built->module, CFI_CODE + 16));
}

/* Free Pascal's _start has many instructions before its first call. */
static void entry_point_reaches_to_its_first_call(void **state)
{
	struct built_module *built = *state;
	static uint8_t code[0x60];
	static const uint8_t set_up[] = { 0x48, 0x8d, 0x05, 0x27, 0, 0, 0 }; /* lea 0x27(%rip),%rax */
	static const uint8_t call[] = { 0xe8, 0, 1, 0, 0, 0xc3 };            /* call; ret */
	enum { SET_UP_BYTES = 10 * sizeof(set_up) };
	struct code_instruction instruction;

	if (!code_instruction_x86_64(call, sizeof(call), &instruction))
		skip(); /* built without the instruction decoder */
	for (size_t i = 0; i < SET_UP_BYTES; i += sizeof(set_up))
		memcpy(code + i, set_up, sizeof(set_up));
	memcpy(code + SET_UP_BYTES, call, sizeof(call));
	begin_with_code(built, EM_X86_64, code, sizeof(code));
	built->builder.entry = CFI_CODE;
	built_module_make(built);
	assert_int_equal(module_rule(built->module, CFI_CODE + SET_UP_BYTES, false)->path, PATH_ROOT);
	assert_int_equal(module_rule(built->module, CFI_CODE + SET_UP_BYTES + 5, true)->path, PATH_ROOT);
	assert_false(module_is_entry(built->module, CFI_CODE + SET_UP_BYTES + 5));
}

/* Is the entry point of a shared object a beginning of stacks, if its dynamic section has this tag and DT_NULL? */
static bool begins_stacks(struct built_module *built, uint64_t tag)
{
	const uint64_t dynamic[] = { tag, 1, DT_NULL, 0 }, entry = CFI_CODE;
	struct elf_builder elf;
	struct error err;
	uint32_t section;
	uint8_t *bytes;
	size_t size;
	bool begins;

	elf_builder_init(&elf, true, false, ET_DYN, EM_X86_64);
	add_text(&elf);
	section = elf_builder_section(&elf, ".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, CFI_FRAME,
				      dynamic, sizeof(dynamic));
	elf_builder_segment(&elf, PT_DYNAMIC, PF_R, elf.sections[section].file_offset, CFI_FRAME,
			    sizeof(dynamic), 8);
	bytes = elf_builder_finish(&elf, &size);
	memcpy(bytes + 24, &entry, sizeof(entry)); /* e_entry */
	built->module = module_create(0, elf_file_open_memory(bytes, size, "library", &err), NULL, &err);
	begins = module_is_entry(built->module, CFI_CODE + 4);
	module_destroy(built->module);
	built->module = NULL;
	elf_builder_fini(&elf);
	return begins;
}

/* Old linkers set it to the beginning of the code, where constructors and the like are. */
static void the_entry_point_of_a_library_is_no_beginning(void **state)
{
	assert_false(begins_stacks(*state, DT_NEEDED));
	assert_true(begins_stacks(*state, DT_DEBUG)); /* the dynamic linker and static programs */
}

static void the_one_function_of_a_file_made_of_jit_code_is_no_beginning(void **state)
{
	struct built_module *built = *state;
	static const uint16_t shared_object = ET_DYN;
	struct error err;
	uint8_t *bytes;
	size_t size;

	built->builder.entry = CFI_CODE;
	bytes = cfi_builder_bytes(&built->builder, &size);
	memcpy(bytes + 16, &shared_object, sizeof(shared_object)); /* e_type */
	built->module =
		module_create(0, elf_file_open_memory(bytes, size, "jitted-1-0.so", &err), NULL, &err);
	assert_int_equal(module_rule(built->module, CFI_CODE + 8, false)->path, PATH_NO_CFI);
}

static void code_of_other_machines_is_refused(void **state)
{
	struct built_module *built = *state;
	struct error err;

	built_module_begin(built, EM_S390);
	assert_null(module_create(0, cfi_builder_file(&built->builder), NULL, &err));
	assert_string_equal(err.message, "built: unwinding is not supported for ELF machine 22");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, built_module_set_up, built_module_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(functions_are_found_by_the_linkers_table),
		TEST(functions_are_found_without_a_table_in_any_order),
		TEST(functions_are_found_in_debug_frame_of_each_version),
		TEST(other_byte_order_is_read),
		TEST(return_address_belongs_to_the_call_before_it),
		TEST(of_overlapping_functions_the_inner_one_counts),
		TEST(table_that_points_elsewhere_finds_nothing),
		TEST(start_that_the_table_has_wrong_is_not_believed),
		TEST(function_that_was_looked_up_before_is_found_again),
		TEST(work_is_bounded_by_the_size_of_the_section),
		TEST(range_that_wraps_is_no_function),
		TEST(mini_debuginfo_is_asked_last),
		TEST(stripped_file_is_read_by_its_segments),
		TEST(jit_code_has_its_own_frames),
		TEST(jit_code_without_frames_has_instructions_alone),
		TEST(trampoline_is_known_by_its_instructions),
		TEST(stub_that_jumps_on_has_no_frame),
		TEST(stubs_of_lazy_binding_are_known_by_their_instructions),
		TEST(init_and_fini_are_known_by_their_instructions),
		TEST(dynamic_linker_begins_stacks_until_it_jumps_to_the_program),
		TEST(stub_of_aarch64_leaves_the_link_register),
		TEST(head_of_the_table_for_lazy_binding_has_pushed_the_link_register),
		TEST(init_of_aarch64_is_known_by_its_instructions),
		TEST(what_holds_behind_an_instruction_that_does_nothing_holds_at_it),
		TEST(stacks_begin_at_the_entry_point_and_where_threads_exit),
		TEST(behind_a_clone_holds_what_did_in_front_of_it),
		TEST(stacks_of_coroutines_begin_at_what_nothing_has_called),
		TEST(entry_point_reaches_to_its_first_call),
		TEST(entry_point_ends_with_the_function_that_it_calls),
		TEST(the_entry_point_of_a_library_is_no_beginning),
		TEST(the_one_function_of_a_file_made_of_jit_code_is_no_beginning),
		TEST(code_of_other_machines_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
