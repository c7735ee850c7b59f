#ifndef XPROF_UNWIND_CFI_TABLES_H
#define XPROF_UNWIND_CFI_TABLES_H

/*
 * All call frame information of one DSO: (vaddr) -> rule. Searches .eh_frame, then .debug_frame, of the file itself,
 * of its .gnu_debugdata and of its debug file. Each file is opened only if those before do not describe a vaddr. An
 * FDE is compiled at the first lookup of an address in it, all its rows in one pass.
 *
 * Not thread-safe. Rules belong to the pool.
 */

#include "elf/debug_file.h"
#include "elf/elf_file.h"
#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"
#include "unwind/cfi/cfi_source.h"
#include "unwind/code/code_starts.h"

struct cfi_tables;

/* In the order of searching. */
enum cfi_file { CFI_FILE_ITSELF, CFI_FILE_MINI, CFI_FILE_DEBUG, CFI_FILE_COUNT };

/* Takes ownership of `file`. `search`: see module_create(). `arch` and `pool` must outlive the tables. */
struct cfi_tables *cfi_tables_create(struct elf_file *file, const struct debug_file_search *search,
				     const struct unwind_arch *arch, struct rule_pool *pool);

/*
 * The same without a file, for one section of CFI and its lookup table, which may both be empty; copies the
 * bytes.
 */
struct cfi_tables *cfi_tables_create_jit(const struct cfi_section *section, const struct cfi_hdr *hdr,
					 const struct unwind_arch *arch, struct rule_pool *pool);
void cfi_tables_destroy(struct cfi_tables *tables);

/*
 * An array of CFI_FILE_COUNT files, valid as long as the tables; a member is NULL if there is no such file,
 * or it has not been opened yet.
 */
struct elf_file *const *cfi_tables_files(const struct cfi_tables *tables);

/*
 * The rule for `vaddr` from the first table that has one; opens more files if needed. NULL if there is none. *goes_on: the
 * FDE also describes the next address.
 */
const struct unwind_rule *cfi_tables_find(struct cfi_tables *tables, uint64_t vaddr, bool *goes_on);

/* The ranges of code that the tables opened so far describe. Valid as long as the tables. */
struct code_descriptions cfi_tables_described(struct cfi_tables *tables);

/* Visits the starts of all compiled FDEs, unordered, some perhaps twice. */
typedef void cfi_used_visit(void *context, uint64_t start);
void cfi_tables_visit_used(const struct cfi_tables *tables, cfi_used_visit *visit, void *context);

/* Compiles all FDEs and visits their rows, unordered. */
typedef void cfi_range_visit(void *context, uint64_t start, uint64_t end, const struct unwind_rule *rule);
void cfi_tables_visit_rows(struct cfi_tables *tables, cfi_range_visit *visit, void *context);

/* Number of compiled FDEs and of their rows, and the memory that the rows take. */
struct cfi_counts {
	size_t fde_count;
	size_t row_count;
	size_t size_bytes;
};
struct cfi_counts cfi_tables_count(const struct cfi_tables *tables);

#endif
