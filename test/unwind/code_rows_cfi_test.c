/*
 * Rows made from instructions must agree with the compiler's CFI: for functions with CFI, makes rows from the instructions as
 * well and compares both at every instruction. By default it reads the C library; CODE_ROWS_FILES (separated by spaces) names
 * other files, and CODE_ROWS_SHOW says how many differences to print per file.
 */

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "unwind/cfi/cfi_source.h"
#include "unwind/cfi/fde_index.h"
#include "unwind/code/code_rows.h"

enum {
	DIFFERENT_ONE_IN = 2000, /* at most one instruction in so many: the limit for wrong frames as well */
	UNKNOWN_ONE_IN = 20,
};

struct row {
	uint64_t start;
	uint32_t rule;
};

struct rows {
	struct row *items;
	size_t count, capacity;
};

/* One file and its results. */
struct comparison {
	const struct unwind_arch *arch;
	struct rule_pool *pool;
	struct rows from_cfi, from_code;
	long show; /* how many more differences to print */
	uint64_t functions, instructions, unknown, compared, different;
};

static void collect(void *context, uint64_t start, uint32_t rule)
{
	struct rows *rows = context;

	rows->items = array_grow(rows->items, &rows->capacity, rows->count + 1, sizeof(*rows->items));
	rows->items[rows->count++] = (struct row){ start, rule };
}

static const struct unwind_rule *rule_at(const struct comparison *comparison, const struct rows *rows,
					 uint64_t vaddr)
{
	size_t low = 0, high = rows->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (rows->items[middle].start <= vaddr)
			low = middle;
		else
			high = middle;
	}
	return rule_pool_rule(comparison->pool, rows->items[low].rule);
}

/* CFI still names the place from which a register was popped, and need not say that a register is kept. */
static bool same_frame_pointer(const struct unwind_rule *cfi, const struct unwind_rule *code)
{
	const bool is_kept = cfi->fp.kind == RULE_UNSPECIFIED || cfi->fp.kind == RULE_SAME_VALUE;

	if (code->fp.kind == RULE_SAME_VALUE)
		return is_kept || cfi->fp.kind == RULE_AT_CFA;
	return cfi->fp.kind == code->fp.kind && cfi->fp.value == code->fp.value;
}

static void compare_rules(struct comparison *comparison, uint64_t vaddr, const struct unwind_rule *cfi,
			  const struct unwind_rule *code)
{
	comparison->instructions++;
	if (code->path == PATH_NO_CFI) {
		comparison->unknown++;
		return;
	}
	if (cfi->cfa.kind != CFA_REGISTER || cfi->cfa.reg != code->cfa.reg)
		return;
	comparison->compared++;
	if (cfi->cfa.value == code->cfa.value && same_frame_pointer(cfi, code))
		return;
	comparison->different++;
	if (comparison->show-- > 0)
		printf("# 0x%" PRIx64
		       ": CFI %d %+d, frame pointer %d %+d; code %d %+d, frame pointer %d %+d\n",
		       vaddr, cfi->cfa.reg, cfi->cfa.value, cfi->fp.kind, cfi->fp.value, code->cfa.reg,
		       code->cfa.value, code->fp.kind, code->fp.value);
}

/* Is it a whole function? Parts of functions, which other code jumps to, begin differently. */
static bool is_whole(const struct comparison *comparison, uint64_t start)
{
	const struct unwind_rule *first = rule_at(comparison, &comparison->from_cfi, start);

	return first->cfa.kind == CFA_REGISTER && first->cfa.reg == comparison->arch->sp &&
	       first->cfa.value == (comparison->arch->ra_is_register ? 0 : 8) && !first->signal_frame;
}

static void compare_function(struct comparison *comparison, const uint8_t *code, const struct cfi_fde *fde)
{
	const size_t size = (size_t)(fde->end - fde->start);
	struct code_instruction instruction;

	comparison->from_code.count = 0;
	code_rows_make(&(struct code_function_bytes){ code, size, fde->start, true }, comparison->arch,
		       comparison->pool, collect, &comparison->from_code);
	comparison->functions++;
	for (size_t at = 0;
	     at < size && comparison->arch->read_instruction(code + at, size - at, &instruction);
	     at += instruction.size_bytes)
		if (!instruction.is_padding)
			compare_rules(comparison, fde->start + at,
				      rule_at(comparison, &comparison->from_cfi, fde->start + at),
				      rule_at(comparison, &comparison->from_code, fde->start + at));
}

static void compare_fde(struct comparison *comparison, struct elf_file *file, struct fde_index *index,
			const struct fde_index_slot *slot)
{
	const struct cfi_cie *cie;
	struct cfi_fde fde;
	size_t before, after;
	const uint8_t *code;

	if (fde_index_read(index, slot->fde_offset, &fde) != 1)
		return;
	cie = fde_index_cie(index, &fde);
	code = cfi_source_loaded(file, fde.start, &before, &after);
	if (!code || fde.end - fde.start > after)
		return;
	comparison->from_cfi.count = 0;
	cfi_program_run(fde_index_section(index), cie, &fde, comparison->arch, comparison->pool, collect,
			&comparison->from_cfi);
	if (is_whole(comparison, fde.start))
		compare_function(comparison, code, &fde);
}

static void compare_file(const char *path)
{
	const char *show = getenv("CODE_ROWS_SHOW");
	struct comparison comparison = { .show = show ? strtol(show, NULL, 10) : 3 };
	struct error err;
	struct elf_file *file = elf_file_open(path, &err);
	struct cfi_section section;
	struct fde_index *index;
	struct cfi_hdr hdr;

	assert_non_null(file);
	assert_int_equal(cfi_source_eh_frame(file, &section, &hdr), 1);
	comparison.arch = unwind_arch_find(elf_file_machine(file));
	comparison.pool = rule_pool_create();
	index = fde_index_create(&section, hdr.bytes, hdr.size);
	for (uint32_t i = 0; i < fde_index_count(index); i++) {
		struct fde_index_slot slot;

		if (fde_index_slot(index, i, &slot) == 0)
			compare_fde(&comparison, file, index, &slot);
	}
	fde_index_destroy(index);
	rule_pool_destroy(comparison.pool);
	elf_file_close(file);
	free(comparison.from_cfi.items);
	free(comparison.from_code.items);
	printf("# %s: %" PRIu64 " functions, %" PRIu64 " instructions: %" PRIu64 " of unknown depth, %" PRIu64
	       " compared, %" PRIu64 " differ\n",
	       path, comparison.functions, comparison.instructions, comparison.unknown, comparison.compared,
	       comparison.different);
	assert_true(comparison.different * DIFFERENT_ONE_IN <= comparison.compared);
	assert_true(comparison.unknown * UNKNOWN_ONE_IN <= comparison.instructions);
}

/* The file of the C library, found by one of its functions. */
static const char *c_library(void)
{
	Dl_info where;

	return dladdr((void *)(uintptr_t)&qsort, &where) ? where.dli_fname : NULL;
}

static void rows_of_instructions_are_those_of_cfi(void **state)
{
	const char *files = getenv("CODE_ROWS_FILES");
	struct code_instruction instruction;
	char *copy, *next, *path;

	(void)state;
	if (!code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction))
		skip(); /* built without the instruction decoder */
	copy = xstrdup(files ? files : c_library());
	for (next = copy; (path = strtok_r(next, " ", &next)) != NULL;)
		compare_file(path);
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_instructions_are_those_of_cfi),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
