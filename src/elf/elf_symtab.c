/*
 * One loop, read_entries(), passes over all symbols, cheapest test first: window, filter, section and type, the caller's `want`,
 * and only then the name. reader_init() determines once for each section which symbol types count in it. The loop is inlined
 * twice, once with constants for the usual kind of file: 64 bits, this machine's byte order.
 */
#include "elf/elf_symtab.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/xalloc.h"

#ifndef EM_RISCV
#define EM_RISCV 243
#endif

enum {
	MIN_FILTER_BITS_LOG = 16, /* 8 KiB, which stay in the L1 cache */
	MAX_FILTER_BITS_LOG = 22,
	BITS_PER_ADDRESS = 16,
};

/* Properties of a section that apply to its symbols, computed once instead of for each symbol. */
struct section_traits {
	uint16_t types; /* bit n: symbols of type n (STT_*) in the section are wanted */
	bool is_opd;    /* ppc64 ELFv1 function descriptors */
	uint64_t vaddr; /* of a relocatable file, whose symbols are relative to their section; else 0 */
};

struct symtab_reader {
	struct elf_file *file;
	struct elf_section strings;
	struct elf_section opd;
	struct section_traits *traits;
	size_t section_count;
	bool mapping_symbols; /* this machine's assemblers emit $a, $d, $t, $x */
	bool is_arm;          /* bit 0 of a function's address means Thumb */
};

/* A symbol as in the table (gABI, "Symbol Table"). */
struct raw_symbol {
	uint32_t name;
	uint64_t value;
	uint64_t size;
	uint8_t info;
	uint8_t other;
	uint16_t section;
};

static uint16_t half_at(const uint8_t *bytes, bool swap)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return swap ? __builtin_bswap16(value) : value;
}

static uint32_t word_at(const uint8_t *bytes, bool swap)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return swap ? __builtin_bswap32(value) : value;
}

static uint64_t xword_at(const uint8_t *bytes, bool swap)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return swap ? __builtin_bswap64(value) : value;
}

/* The caller has checked that the whole entry is there, once per entry: large libraries have hundreds of thousands. */
static struct raw_symbol raw_symbol_decode(const uint8_t *entry, bool is_64bit, bool swap)
{
	if (is_64bit)
		return (struct raw_symbol){ .name = word_at(entry, swap),
					    .info = entry[4],
					    .other = entry[5],
					    .section = half_at(entry + 6, swap),
					    .value = xword_at(entry + 8, swap),
					    .size = xword_at(entry + 16, swap) };
	return (struct raw_symbol){ .name = word_at(entry, swap),
				    .value = word_at(entry + 4, swap),
				    .size = word_at(entry + 8, swap),
				    .info = entry[12],
				    .other = entry[13],
				    .section = half_at(entry + 14, swap) };
}

static bool uses_mapping_symbols(uint16_t machine)
{
	return machine == EM_ARM || machine == EM_AARCH64 || machine == EM_RISCV || machine == EM_CSKY;
}

/* Variables lie in allocated sections without code. */
static uint16_t data_types_of(const struct elf_section *section)
{
	return section->flags & SHF_ALLOC && !(section->flags & SHF_EXECINSTR) ? 1 << STT_OBJECT : 0;
}

static uint16_t code_types_of(const struct elf_section *section)
{
	uint16_t types = 1 << STT_FUNC | 1 << STT_GNU_IFUNC;

	if (!(section->flags & SHF_ALLOC)) /* .gnu.warning.*, .comment: never executed */
		return 0;
	if (section->flags & SHF_EXECINSTR) /* assembly that names its code by the wrong type */
		types |= 1 << STT_OBJECT;
	if (strstr(section->name, "text")) /* labels in start-up code and hand-written assembly */
		types |= 1 << STT_NOTYPE;
	return types;
}

static void reader_init(struct symtab_reader *reader, struct elf_file *file, bool of_data)
{
	const uint16_t machine = elf_file_machine(file);

	reader->file = file;
	reader->section_count = elf_file_section_count(file);
	reader->is_arm = machine == EM_ARM;
	reader->mapping_symbols = uses_mapping_symbols(machine);
	reader->traits = xcalloc(reader->section_count, sizeof(*reader->traits));
	for (size_t i = 0; i < reader->section_count; i++) {
		struct elf_section section;

		elf_file_section_header(file, i, &section);
		reader->traits[i] = (struct section_traits){
			.types = of_data ? data_types_of(&section) : code_types_of(&section),
			.is_opd = machine == EM_PPC64 && strcmp(section.name, ".opd") == 0,
			.vaddr = elf_file_type(file) == ET_REL ? section.vaddr : 0,
		};
		if (reader->traits[i].is_opd && elf_file_section_at(file, i, &reader->opd, NULL) != 1)
			reader->opd.bytes = NULL;
	}
}

/* ELF for the ARM Architecture, "Mapping symbols"; RISC-V ELF psABI likewise, with the ISA behind $x. */
static bool is_mapping_symbol(const char *name)
{
	return name[0] == '$' && name[1] != '\0' && strchr("adtx", name[1]) &&
	       (name[2] == '\0' || name[2] == '.' || (name[1] == 'x' && name[2] == 'r'));
}

/* Local labels of compilers and assemblers, kept only when linking with --discard-none or on RISC-V. */
static bool is_compiler_label(const char *name)
{
	return strncmp(name, ".L", 2) == 0 || strncmp(name, "L0\001", 3) == 0;
}

/* ppc64 ELFv1: the symbol names a descriptor, whose first word is the entry point. */
static bool follow_descriptor(const struct symtab_reader *reader, uint64_t *vaddr)
{
	struct byte_reader r;

	if (!reader->opd.bytes || *vaddr < reader->opd.vaddr ||
	    *vaddr - reader->opd.vaddr >= reader->opd.size)
		return false;
	r = byte_reader_over(reader->opd.bytes, reader->opd.size, elf_file_swapped(reader->file));
	byte_reader_skip(&r, (size_t)(*vaddr - reader->opd.vaddr));
	*vaddr = byte_reader_u64(&r);
	return byte_reader_ok(&r);
}

/* Hidden labels (__start_*, _end and such) mark places, not code. */
static bool is_hidden_label(const struct raw_symbol *raw)
{
	const uint8_t visibility = ELF64_ST_VISIBILITY(raw->other);

	return ELF64_ST_TYPE(raw->info) == STT_NOTYPE &&
	       (visibility == STV_HIDDEN || visibility == STV_INTERNAL);
}

/* Is the symbol wanted, by all but its name? If so, writes its address. */
static inline __attribute__((always_inline)) bool accept_place(const struct symtab_reader *reader,
							       const struct raw_symbol *raw, uint64_t *vaddr)
{
	const struct section_traits *traits;

	/* This test excludes undefined symbols and the reserved numbers: absolute, common, XINDEX. */
	if (raw->section == SHN_UNDEF || raw->section >= reader->section_count || raw->name == 0)
		return false;
	traits = &reader->traits[raw->section];
	if (!(traits->types >> ELF64_ST_TYPE(raw->info) & 1) || is_hidden_label(raw))
		return false;
	*vaddr = raw->value + traits->vaddr;
	/* ELF for the ARM Architecture, "Symbol Values": bit 0 of a function's address means Thumb. */
	if (reader->is_arm && ELF64_ST_TYPE(raw->info) == STT_FUNC)
		*vaddr &= ~(uint64_t)1;
	return !traits->is_opd || follow_descriptor(reader, vaddr);
}

static bool accept_name(const struct symtab_reader *reader, struct elf_symbol *symbol, uint32_t name)
{
	symbol->name = elf_section_string(&reader->strings, name);
	return symbol->name && *symbol->name &&
	       !(reader->mapping_symbols && is_mapping_symbol(symbol->name)) &&
	       !(symbol->type == STT_NOTYPE && is_compiler_label(symbol->name));
}

/* Finds the first section of that type. Returns 1, 0 if there is none, -1 on errors. */
static int find_table(struct elf_file *file, uint32_t type, struct elf_section *table, struct error *err)
{
	for (size_t i = 0; i < elf_file_section_count(file); i++) {
		elf_file_section_header(file, i, table);
		if (table->type == type)
			return elf_file_section_at(file, i, table, err);
	}
	return 0;
}

/* Selection and visitor of symbols. */
struct taking {
	struct elf_symbol_choice choice;
	elf_symbol_visit *visit;
	void *context;
};

/* Is a symbol's value simply its address? */
static bool values_are_vaddrs(const struct symtab_reader *reader)
{
	return !reader->is_arm && !reader->opd.bytes && elf_file_type(reader->file) != ET_REL;
}

/* Inlined, so that for the usual kind of file the class and byte order are constants instead of tests per symbol. */
static inline __attribute__((always_inline)) void read_entries(const struct symtab_reader *reader,
							       const struct elf_section *table,
							       const struct taking *taking, bool is_64bit,
							       bool swap)
{
	/* The class gives the entry size; sh_entsize is not needed, and not trusted. */
	const size_t entry_size = is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	const struct vaddr_filter *filter = values_are_vaddrs(reader) ? taking->choice.filter : NULL;
	elf_symbol_want *const want = taking->choice.want;
	const struct vaddr_window *window = values_are_vaddrs(reader) ? taking->choice.window : NULL;

	for (size_t at = 0; table->bytes && table->size - at >= entry_size; at += entry_size) {
		const struct raw_symbol raw = raw_symbol_decode(table->bytes + at, is_64bit, swap);
		struct elf_symbol symbol;
		uint64_t vaddr;

		if ((window && !vaddr_window_sees(window, raw.value, raw.size)) ||
		    (filter && !vaddr_filter_may_have(filter, raw.value)) ||
		    !accept_place(reader, &raw, &vaddr) || (want && !want(vaddr, raw.size, taking->context)))
			continue;
		symbol = (struct elf_symbol){ .vaddr = vaddr,
					      .size_bytes = raw.size,
					      .binding = ELF64_ST_BIND(raw.info),
					      .type = ELF64_ST_TYPE(raw.info) };
		if (accept_name(reader, &symbol, raw.name))
			taking->visit(&symbol, taking->context);
	}
}

static int read_table(struct elf_file *file, uint32_t type, const struct taking *taking, struct error *err)
{
	const bool is_64bit = elf_file_is_64bit(file), swap = elf_file_swapped(file);
	struct symtab_reader reader = { .file = file };
	struct elf_section table;
	int result = find_table(file, type, &table, err);

	if (result != 1)
		return result;
	if (table.link >= elf_file_section_count(file))
		return error_set(err, "%s: %s names section %u for its strings, which does not exist",
				 elf_file_path(file), table.name, table.link);
	if (elf_file_section_at(file, table.link, &reader.strings, err) < 0)
		return -1;
	elf_section_trim_strings(&reader.strings);
	reader_init(&reader, file, taking->choice.of_data);
	if (is_64bit && !swap)
		read_entries(&reader, &table, taking, true, false);
	else
		read_entries(&reader, &table, taking, is_64bit, swap);
	free(reader.traits);
	return 1;
}

void vaddr_filter_init(struct vaddr_filter *filter, const uint64_t *vaddrs, size_t count)
{
	unsigned int log = MIN_FILTER_BITS_LOG;

	while (log < MAX_FILTER_BITS_LOG && (uint64_t)1 << log < (uint64_t)count * BITS_PER_ADDRESS)
		log++;
	filter->shift = 64 - log;
	filter->bits = xcalloc(((size_t)1 << log) / 64, sizeof(*filter->bits));
	for (size_t i = 0; i < count; i++) {
		const uint64_t bit = vaddr_filter_bit(filter, vaddrs[i]);

		filter->bits[bit / 64] |= (uint64_t)1 << bit % 64;
	}
}

int elf_symtab_read(struct elf_file *file, enum elf_symtab_kind kind, const struct elf_symbol_choice *choice,
		    elf_symbol_visit *visit, void *context, struct error *err)
{
	const struct taking taking = { choice ? *choice : (struct elf_symbol_choice){ 0 }, visit, context };

	return read_table(file, kind == ELF_SYMTAB_FULL ? SHT_SYMTAB : SHT_DYNSYM, &taking, err);
}

bool elf_symtab_has_local_functions(struct elf_file *file)
{
	const bool is_64bit = elf_file_is_64bit(file), swap = elf_file_swapped(file);
	const size_t entry_size = is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct elf_section table;

	if (find_table(file, SHT_SYMTAB, &table, NULL) != 1 || !table.bytes)
		return false;
	/* Local symbols come first (gABI, "Symbol Table"), so the first few entries usually decide. */
	for (size_t at = 0; table.size - at >= entry_size; at += entry_size) {
		const struct raw_symbol raw = raw_symbol_decode(table.bytes + at, is_64bit, swap);

		if (ELF64_ST_BIND(raw.info) == STB_LOCAL && ELF64_ST_TYPE(raw.info) == STT_FUNC &&
		    raw.size > 0 && raw.section != SHN_UNDEF)
			return true;
	}
	return false;
}
