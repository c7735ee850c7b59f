/*
 * code_blocks_find() cuts the object at both ends of every range that ran, decodes each piece once, and counts executions by
 * differences: a range adds to its first piece and subtracts after its last one.
 */
#include "report/code/code_blocks.h"

#include <elf.h>
#include <stdlib.h>

#include "base/partition_point.h"
#include "base/xalloc.h"
#include "report/code/x86_instruction.h"

enum {
	BRANCH_INDIRECT = 3,
	BRANCH_INDIRECT_CALL = 5
}; /* PERF_BR_IND, PERF_BR_IND_CALL of linux/perf_event.h */

/* --- code ---------------------------------------------------------------------------------- */

/* The code from an address to the end of its file; 0 bytes if it is not in the file. */
static size_t bytes_at(const struct code_object *object, uint64_t address, const uint8_t **bytes)
{
	const struct code_place place = { object->dso->number, address };
	uint64_t offset = address;
	const uint8_t *start;
	size_t size;

	if (!object->file && (!object->vmlinux || !code_object_vaddr(object, &place, &offset) ||
			      elf_file_vaddr_to_offset(object->vmlinux, offset, &offset) < 0))
		return 0;
	start = elf_file_bytes(code_object_file(object), &size);
	if (offset >= size)
		return 0;
	*bytes = start + offset;
	return size - offset;
}

static bool is_x86(const struct code_object *object)
{
	const struct elf_file *file = code_object_file(object);

	return file && (elf_file_machine(file) == EM_X86_64 || elf_file_machine(file) == EM_386);
}

size_t code_object_instruction_length(const struct code_object *object, uint64_t address)
{
	const uint8_t *bytes;
	const size_t size = is_x86(object) ? bytes_at(object, address, &bytes) : 0;

	return size ? x86_instruction_length(bytes, size, elf_file_is_64bit(code_object_file(object))) : 0;
}

bool code_object_is_indirect(const struct code_object *object, const struct code_count *branch)
{
	const uint8_t *bytes;
	const size_t size = is_x86(object) ? bytes_at(object, branch->from.address, &bytes) : 0;

	if (branch->type)
		return branch->type == BRANCH_INDIRECT || branch->type == BRANCH_INDIRECT_CALL;
	return size && x86_instruction_is_indirect(bytes, size, elf_file_is_64bit(code_object_file(object)));
}

/* --- blocks --------------------------------------------------------------------------------- */

struct cutting {
	const struct code_object *object;
	const struct code_table *ranges;
	uint64_t *cuts;
	size_t cut_count, cut_capacity;
	/* Of the piece from each cut to the next. */
	uint32_t *instructions;
	uint64_t *before; /* instructions of all pieces before it */
	int64_t *executions;
	double *cycles, *counted;
};

static void cut_at(struct cutting *cutting, uint64_t address)
{
	*ARRAY_ADD(cutting->cuts, cutting->cut_count, cutting->cut_capacity) = address;
}

/* The address after an instruction; the next byte if it cannot be decoded. */
static uint64_t behind(const struct cutting *cutting, uint64_t address)
{
	const size_t length = code_object_instruction_length(cutting->object, address);

	return address + (length ? length : 1);
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

static void find_cuts(struct cutting *cutting)
{
	size_t kept = 0;

	for (size_t i = 0; i < cutting->ranges->count; i++) {
		const struct code_count *range = &cutting->ranges->items[i];

		if (!code_object_has(cutting->object, &range->from))
			continue;
		cut_at(cutting, range->from.address);
		cut_at(cutting, behind(cutting, range->to.address));
	}
	if (cutting->cut_count)
		qsort(cutting->cuts, cutting->cut_count, sizeof(*cutting->cuts), compare_addresses);
	for (size_t i = 0; i < cutting->cut_count; i++)
		if (kept == 0 || cutting->cuts[kept - 1] != cutting->cuts[i])
			cutting->cuts[kept++] = cutting->cuts[i];
	cutting->cut_count = kept;
}

static size_t piece_at(const struct cutting *cutting, uint64_t address)
{
	return PARTITION_POINT(i, 0, cutting->cut_count, cutting->cuts[i] < address);
}

/* 0 if something in it is no instruction. */
static uint32_t count_instructions(const struct code_object *object, uint64_t begin, uint64_t end)
{
	uint32_t count = 0;

	for (uint64_t at = begin; at < end; count++) {
		const size_t length = code_object_instruction_length(object, at);

		if (!length)
			return 0;
		at += length;
	}
	return count;
}

static void add_executions(struct cutting *cutting)
{
	for (size_t i = 0; i < cutting->ranges->count; i++) {
		const struct code_count *range = &cutting->ranges->items[i];

		if (!code_object_has(cutting->object, &range->from))
			continue;
		cutting->executions[piece_at(cutting, range->from.address)] += (int64_t)range->count;
		cutting->executions[piece_at(cutting, behind(cutting, range->to.address))] -=
			(int64_t)range->count;
	}
	for (size_t i = 1; i < cutting->cut_count; i++)
		cutting->executions[i] += cutting->executions[i - 1];
}

/* Decodes only pieces that ran: between functions there may be bytes that are no code. */
static void decode_pieces(struct cutting *cutting)
{
	for (size_t i = 0; i + 1 < cutting->cut_count; i++) {
		if (cutting->executions[i] > 0)
			cutting->instructions[i] =
				count_instructions(cutting->object, cutting->cuts[i], cutting->cuts[i + 1]);
		cutting->before[i + 1] = cutting->before[i] + cutting->instructions[i];
	}
}

static void add_cycles(struct cutting *cutting)
{
	for (size_t i = 0; i < cutting->ranges->count; i++) {
		const struct code_count *range = &cutting->ranges->items[i];
		size_t first, last;
		double instructions, bytes;

		if (!range->counted || !code_object_has(cutting->object, &range->from))
			continue;
		first = piece_at(cutting, range->from.address);
		last = piece_at(cutting, behind(cutting, range->to.address));
		instructions = (double)(cutting->before[last] - cutting->before[first]);
		bytes = (double)(cutting->cuts[last] - cutting->cuts[first]);
		for (size_t piece = first; piece < last; piece++) {
			const double own_bytes = (double)(cutting->cuts[piece + 1] - cutting->cuts[piece]);

			cutting->counted[piece] += (double)range->counted;
			cutting->cycles[piece] +=
				(double)range->cycles * (instructions > 0 ?
								 cutting->instructions[piece] / instructions :
								 own_bytes / bytes);
		}
	}
}

static void keep_blocks(const struct cutting *cutting, struct code_blocks *blocks)
{
	blocks->items = xmalloc((cutting->cut_count + 1) * sizeof(*blocks->items));
	for (size_t i = 0; i + 1 < cutting->cut_count; i++) {
		if (cutting->executions[i] <= 0)
			continue;
		blocks->items[blocks->count++] =
			(struct code_block){ .begin = cutting->cuts[i],
					     .end = cutting->cuts[i + 1],
					     .executions = (uint64_t)cutting->executions[i],
					     .instructions = cutting->instructions[i],
					     .counted = cutting->counted[i],
					     .cycles = cutting->cycles[i] };
		blocks->has_cycles |= cutting->counted[i] > 0;
		blocks->has_instructions |= cutting->instructions[i] != 0;
	}
}

void code_blocks_find(struct code_blocks *blocks, const struct code_recording *recording,
		      const struct code_object *object)
{
	struct cutting cutting = { .object = object, .ranges = &recording->counts.ranges };

	*blocks = (struct code_blocks){ .count = 0 };
	find_cuts(&cutting);
	cutting.instructions = xcalloc(cutting.cut_count + 1, sizeof(*cutting.instructions));
	cutting.before = xcalloc(cutting.cut_count + 1, sizeof(*cutting.before));
	cutting.executions = xcalloc(cutting.cut_count + 1, sizeof(*cutting.executions));
	cutting.cycles = xcalloc(cutting.cut_count + 1, sizeof(*cutting.cycles));
	cutting.counted = xcalloc(cutting.cut_count + 1, sizeof(*cutting.counted));
	add_executions(&cutting);
	decode_pieces(&cutting);
	add_cycles(&cutting);
	keep_blocks(&cutting, blocks);
	free(cutting.cuts);
	free(cutting.instructions);
	free(cutting.before);
	free(cutting.executions);
	free(cutting.cycles);
	free(cutting.counted);
}

void code_blocks_fini(struct code_blocks *blocks)
{
	free(blocks->items);
}

const struct code_block *code_blocks_at(const struct code_blocks *blocks, uint64_t address)
{
	const size_t first = PARTITION_POINT(i, 0, blocks->count, blocks->items[i].begin <= address);

	return first && address < blocks->items[first - 1].end ? &blocks->items[first - 1] : NULL;
}

double code_block_ipc(const struct code_block *block)
{
	return block->cycles > 0 ? block->instructions * block->counted / block->cycles : 0;
}

/* --- loops ---------------------------------------------------------------------------------- */

/* A recursive call leads to the function's beginning, and is no loop. */
static bool leads_back(const struct code_object *object, const struct code_count *branch)
{
	uint64_t from, to;
	const struct code_function *function;

	if (branch->to.address > branch->from.address || !code_object_vaddr(object, &branch->from, &from) ||
	    !code_object_vaddr(object, &branch->to, &to))
		return false;
	function = code_object_function(object, to);
	return function && function == code_object_function(object, from) && to != function->vaddr;
}

static double cycles_between(const struct code_blocks *blocks, uint64_t begin, uint64_t last)
{
	double cycles = 0;

	for (const struct code_block *block = code_blocks_at(blocks, begin);
	     block && block < blocks->items + blocks->count && block->begin <= last; block++)
		if (block->counted > 0)
			cycles += block->cycles / block->counted * (double)block->executions;
	return cycles;
}

static void add_back_branch(struct code_loop *loops, size_t *count, const struct code_count *branch)
{
	struct code_loop *loop = loops;

	if (!branch->followed)
		return;
	while (loop < loops + *count && loop->head != branch->to.address)
		loop++;
	if (loop == loops + *count) {
		*loop = (struct code_loop){ .head = branch->to.address };
		++*count;
	}
	loop->backs += branch->followed;
	if (branch->from.address > loop->back)
		loop->back = branch->from.address;
}

static const struct code_count *first_from(const struct code_table *branches, uint32_t dso, uint64_t address)
{
	const size_t first = PARTITION_POINT(i, 0, branches->count,
					     branches->items[i].from.dso < dso ||
						     (branches->items[i].from.dso == dso &&
						      branches->items[i].from.address < address));

	return branches->items + first;
}

static bool is_inside(const struct code_loop *loop, uint64_t address)
{
	return address >= loop->head && address <= loop->back;
}

/* Entries are branches from the rest of the function into the loop, and executions of its beginning to which no branch led. */
static void count_entries(struct code_loop *loop, const struct code_table *branches,
			  const struct code_object *object, const struct code_blocks *blocks)
{
	const struct code_place head = { object->dso->number, loop->head };
	const struct code_block *block = code_blocks_at(blocks, loop->head);
	const struct code_function *function;
	uint64_t vaddr, begin, end, to_head = 0, most = 0, door = loop->head;

	if (!code_object_vaddr(object, &head, &vaddr) || !(function = code_object_function(object, vaddr)))
		return;
	begin = loop->head - (vaddr - function->vaddr);
	end = begin + function->size_bytes;
	for (const struct code_count *branch = first_from(branches, head.dso, begin);
	     branch < branches->items + branches->count && branch->from.dso == head.dso &&
	     branch->from.address < end;
	     branch++) {
		if (branch->to.dso != head.dso)
			continue;
		to_head += branch->to.address == loop->head ? branch->followed : 0;
		if (is_inside(loop, branch->from.address) || !is_inside(loop, branch->to.address))
			continue;
		loop->entries += branch->followed;
		if (branch->followed > most) {
			most = branch->followed;
			door = branch->to.address;
		}
	}
	if (block && block->executions > to_head) {
		loop->entries += block->executions - to_head;
		door = block->executions - to_head > most ? loop->head : door;
	}
	block = code_blocks_at(blocks, door);
	loop->trips = block ? block->executions : 0;
}

static int compare_loops(const void *a, const void *b)
{
	const struct code_loop *left = a, *right = b;

	if (left->backs != right->backs)
		return left->backs > right->backs ? -1 : 1;
	return left->head < right->head ? -1 : left->head > right->head;
}

struct code_loop *code_loops_find(const struct code_recording *recording, const struct code_object *object,
				  const struct code_blocks *blocks, size_t *count)
{
	const struct code_table *branches = &recording->counts.branches;
	size_t candidates = 0;
	struct code_loop *loops;

	for (size_t i = 0; i < branches->count; i++)
		candidates += leads_back(object, &branches->items[i]);
	loops = xcalloc(candidates + 1, sizeof(*loops));
	*count = 0;
	for (size_t i = 0; i < branches->count; i++)
		if (leads_back(object, &branches->items[i]))
			add_back_branch(loops, count, &branches->items[i]);
	for (size_t i = 0; i < *count; i++) {
		count_entries(&loops[i], branches, object, blocks);
		loops[i].cycles = loops[i].trips ? cycles_between(blocks, loops[i].head, loops[i].back) /
							   (double)loops[i].trips :
						   0;
	}
	if (*count)
		qsort(loops, *count, sizeof(*loops), compare_loops);
	return loops;
}
