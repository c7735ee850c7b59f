/*
 * Makes two passes over the PLT sections. The first notes the range of GOT slots that their code jumps through. Then the
 * relocations in that range, and those of .rela.plt, fill the table of slots; an IFUNC slot takes the name of its resolver. The
 * second pass decodes each entry, looks up its slot and emits "name@plt". Start at elf_plt_read().
 */
#include "elf/elf_plt.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/partition_point.h"
#include "base/xalloc.h"
#include "elf/plt_code.h"

enum {
	/* Longer function names are cut in their @plt entry; C++ names reach some thousand bytes. */
	MAX_NAME_BYTES = 64 * 1024,
	/* A damaged file can give every entry the same long name; all names of real files are shorter. */
	MAX_ALL_NAMES_BYTES = 64 * 1024 * 1024,
	/* Linkers make two (.rela.dyn, .rela.plt). Thousands of sections with the same bytes would take for ever. */
	MAX_RELOCATION_SECTIONS = 16,
	MAX_PLT_SECTIONS = 8,
};

/* A relocation that fills the GOT slot of a function. */
struct slot {
	uint64_t vaddr;
	const char *name;
	uint64_t resolver; /* IRELATIVE: vaddr of the choosing function; name is NULL until it is found */
};

/* The range of slots that code jumps through. */
struct slot_range {
	uint64_t first, last; /* first > last: empty */
};

struct plt_machine;

struct plt_reader {
	struct elf_file *file;
	const struct plt_machine *machine;
	struct slot_range jumped_through;
	struct elf_section lazy_relocations; /* .rela.plt or .rel.plt; bytes NULL: none */
	struct elf_section dynamic;          /* bytes NULL: none */
	uint64_t got_vaddr;                  /* base of slots in position-independent code of i386 */
	struct slot *slots;                  /* sorted by vaddr after collection */
	size_t slot_count;
	size_t slot_capacity;
	elf_symbol_visit *visit;
	void *context;
	uint64_t emitted_name_bytes;
};

/* One machine's relocation types and code. */
struct plt_machine {
	uint16_t machine;
	uint32_t relocation_type; /* SHT_RELA; SHT_REL in 32-bit files, whose slots hold the addends */
	uint32_t jump_slot;
	uint32_t glob_dat;
	uint32_t irelative;
	uint32_t relative;
	const struct plt_code *code;
};

static const struct plt_machine machines[] = {
	{ EM_X86_64, SHT_RELA, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_IRELATIVE, R_X86_64_RELATIVE,
	  &plt_code_x86_64 },
	{ EM_386, SHT_REL, R_386_JMP_SLOT, R_386_GLOB_DAT, R_386_IRELATIVE, R_386_RELATIVE, &plt_code_i386 },
	{ EM_AARCH64, SHT_RELA, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_IRELATIVE,
	  R_AARCH64_RELATIVE, &plt_code_aarch64 },
};

static const struct plt_machine *machine_of(const struct elf_file *file)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == elf_file_machine(file) &&
		    elf_file_is_64bit(file) == (machines[i].relocation_type == SHT_RELA))
			return &machines[i];
	return NULL;
}

static bool is_64bit(const struct plt_reader *reader)
{
	return reader->machine->relocation_type == SHT_RELA;
}

static size_t relocation_bytes(const struct plt_reader *reader)
{
	return is_64bit(reader) ? sizeof(Elf64_Rela) : sizeof(Elf32_Rel);
}

struct relocation {
	uint64_t vaddr, addend;
	uint32_t type, symbol;
};

static struct relocation next_relocation(const struct plt_reader *reader, struct byte_reader *r)
{
	struct relocation relocation = { .vaddr = 0 };
	uint64_t word;

	if (is_64bit(reader)) {
		relocation.vaddr = byte_reader_u64(r);
		word = byte_reader_u64(r);
		relocation.type = (uint32_t)ELF64_R_TYPE(word);
		relocation.symbol = (uint32_t)ELF64_R_SYM(word);
		relocation.addend = byte_reader_u64(r);
	} else {
		relocation.vaddr = byte_reader_u32(r);
		word = byte_reader_u32(r);
		relocation.type = ELF32_R_TYPE((uint32_t)word);
		relocation.symbol = ELF32_R_SYM((uint32_t)word);
	}
	return relocation;
}

/* The name of symbol `number` in the dynamic symbol table; NULL if it has none. */
static const char *symbol_name(const struct plt_reader *reader, const struct elf_section *symbols,
			       const struct elf_section *strings, uint32_t number)
{
	struct byte_reader r =
		byte_reader_over(symbols->bytes, symbols->size, elf_file_swapped(reader->file));
	uint32_t name;

	byte_reader_skip(&r, (size_t)number * (is_64bit(reader) ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)));
	name = byte_reader_u32(&r);
	return byte_reader_ok(&r) && name != 0 ? elf_section_string(strings, name) : NULL;
}

static void add_slot(struct plt_reader *reader, struct slot slot)
{
	*ARRAY_ADD(reader->slots, reader->slot_count, reader->slot_capacity) = slot;
}

/* Is entry `number` a relative relocation, which only adds the load address? */
static bool is_relative(const struct plt_machine *machine, const struct elf_section *relocations,
			size_t number, bool swap)
{
	struct byte_reader r = byte_reader_over(relocations->bytes, relocations->size, swap);
	uint64_t info;

	byte_reader_skip(&r, number * sizeof(Elf64_Rela) + offsetof(Elf64_Rela, r_info));
	info = byte_reader_u64(&r);
	return byte_reader_ok(&r) && ELF64_R_TYPE(info) == machine->relative;
}

/*
 * Returns how many leading relocations can be skipped, nearly all in a large library: DT_RELACOUNT, on which the dynamic linker
 * relies, too. The first and last of these are checked nevertheless.
 */
static size_t leading_relatives(const struct plt_reader *reader, const struct elf_section *relocations)
{
	const bool swap = elf_file_swapped(reader->file);
	struct byte_reader r = byte_reader_over(reader->dynamic.bytes, reader->dynamic.size, swap);
	uint64_t table = 0, count = 0;

	if (!is_64bit(reader)) /* 32-bit libraries are small */
		return 0;
	while (byte_reader_left(&r) >= sizeof(Elf64_Dyn)) {
		uint64_t tag = byte_reader_u64(&r), value = byte_reader_u64(&r);

		if (tag == DT_NULL)
			break;
		if (tag == DT_RELA)
			table = value;
		if (tag == DT_RELACOUNT)
			count = value;
	}
	if (table != relocations->vaddr || count == 0 || count > relocations->size / sizeof(Elf64_Rela) ||
	    !is_relative(reader->machine, relocations, 0, swap) ||
	    !is_relative(reader->machine, relocations, (size_t)count - 1, swap))
		return 0;
	return (size_t)count;
}

static bool is_jumped_through(const struct plt_reader *reader, uint64_t vaddr)
{
	return vaddr >= reader->jumped_through.first && vaddr <= reader->jumped_through.last;
}

/*
 * Collects the relocations of one section that fill function slots. Of the hundred thousand outside .rela.plt in a large library
 * only those for slots that PLT entries jump through matter.
 */
static void collect_slots(struct plt_reader *reader, const struct elf_section *relocations, bool is_lazy)
{
	const struct plt_machine *machine = reader->machine;
	bool swap = elf_file_swapped(reader->file);
	struct byte_reader r = byte_reader_over(relocations->bytes, relocations->size, swap);
	struct elf_section symbols = { .bytes = NULL }, strings = { .bytes = NULL };

	if (elf_file_section_at(reader->file, relocations->link, &symbols, NULL) == 1 &&
	    symbols.type == SHT_DYNSYM)
		(void)elf_file_section_at(reader->file, symbols.link, &strings, NULL);
	else
		symbols = (struct elf_section){ .bytes = NULL };
	elf_section_trim_strings(&strings);
	byte_reader_skip(&r, leading_relatives(reader, relocations) * relocation_bytes(reader));
	while (byte_reader_left(&r) >= relocation_bytes(reader)) {
		const struct relocation relocation = next_relocation(reader, &r);
		struct slot slot = { .vaddr = relocation.vaddr };

		if (!is_lazy && !is_jumped_through(reader, relocation.vaddr))
			continue;
		if (relocation.type == machine->irelative)
			slot.resolver = relocation.addend;
		else if (relocation.type == machine->jump_slot || relocation.type == machine->glob_dat)
			slot.name = symbol_name(reader, &symbols, &strings, relocation.symbol);
		if (slot.name || slot.resolver)
			add_slot(reader, slot);
	}
}

static int compare_slots(const void *a, const void *b)
{
	const struct slot *left = a, *right = b;

	return (left->vaddr > right->vaddr) - (left->vaddr < right->vaddr);
}

static const struct slot *find_slot(const struct plt_reader *reader, uint64_t vaddr)
{
	struct slot key = { .vaddr = vaddr };

	return reader->slot_count ?
		       bsearch(&key, reader->slots, reader->slot_count, sizeof(key), compare_slots) :
		       NULL;
}

static int compare_resolvers(const void *a, const void *b)
{
	const struct slot *left = *(const struct slot *const *)a, *right = *(const struct slot *const *)b;

	return (left->resolver > right->resolver) - (left->resolver < right->resolver);
}

/* Slots without a name, sorted by the address of their resolver. */
struct unnamed_slots {
	struct slot **slots;
	size_t count;
};

/* The first slot whose resolver is at the vaddr, or NULL. */
static struct slot *unnamed_slot(const struct unnamed_slots *unnamed, uint64_t vaddr)
{
	const size_t low = PARTITION_POINT(i, 0, unnamed->count, unnamed->slots[i]->resolver < vaddr);

	return low < unnamed->count && unnamed->slots[low]->resolver == vaddr ? unnamed->slots[low] : NULL;
}

static bool is_resolver(uint64_t vaddr, uint64_t size_bytes, void *context)
{
	(void)size_bytes;
	return unnamed_slot(context, vaddr) != NULL;
}

static void name_resolver(const struct elf_symbol *symbol, void *context)
{
	struct slot *slot = unnamed_slot(context, symbol->vaddr);

	if (!slot || (symbol->type != STT_GNU_IFUNC && symbol->type != STT_FUNC))
		return;
	/* An IFUNC symbol has the function's name, a FUNC symbol the resolver's. Prefer the former. */
	if (!slot->name || symbol->type == STT_GNU_IFUNC)
		slot->name = symbol->name;
}

static void find_resolvers(struct elf_file *file, struct unnamed_slots *unnamed)
{
	uint64_t *resolvers = xmalloc(unnamed->count * sizeof(*resolvers));
	struct vaddr_filter filter;
	const struct elf_symbol_choice choice = { .filter = &filter, .want = is_resolver };

	for (size_t i = 0; i < unnamed->count; i++)
		resolvers[i] = unnamed->slots[i]->resolver;
	vaddr_filter_init(&filter, resolvers, unnamed->count);
	if (elf_symtab_read(file, ELF_SYMTAB_FULL, &choice, name_resolver, unnamed, NULL) != 1)
		(void)elf_symtab_read(file, ELF_SYMTAB_DYNAMIC, &choice, name_resolver, unnamed, NULL);
	free(filter.bits);
	free(resolvers);
}

/* IRELATIVE slots have no symbol, so they take the name of the symbol at their resolver. */
static void name_irelative_slots(struct plt_reader *reader)
{
	struct unnamed_slots unnamed = { .slots = xcalloc(reader->slot_count, sizeof(*unnamed.slots)) };

	for (size_t i = 0; i < reader->slot_count; i++)
		if (!reader->slots[i].name)
			unnamed.slots[unnamed.count++] = &reader->slots[i];
	if (unnamed.count > 0) {
		qsort(unnamed.slots, unnamed.count, sizeof(unnamed.slots[0]), compare_resolvers);
		find_resolvers(reader->file, &unnamed);
	}
	/* Of slots with the same resolver, only the first has been named. */
	for (size_t i = 1; i < unnamed.count; i++)
		if (unnamed.slots[i]->resolver == unnamed.slots[i - 1]->resolver)
			unnamed.slots[i]->name = unnamed.slots[i - 1]->name;
	free(unnamed.slots);
}

static void emit(struct plt_reader *reader, const char *name, uint64_t vaddr, uint64_t size_bytes)
{
	struct elf_symbol symbol = { .name = name,
				     .vaddr = vaddr,
				     .size_bytes = size_bytes,
				     .binding = STB_GLOBAL,
				     .type = STT_FUNC };

	reader->visit(&symbol, reader->context);
}

static void emit_entry(struct plt_reader *reader, const struct slot *slot, uint64_t vaddr,
		       uint64_t size_bytes)
{
	static const char ending[] = "@plt";
	char resolver[sizeof("*ABS*+0x0123456789abcdef")];
	const char *name = slot->name ? slot->name : resolver;
	size_t length;
	char *text;

	if (!slot->name)
		snprintf(resolver, sizeof(resolver), "*ABS*+0x%llx", (unsigned long long)slot->resolver);
	length = strnlen(name, MAX_NAME_BYTES);
	reader->emitted_name_bytes += length;
	if (reader->emitted_name_bytes > MAX_ALL_NAMES_BYTES)
		return;
	text = arena_alloc(elf_file_arena(reader->file), length + sizeof(ending));
	memcpy(text, name, length);
	memcpy(text + length, ending, sizeof(ending));
	emit(reader, text, vaddr, size_bytes);
}

/* The vaddr of the slot that an entry jumps through, in 32-bit files modulo 2^32. */
static uint64_t slot_vaddr_of(const struct plt_reader *reader, const struct plt_entry *entry)
{
	return entry->is_from_got ? (uint32_t)(reader->got_vaddr + entry->slot_vaddr) : entry->slot_vaddr;
}

/* The slot through which the entry jumps, or NULL. */
static const struct slot *slot_of_entry(const struct plt_reader *reader, const struct plt_entry *entry)
{
	const struct elf_section *lazy_relocations = &reader->lazy_relocations;
	struct byte_reader r;
	uint64_t vaddr;

	if (entry->lazy_index == PLT_NO_LAZY_INDEX)
		return find_slot(reader, slot_vaddr_of(reader, entry));
	if (!lazy_relocations->bytes)
		return NULL;
	r = byte_reader_over(lazy_relocations->bytes, lazy_relocations->size, elf_file_swapped(reader->file));
	byte_reader_skip(&r, (size_t)entry->lazy_index * relocation_bytes(reader));
	vaddr = next_relocation(reader, &r).vaddr;
	return byte_reader_ok(&r) ? find_slot(reader, vaddr) : NULL;
}

/* Only code that jumps through a function's slot is an entry; the next may begin behind it. */
static void read_plt_section(struct plt_reader *reader, const struct elf_section *plt)
{
	uint64_t first_entry = UINT64_MAX;
	struct plt_entry entry;
	size_t from = 0;

	while (plt_code_next(reader->machine->code, plt, from, &entry)) {
		const struct slot *slot = slot_of_entry(reader, &entry);

		from = entry.at + (slot ? entry.size : reader->machine->code->step_bytes);
		if (!slot)
			continue;
		if (first_entry == UINT64_MAX)
			first_entry = entry.at;
		emit_entry(reader, slot, plt->vaddr + entry.at, entry.size);
	}
	/* The header before the first entry pushes the link map and jumps to the dynamic linker. */
	if (first_entry == reader->machine->code->header_bytes)
		emit(reader, plt->name, plt->vaddr, first_entry);
}

static bool is_plt_section(const struct elf_section *section)
{
	return section->type == SHT_PROGBITS && (section->flags & SHF_EXECINSTR) &&
	       (strcmp(section->name, ".plt") == 0 || strcmp(section->name, ".plt.sec") == 0 ||
		strcmp(section->name, ".plt.got") == 0 || strcmp(section->name, ".iplt") == 0);
}

static void find_dynamic(struct plt_reader *reader)
{
	for (size_t i = 0; i < elf_file_section_count(reader->file); i++) {
		elf_file_section_header(reader->file, i, &reader->dynamic);
		if (reader->dynamic.type == SHT_DYNAMIC &&
		    elf_file_section_at(reader->file, i, &reader->dynamic, NULL) == 1)
			return;
	}
	reader->dynamic = (struct elf_section){ .bytes = NULL };
}

/* Finds _GLOBAL_OFFSET_TABLE_ through DT_PLTGOT. */
static void find_got(struct plt_reader *reader)
{
	struct byte_reader r =
		byte_reader_over(reader->dynamic.bytes, reader->dynamic.size, elf_file_swapped(reader->file));

	while (!is_64bit(reader) && byte_reader_left(&r) >= sizeof(Elf32_Dyn)) {
		const uint32_t tag = byte_reader_u32(&r), value = byte_reader_u32(&r);

		if (tag == DT_NULL)
			return;
		if (tag == DT_PLTGOT)
			reader->got_vaddr = value;
	}
}

/* Advances one step at a time, so that it misses no entry. It may include code that only looks like one. */
static void note_slots(struct plt_reader *reader, const struct elf_section *plt)
{
	struct slot_range *range = &reader->jumped_through;
	struct plt_entry entry;
	uint64_t vaddr;

	for (size_t from = 0; plt_code_next(reader->machine->code, plt, from, &entry);
	     from = entry.at + reader->machine->code->step_bytes) {
		if (entry.lazy_index != PLT_NO_LAZY_INDEX)
			continue;
		vaddr = slot_vaddr_of(reader, &entry);
		if (vaddr < range->first)
			range->first = vaddr;
		if (vaddr > range->last)
			range->last = vaddr;
	}
}

typedef void plt_section_use(struct plt_reader *reader, const struct elf_section *plt);

/* Calls `use` for each PLT section. Returns 1, 0 if there is none, -1 if one is damaged. */
static int each_plt_section(struct plt_reader *reader, plt_section_use *use, struct error *err)
{
	size_t looked_at = 0;
	int result = 0;

	for (size_t i = 0; i < elf_file_section_count(reader->file) && looked_at < MAX_PLT_SECTIONS; i++) {
		struct elf_section section;

		elf_file_section_header(reader->file, i, &section);
		if (!is_plt_section(&section))
			continue;
		if (looked_at++ == 0)
			result = 1;
		if (elf_file_section_at(reader->file, i, &section, err) < 0)
			result = -1;
		else if (section.bytes)
			use(reader, &section);
	}
	return result;
}

static int collect_all_slots(struct plt_reader *reader, struct error *err)
{
	size_t looked_at = 0;
	int result = 0;

	for (size_t i = 0; i < elf_file_section_count(reader->file) && looked_at < MAX_RELOCATION_SECTIONS;
	     i++) {
		struct elf_section section;
		bool is_lazy;

		elf_file_section_header(reader->file, i, &section);
		if (section.type != reader->machine->relocation_type || !(section.flags & SHF_ALLOC))
			continue;
		looked_at++;
		if (elf_file_section_at(reader->file, i, &section, err) < 0) {
			result = -1;
			continue;
		}
		is_lazy = strcmp(section.name, ".rela.plt") == 0 || strcmp(section.name, ".rel.plt") == 0;
		if (is_lazy)
			reader->lazy_relocations = section;
		collect_slots(reader, &section, is_lazy);
	}
	if (reader->slot_count > 0) {
		name_irelative_slots(reader);
		qsort(reader->slots, reader->slot_count, sizeof(*reader->slots), compare_slots);
	}
	return result;
}

int elf_plt_read(struct elf_file *file, elf_symbol_visit *visit, void *context, struct error *err)
{
	struct plt_reader reader = { .file = file,
				     .machine = machine_of(file),
				     .jumped_through = { .first = UINT64_MAX },
				     .visit = visit,
				     .context = context };
	int result;

	if (!reader.machine)
		return 0;
	find_dynamic(&reader);
	find_got(&reader);
	result = each_plt_section(&reader, note_slots, err);
	if (result == 0)
		return 0;
	if (collect_all_slots(&reader, err) < 0)
		result = -1;
	(void)each_plt_section(&reader, read_plt_section, err);
	free(reader.slots);
	return result;
}
