#ifndef XPROF_UNWIND_CODE_TABLE_H
#define XPROF_UNWIND_CODE_TABLE_H

/*
 * Rules for the functions of a file that nothing else describes, made from their
 * instructions (code_rows.h) when the first address in one is looked up.
 *
 * Symbols say where functions begin, and a Go program's own table. Others (a stripped
 * library's static functions) begin where a call leads to, and at an address that is
 * taken and that nothing runs into from above (code_starts.h).
 *
 *     table = code_table_create(files, count, arch, described);
 *     rule = code_table_find(table, rules, vaddr);
 *     if (rule != RULE_POOL_NO_CFI)
 *             step_by(rule_pool_rule(rules, rule));
 */

#include "elf/elf_file.h"
#include "elf/go_functions.h"
#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"
#include "unwind/cfi/fde_rows.h"
#include "unwind/code/code_starts.h"

struct code_table;

/*
 * Of the code of files[0] with the symbols of all `count` files of the same binary; those that are NULL are
 * left out. They and the array outlive the table: the first lookup reads the symbols. Code with unwind
 * information has neither a symbol nor a row here.
 */
struct code_table *code_table_create(struct elf_file *const files[], size_t count,
				     const struct unwind_arch *arch,
				     const struct code_descriptions *described);
void code_table_destroy(struct code_table *table);

/*
 * The functions that addresses were looked up in so far. Where they begin and end cannot be told again from an excerpt of
 * the file (elf_excerpt.h), which has this section for it: pairs of 8 bytes in the file's order.
 */
#define CODE_TABLE_SECTION ".xprof.code"
typedef void code_function_visit(void *context, uint64_t start, uint64_t end);
void code_table_visit_used(const struct code_table *table, code_function_visit *visit, void *context);

/*
 * The table that a Go program carries, before the first look-up; may be NULL, outlives the code table. Functions without
 * sizes of frames (C in a Go program) are read; nothing is known elsewhere in Go's functions, and no search is made.
 */
void code_table_use_go(struct code_table *table, const struct go_functions *go);

/* A function begins here, whatever length its symbol says (_init's is wrong); before the first look-up. */
void code_table_add_start(struct code_table *table, uint64_t vaddr);

/* The number of the rule for the instruction at a vaddr; RULE_POOL_NO_CFI when nothing is known. */
uint32_t code_table_find(struct code_table *table, struct rule_pool *pool, uint64_t vaddr);

#endif
