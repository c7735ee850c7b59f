#ifndef XPROF_UNWIND_MODULE_H
#define XPROF_UNWIND_MODULE_H

/*
 * The unwind information of one DSO: (vaddr of an instruction) -> rule. Its CFI comes first (cfi_tables.h), then the
 * tables of Go (go_rules.h), known code of C libraries and linkers, and last the instructions themselves (code_table.h).
 *
 * Any number of threads may use a module at the same time. module_rule() takes the module's lock; unwinders cache rules,
 * so they call it rarely. Rules live as long as the module.
 */

#include "elf/debug_file.h"
#include "elf/elf_file.h"
#include "unwind/arch/dwarf_expr.h"
#include "unwind/arch/unwind_arch.h"

struct module;

enum { MODULE_MAX_NUMBER = (1 << 20) - 1 };

/*
 * Takes ownership of the file (closed with the module, and if this fails); no other code may read its
 * sections meanwhile. `search` has the places of debug files, NULL: none; its strings must outlive the
 * module. `number` is chosen by the caller, at most MODULE_MAX_NUMBER; all modules that one unwinder sees
 * must have different numbers, and numbers must not be reused. Returns NULL with err set for a machine that
 * unwind_arch_find() does not know.
 */
struct module *module_create(uint32_t number, struct elf_file *file, const struct debug_file_search *search,
			     struct error *err);

/*
 * One piece of code of a JIT compiler, whose first instruction has vaddr 0, and its unwind information (JIT_CODE_LOAD
 * and JIT_CODE_UNWINDING_INFO of jitdump). Any part may be missing: size 0.
 */
struct module_frames {
	const uint8_t *code;
	size_t code_size;
	const uint8_t *eh_frame;
	size_t eh_frame_size;
	uint64_t eh_frame_vaddr; /* address of eh_frame for PC-relative pointers: behind the code, as V8 assumes */
	const uint8_t *hdr;      /* .eh_frame_hdr, size 0 when there is none */
	size_t hdr_size;
	uint64_t hdr_vaddr;
	bool swap;                              /* the bytes are in the opposite order to this machine's */
	struct instruction_cache *instructions; /* for module_create_live(): borrowed; may be NULL */
	struct code_exits *exits;               /* likewise; the code must outlive it */
};

/* Copies the unwind information, borrows the code. module_file() is NULL. */
struct module *module_create_jit(uint32_t number, const struct unwind_arch *arch,
				 const struct module_frames *frames);

/*
 * The same for code without unwind information that was read from a process. The starts of functions are unknown, so
 * rules are made from the instructions up to the return (code_exit.h).
 */
struct module *module_create_live(uint32_t number, const struct unwind_arch *arch,
				  const struct module_frames *frames);
bool module_is_live(const struct module *module);
void module_destroy(struct module *module);

uint32_t module_number(const struct module *module);
const struct unwind_arch *module_arch(const struct module *module);

/* The file of the module. The bias of a mapping is its start minus the vaddr of its file offset. */
const struct elf_file *module_file(const struct module *module);

/*
 * The rule for a frame whose pc is `vaddr`. A return address may lie behind the end of the calling function,
 * so the instruction before it is looked up, except at the start of a signal trampoline. Never NULL: if
 * nothing is known, the rule's path is PATH_NO_CFI.
 */
const struct unwind_rule *module_rule(struct module *module, uint64_t vaddr, bool is_return_address);

/*
 * The rule for the instruction at `vaddr` from the instructions up to the return (code_exit.h), ignoring CFI.
 * The caller must check that it leads to a return address. Never NULL, as above.
 */
const struct unwind_rule *module_exit_rule(struct module *module, uint64_t vaddr);

/* The same for straight code that switches to another stack and then jumps (code_switch.h). */
const struct unwind_rule *module_switch_rule(struct module *module, uint64_t vaddr);

/* Is `vaddr` among the first instructions at the program's entry point? */
bool module_is_entry(const struct module *module, uint64_t vaddr);

/*
 * The expression of a rule with CFA_EXPRESSION, RULE_AT_EXPRESSION or RULE_EXPRESSION, by number; NULL if
 * there is none.
 */
const struct dwarf_expr *module_expression(const struct module *module, int32_t number);

/* The instructions around a vaddr, from the file. */
struct code_bytes module_code(const struct module *module, uint64_t vaddr);

/* Visits the starts of the FDEs in which rules were looked up so far, unordered, some perhaps twice. */
typedef void module_start_visit(void *context, uint64_t start);
void module_visit_used(struct module *module, module_start_visit *visit, void *context);

/* Visits the functions without CFI whose instructions were read so far (code_table.h). */
typedef void module_code_visit(void *context, uint64_t start, uint64_t end);
void module_visit_code(struct module *module, module_code_visit *visit, void *context);

/* How much has been compiled, for benchmarks and tests. */
struct module_counts {
	size_t fde_count; /* compiled */
	size_t row_count;
	size_t rule_count;
	size_t size_bytes; /* of rows, rules and their indexes, without untouched pages */
};
void module_count(struct module *module, struct module_counts *counts);

/* Compiles all FDEs and visits their rows, unordered. For tests and benchmarks. */
typedef void module_row_visit(void *context, uint64_t start, uint64_t end, const struct unwind_rule *rule);
void module_visit_rows(struct module *module, module_row_visit *visit, void *context);

#endif
