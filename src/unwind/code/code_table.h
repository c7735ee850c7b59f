#ifndef XPROF_UNWIND_CODE_TABLE_H
#define XPROF_UNWIND_CODE_TABLE_H

/*
 * Rules for functions of a file without unwind information, made from their instructions (code_rows.h) at the
 * first lookup of an address in a function.
 *
 * Starts of functions come from symbols, or from the table of a Go program. Others (static functions of a
 * stripped library) are found by code_starts.h.
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
 * Makes a table for the code of files[0] with the symbols of all `count` files of the same binary; members
 * may be NULL. The files and the array must outlive the table, because the first lookup reads the symbols.
 * `described` code has neither symbols nor rows in the table.
 */
struct code_table *code_table_create(struct elf_file *const files[], size_t count,
				     const struct unwind_arch *arch,
				     const struct code_descriptions *described);
void code_table_destroy(struct code_table *table);

/*
 * Visits the functions in which addresses were looked up so far. An excerpt of the file (elf_excerpt.h) stores their
 * starts and ends in this section, since it has not enough code to find them: pairs of 8-byte numbers in the file's byte
 * order.
 */
#define CODE_TABLE_SECTION ".xprof.code"
typedef void code_function_visit(void *context, uint64_t start, uint64_t end);
void code_table_visit_used(const struct code_table *table, code_function_visit *visit, void *context);

/*
 * Sets the table of a Go program; call it before the first lookup. May be NULL; must outlive the code table. Only
 * functions without frame sizes (C in a Go program) are read; other functions of Go have no rules here, and starts are
 * not searched.
 */
void code_table_use_go(struct code_table *table, const struct go_functions *go);

/*
 * Adds the start of a function, whose size is not taken from its symbol (_init's is wrong). Call it before
 * the first lookup.
 */
void code_table_add_start(struct code_table *table, uint64_t vaddr);

/* The number of the rule for the instruction at a vaddr; RULE_POOL_NO_CFI if nothing is known. */
uint32_t code_table_find(struct code_table *table, struct rule_pool *pool, uint64_t vaddr);

#endif
