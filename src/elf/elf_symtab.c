#include "elf/elf_symtab.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/xalloc.h"
#include "elf/elf_plt.h"

#ifndef EM_RISCV
#define EM_RISCV 243
#endif

/* What a section says about the symbols in it, worked out once instead of for each symbol. */
struct section_traits {
	bool in_memory; /* SHF_ALLOC: others (.gnu.warning.*, .comment) are never executed */
	bool executable;
	bool labels_name_code; /* untyped labels in it are code, in start-up code and hand-written assembly */
	bool is_opd;           /* ppc64 ELFv1 function descriptors */
	uint64_t vaddr;        /* of a relocatable file, whose symbols count from their section; else 0 */
};

struct symtab_reader {
	struct elf_file *file;
	struct elf_section strings;
	struct elf_section opd;
	struct section_traits *traits;
	size_t section_count;
	bool mapping_symbols; /* this machine's assemblers emit $a, $d, $t, $x */
};

/* A symbol as it stands in the table (gABI, "Symbol Table"). */
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

/* All bytes of the entry are there: large libraries have hundreds of thousands, so that is checked once for each. */
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

static void reader_init(struct symtab_reader *reader, struct elf_file *file)
{
	reader->file = file;
	reader->section_count = elf_file_section_count(file);
	reader->mapping_symbols = uses_mapping_symbols(elf_file_machine(file));
	reader->traits = xcalloc(reader->section_count, sizeof(*reader->traits));
	for (size_t i = 0; i < reader->section_count; i++) {
		struct elf_section section;

		elf_file_section_header(file, i, &section);
		reader->traits[i] = (struct section_traits){
			.in_memory = section.flags & SHF_ALLOC,
			.executable = section.flags & SHF_EXECINSTR,
			.labels_name_code = strstr(section.name, "text") != NULL,
			.is_opd = elf_file_machine(file) == EM_PPC64 && strcmp(section.name, ".opd") == 0,
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

static bool is_code_type(uint8_t type, const struct section_traits *traits, const struct raw_symbol *raw)
{
	uint8_t visibility = ELF64_ST_VISIBILITY(raw->other);

	switch (type) {
	case STT_FUNC:
	case STT_GNU_IFUNC: return true;
	case STT_OBJECT: /* assembly that names its code by the wrong type */ return traits->executable;
	case STT_NOTYPE: /* hidden labels (__start_*, _end and such) mark places, not code */
		return traits->labels_name_code && visibility != STV_HIDDEN && visibility != STV_INTERNAL;
	default: /* sections, files, thread-local variables */ return false;
	}
}

/* ppc64 ELFv1: the symbol is that of a descriptor, whose first word is the entry point. */
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

/* Can it name code, by all but its name? Then the rest of *symbol is filled. */
static bool accept_place(const struct symtab_reader *reader, const struct raw_symbol *raw,
			 struct elf_symbol *symbol)
{
	const struct section_traits *traits;
	uint8_t type = ELF64_ST_TYPE(raw->info);

	/* The first test throws out undefined symbols and the reserved numbers: absolute, common, XINDEX. */
	if (raw->section == SHN_UNDEF || raw->section >= reader->section_count || raw->name == 0)
		return false;
	traits = &reader->traits[raw->section];
	if (!traits->in_memory || !is_code_type(type, traits, raw))
		return false;
	*symbol = (struct elf_symbol){
		.vaddr = raw->value + traits->vaddr,
		.size_bytes = raw->size,
		.binding = ELF64_ST_BIND(raw->info),
		.type = type,
	};
	/* ELF for the ARM Architecture, "Symbol Values": bit 0 of a function says Thumb. */
	if (elf_file_machine(reader->file) == EM_ARM && type == STT_FUNC)
		symbol->vaddr &= ~(uint64_t)1;
	return !traits->is_opd || follow_descriptor(reader, &symbol->vaddr);
}

static bool accept_name(const struct symtab_reader *reader, const struct raw_symbol *raw,
			struct elf_symbol *symbol)
{
	symbol->name = elf_section_string(&reader->strings, raw->name);
	return symbol->name && *symbol->name &&
	       !(reader->mapping_symbols && is_mapping_symbol(symbol->name)) &&
	       !(symbol->type == STT_NOTYPE && is_compiler_label(symbol->name));
}

/* The first section of that type; 1, 0 or -1. */
static int find_table(struct elf_file *file, uint32_t type, struct elf_section *table, struct error *err)
{
	for (size_t i = 0; i < elf_file_section_count(file); i++) {
		elf_file_section_header(file, i, table);
		if (table->type == type)
			return elf_file_section_at(file, i, table, err);
	}
	return 0;
}

static bool want_all(uint64_t vaddr, uint64_t size_bytes, void *context)
{
	(void)vaddr;
	(void)size_bytes;
	(void)context;
	return true;
}

static int read_table(struct elf_file *file, uint32_t type, elf_symbol_want *want, elf_symbol_visit *visit,
		      void *context, struct error *err)
{
	const bool is_64bit = elf_file_is_64bit(file), swap = elf_file_swapped(file);
	/* Decoded by class: sh_entsize is not needed, and not believed. */
	const size_t entry_size = is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
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
	reader_init(&reader, file);
	for (size_t at = 0; table.bytes && table.size - at >= entry_size; at += entry_size) {
		const struct raw_symbol raw = raw_symbol_decode(table.bytes + at, is_64bit, swap);
		struct elf_symbol symbol;

		if (accept_place(&reader, &raw, &symbol) && want(symbol.vaddr, symbol.size_bytes, context) &&
		    accept_name(&reader, &raw, &symbol))
			visit(&symbol, context);
	}
	free(reader.traits);
	return 1;
}

int elf_symtab_read_wanted(struct elf_file *file, enum elf_symtab_kind kind, elf_symbol_want *want,
			   elf_symbol_visit *visit, void *context, struct error *err)
{
	switch (kind) {
	case ELF_SYMTAB_FULL: return read_table(file, SHT_SYMTAB, want, visit, context, err);
	case ELF_SYMTAB_DYNAMIC: return read_table(file, SHT_DYNSYM, want, visit, context, err);
	case ELF_SYMTAB_PLT: return elf_plt_read(file, visit, context, err);
	}
	return 0;
}

int elf_symtab_read(struct elf_file *file, enum elf_symtab_kind kind, elf_symbol_visit *visit, void *context,
		    struct error *err)
{
	return elf_symtab_read_wanted(file, kind, want_all, visit, context, err);
}
