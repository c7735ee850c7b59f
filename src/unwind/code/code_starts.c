/*
 * Sweeps the executable segments once and collects targets of calls, addresses and jumps; a bitmap marks the bytes into which no
 * code falls through. Relocations and, in programs at fixed addresses, data add more targets. choose() keeps the targets that can
 * be starts and repeats for jumps between functions, as each new start reveals others.
 */
#include "unwind/code/code_starts.h"

#include <elf.h>
#include <stdlib.h>

#include "base/byte_reader.h"
#include "base/partition_point.h"
#include "base/xalloc.h"

struct vaddrs {
	uint64_t *items;
	size_t count, capacity;
};

struct jump {
	uint64_t from, to;
};

/* Starts of functions that instructions reveal. */
struct targets {
	struct vaddrs called, pointed;
	struct jump *jumps;
	size_t jump_count, jump_capacity;
	bool is_fixed; /* linked to fixed addresses: a constant may be an address */
};

/* aarch64 composes an address in two instructions: the page, and what is added to it. 0: no page. */
struct pages {
	uint64_t of_register[UNWIND_REGISTER_COUNT];
};

/* One executable segment during the sweep. */
struct sweep {
	const uint8_t *code;
	uint64_t vaddr;
	size_t size;
	uint8_t *ends; /* bit n: the code before byte n does not fall through into it */
	struct code_bitmap *described;
	bool reads_all; /* reads the instructions of described code as well */
};

static void add(struct vaddrs *vaddrs, uint64_t vaddr)
{
	*ARRAY_ADD(vaddrs->items, vaddrs->count, vaddrs->capacity) = vaddr;
}

static void add_jump(struct targets *targets, uint64_t from, uint64_t to)
{
	*ARRAY_ADD(targets->jumps, targets->jump_count, targets->jump_capacity) = (struct jump){ from, to };
}

static void note_target(struct targets *targets, uint64_t vaddr, const struct code_instruction *instruction)
{
	const uint64_t target = vaddr + (uint64_t)instruction->target;

	if (instruction->names_code)
		add(&targets->pointed, target);
	else if (targets->is_fixed && instruction->has_constant)
		add(&targets->pointed, instruction->constant);
	else if (instruction->flow == CODE_CALL && instruction->has_target)
		add(&targets->called, target);
	else if (instruction->flow == CODE_JUMP)
		add_jump(targets, vaddr, target);
}

static void follow_pages(struct targets *targets, struct pages *pages, uint64_t vaddr,
			 const struct code_instruction *instruction)
{
	enum { PAGE_BYTES = 4096 };

	for (size_t i = 0; i < instruction->effect_count; i++) {
		const struct code_effect *effect = &instruction->effects[i];

		if (effect->kind == CODE_SET && pages->of_register[effect->base] != 0)
			add(&targets->pointed,
			    pages->of_register[effect->base] + (uint64_t)(int64_t)effect->value);
		if (effect->kind != CODE_STORE)
			pages->of_register[effect->reg] = 0;
	}
	if (instruction->names_page)
		pages->of_register[instruction->effects[0].reg] =
			(vaddr & -(uint64_t)PAGE_BYTES) + (uint64_t)instruction->target;
}

static bool ends_block(const struct code_instruction *instruction)
{
	return instruction->flow == CODE_JUMP || instruction->flow == CODE_JUMP_UNKNOWN ||
	       instruction->flow == CODE_END;
}

/* Zeros are padding, of linkers between sections and of Free Pascal between functions. */
static bool is_zero(const struct sweep *sweep, const struct unwind_arch *arch, size_t at)
{
	for (size_t i = at; i < at + arch->code_alignment_bytes && i < sweep->size; i++)
		if (sweep->code[i] != 0)
			return false;
	return true;
}

/* Collects starts in undescribed code that described code in [at, end) of the sweep refers to. */
static void look_through(const struct sweep *sweep, const struct unwind_arch *arch, size_t at, size_t end,
			 struct targets *targets)
{
	struct code_reference reference;

	for (; arch->find_reference(sweep->code, sweep->size, at, end, &reference); at = reference.at + 1) {
		const size_t goal = reference.at + (size_t)reference.distance;
		const uint64_t target = sweep->vaddr + goal;

		if (goal >= sweep->size || code_bitmap_has(sweep->described, goal))
			continue;
		if (reference.kind == CODE_REFERS_BY_CALL)
			add(&targets->called, target);
		else if (reference.kind == CODE_REFERS_BY_JUMP)
			add_jump(targets, sweep->vaddr + reference.at, target);
		else
			add(&targets->pointed, target);
	}
}

/* The end of the described code that begins at `at` and is not read; `at` if there is none. */
static size_t skipped_until(const struct sweep *sweep, size_t at)
{
	return sweep->reads_all ? at : code_bitmap_until(sweep->described, at);
}

/* Described code does not continue into undescribed code, even if its last instruction is a call. */
static bool is_behind_described(const struct sweep *sweep, size_t at)
{
	return at > 0 && code_bitmap_has(sweep->described, at - 1) && !code_bitmap_has(sweep->described, at);
}

/*
 * The size of the instruction at `at` if it need not be decoded, else 0. Most need not, and decoding takes three quarters of a
 * search's time.
 */
static size_t plain_bytes(const struct sweep *sweep, const struct unwind_arch *arch, size_t at)
{
	return arch->plain_instruction ? arch->plain_instruction(sweep->code + at, sweep->size - at) : 0;
}

/*
 * Reads from the first byte to the last: compilers put no data between instructions, and bytes that are no instruction are
 * skipped. A function may end with a call that never returns, followed by padding.
 */
static void read_code(struct sweep *sweep, const struct unwind_arch *arch, struct targets *targets)
{
	struct code_instruction instruction;
	bool has_ended = true, was_call = false, zero;
	struct pages pages = { .of_register = { 0 } };

	for (size_t at = 0, plain; at < sweep->size;) {
		const size_t skipped = has_ended || at == 0 ? skipped_until(sweep, at) : at;

		if (skipped > at) {
			look_through(sweep, arch, at, skipped, targets);
			at = skipped;
			has_ended = true;
			continue;
		}
		zero = is_zero(sweep, arch, at);
		has_ended = has_ended || is_behind_described(sweep, at) || (was_call && zero);
		if (has_ended)
			sweep->ends[at / 8] |= (uint8_t)(1u << at % 8);
		/* Skip zeros one by one: decoded as an instruction they might swallow the first byte of a function. */
		if (has_ended && zero) {
			at += arch->code_alignment_bytes;
			continue;
		}
		plain = plain_bytes(sweep, arch, at);
		if (plain) {
			at += plain;
			has_ended = was_call = false;
			continue;
		}
		if (!arch->read_instruction(sweep->code + at, sweep->size - at, &instruction)) {
			at += arch->code_alignment_bytes;
			has_ended = true;
			continue;
		}
		note_target(targets, sweep->vaddr + at, &instruction);
		follow_pages(targets, &pages, sweep->vaddr + at, &instruction);
		has_ended = instruction.is_padding ? has_ended || was_call : ends_block(&instruction);
		was_call = instruction.flow == CODE_CALL;
		at += instruction.size_bytes;
	}
}

/* Reads the pointer in the file that a relocation without an addend refers to. */
static void read_pointer(const struct elf_file *file, uint64_t vaddr, struct vaddrs *pointed)
{
	struct byte_reader r;
	uint64_t offset;
	size_t size;
	const uint8_t *bytes = elf_file_bytes(file, &size);

	if (elf_file_vaddr_to_offset(file, vaddr, &offset) < 0 || offset > size)
		return;
	r = byte_reader_over(bytes + offset, size - (size_t)offset, elf_file_swapped(file));
	if (byte_reader_left(&r) >= sizeof(uint32_t))
		add(pointed, byte_reader_u32(&r));
}

/* As read_relocations(), for i386, which keeps addends in the pointers' places (System V ABI, i386 supplement, "Relocation"). */
static void read_relocations_in_place(struct elf_file *file, struct vaddrs *pointed)
{
	struct elf_section section;
	struct byte_reader r;

	if (elf_file_machine(file) != EM_386 || elf_file_section(file, ".rel.dyn", &section, NULL) != 1 ||
	    !section.bytes)
		return;
	r = byte_reader_over(section.bytes, section.size, elf_file_swapped(file));
	while (byte_reader_left(&r) >= sizeof(Elf32_Rel)) {
		const uint32_t vaddr = byte_reader_u32(&r), info = byte_reader_u32(&r);

		if (ELF32_R_TYPE(info) == R_386_RELATIVE)
			read_pointer(file, vaddr, pointed);
	}
}

/* Reads the pointers that the dynamic linker fills in: position-independent code has no others in its data. */
static void read_relocations(struct elf_file *file, struct vaddrs *pointed)
{
	const uint32_t relative =
		elf_file_machine(file) == EM_AARCH64 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE;
	struct elf_section section;
	struct byte_reader r;
	struct error err;

	if (!elf_file_is_64bit(file) || elf_file_section(file, ".rela.dyn", &section, &err) != 1 ||
	    !section.bytes)
		return;
	r = byte_reader_over(section.bytes, section.size, elf_file_swapped(file));
	while (byte_reader_left(&r) >= sizeof(Elf64_Rela)) {
		uint64_t info, addend;

		byte_reader_skip(&r, 8);
		info = byte_reader_u64(&r);
		addend = byte_reader_u64(&r);
		if (ELF64_R_TYPE(info) == relative)
			add(pointed, addend);
	}
}

/* Reads pointers in writable data of a program linked to fixed addresses. (Read-only data also has jump tables.) */
static void read_data(const struct elf_file *file, struct vaddrs *pointed)
{
	const size_t word_bytes = elf_file_is_64bit(file) ? 8 : 4;
	size_t size, part;
	const uint8_t *bytes = elf_file_bytes(file, &size);

	for (size_t i = 0; i < elf_file_segment_count(file); i++) {
		const struct elf_segment *segment = elf_file_segment(file, i);
		struct byte_reader r;

		if (!segment->writable || segment->file_offset > size)
			continue;
		part = size - (size_t)segment->file_offset;
		if (segment->file_size < part)
			part = (size_t)segment->file_size;
		if (part > CODE_STARTS_MAX_BYTES)
			part = CODE_STARTS_MAX_BYTES;
		r = byte_reader_over(bytes + segment->file_offset, part, elf_file_swapped(file));
		byte_reader_skip(&r, (size_t)(-segment->vaddr & (word_bytes - 1)));
		while (byte_reader_left(&r) >= word_bytes)
			add(pointed, word_bytes == 8 ? byte_reader_u64(&r) : byte_reader_u32(&r));
	}
}

static int compare(const void *a, const void *b)
{
	const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

static void sort(struct vaddrs *vaddrs)
{
	size_t kept = 0;

	if (vaddrs->count > 1)
		qsort(vaddrs->items, vaddrs->count, sizeof(*vaddrs->items), compare);
	for (size_t i = 0; i < vaddrs->count; i++)
		if (kept == 0 || vaddrs->items[kept - 1] != vaddrs->items[i])
			vaddrs->items[kept++] = vaddrs->items[i];
	vaddrs->count = kept;
}

/* Is it code into which the code before it does not fall through? */
static bool begins(const struct sweep *sweeps, size_t count, uint64_t vaddr)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t distance = vaddr - sweeps[i].vaddr;

		if (sweeps[i].ends && distance < sweeps[i].size)
			return sweeps[i].ends[distance / 8] >> distance % 8 & 1;
	}
	return false;
}

static bool is_code(const struct sweep *sweeps, size_t count, uint64_t vaddr)
{
	for (size_t i = 0; i < count; i++)
		if (sweeps[i].ends && vaddr - sweeps[i].vaddr < sweeps[i].size)
			return true;
	return false;
}

/* The number of bounds at or before the vaddr: equal for two vaddrs that no bound separates. */
static size_t bounds_before(const struct vaddrs *bounds, uint64_t vaddr)
{
	return PARTITION_POINT(i, 0, bounds->count, bounds->items[i] <= vaddr);
}

/*
 * A jump into another function is a tail call of it. Its target is a bound too, which reveals more such jumps, so this repeats
 * until none is new.
 */
static void add_jumped_to(const struct sweep *sweeps, size_t count, const struct targets *targets,
			  struct vaddrs *bounds, struct vaddrs *found)
{
	enum { MAX_ROUNDS = 8 };
	size_t before = 0;

	for (int round = 0; round < MAX_ROUNDS && found->count != before; round++) {
		before = found->count;
		for (size_t i = 0; i < found->count; i++)
			add(bounds, found->items[i]);
		sort(bounds);
		for (size_t i = 0; i < targets->jump_count; i++) {
			const struct jump *jump = &targets->jumps[i];

			if (bounds_before(bounds, jump->from) != bounds_before(bounds, jump->to) &&
			    begins(sweeps, count, jump->to))
				add(found, jump->to);
		}
		sort(found);
	}
}

static bool open_segment(const struct elf_file *file, size_t number, struct sweep *sweep)
{
	const struct elf_segment *segment = elf_file_segment(file, number);
	size_t file_size;
	const uint8_t *bytes = elf_file_bytes(file, &file_size);

	if (!segment->executable || segment->file_offset > file_size)
		return false;
	sweep->code = bytes + segment->file_offset;
	sweep->vaddr = segment->vaddr;
	sweep->size = file_size - (size_t)segment->file_offset;
	if (segment->file_size < sweep->size)
		sweep->size = (size_t)segment->file_size;
	return sweep->size > 0;
}

bool code_starts_searches(const struct elf_file *file)
{
	struct sweep sweep;
	size_t bytes = 0;

	for (size_t i = 0; i < elf_file_segment_count(file); i++)
		if (open_segment(file, i, &sweep))
			bytes += sweep.size;
	return bytes > 0 && bytes <= CODE_STARTS_MAX_BYTES;
}

/*
 * Chooses targets that are code: all called ones, and of those pointed to or jumped to the ones that no code falls through into.
 */
static void choose(const struct sweep *sweeps, size_t count, struct targets *targets, struct vaddrs *bounds,
		   struct vaddrs *found)
{
	sort(&targets->called);
	sort(&targets->pointed);
	for (size_t i = 0; i < targets->called.count; i++)
		if (is_code(sweeps, count, targets->called.items[i]))
			add(found, targets->called.items[i]);
	for (size_t i = 0; i < targets->pointed.count; i++)
		if (begins(sweeps, count, targets->pointed.items[i]))
			add(found, targets->pointed.items[i]);
	sort(found);
	add_jumped_to(sweeps, count, targets, bounds, found);
}

/*
 * Sweeps of segments without code are zero. All instructions must be read in programs at fixed addresses, whose pointers are
 * constants, and for machines that have no find_reference(), as their instructions are quickly read.
 */
static struct sweep *open_sweeps(const struct elf_file *file, const struct unwind_arch *arch,
				 const struct code_descriptions *described, bool is_fixed)
{
	const size_t count = elf_file_segment_count(file);
	struct sweep *sweeps = xcalloc(count, sizeof(*sweeps));
	struct code_range *ranges = NULL;
	size_t range_count = described->list(described->context, &ranges);

	range_count = code_ranges_join(ranges, range_count);
	for (size_t i = 0; i < count; i++) {
		struct sweep *sweep = &sweeps[i];

		if (!open_segment(file, i, sweep))
			continue;
		sweep->ends = xcalloc(sweep->size / 8 + 1, 1);
		sweep->described = code_bitmap_create(sweep->vaddr, sweep->size, ranges, range_count);
		sweep->reads_all = !arch->find_reference || is_fixed;
	}
	free(ranges);
	return sweeps;
}

static void close_sweeps(struct sweep *sweeps, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(sweeps[i].ends);
		code_bitmap_destroy(sweeps[i].described);
	}
	free(sweeps);
}

size_t code_starts_find(struct elf_file *file, const struct unwind_arch *arch,
			const struct code_descriptions *described, const uint64_t *bounds, size_t bound_count,
			uint64_t **starts)
{
	const size_t count = elf_file_segment_count(file);
	struct vaddrs found = { .count = 0 }, all_bounds = { .count = 0 };
	struct targets targets = { .is_fixed = elf_file_type(file) == ET_EXEC };
	struct sweep *sweeps;

	*starts = NULL;
	if (!code_starts_searches(file))
		return 0;
	sweeps = open_sweeps(file, arch, described, targets.is_fixed);
	for (size_t i = 0; i < count; i++)
		read_code(&sweeps[i], arch, &targets);
	read_relocations(file, &targets.pointed);
	read_relocations_in_place(file, &targets.pointed);
	if (targets.is_fixed)
		read_data(file, &targets.pointed);
	for (size_t i = 0; i < bound_count; i++)
		add(&all_bounds, bounds[i]);
	choose(sweeps, count, &targets, &all_bounds, &found);
	close_sweeps(sweeps, count);
	free(targets.called.items);
	free(targets.pointed.items);
	free(targets.jumps);
	free(all_bounds.items);
	*starts = found.items;
	return found.count;
}
