/*
 * module_rule() tries in order: facts about Go, CFI, known code that is returned to, and undescribed_rule() for the rest, from
 * _init and stubs to the instructions themselves. The code table is created at its first use. Constant facts are found when the
 * module is created; the lock protects everything that grows.
 */
#include "unwind/module.h"

#include <elf.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/byte_reader.h"
#include "base/hash_table.h"
#include "base/xalloc.h"
#include "elf/elf_header.h"
#include "elf/go_functions.h"
#include "unwind/arch/rule_pool.h"
#include "unwind/cfi/cfi_source.h"
#include "unwind/cfi_tables.h"
#include "unwind/code/code_exit.h"
#include "unwind/code/code_switch.h"
#include "unwind/code/code_table.h"
#include "unwind/code/go_rules.h"

/* .init and .fini, and the targets of DT_INIT and DT_FINI: BOLT leaves the sections behind and moves the code. */
enum { MAX_INIT_FUNCTIONS = 4 };

struct module {
	uint32_t number;
	const struct unwind_arch *arch;
	uint64_t entry_vaddr; /* 0: none */
	bool needs_libraries; /* has DT_NEEDED: linked with libraries at run time */
	size_t entry_size;
	uint64_t init_vaddrs[MAX_INIT_FUNCTIONS];
	size_t init_count;
	const struct elf_file *file; /* NULL: JIT code */
	struct go_functions *go;     /* NULL: not a Go program */
	const uint8_t *code;         /* of JIT code */
	size_t code_size;
	bool is_live;                           /* run-time code that nothing describes */
	struct instruction_cache *instructions; /* borrowed; may be NULL */
	struct code_exits *exits;               /* borrowed; may be NULL */

	pthread_mutex_t lock; /* guards all members below; rules and expressions are read without it */
	struct rule_pool *pool;
	struct cfi_tables *cfi;
	struct code_table *code_table; /* NULL: not needed yet */
};

/* The place for which a rule is wanted. */
struct place {
	uint64_t vaddr;
	struct code_bytes code;
	bool is_return_address; /* the rule is for the call that ends at vaddr */
	bool was_not_called;    /* Go: the address begins a function, so no call returns to it */
	enum go_place go;
};

static const struct unwind_rule root_rule = { .path = PATH_ROOT };
static const struct unwind_rule context_rule = { .path = PATH_ROOT, .not_called = true };

/* Reads an address of the file's class. */
static uint64_t read_address(struct byte_reader *r, const struct elf_file *file)
{
	return elf_file_is_64bit(file) ? byte_reader_u64(r) : byte_reader_u32(r);
}

/* e_entry, which elf_header does not decode (gABI, "ELF Header"). */
static uint64_t entry_of(const struct elf_file *file)
{
	size_t size;
	const uint8_t *bytes = elf_file_bytes(file, &size);
	struct byte_reader r = byte_reader_over(bytes, size, elf_file_swapped(file));

	byte_reader_skip(&r, 24);
	return read_address(&r, file);
}

static void add_init(struct module *module, uint64_t vaddr)
{
	if (module->init_count < MAX_INIT_FUNCTIONS)
		module->init_vaddrs[module->init_count++] = vaddr;
}

/* Without section headers these few functions stay unknown. */
static void find_inits(struct module *module, struct elf_file *file)
{
	static const char *const names[] = { ".init", ".fini" };
	struct elf_section section;
	struct error err;
	struct byte_reader r;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (elf_file_section(file, names[i], &section, &err) == 1)
			add_init(module, section.vaddr);
	if (elf_file_section(file, ".dynamic", &section, &err) != 1 || !section.bytes)
		return;
	r = byte_reader_over(section.bytes, section.size, elf_file_swapped(file));
	for (;;) {
		const uint64_t tag = read_address(&r, file), value = read_address(&r, file);

		if (!byte_reader_ok(&r) || tag == DT_NULL)
			return;
		module->needs_libraries |= tag == DT_NEEDED;
		if (tag == DT_INIT || tag == DT_FINI)
			add_init(module, value);
	}
}

static struct module *create(uint32_t number, const struct unwind_arch *arch)
{
	struct module *module = xcalloc(1, sizeof(*module));

	module->number = number;
	module->arch = arch;
	module->pool = rule_pool_create();
	pthread_mutex_init(&module->lock, NULL);
	return module;
}

static struct code_bytes jit_code(const struct module *module, uint64_t vaddr)
{
	if (!module->code || vaddr > module->code_size)
		return (struct code_bytes){ .at = NULL };
	return (struct code_bytes){ .at = module->code + vaddr,
				    .before = (size_t)vaddr,
				    .after = module->code_size - (size_t)vaddr,
				    .instructions = module->instructions,
				    .exits = module->exits };
}

struct code_bytes module_code(const struct module *module, uint64_t vaddr)
{
	struct code_bytes code = { .at = NULL };

	if (!module->file)
		return jit_code(module, vaddr);
	/* A return address may lie at the end of the segment. */
	code.at = cfi_source_loaded(module->file, vaddr, &code.before, &code.after);
	if (!code.at) {
		code.at = cfi_source_loaded(module->file, vaddr - 1, &code.before, &code.after);
		if (!code.at || code.after != 1)
			return (struct code_bytes){ .at = NULL };
		code.at++;
		code.before++;
		code.after = 0;
	}
	return code;
}

/*
 * Programs and the dynamic linker begin at their entry point. The entry point alone does not make a file a program: in files of
 * perf inject --jit it is the address of their one function.
 */
static bool begins_programs(const struct elf_file *file)
{
	struct elf_program_header dynamic;

	return elf_file_type(file) == ET_EXEC || cfi_source_segment(file, PT_DYNAMIC, &dynamic) == 1;
}

/*
 * Returns the size of a program's instructions from its entry point through its first call; 0 if it does not soon call anything.
 */
static size_t before_first_call(const struct unwind_arch *arch, const struct code_bytes *entry)
{
	enum { MAX_BYTES = 128 }; /* Free Pascal's takes 72 */
	const size_t end = entry->after < MAX_BYTES ? entry->after : MAX_BYTES;
	struct code_instruction instruction;

	for (size_t at = 0; at < end && arch->read_instruction(entry->at + at, end - at, &instruction);) {
		at += instruction.size_bytes;
		if (instruction.flow == CODE_CALL)
			return at;
		if (instruction.flow != CODE_NEXT && instruction.flow != CODE_BRANCH)
			break;
	}
	return 0;
}

/*
 * Old linkers give libraries an entry point, too: the beginning of their code. Only the dynamic linker begins without PT_INTERP,
 * and it needs no libraries.
 */
static bool is_program(const struct elf_file *file)
{
	struct elf_program_header interpreter;

	return elf_file_type(file) == ET_EXEC || cfi_source_segment(file, PT_INTERP, &interpreter) == 1;
}

static void set_entry(struct module *module, const struct elf_file *file)
{
	uint64_t vaddr = entry_of(file);
	struct code_bytes code = module_code(module, vaddr);
	size_t calls_at;

	if (!vaddr || !code.at || !begins_programs(file) || (module->needs_libraries && !is_program(file)))
		return;
	module->entry_vaddr = vaddr;
	module->entry_size = module->arch->entry_size(&code);
	calls_at = is_program(file) ? before_first_call(module->arch, &code) : 0;
	if (calls_at > module->entry_size)
		module->entry_size = calls_at;
}

struct module *module_create(uint32_t number, struct elf_file *file, const struct debug_file_search *search,
			     struct error *err)
{
	const struct unwind_arch *arch = unwind_arch_find(elf_file_machine(file));
	struct module *module;

	if (!arch || elf_file_is_64bit(file) != (arch->word_bytes == 8) || number > MODULE_MAX_NUMBER) {
		error_set(err, "%s: unwinding is not supported for ELF machine %u", elf_file_path(file),
			  elf_file_machine(file));
		elf_file_close(file);
		return NULL;
	}
	module = create(number, arch);
	module->file = file;
	module->cfi = cfi_tables_create(file, search, arch, module->pool);
	find_inits(module, file);
	set_entry(module, file);
	module->go = go_functions_open(file);
	return module;
}

void module_destroy(struct module *module)
{
	if (!module)
		return;
	code_table_destroy(module->code_table);
	go_functions_close(module->go);
	cfi_tables_destroy(module->cfi);
	rule_pool_destroy(module->pool);
	pthread_mutex_destroy(&module->lock);
	free(module);
}

uint32_t module_number(const struct module *module)
{
	return module->number;
}

const struct unwind_arch *module_arch(const struct module *module)
{
	return module->arch;
}

const struct elf_file *module_file(const struct module *module)
{
	return module->file;
}

const struct dwarf_expr *module_expression(const struct module *module, int32_t number)
{
	return number < 0 ? NULL : rule_pool_expression(module->pool, (uint32_t)number);
}

struct module *module_create_jit(uint32_t number, const struct unwind_arch *arch,
				 const struct module_frames *frames)
{
	struct module *module = create(number, arch);
	const struct cfi_section section = {
		.bytes = frames->eh_frame,
		.size = frames->eh_frame_size,
		.vaddr = frames->eh_frame_vaddr,
		.hdr_vaddr = frames->hdr_vaddr,
		.is_eh_frame = true,
		.is_64bit = arch->word_bytes == 8,
		.swap = frames->swap,
	};
	const struct cfi_hdr hdr = { frames->hdr, frames->hdr_size };

	module->cfi = cfi_tables_create_jit(&section, &hdr, arch, module->pool);
	module->code = frames->code;
	module->code_size = frames->code_size;
	return module;
}

struct module *module_create_live(uint32_t number, const struct unwind_arch *arch,
				  const struct module_frames *frames)
{
	struct module *module = module_create_jit(number, arch, frames);

	module->is_live = true;
	module->instructions = frames->instructions;
	module->exits = frames->exits;
	return module;
}

bool module_is_live(const struct module *module)
{
	return module->is_live;
}

/* --- described code -------------------------------------------------------- */

/* The rule at a sampled instruction. If that does nothing (a NOP), prefers the rule of the next one. NULL if there is no CFI. */
static const struct unwind_rule *leaf_rule(struct module *module, const struct place *place, bool *goes_on)
{
	const struct unwind_arch *arch = module->arch;
	const struct unwind_rule *rule = cfi_tables_find(module->cfi, place->vaddr, goes_on), *next;
	bool next_goes_on;

	if (!rule || !place->code.at || !arch->does_nothing(&place->code))
		return rule;
	next = cfi_tables_find(module->cfi, place->vaddr + arch->code_alignment_bytes, &next_goes_on);
	return next ? next : rule;
}

/* `copy` equals `rule` except for its marks. Returns the pool's rule with these contents. */
static const struct unwind_rule *marked(struct module *module, const struct unwind_rule *rule,
					const struct unwind_rule *copy)
{
	return rule_pool_rule(module->pool,
			      rule_pool_add(module->pool, module->arch, copy, hash_u64((uintptr_t)rule)));
}

static const struct unwind_rule *marked_for_go(struct module *module, const struct unwind_rule *rule,
					       const struct place *place)
{
	struct unwind_rule copy = *rule;

	if (rule->path == PATH_NO_CFI || rule->path == PATH_ROOT)
		return rule;
	copy.unproved = place->go == GO_UNPROVED || place->go == GO_SWITCH;
	copy.not_called = place->was_not_called;
	copy.by_code = place->go == GO_CLONE;
	copy.begins_stack = place->go == GO_CLONE || place->go == GO_SWITCH;
	return copy.unproved || copy.not_called || copy.by_code ? marked(module, rule, &copy) : rule;
}

/*
 * Finds a rule by CFI, or by the tables that Go programs have instead. NULL if there is none. *goes_on: it also covers the next
 * byte.
 */
static const struct unwind_rule *described_rule(struct module *module, const struct place *place,
						bool *goes_on)
{
	const struct unwind_rule *rule;

	pthread_mutex_lock(&module->lock);
	rule = place->is_return_address ? cfi_tables_find(module->cfi, place->vaddr - 1, goes_on) :
					  leaf_rule(module, place, goes_on);
	if (!rule && module->go)
		rule = go_rule_of(module->go, module->arch, module->pool,
				  place->vaddr - place->is_return_address);
	if (rule && module->go)
		rule = marked_for_go(module, rule, place);
	pthread_mutex_unlock(&module->lock);
	return rule;
}

/*
 * For a Go function that calls C on the thread's own stack, such as the vdso for the time of day. It meanwhile keeps its stack
 * pointer in a register, from which the instructions up to the return restore it. NULL for any other function.
 */
static const struct unwind_rule *go_switch_rule(struct module *module, const struct place *place)
{
	const struct unwind_rule *rule = module_exit_rule(module, place->vaddr);
	struct unwind_rule copy = *rule;

	if (rule->path == PATH_NO_CFI || rule->cfa.kind != CFA_REGISTER || rule->tail || rule->jumps ||
	    rule->cfa.reg == module->arch->sp || rule->cfa.reg == module->arch->fp)
		return NULL;
	copy.changes_stack = true;
	pthread_mutex_lock(&module->lock);
	rule = marked(module, rule, &copy);
	pthread_mutex_unlock(&module->lock);
	return rule;
}

/*
 * In a Go program: the rule of a place where CFI, if any, must not be used. NULL elsewhere; *place then has what is known of it.
 */
static const struct unwind_rule *go_rule(struct module *module, struct place *place)
{
	const struct unwind_rule *trampoline = place->code.at ?
						       module->arch->signal_trampoline(&place->code) :
						       NULL,
				 *rule;

	if (trampoline)
		return trampoline;
	place->was_not_called = place->is_return_address && go_place_was_not_called(module->go, place->vaddr);
	place->is_return_address &= !place->was_not_called;
	place->go =
		go_place_of(module->go, module->arch, place->vaddr, &place->code, place->is_return_address);
	switch (place->go) {
	case GO_ROOT: return &root_rule;
	case GO_NO_CFI:
		rule = go_switch_rule(module, place);
		return rule ? rule : rule_pool_rule(module->pool, RULE_POOL_NO_CFI);
	case GO_UNPROVED: return go_switch_rule(module, place);
	default: return NULL;
	}
}

/* The rule for undescribed code that follows described code, recognised by its instructions. NULL for other code. */
static const struct unwind_rule *returned_to_rule(const struct module *module, const struct place *place)
{
	const struct unwind_rule *trampoline = module->arch->signal_trampoline(&place->code);

	if (trampoline)
		return trampoline;
	return place->is_return_address && module->arch->begins_context(&place->code) ? &context_rule : NULL;
}

/* --- undescribed code --------------------------------------------------------- */

bool module_is_entry(const struct module *module, uint64_t vaddr)
{
	return vaddr - module->entry_vaddr < module->entry_size;
}

/*
 * Stacks begin at _start, which some C libraries (musl) do not describe, and at the code that a thread returns to when it ends.
 */
static bool is_root(const struct module *module, const struct place *place)
{
	if (module_is_entry(module, place->vaddr - place->is_return_address))
		return true;
	return place->is_return_address && place->code.at && module->arch->exits(&place->code);
}

/*
 * The rule in a .init or .fini function: of the instruction at the place, or behind a call; never of the first instruction for a
 * return address.
 */
static const struct unwind_rule *init_rule(const struct module *module, const struct place *place)
{
	for (size_t i = 0; i < module->init_count; i++) {
		uint64_t distance = place->vaddr - module->init_vaddrs[i];
		struct code_bytes function = { .at = place->code.at,
					       .before = (size_t)distance,
					       .after = place->code.after };
		const struct unwind_rule *rule = NULL;

		if (distance >= place->is_return_address && distance < MAX_INIT_BYTES &&
		    distance <= place->code.before)
			rule = module->arch->init_function(&function);
		if (rule)
			return rule;
	}
	return NULL;
}

/*
 * In the parent the CFI up to the system call stays true behind it. In the child it leads nowhere, which shows when the rule is
 * tried, as with rules made from instructions.
 */
static const struct unwind_rule *clone_rule(struct module *module, const struct place *place)
{
	const size_t distance =
		module->arch->since_clone ? module->arch->since_clone(&place->code) : SIZE_MAX;
	const struct unwind_rule *rule = NULL;
	struct unwind_rule copy;
	bool goes_on = false;

	if (distance == SIZE_MAX)
		return NULL;
	pthread_mutex_lock(&module->lock);
	if (!cfi_tables_find(module->cfi, place->vaddr - distance, &goes_on))
		rule = cfi_tables_find(module->cfi, place->vaddr - distance - 1, &goes_on);
	if (rule && rule->path != PATH_ROOT) {
		copy = *rule;
		copy.by_code = true;
		rule = marked(module, rule, &copy);
	}
	pthread_mutex_unlock(&module->lock);
	return rule;
}

static struct code_table *open_code_table(struct module *module)
{
	const struct code_descriptions described = cfi_tables_described(module->cfi);
	struct code_table *table =
		code_table_create(cfi_tables_files(module->cfi), CFI_FILE_COUNT, module->arch, &described);

	for (size_t i = 0; i < module->init_count; i++)
		code_table_add_start(table, module->init_vaddrs[i]);
	code_table_use_go(table, module->go);
	return table;
}

/* Makes a rule from the function's instructions, if nothing else describes them. By now all CFI files have been opened. */
static const struct unwind_rule *code_rule(struct module *module, uint64_t vaddr)
{
	uint32_t number;

	pthread_mutex_lock(&module->lock);
	if (!module->code_table)
		module->code_table = open_code_table(module);
	number = code_table_find(module->code_table, module->pool, vaddr);
	pthread_mutex_unlock(&module->lock);
	return rule_pool_rule(module->pool, number);
}

/* The rule for code whose functions' starts are unknown. */
static const struct unwind_rule *exit_rule(struct module *module, const struct code_bytes *code)
{
	uint32_t number;

	pthread_mutex_lock(&module->lock);
	number = code_exit_rule(code, module->arch, module->pool);
	pthread_mutex_unlock(&module->lock);
	return rule_pool_rule(module->pool, number);
}

const struct unwind_rule *module_exit_rule(struct module *module, uint64_t vaddr)
{
	enum { NEAR_BYTES = 4096 }; /* no known function with wrong CFI is larger */
	struct code_bytes code = module_code(module, vaddr);

	if (code.before > NEAR_BYTES)
		code.before = NEAR_BYTES;
	if (code.after > NEAR_BYTES)
		code.after = NEAR_BYTES;
	return exit_rule(module, &code);
}

const struct unwind_rule *module_switch_rule(struct module *module, uint64_t vaddr)
{
	const struct code_bytes code = module_code(module, vaddr);
	uint32_t number;

	pthread_mutex_lock(&module->lock);
	number = code_switch_rule(&code, module->arch, module->pool);
	pthread_mutex_unlock(&module->lock);
	return rule_pool_rule(module->pool, number);
}

static const struct unwind_rule *undescribed_rule(struct module *module, const struct place *place)
{
	const bool is_instruction = !place->is_return_address && place->code.at;
	const struct unwind_rule *rule = is_instruction ? clone_rule(module, place) : NULL;

	if (rule)
		return rule;
	if (module->is_live)
		return exit_rule(module, &place->code);
	/* Only files have code composed by linkers and C libraries. */
	if (!module->file)
		return rule_pool_rule(module->pool, RULE_POOL_NO_CFI);
	if (place->code.at)
		rule = init_rule(module, place);
	if (!rule && is_instruction)
		rule = module->arch->jump_stub(&place->code);
	if (rule)
		return rule;
	return is_root(module, place) ? &root_rule :
					code_rule(module, place->vaddr - place->is_return_address);
}

const struct unwind_rule *module_rule(struct module *module, uint64_t vaddr, bool is_return_address)
{
	struct place place = { .vaddr = vaddr,
			       .code = module_code(module, vaddr),
			       .is_return_address = is_return_address };
	const struct unwind_rule *rule = module->go ? go_rule(module, &place) : NULL, *returned_to = NULL;
	bool goes_on = false;

	if (rule)
		return rule;
	rule = described_rule(module, &place, &goes_on);
	/*
	 * A handler "returns" to the first instruction of a trampoline, and a coroutine to that of the code that ends it. There
	 * the CFI found is that of the function before, unless it also covers this instruction. Most code is not looked at here,
	 * and so need not be read from the disk.
	 */
	if (place.code.at && (!rule || rule->signal_frame || !goes_on))
		returned_to = returned_to_rule(module, &place);
	if (returned_to)
		return returned_to;
	return rule ? rule : undescribed_rule(module, &place);
}

/* --- used rules, for excerpts and statistics ----------------------------------- */

void module_visit_used(struct module *module, module_start_visit *visit, void *context)
{
	pthread_mutex_lock(&module->lock);
	cfi_tables_visit_used(module->cfi, visit, context);
	pthread_mutex_unlock(&module->lock);
}

void module_visit_code(struct module *module, module_code_visit *visit, void *context)
{
	pthread_mutex_lock(&module->lock);
	if (module->code_table)
		code_table_visit_used(module->code_table, visit, context);
	pthread_mutex_unlock(&module->lock);
}

void module_count(struct module *module, struct module_counts *counts)
{
	struct cfi_counts cfi;

	pthread_mutex_lock(&module->lock);
	cfi = cfi_tables_count(module->cfi);
	*counts = (struct module_counts){ .fde_count = cfi.fde_count,
					  .row_count = cfi.row_count,
					  .size_bytes = sizeof(*module) + cfi.size_bytes };
	counts->rule_count = rule_pool_count(module->pool);
	counts->size_bytes += rule_pool_bytes(module->pool);
	pthread_mutex_unlock(&module->lock);
}

void module_visit_rows(struct module *module, module_row_visit *visit, void *context)
{
	pthread_mutex_lock(&module->lock);
	cfi_tables_visit_rows(module->cfi, visit, context);
	pthread_mutex_unlock(&module->lock);
}
