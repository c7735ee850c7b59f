/*
 * The table is read in place: a header, an array of (entry, offset) sorted by address, a struct _func for each function, and byte
 * tables of changes. Lookup is a binary search in the array. Before Go 1.18 the array holds pointers, since then 32-bit offsets;
 * take_word() hides that.
 */
#include "elf/go_functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/partition_point.h"
#include "base/xalloc.h"

/* pcHeader.magic; Go 1.17 uses that of 1.16, Go 1.19 that of 1.18, all later versions that of 1.20. */
static const uint32_t GO_1_16 = 0xfffffffa, GO_1_18 = 0xfffffff0, GO_1_20 = 0xfffffff1;

enum function_flags { TOP_FRAME = 1, SP_WRITE = 2 };

struct go_functions {
	const uint8_t *bytes; /* the section, from pcHeader on */
	size_t size;
	bool swap;
	uint32_t magic;
	uint8_t quantum; /* bytes of the smallest instruction */
	uint64_t count;
	uint64_t text_vaddr;              /* base of entries; 0 before Go 1.18 */
	uint64_t names, sizes, functions; /* offsets of their tables */
};

static struct byte_reader reader_at(const struct go_functions *functions, uint64_t offset)
{
	struct byte_reader r = byte_reader_over(functions->bytes, functions->size, functions->swap);

	if (offset > functions->size)
		r.failed = true;
	else
		byte_reader_skip(&r, (size_t)offset);
	return r;
}

/* Reads a word of this table: a pointer before Go 1.18, 32 bits since. */
static uint64_t take_word(const struct go_functions *functions, struct byte_reader *r)
{
	return functions->magic == GO_1_16 ? byte_reader_u64(r) : byte_reader_u32(r);
}

static size_t entry_bytes(const struct go_functions *functions)
{
	return functions->magic == GO_1_16 ? 16 : 8;
}

/* Reads pcHeader. Accepts only programs with 8-byte pointers. */
static bool read_header(struct go_functions *functions)
{
	enum { POINTER_BYTES = 8 };
	struct byte_reader r = reader_at(functions, 0);
	uint8_t pointer_size;

	functions->magic = byte_reader_u32(&r);
	byte_reader_skip(&r, 2);
	functions->quantum = byte_reader_u8(&r);
	pointer_size = byte_reader_u8(&r);
	functions->count = byte_reader_u64(&r);
	byte_reader_skip(&r, 8); /* number of files */
	if (functions->magic != GO_1_16)
		functions->text_vaddr = byte_reader_u64(&r);
	functions->names = byte_reader_u64(&r);
	byte_reader_skip(&r, 16); /* compilation units, files */
	functions->sizes = byte_reader_u64(&r);
	functions->functions = byte_reader_u64(&r);
	return byte_reader_ok(&r) && pointer_size == POINTER_BYTES &&
	       functions->functions <= functions->size &&
	       functions->count < (functions->size - functions->functions) / entry_bytes(functions) &&
	       (functions->magic == GO_1_16 || functions->magic == GO_1_18 || functions->magic == GO_1_20);
}

/* Position-independent programs have text_vaddr relocated at start-up, and 0 in the file. */
static void find_text(struct go_functions *functions, struct elf_file *file)
{
	struct elf_section text;
	struct error err;

	if (functions->magic != GO_1_16 && functions->text_vaddr == 0 &&
	    elf_file_section(file, ".text", &text, &err) == 1)
		functions->text_vaddr = text.vaddr;
}

struct go_functions *go_functions_open(struct elf_file *file)
{
	struct go_functions *functions;
	struct elf_section section;
	struct error err;

	if (!elf_file_is_64bit(file) ||
	    (elf_file_section(file, ".gopclntab", &section, &err) != 1 &&
	     elf_file_section(file, ".data.rel.ro.gopclntab", &section, &err) != 1) ||
	    !section.bytes)
		return NULL;
	functions = xcalloc(1, sizeof(*functions));
	functions->bytes = section.bytes;
	functions->size = section.size;
	functions->swap = elf_file_swapped(file);
	if (!read_header(functions)) {
		free(functions);
		return NULL;
	}
	find_text(functions, file);
	return functions;
}

void go_functions_close(struct go_functions *functions)
{
	free(functions);
}

/* The vaddr where a function begins; for number `count`, the end of the last one. */
static uint64_t entry_vaddr(const struct go_functions *functions, uint64_t number)
{
	struct byte_reader r = reader_at(functions, functions->functions + number * entry_bytes(functions));

	return functions->text_vaddr + take_word(functions, &r);
}

static const char *name_at(const struct go_functions *functions, uint64_t offset)
{
	struct byte_reader r = reader_at(functions, functions->names + offset);

	if (!byte_reader_ok(&r) || !memchr(r.next, '\0', byte_reader_left(&r)))
		return "";
	return (const char *)r.next;
}

static bool begins_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/*
 * Tells by name, because the flag TOP_FRAME exists only since Go 1.17, and other functions have it, too: rt0_go or the C library
 * called mstart, the kernel a signal handler. The program's entry function loses its caller, if it had one.
 */
static bool is_top(const char *name)
{
	return strcmp(name, "runtime.goexit") == 0 || strcmp(name, "runtime.rt0_go") == 0 ||
	       strcmp(name, "main") == 0 || begins_with(name, "_rt0_");
}

static bool calls_on_other_stack(const char *name)
{
	static const char *const names[] = { "runtime.systemstack", "runtime.mcall", "runtime.morestack",
					     "runtime.asmcgocall" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* struct _func */
static bool read_function(const struct go_functions *functions, uint64_t offset, struct go_function *function)
{
	struct byte_reader r = reader_at(functions, functions->functions + offset);
	uint8_t flags;

	(void)take_word(functions, &r); /* entry */
	function->name = name_at(functions, byte_reader_u32(&r));
	byte_reader_skip(&r, 8); /* size of arguments, deferreturn */
	function->frame_sizes = byte_reader_u32(&r);
	byte_reader_skip(&r, functions->magic == GO_1_20 ? 20 : 16); /* files, lines …, identity */
	byte_reader_skip(&r, 1);
	flags = byte_reader_u8(&r);
	function->is_top = is_top(function->name);
	function->calls_on_other = calls_on_other_stack(function->name);
	/* "so that the traceback will seamlessly trace back into the earlier calls" (src/runtime/asm_amd64.s) */
	function->makes_caller = strcmp(function->name, "runtime.cgocallback") == 0;
	function->is_clone = strcmp(function->name, "runtime.clone") == 0;
	function->moves_to_stack = function->calls_on_other || (flags & SP_WRITE && !(flags & TOP_FRAME));
	return byte_reader_ok(&r);
}

size_t go_functions_count(const struct go_functions *functions)
{
	return functions->count;
}

int go_functions_at(const struct go_functions *functions, size_t number, struct go_function *function)
{
	struct byte_reader r = reader_at(functions, functions->functions + number * entry_bytes(functions));

	function->start = entry_vaddr(functions, number);
	function->end = entry_vaddr(functions, number + 1);
	(void)take_word(functions, &r);
	return function->start < function->end &&
	       read_function(functions, take_word(functions, &r), function);
}

/* The number of functions that begin at or below the vaddr. */
static uint64_t count_up_to(const struct go_functions *functions, uint64_t vaddr)
{
	return PARTITION_POINT(i, 0, functions->count, entry_vaddr(functions, i) <= vaddr);
}

int go_functions_find(const struct go_functions *functions, uint64_t vaddr, struct go_function *function)
{
	const uint64_t count = count_up_to(functions, vaddr);

	return count > 0 && go_functions_at(functions, count - 1, function) && vaddr < function->end;
}

/* Reads seven bits per byte, lowest first; at most 32 bits. */
static uint32_t take_varint(struct byte_reader *r)
{
	uint32_t value = 0, shift = 0;
	uint8_t byte;

	do {
		byte = byte_reader_u8(r);
		if (shift < 32)
			value |= (uint32_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && byte_reader_ok(r));
	return value;
}

/*
 * The table has pairs: the change of the value (zigzag), and for how many instructions it holds. The value begins as -1 at the
 * entry.
 */
int go_functions_frame_size(const struct go_functions *functions, const struct go_function *function,
			    uint64_t vaddr, int32_t *size_bytes)
{
	struct byte_reader r = reader_at(functions, functions->sizes + function->frame_sizes);
	uint64_t pc = function->start;
	uint32_t value = (uint32_t)-1;

	if (!function->frame_sizes)
		return 0;
	while (pc <= vaddr) {
		uint32_t change = take_varint(&r);

		if (!byte_reader_ok(&r) || (change == 0 && pc != function->start))
			return 0;
		value += change & 1 ? ~(change >> 1) : change >> 1;
		pc += (uint64_t)take_varint(&r) * functions->quantum;
	}
	*size_bytes = (int32_t)value;
	return byte_reader_ok(&r);
}

static void visit_at(const struct go_functions *functions, uint64_t offset, uint64_t size,
		     go_functions_part *visit, void *context)
{
	if (offset >= functions->size)
		return;
	if (size > functions->size - offset)
		size = functions->size - offset;
	visit(functions->bytes + offset, (size_t)size, context);
}

/* The size of the table: its pairs up to one with change 0. Only the first pair may have change 0 without ending the table. */
static uint64_t table_bytes(const struct go_functions *functions, uint64_t offset)
{
	struct byte_reader r = reader_at(functions, offset);
	const size_t size = byte_reader_left(&r);
	bool first = true;

	while (byte_reader_ok(&r) && (take_varint(&r) != 0 || first)) {
		(void)take_varint(&r);
		first = false;
	}
	return size - byte_reader_left(&r);
}

void go_functions_visit_parts(const struct go_functions *functions, uint64_t vaddr, go_functions_part *visit,
			      void *context)
{
	enum { HEADER_BYTES = 80, FUNCTION_BYTES = 64 };
	struct go_function function;
	struct byte_reader r;

	visit_at(functions, 0, HEADER_BYTES, visit, context);
	visit_at(functions, functions->functions, (functions->count + 1) * entry_bytes(functions), visit,
		 context);
	if (!go_functions_find(functions, vaddr, &function))
		return;
	r = reader_at(functions,
		      functions->functions + (count_up_to(functions, vaddr) - 1) * entry_bytes(functions));
	(void)take_word(functions, &r);
	visit_at(functions, functions->functions + take_word(functions, &r), FUNCTION_BYTES, visit, context);
	if (*function.name)
		visit(function.name, strlen(function.name) + 1, context);
	visit_at(functions, functions->sizes + function.frame_sizes,
		 table_bytes(functions, functions->sizes + function.frame_sizes), visit, context);
}
