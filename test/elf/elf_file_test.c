#include "elf/elf_file.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"

static struct elf_file *open_built(struct elf_builder *builder, struct error *err)
{
	size_t size;
	uint8_t *bytes = elf_builder_finish(builder, &size);
	struct elf_file *file = elf_file_open_memory(bytes, size, "built", err);

	elf_builder_fini(builder);
	return file;
}

static void sections_are_found_by_name_in_every_class_and_byte_order(void **state)
{
	(void)state;
	for (int variant = 0; variant < 4; variant++) {
		struct elf_builder builder;
		struct elf_section section;
		struct elf_file *file;

		elf_builder_init(&builder, variant & 1, variant & 2, ET_DYN, EM_PPC);
		elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000,
				    "code", 4);
		elf_builder_section(&builder, ".bss", SHT_NOBITS, SHF_ALLOC, 0x2000, NULL, 0x7fffffff);
		file = open_built(&builder, NULL);
		assert_non_null(file);
		assert_int_equal(elf_file_is_64bit(file), variant & 1);
		assert_int_equal(elf_file_swapped(file), variant >> 1);
		assert_int_equal(elf_file_machine(file), EM_PPC);
		assert_int_equal(elf_file_type(file), ET_DYN);
		assert_string_equal(elf_file_path(file), "built");
		assert_int_equal(elf_file_section(file, ".text", &section, NULL), 1);
		assert_memory_equal(section.bytes, "code", 4);
		assert_int_equal(section.size, 4);
		assert_int_equal(section.vaddr, 0x1000);
		assert_int_equal(section.flags, SHF_ALLOC | SHF_EXECINSTR);
		assert_int_equal(elf_file_section(file, ".bss", &section, NULL), 1);
		assert_null(section.bytes);
		assert_int_equal(elf_file_section(file, ".data", &section, NULL), 0);
		elf_file_close(file);
	}
}

static void offsets_and_vaddrs_are_translated_by_segment(void **state)
{
	struct elf_builder builder;
	struct elf_file *file;
	uint64_t address;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_segment(&builder, PT_LOAD, PF_R, 0, 0, 0x1000, 4096);
	elf_builder_segment(&builder, PT_LOAD, PF_R | PF_X, 0x1000, 0x401000, 0x500, 4096);
	elf_builder_segment(&builder, PT_LOAD, PF_R | PF_W, 0x1500, 0x402500, 0x100, 4096);
	file = open_built(&builder, NULL);
	assert_int_equal(elf_file_segment_count(file), 3);
	assert_true(elf_file_segment(file, 1)->executable);
	assert_false(elf_file_segment(file, 2)->executable);
	assert_int_equal(elf_file_offset_to_vaddr(file, 0x10ff, &address), 0);
	assert_int_equal(address, 0x4010ff);
	assert_int_equal(elf_file_offset_to_vaddr(file, 0x1500, &address), 0);
	assert_int_equal(address, 0x402500);
	assert_int_equal(elf_file_offset_to_vaddr(file, 0x1600, &address), -1);
	assert_int_equal(elf_file_vaddr_to_offset(file, 0x4014ff, &address), 0);
	assert_int_equal(address, 0x14ff);
	assert_int_equal(elf_file_vaddr_to_offset(file, 0x401500, &address), -1);
	elf_file_close(file);
}

/* lld: code follows read-only data within a page of the file, and the kernel maps whole pages. */
static void mapping_that_begins_in_the_neighbours_page_is_that_of_the_code(void **state)
{
	struct elf_builder builder;
	struct elf_file *file;
	uint64_t address;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_segment(&builder, PT_LOAD, PF_R, 0, 0, 0x1b2c, 0x1000);
	elf_builder_segment(&builder, PT_LOAD, PF_R | PF_X, 0x1b30, 0x2b30, 0x2fe0, 0x1000);
	elf_builder_segment(&builder, PT_LOAD, PF_R | PF_W, 0x4b10, 0x6b10, 0x100, 0x1000);
	file = open_built(&builder, NULL);
	assert_int_equal(elf_file_mapping_to_vaddr(file, 0x1000, 0x4000, &address), 0);
	assert_int_equal(address, 0x2000);
	/* A part of the segment, as after mprotect(). */
	assert_int_equal(elf_file_mapping_to_vaddr(file, 0x3000, 0x1000, &address), 0);
	assert_int_equal(address, 0x4000);
	assert_int_equal(elf_file_mapping_to_vaddr(file, 0, 0x1000, &address), 0);
	assert_int_equal(address, 0);
	assert_int_equal(elf_file_mapping_to_vaddr(file, 0x5000, 0x1000, &address), -1);
	elf_file_close(file);
}

/* The output of objcopy --only-keep-debug for the layouts of GNU ld (separate pages for code) and of lld (shared pages). */
static void segments_of_a_debug_file_are_those_of_its_binary(void **state)
{
	static const struct {
		uint64_t vaddr, size, file_offset;
	} layouts[2][3] = {
		{ { 0, 0x5e0, 0 }, { 0x1000, 0x19d, 0x1000 }, { 0x3e00, 0x218, 0x1e00 } },
		{ { 0x200000, 0x5e0, 0 }, { 0x2015e0, 0x19d, 0x5e0 }, { 0x202780, 0x218, 0x780 } },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct elf_builder builder;
		struct elf_file *file;
		uint64_t offset;

		elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
		for (size_t j = 0; j < 3; j++) {
			elf_builder_segment(&builder, PT_LOAD, j == 1 ? PF_R | PF_X : PF_R, 0,
					    layouts[i][j].vaddr, 0, 0x1000);
			builder.segments[j].memory_size = layouts[i][j].size;
		}
		file = open_built(&builder, NULL);
		for (size_t j = 0; j < 3; j++) {
			assert_int_equal(elf_file_vaddr_to_offset(file, layouts[i][j].vaddr, &offset), 0);
			assert_int_equal(offset, layouts[i][j].file_offset);
		}
		elf_file_close(file);
	}
}

static void segments_that_end_behind_the_address_space_do_not_wrap(void **state)
{
	struct elf_builder builder;
	struct elf_file *file;
	uint64_t address;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_segment(&builder, PT_LOAD, PF_X, UINT64_MAX - 0xff, 0x1000, UINT64_MAX, 1);
	file = open_built(&builder, NULL);
	assert_int_equal(elf_file_offset_to_vaddr(file, 0x10, &address), -1);
	assert_int_equal(elf_file_offset_to_vaddr(file, UINT64_MAX, &address), 0);
	assert_int_equal(address, 0x10ff);
	elf_file_close(file);
}

static void build_id_is_that_of_the_note(void **state)
{
	struct elf_builder builder;
	struct elf_file *file;
	char hex[BUILD_ID_HEX_SIZE];

	(void)state;
	elf_builder_init(&builder, false, true, ET_DYN, EM_PPC);
	elf_builder_build_id(&builder, (const uint8_t *)"\xab\xcd\xef", 3);
	file = open_built(&builder, NULL);
	assert_string_equal(build_id_hex(elf_file_build_id(file), hex), "abcdef");
	elf_file_close(file);
}

static void section_outside_of_the_file_is_an_error_of_its_own(void **state)
{
	static const struct {
		uint64_t offset, size;
	} places[] = {
		{ 0, UINT64_MAX }, { UINT64_MAX, 1 }, { UINT64_MAX - 1, UINT64_MAX - 1 }, { 1 << 20, 1 }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct elf_builder builder;
		struct elf_section section;
		struct elf_file *file;
		struct error err;

		elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
		elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC, 0, "x", 1);
		builder.sections[1].file_offset = places[i].offset;
		builder.sections[1].size = places[i].size;
		file = open_built(&builder, &err);
		assert_non_null(file);
		assert_int_equal(elf_file_section(file, ".text", &section, &err), -1);
		assert_string_equal(err.message, "built: section .text lies outside of the file: "
						 "it is damaged or cut short");
		assert_int_equal(elf_file_section(file, ".shstrtab", &section, &err), 1);
		elf_file_close(file);
	}
}

static void file_cut_before_its_section_table_says_so(void **state)
{
	struct elf_builder builder;
	struct elf_section section;
	struct elf_file *file;
	struct error err;
	uint8_t *bytes;
	size_t size;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_segment(&builder, PT_LOAD, PF_X, 0, 0, 64, 1);
	bytes = elf_builder_finish(&builder, &size);
	elf_builder_fini(&builder);
	file = elf_file_open_memory(bytes, size - 1, "built", &err);
	assert_non_null(file);
	assert_int_equal(elf_file_segment_count(file), 1);
	assert_int_equal(elf_file_section(file, ".text", &section, &err), -1);
	assert_string_equal(err.message,
			    "built: the section table lies outside of the file: it is damaged or cut short");
	elf_file_close(file);
}

static void names_outside_of_their_table_are_empty(void **state)
{
	struct elf_builder builder;
	struct elf_section section;
	struct elf_file *file;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC, 0, "x", 1);
	builder.sections[1].name = 0xffffffff;
	file = open_built(&builder, NULL);
	assert_int_equal(elf_file_section_at(file, 1, &section, NULL), 1);
	assert_string_equal(section.name, "");
	assert_int_equal(elf_file_section_at(file, 99, &section, NULL), 0);
	elf_file_close(file);
}

static void strings_end_inside_of_their_section_or_are_none(void **state)
{
	struct elf_section section = { .bytes = (const uint8_t *)"ab\0cd", .size = 5 };

	(void)state;
	assert_string_equal(elf_section_string(&section, 1), "b");
	assert_null(elf_section_string(&section, 3));
	assert_null(elf_section_string(&section, 5));
	elf_section_trim_strings(&section);
	assert_int_equal(section.size, 3);
	assert_string_equal(elf_section_string(&section, 0), "ab");
	assert_null(elf_section_string(&section, 3));
}

static void sections_that_threads_inflate_are_those_that_are_inflated_when_asked_for(void **state)
{
	static const char *const names[] = { ".debug_info", ".debug_line", ".debug_str", ".debug_addr" };
	static const uint8_t header[12] = { 'Z', 'L', 'I', 'B', [11] = 6 };
	struct elf_builder builder;
	struct elf_section section;
	struct elf_file *file;
	uint8_t compressed[64];
	uLongf size = sizeof(compressed) - 12;

	(void)state;
	memcpy(compressed, header, sizeof(header));
	assert_int_equal(compress(compressed + 12, &size, (const Bytef *)"debug", 6), Z_OK);
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".zdebug_info", SHT_PROGBITS, 0, 0, compressed, size + 12);
	elf_builder_section(&builder, ".zdebug_str", SHT_PROGBITS, 0, 0, compressed, size + 12);
	elf_builder_section(&builder, ".zdebug_line", SHT_PROGBITS, 0, 0, "ZLIB\0\0\0\0\0\0\0\4nonsense", 20);
	file = open_built(&builder, NULL);
	elf_file_inflate(file, names, sizeof(names) / sizeof(names[0]));
	assert_int_equal(elf_file_section(file, ".debug_info", &section, NULL), 1);
	assert_string_equal(elf_section_string(&section, 0), "debug");
	assert_int_equal(elf_file_section(file, ".debug_str", &section, NULL), 1);
	assert_string_equal(elf_section_string(&section, 0), "debug");
	assert_int_equal(elf_file_section(file, ".debug_line", &section, NULL), -1);
	elf_file_close(file);
}

static void damaged_compressed_section_is_named_in_the_error(void **state)
{
	struct elf_builder builder;
	struct elf_section section;
	struct elf_file *file;
	struct error err;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".zdebug_info", SHT_PROGBITS, 0, 0, "ZLIB\0\0\0\0\0\0\0\4nonsense", 20);
	file = open_built(&builder, NULL);
	assert_int_equal(elf_file_section(file, ".debug_info", &section, &err), -1);
	assert_string_equal(err.message, "built: section .zdebug_info: compressed section is damaged: "
					 "it decompressed to 0 instead of 4 bytes");
	elf_file_close(file);
}

static void what_cannot_be_opened_says_why(void **state)
{
	struct error err;
	void *bytes;

	(void)state;
	assert_null(elf_file_open("/proc/nonexistent/lib.so", &err));
	assert_string_equal(err.message, "cannot open /proc/nonexistent/lib.so: No such file or directory");
	assert_null(elf_file_open("/tmp", &err));
	assert_string_equal(err.message, "/tmp is not a regular file");
	assert_null(elf_file_open("/dev/null", &err));
	assert_string_equal(err.message, "/dev/null is not a regular file");
	bytes = calloc(1, 64);
	assert_null(elf_file_open_memory(bytes, 64, "zeros", &err));
	assert_string_equal(err.message, "zeros is not an ELF file");
}

/* A reader that maps a file cannot prevent others from shortening it, as when a package is upgraded or a program is rebuilt. */
static void a_file_that_is_cut_short_while_it_is_open_reads_as_zeros_and_is_told(void **state)
{
	enum { PAGES = 20, PAGE_BYTES = 4096 };
	static const uint8_t code[PAGES * PAGE_BYTES] = { 'c' };
	struct temp_tree tree;
	struct elf_builder builder;
	struct elf_section section;
	struct elf_file *file;
	struct error err;
	char path[128];

	(void)state;
	temp_tree_create(&tree);
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, code,
			    sizeof(code));
	elf_builder_write(&builder, &tree, "lib.so");
	snprintf(path, sizeof(path), "%s/lib.so", tree.root);
	file = elf_file_open(path, NULL);
	assert_non_null(file);
	assert_int_equal(elf_file_section(file, ".text", &section, NULL), 1);
	assert_int_equal(elf_file_check_whole(file, NULL), 0);
	assert_int_equal(truncate(path, PAGE_BYTES), 0);
	assert_int_equal(section.bytes[0], 'c');
	assert_int_equal(section.bytes[section.size - 1], 0);
	assert_int_equal(elf_file_check_whole(file, &err), -1);
	assert_string_equal(err.message + strlen(path),
			    " was cut short while it was read: try again once it is written completely");
	assert_int_equal(elf_file_section(file, ".text", &section, NULL), -1);
	assert_int_equal(elf_file_section_at(file, 1, &section, NULL), -1);
	elf_file_close(file);
	temp_tree_remove(&tree);
}

/* The dynamic linker gives the truth: this function's address minus the load address of this program. */
static void this_program_is_read(void **state)
{
	struct elf_file *file = elf_file_open("/proc/self/exe", NULL);
	struct elf_section section;
	struct build_id id;
	uint64_t offset, vaddr;
	Dl_info place;

	(void)state;
	assert_non_null(file);
	assert_int_not_equal(dladdr((void *)this_program_is_read, &place), 0);
	vaddr = (uint64_t)((uintptr_t)this_program_is_read - (uintptr_t)place.dli_fbase);
	assert_int_equal(elf_file_section(file, ".text", &section, NULL), 1);
	assert_true(vaddr >= section.vaddr && vaddr < section.vaddr + section.size);
	assert_int_equal(elf_file_vaddr_to_offset(file, vaddr, &offset), 0);
	assert_memory_equal(section.bytes + (vaddr - section.vaddr), (const void *)this_program_is_read, 16);
	assert_int_equal(offset - section.file_offset, vaddr - section.vaddr);
	if (build_id_read_file(&id, "/proc/self/exe", NULL) == 0)
		assert_true(build_id_equal(&id, elf_file_build_id(file)));
	elf_file_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_are_found_by_name_in_every_class_and_byte_order),
		cmocka_unit_test(offsets_and_vaddrs_are_translated_by_segment),
		cmocka_unit_test(mapping_that_begins_in_the_neighbours_page_is_that_of_the_code),
		cmocka_unit_test(segments_of_a_debug_file_are_those_of_its_binary),
		cmocka_unit_test(segments_that_end_behind_the_address_space_do_not_wrap),
		cmocka_unit_test(build_id_is_that_of_the_note),
		cmocka_unit_test(section_outside_of_the_file_is_an_error_of_its_own),
		cmocka_unit_test(file_cut_before_its_section_table_says_so),
		cmocka_unit_test(names_outside_of_their_table_are_empty),
		cmocka_unit_test(strings_end_inside_of_their_section_or_are_none),
		cmocka_unit_test(sections_that_threads_inflate_are_those_that_are_inflated_when_asked_for),
		cmocka_unit_test(damaged_compressed_section_is_named_in_the_error),
		cmocka_unit_test(what_cannot_be_opened_says_why),
		cmocka_unit_test(a_file_that_is_cut_short_while_it_is_open_reads_as_zeros_and_is_told),
		cmocka_unit_test(this_program_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
