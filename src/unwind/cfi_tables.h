#ifndef XPROF_UNWIND_CFI_TABLES_H
#define XPROF_UNWIND_CFI_TABLES_H

/*
 * All call frame information of one DSO: (vaddr) -> rule. It is looked for in .eh_frame, then .debug_frame of the file
 * itself, of its .gnu_debugdata and of its debug file; what lies behind is opened when a vaddr is asked for that the
 * former do not describe. An FDE is compiled when the first address in it is looked up, all its rows in one pass.
 *
 * One thread at a time; rules are the pool's.
 */

#include "elf/debug_file.h"
#include "elf/elf_file.h"
#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"
#include "unwind/cfi/cfi_source.h"
#include "unwind/code/code_starts.h"

struct cfi_tables;

/* In the order in which they are opened. */
enum cfi_file { CFI_FILE_ITSELF, CFI_FILE_MINI, CFI_FILE_DEBUG, CFI_FILE_COUNT };

/* Takes over the file. `search`: see module_create(). Arch and pool outlive the tables. */
struct cfi_tables *cfi_tables_create(struct elf_file *file, const struct debug_file_search *search,
				     const struct unwind_arch *arch, struct rule_pool *pool);

/* Without a file, of one section of CFI and its table, which may both be empty; copies the bytes. */
struct cfi_tables *cfi_tables_create_jit(const struct cfi_section *section, const struct cfi_hdr *hdr,
					 const struct unwind_arch *arch, struct rule_pool *pool);
void cfi_tables_destroy(struct cfi_tables *tables);

/* CFI_FILE_COUNT of them, as long as the tables; NULL: there is none, or it has not been opened yet. */
struct elf_file *const *cfi_tables_files(const struct cfi_tables *tables);

/*
 * The first rule that says something, opening what has not been opened yet; NULL: nothing does. *goes_on: the FDE describes
 * the next address, too.
 */
const struct unwind_rule *cfi_tables_find(struct cfi_tables *tables, uint64_t vaddr, bool *goes_on);

/* The code that the tables opened so far describe. Valid as long as the tables. */
struct code_descriptions cfi_tables_described(struct cfi_tables *tables);

/* Where the FDEs begin that have been compiled, in no order, some perhaps twice. */
typedef void cfi_used_visit(void *context, uint64_t start);
void cfi_tables_visit_used(const struct cfi_tables *tables, cfi_used_visit *visit, void *context);

/* Every FDE's rows, in no order that matters: compiles all. */
typedef void cfi_range_visit(void *context, uint64_t start, uint64_t end, const struct unwind_rule *rule);
void cfi_tables_visit_rows(struct cfi_tables *tables, cfi_range_visit *visit, void *context);

/* FDEs that have been compiled, their rows, and the bytes of these. */
struct cfi_counts {
	size_t fde_count;
	size_t row_count;
	size_t size_bytes;
};
struct cfi_counts cfi_tables_count(const struct cfi_tables *tables);

#endif
