#include "symbol/symbolizer.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/elf_file.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"
#include "support/jitdump_builder.h"
#include "support/temp_tree.h"

/* Creates a file for each test to fill; the state is its path. */
static int make_file(void **state)
{
	static char path[64];
	int fd;

	memcpy(path, "/tmp/symbolizer_test.XXXXXX", sizeof("/tmp/symbolizer_test.XXXXXX"));
	fd = mkstemp(path);
	if (fd < 0)
		return -1;
	close(fd);
	*state = path;
	return 0;
}

static int remove_file(void **state)
{
	return unlink(*state);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

/* Writes a file whose code is at vaddr 0x401000 and whose symbols are in section 1. Returns the file offset of the code. */
static uint64_t write_elf(const char *path, const char *build_id, const struct elf_builder_symbol *symbols,
			  size_t count)
{
	struct elf_builder builder;
	uint64_t offset;
	uint8_t *bytes;
	size_t size;

	elf_builder_init(&builder, true, false, ET_EXEC, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x401000,
			    "0123456789abcdef", 16);
	elf_builder_code_segment(&builder, 1);
	if (build_id)
		elf_builder_build_id(&builder, (const uint8_t *)build_id, strlen(build_id));
	if (count)
		elf_builder_symbols(&builder, SHT_SYMTAB, symbols, count);
	offset = builder.sections[1].file_offset;
	bytes = elf_builder_finish(&builder, &size);
	elf_builder_fini(&builder);
	write_bytes(path, bytes, size);
	free(bytes);
	return offset;
}

static const char *const no_dirs[] = { NULL };
static const struct symbolizer_options plain = { .debug_dirs = no_dirs, .demangle = true };

static void assert_name(struct symbol_table *table, uint64_t address, const char *name)
{
	struct symbol symbol;

	if (symbol_table_find(table, address, &symbol)) {
		assert_string_equal(symbol.name, name);
		assert_true(symbol.start <= address && address < symbol.end);
	} else {
		assert_string_equal("nothing", name);
	}
}

#define FUNCTION ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)

static void files_are_asked_by_file_offset(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "_ZN2ns1fEi", 0x401000, 8, FUNCTION, 0, 1 },
		{ "local", 0x401008, 8, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, 1 },
	};
	uint64_t offset = write_elf(*state, NULL, symbols, 2);
	struct symbol_object object = { .kind = DSO_FILE, .path = *state };
	struct symbolizer *symbolizer = symbolizer_create(&plain);
	struct symbol_table *table = symbolizer_table(symbolizer, &object);
	struct symbol symbol;
	const char *why;

#ifdef HAVE_LIBIBERTY
	assert_name(table, offset + 7, "ns::f");
#endif
	assert_int_equal(symbol_table_find(table, offset + 9, &symbol), 1);
	assert_string_equal(symbol.name, "local");
	assert_int_equal(symbol.start, offset + 8);
	assert_int_equal(symbol.end, offset + 16);
	assert_true(symbol.is_local);
	assert_false(symbol.is_plt);
	assert_name(table, offset + 16, "nothing");
	assert_name(table, 0x401000, "nothing");
	assert_string_equal(symbol_table_source(table, &why), *state);
	symbolizer_destroy(symbolizer);
}

static void names_stay_mangled_when_so_asked(void **state)
{
	static const struct elf_builder_symbol symbols[] = { { "_ZN2ns1fEi", 0x401000, 8, FUNCTION, 0, 1 } };
	uint64_t offset = write_elf(*state, NULL, symbols, 1);
	struct symbol_object object = { .kind = DSO_FILE, .path = *state };
	struct symbolizer_options options = plain;
	struct symbolizer *symbolizer;

	options.demangle = false;
	symbolizer = symbolizer_create(&options);
	assert_name(symbolizer_table(symbolizer, &object), offset, "_ZN2ns1fEi");
	symbolizer_destroy(symbolizer);
#ifdef HAVE_LIBIBERTY
	options.demangle = options.demangle_parameters = true;
	symbolizer = symbolizer_create(&options);
	assert_name(symbolizer_table(symbolizer, &object), offset, "ns::f(int)");
	symbolizer_destroy(symbolizer);
#endif
}

static void equal_objects_have_one_table(void **state)
{
	struct symbolizer *symbolizer = symbolizer_create(&plain);
	struct build_id id = { .bytes = { 1, 2, 3 }, .size = 3 };
	struct symbol_object by_path = { .kind = DSO_FILE, .path = "/bin/a" };
	struct symbol_object other_path = { .kind = DSO_FILE, .path = "/bin/b" };
	struct symbol_object by_id = { .kind = DSO_FILE, .path = "/bin/a", .build_id = id };
	struct symbol_object same_id = { .kind = DSO_FILE, .path = "/chroot/bin/a", .build_id = id };
	struct symbol_object map_1 = { .kind = DSO_ANON, .path = "", .pid = 1 };
	struct symbol_object map_2 = { .kind = DSO_ANON, .path = "", .pid = 2 };
	struct symbol_object kernel = { .kind = DSO_KERNEL, .path = "[kernel.kallsyms]" };
	struct symbol_object guest = { .kind = DSO_KERNEL, .path = "[kernel.kallsyms]_text" };

	(void)state;
	assert_ptr_equal(symbolizer_table(symbolizer, &by_path), symbolizer_table(symbolizer, &by_path));
	assert_ptr_not_equal(symbolizer_table(symbolizer, &by_path),
			     symbolizer_table(symbolizer, &other_path));
	assert_ptr_not_equal(symbolizer_table(symbolizer, &by_path), symbolizer_table(symbolizer, &by_id));
	assert_ptr_equal(symbolizer_table(symbolizer, &by_id), symbolizer_table(symbolizer, &same_id));
	assert_ptr_equal(symbolizer_table(symbolizer, &map_1), symbolizer_table(symbolizer, &map_1));
	assert_ptr_not_equal(symbolizer_table(symbolizer, &map_1), symbolizer_table(symbolizer, &map_2));
	assert_ptr_equal(symbolizer_table(symbolizer, &kernel), symbolizer_table(symbolizer, &guest));
	symbolizer_destroy(symbolizer);
}

static void file_that_was_replaced_is_not_believed(void **state)
{
	static const struct elf_builder_symbol symbols[] = { { "f", 0x401000, 8, FUNCTION, 0, 1 } };
	uint64_t offset = write_elf(*state, "\xab\xcd", symbols, 1);
	struct symbol_object object = { .kind = DSO_FILE,
					.path = *state,
					.build_id = { .bytes = { 0xab, 0xce }, .size = 2 } };
	struct symbolizer *symbolizer = symbolizer_create(&plain);
	struct symbol_table *table = symbolizer_table(symbolizer, &object);
	char expected[256];
	const char *why;

	assert_name(table, offset, "nothing");
	assert_null(symbol_table_source(table, &why));
	snprintf(expected, sizeof(expected),
		 "build-id of %s is abcd, the recording has abce: the file was replaced after the recording",
		 (char *)*state);
	assert_string_equal(why, expected);
	symbolizer_destroy(symbolizer);
}

static void a_file_that_is_cut_short_gives_no_names_and_says_why(void **state)
{
	static const struct elf_builder_symbol symbols[] = { { "f", 0x401000, 8, FUNCTION, 0, 1 } };
	const uint64_t offset = write_elf(*state, NULL, symbols, 1);
	struct symbol_object object = { .kind = DSO_FILE, .path = *state };

	for (int read_before = 0; read_before < 2; read_before++) {
		struct symbolizer *symbolizer;
		struct symbol_table *table;
		const char *why;

		write_elf(*state, NULL, symbols, 1);
		symbolizer = symbolizer_create(&plain);
		table = symbolizer_table(symbolizer, &object);
		(void)symbol_table_group(table); /* opens the file */
		if (read_before)
			assert_name(table, offset, "f");
		assert_int_equal(truncate(*state, 0), 0);
		assert_name(table, offset, "nothing");
		assert_null(symbol_table_source(table, &why));
		assert_non_null(strstr(why, "was cut short while it was read"));
		symbolizer_destroy(symbolizer);
	}
}

/* Code, segments and sections of a binary, as left by strip --only-keep-debug. */
static void debug_file_alone_names_the_code_of_a_binary_that_is_gone(void **state)
{
	static const struct elf_builder_symbol symbols[] = { { "f", 0x1008, 8, FUNCTION, 0, 1 } };
	struct symbolizer_options options = plain;
	struct symbol_object object = { .kind = DSO_FILE,
					.path = "/proc/nonexistent/lib.so",
					.build_id = { .bytes = { 0xab, 0xcd }, .size = 2 } };
	struct temp_tree tree;
	const char *dirs[] = { tree.root, NULL };
	struct symbolizer *symbolizer;
	struct elf_builder builder;

	(void)state;
	temp_tree_create(&tree);
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, NULL, 16);
	elf_builder_segment(&builder, PT_LOAD, PF_R, 0, 0, 0, 0x1000);
	elf_builder_segment(&builder, PT_LOAD, PF_R | PF_X, 0, 0x1000, 0, 0x1000);
	builder.segments[0].memory_size = 0x500;
	builder.segments[1].memory_size = 0x10;
	elf_builder_build_id(&builder, (const uint8_t *)"\xab\xcd", 2);
	elf_builder_symbols(&builder, SHT_SYMTAB, symbols, 1);
	elf_builder_write(&builder, &tree, ".build-id/ab/cd.debug");
	options.debug_dirs = dirs;
	symbolizer = symbolizer_create(&options);
	assert_name(symbolizer_table(symbolizer, &object), 0x1009, "f");
	assert_name(symbolizer_table(symbolizer, &object), 0x1010, "nothing");
	symbolizer_destroy(symbolizer);
	temp_tree_remove(&tree);
}

static void build_id_that_was_filled_up_with_zeros_agrees(void **state)
{
	static const struct elf_builder_symbol symbols[] = { { "f", 0x401000, 8, FUNCTION, 0, 1 } };
	uint64_t offset = write_elf(*state, "\xab\xcd", symbols, 1);
	struct symbol_object object = { .kind = DSO_FILE,
					.path = *state,
					.build_id = { .bytes = { 0xab, 0xcd }, .size = 20 } };
	struct symbolizer *symbolizer = symbolizer_create(&plain);

	assert_name(symbolizer_table(symbolizer, &object), offset, "f");
	symbolizer_destroy(symbolizer);
}

static void what_has_no_symbols_says_why(void **state)
{
	struct symbol_object object = { .kind = DSO_FILE, .path = *state };
	struct symbolizer *symbolizer = symbolizer_create(&plain);
	struct symbol_table *table;
	const char *why;
	char expected[256];

	write_elf(*state, NULL, NULL, 0);
	table = symbolizer_table(symbolizer, &object);
	assert_name(table, 0, "nothing");
	assert_null(symbol_table_source(table, &why));
	snprintf(expected, sizeof(expected),
		 "%s is stripped: install its debug symbols, or keep the unstripped file", (char *)*state);
	assert_string_equal(why, expected);
	object.path = "/proc/nonexistent/lib.so";
	table = symbolizer_table(symbolizer, &object);
	assert_name(table, 0, "nothing");
	assert_null(symbol_table_source(table, &why));
	assert_string_equal(why, "cannot open /proc/nonexistent/lib.so: No such file or directory");
	symbolizer_destroy(symbolizer);
}

static const char kallsyms_text[] = "ffffffff81000000 T _text\n"
				    "ffffffff81000100 T do_syscall_64\n"
				    "ffffffffc0200000 t vmx_vcpu_run\t[kvm_intel]\n"
				    "ffffffffc0201000 t bpf_prog_1234_f\t[bpf]\n";

static void kernel_and_modules_share_kallsyms(void **state)
{
	struct symbolizer_options options = plain;
	struct symbol_object kernel = { .kind = DSO_KERNEL, .path = "[kernel.kallsyms]" };
	struct symbol_object module = { .kind = DSO_MODULE, .path = "kvm_intel" };
	struct symbol_object other = { .kind = DSO_MODULE, .path = "ext4" };
	struct symbol_object by_path = { .kind = DSO_MODULE,
					 .path = "/lib/modules/6.1.0/kernel/arch/x86/kvm/kvm-intel.ko.xz" };
	struct symbol_object in_brackets = { .kind = DSO_MODULE, .path = "[kvm_intel]" };
	struct symbolizer *symbolizer;
	const char *why;

	write_bytes(*state, kallsyms_text, strlen(kallsyms_text));
	options.kallsyms_path = *state;
	symbolizer = symbolizer_create(&options);
	assert_name(symbolizer_table(symbolizer, &kernel), 0xffffffff81000110, "do_syscall_64");
	assert_name(symbolizer_table(symbolizer, &kernel), 0xffffffffc0201000, "bpf_prog_1234_f");
	assert_name(symbolizer_table(symbolizer, &module), 0xffffffffc0200010, "vmx_vcpu_run");
	assert_name(symbolizer_table(symbolizer, &by_path), 0xffffffffc0200010, "vmx_vcpu_run");
	assert_name(symbolizer_table(symbolizer, &in_brackets), 0xffffffffc0200010, "vmx_vcpu_run");
	assert_name(symbolizer_table(symbolizer, &other), 0xffffffffc0200010, "nothing");
	assert_null(symbol_table_source(symbolizer_table(symbolizer, &other), &why));
	assert_non_null(strstr(why, ", and its file is not installed: "));
	assert_string_equal(symbol_table_source(symbolizer_table(symbolizer, &module), &why), *state);
	symbolizer_destroy(symbolizer);
}

static void symbols_move_with_the_kernel_that_was_recorded(void **state)
{
	struct symbolizer_options options = plain;
	struct symbol_object kernel = { .kind = DSO_KERNEL,
					.path = "[kernel.kallsyms]",
					.relocation_symbol = "_text",
					.relocation_address = 0xffffffff9a000000 };
	struct symbolizer *symbolizer;
	struct symbol symbol;

	write_bytes(*state, kallsyms_text, strlen(kallsyms_text));
	options.kallsyms_path = *state;
	symbolizer = symbolizer_create(&options);
	assert_int_equal(
		symbol_table_find(symbolizer_table(symbolizer, &kernel), 0xffffffff9a000110, &symbol), 1);
	assert_string_equal(symbol.name, "do_syscall_64");
	assert_true(symbol.start == 0xffffffff9a000100);
	symbolizer_destroy(symbolizer);
}

static void vmlinux_is_relocated_and_comes_before_kallsyms(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "_text", 0x401000, 0, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), 0, 1 },
		{ "_Z3foov", 0x401008, 8, FUNCTION, 0, 1 },
	};
	struct symbolizer_options options = plain;
	struct symbol_object kernel = { .kind = DSO_KERNEL,
					.path = "[kernel.kallsyms]",
					.relocation_symbol = "_text",
					.relocation_address = 0xffffffff9a000000 };
	struct symbolizer *symbolizer;
	const char *why;

	write_elf(*state, NULL, symbols, 2);
	options.vmlinux_path = *state;
	symbolizer = symbolizer_create(&options);
	assert_name(symbolizer_table(symbolizer, &kernel), 0xffffffff9a000008, "_Z3foov");
	assert_string_equal(symbol_table_source(symbolizer_table(symbolizer, &kernel), &why), *state);
	symbolizer_destroy(symbolizer);
}

static void symbols_of_another_kernel_are_not_believed(void **state)
{
	struct symbol_object kernel = { .kind = DSO_KERNEL, .path = "[kernel.kallsyms]" };
	struct symbolizer *symbolizer = symbolizer_create(&plain);
	struct symbol_table *table = symbolizer_table(symbolizer, &kernel);
	const char *why;

	(void)state;
	assert_name(table, 0xffffffff81000110, "nothing");
	assert_null(symbol_table_source(table, &why));
	assert_string_equal(
		why,
		"the recording was made on another kernel than the running one: give that kernel's vmlinux, "
		"its System.map or a copy of its /proc/kallsyms");
	symbolizer_destroy(symbolizer);
}

/* Asks the dynamic linker in which file and at which offset this function is. */
static int find_own_offset(struct dl_phdr_info *info, size_t size, void *context)
{
	uint64_t *offset = context;
	uintptr_t address = (uintptr_t)find_own_offset;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && address >= start && address - start < segment->p_filesz)
			*offset = address - start + segment->p_offset;
	}
	return *offset != 0;
}

static void this_programs_functions_have_their_names(void **state)
{
	struct symbol_object object = { .kind = DSO_FILE, .path = "/proc/self/exe" };
	struct symbolizer *symbolizer = symbolizer_create(&plain);
	struct symbol symbol;
	uint64_t offset = 0;

	(void)state;
	dl_iterate_phdr(find_own_offset, &offset);
	assert_int_equal(symbol_table_find(symbolizer_table(symbolizer, &object), offset + 1, &symbol), 1);
	assert_string_equal(symbol.name, "find_own_offset");
	assert_int_equal(symbol.start, offset);
	assert_true(symbol.is_local);
	symbolizer_destroy(symbolizer);
}

static void jit_code_is_named_by_the_processs_map(void **state)
{
	struct symbol_object object = { .kind = DSO_ANON, .path = "//anon", .pid = (uint32_t)getpid() };
	struct symbolizer *symbolizer = symbolizer_create(&plain);
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	write_bytes(path, "7f0000001000 40 LazyCompile:*sum app.js:1\n", 42);
	assert_name(symbolizer_table(symbolizer, &object), 0x7f0000001020, "LazyCompile:*sum app.js:1");
	unlink(path);
	symbolizer_destroy(symbolizer);
}

static void jit_code_is_named_by_its_jitdump_file(void **state)
{
	struct symbol_object object = { .kind = DSO_JITDUMP, .pid = (uint32_t)getpid() }, other;
	struct symbolizer *symbolizer = symbolizer_create(&plain);
	const struct source_frame *frames;
	struct jitdump_builder builder;
	struct symbol_table *table;
	struct symbol symbol;
	uint64_t offset;
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "/tmp/jit-%d.dump", (int)getpid());
	jitdump_builder_init(&builder, object.pid, EM_X86_64, false, 0);
	jitdump_builder_lines(&builder, 0x1000, 1);
	jitdump_builder_line(&builder, 0x1002, 12, "app.js");
	jitdump_builder_lines_end(&builder);
	jitdump_builder_load(&builder, &(struct built_code){ 10, 0x1000, "JS:*sum", "code", 4 });
	offset = builder.bytes.size - 4;
	write_bytes(path, builder.bytes.bytes, builder.bytes.size);
	jitdump_builder_fini(&builder);
	object.path = path;
	table = symbolizer_table(symbolizer, &object);
	assert_name(table, offset, "JS:*sum");
	assert_name(table, offset + 4, "nothing");
	assert_int_equal(symbol_table_find(table, offset + 3, &symbol), 1);
	assert_int_equal(symbol.start, offset);
	assert_int_equal(symbol_table_find_source(table, offset + 1, &frames), 0);
	assert_int_equal(symbol_table_find_source(table, offset + 3, &frames), 1);
	assert_string_equal(frames[0].file, "app.js");
	assert_int_equal(frames[0].line, 12);
	assert_null(frames[0].function);
	other = object;
	other.pid++; /* in another container */
	assert_ptr_not_equal(symbolizer_table(symbolizer, &other), table);
	unlink(path);
	symbolizer_destroy(symbolizer);
}

static void own_vdso_is_named(void **state)
{
	struct symbol_object object = { .kind = DSO_VDSO, .path = "[vdso]" };
	struct symbol_object other = object;
	struct symbolizer *symbolizer = symbolizer_create(&plain);
	struct symbol_table *table = symbolizer_table(symbolizer, &object);
	struct symbol symbol;
	const char *why;
	bool found = false;

	(void)state;
	for (uint64_t offset = 0; offset < 0x4000 && !found; offset += 16)
		found = symbol_table_find(table, offset, &symbol) && strstr(symbol.name, "gettime");
	if (!symbol_table_source(table, &why)) {
		symbolizer_destroy(symbolizer);
		skip();
	}
	assert_true(found);
	other.build_id = (struct build_id){ .bytes = { 1, 2, 3 }, .size = 3 };
	table = symbolizer_table(symbolizer, &other);
	assert_name(table, 0x800, "nothing");
	assert_null(symbol_table_source(table, &why));
	assert_non_null(strstr(why, "the [vdso] belongs to another kernel"));
	symbolizer_destroy(symbolizer);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_file, remove_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(files_are_asked_by_file_offset),
		TEST(names_stay_mangled_when_so_asked),
		TEST(equal_objects_have_one_table),
		TEST(file_that_was_replaced_is_not_believed),
		TEST(a_file_that_is_cut_short_gives_no_names_and_says_why),
		TEST(debug_file_alone_names_the_code_of_a_binary_that_is_gone),
		TEST(build_id_that_was_filled_up_with_zeros_agrees),
		TEST(what_has_no_symbols_says_why),
		TEST(kernel_and_modules_share_kallsyms),
		TEST(symbols_move_with_the_kernel_that_was_recorded),
		TEST(vmlinux_is_relocated_and_comes_before_kallsyms),
		TEST(symbols_of_another_kernel_are_not_believed),
		TEST(this_programs_functions_have_their_names),
		TEST(jit_code_is_named_by_the_processs_map),
		TEST(jit_code_is_named_by_its_jitdump_file),
		TEST(own_vdso_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
