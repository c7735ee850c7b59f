#ifndef XPROF_UNWIND_MODULE_H
#define XPROF_UNWIND_MODULE_H

/*
 * The unwind information of one DSO: (vaddr of an instruction) -> rule. Its CFI is asked first (cfi_tables.h); where that
 * says nothing, tables of Go's (go_rules.h), what C libraries and linkers are known to put there, and at last the
 * instructions themselves (code_table.h).
 *
 * Any number of threads may use a module at the same time. module_rule() takes
 * the module's lock; unwinders keep what they were told, so they rarely come.
 * Rules live as long as the module.
 */

#include "elf/debug_file.h"
#include "elf/elf_file.h"
#include "unwind/arch/dwarf_expr.h"
#include "unwind/arch/unwind_arch.h"

struct module;

enum { MODULE_MAX_NUMBER = (1 << 20) - 1 };

/*
 * Takes ownership of the file (closed with the module, and if this fails); no other code may read its
 * sections at the same time. `search` says where to look for debug files, NULL: nowhere; its strings must
 * outlive the module. `number` is the caller's, at most MODULE_MAX_NUMBER; different for all modules that one
 * unwinder meets, and never used again for another file. NULL with err set for a machine that
 * unwind_arch_find() does not know.
 */
struct module *module_create(uint32_t number, struct elf_file *file, const struct debug_file_search *search,
			     struct error *err);

/*
 * One piece of code of a JIT compiler, whose first instruction has vaddr 0, and the unwind information that was written
 * for it (jitdump's JIT_CODE_LOAD and JIT_CODE_UNWINDING_INFO). Any of them may be missing: size 0.
 */
struct module_frames {
	const uint8_t *code;
	size_t code_size;
	const uint8_t *eh_frame;
	size_t eh_frame_size;
	uint64_t eh_frame_vaddr; /* where pointers relative to their own place count from: V8 means behind the code */
	const uint8_t *hdr; /* .eh_frame_hdr, size 0 when there is none */
	size_t hdr_size;
	uint64_t hdr_vaddr;
	bool swap;                              /* the bytes are in the opposite order to this machine's */
	struct instruction_cache *instructions; /* of module_create_live(): borrowed; may be NULL */
	struct code_exits *exits;               /* likewise; the code has to outlive it */
};

/* Copies the unwind information, borrows the code. There is no file: module_file() is NULL. */
struct module *module_create_jit(uint32_t number, const struct unwind_arch *arch,
				 const struct module_frames *frames);

/*
 * The same for code that nothing describes, read out of a process: functions begin nowhere in particular, so what their
 * instructions do up to the return gives the rules (code_exit.h).
 */
struct module *module_create_live(uint32_t number, const struct unwind_arch *arch,
				  const struct module_frames *frames);
bool module_is_live(const struct module *module);
void module_destroy(struct module *module);

uint32_t module_number(const struct module *module);
const struct unwind_arch *module_arch(const struct module *module);

/* The file that it was made of: a mapping's bias is its start less the vaddr of its file offset. */
const struct elf_file *module_file(const struct module *module);

/*
 * The rule for a frame whose pc is `vaddr`. A return address may lie behind the
 * function that made the call, so the instruction before it is looked up, except
 * where it is the start of a signal trampoline. Never NULL: where nothing is
 * known the rule's path is PATH_NO_CFI.
 */
const struct unwind_rule *module_rule(struct module *module, uint64_t vaddr, bool is_return_address);

/*
 * The rule for the instruction at `vaddr` by the instructions up to the return (code_exit.h), ignoring the
 * CFI. The caller must check that it leads to a return address. Never NULL, as above.
 */
const struct unwind_rule *module_exit_rule(struct module *module, uint64_t vaddr);

/* The same by straight code that goes on with another stack pointer, by a jump (code_switch.h). */
const struct unwind_rule *module_switch_rule(struct module *module, uint64_t vaddr);

/* Does the program begin here: is this among the first instructions from the entry point on? */
bool module_is_entry(const struct module *module, uint64_t vaddr);

/* Of a rule with CFA_EXPRESSION, RULE_AT_EXPRESSION or RULE_EXPRESSION; NULL for a number it never gave. */
const struct dwarf_expr *module_expression(const struct module *module, int32_t number);

/* The instructions around a vaddr, from the file. */
struct code_bytes module_code(const struct module *module, uint64_t vaddr);

/* The vaddrs at which the FDEs begin that rules were looked up in so far, in no order, some perhaps twice. */
typedef void module_start_visit(void *context, uint64_t start);
void module_visit_used(struct module *module, module_start_visit *visit, void *context);

/* Likewise the functions without CFI whose instructions were read (code_table.h). */
typedef void module_code_visit(void *context, uint64_t start, uint64_t end);
void module_visit_code(struct module *module, module_code_visit *visit, void *context);

/* How much has been compiled, for benchmarks and tests. */
struct module_counts {
	size_t fde_count; /* compiled */
	size_t row_count;
	size_t rule_count;
	size_t size_bytes; /* of rows, rules and what finds them, without the pages never touched */
};
void module_count(struct module *module, struct module_counts *counts);

/* Every FDE's rows, in no order that matters: compiles all. For tests and benchmarks. */
typedef void module_row_visit(void *context, uint64_t start, uint64_t end, const struct unwind_rule *rule);
void module_visit_rows(struct module *module, module_row_visit *visit, void *context);

#endif
