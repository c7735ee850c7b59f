#include "unwind/module.h"

#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/hash_table.h"
#include "base/xalloc.h"
#include "elf/elf_header.h"
#include "elf/go_functions.h"
#include "elf/mini_debuginfo.h"
#include "unwind/cfi_program.h"
#include "unwind/cfi_source.h"
#include "unwind/code_table.h"
#include "unwind/fde_index.h"
#include "unwind/fde_rows.h"
#include "unwind/rule_pool.h"

/* One section of CFI, and what has been compiled of it. */
struct cfi_table {
	struct fde_index *index;
	struct fde_rows *rows;
	uint64_t work_bytes; /* of the instructions that have been run */
};

/* Files are opened in this order, each when those before had no answer. */
enum source { SOURCE_FILE, SOURCE_MINI, SOURCE_DEBUG_FILE, SOURCE_COUNT };

/* .eh_frame and .debug_frame of the file, .debug_frame of the other two. */
enum { MAX_TABLES = 4 };

/* .init and .fini, and where DT_INIT and DT_FINI point to: BOLT leaves the sections behind and moves the code. */
enum { MAX_INIT_FUNCTIONS = 4 };

struct module {
	uint32_t number;
	const struct unwind_arch *arch;
	uint64_t entry_vaddr; /* 0: none */
	size_t entry_size;
	uint64_t init_vaddrs[MAX_INIT_FUNCTIONS];
	size_t init_count;
	struct elf_file *files[SOURCE_COUNT];
	struct go_functions *go; /* NULL: no program of Go's */
	uint8_t *frames;         /* of a module without a file: a copy of its CFI */
	const uint8_t *code;
	size_t code_size;
	const struct debug_file_search *search;
	struct debug_file_search search_copy;

	pthread_mutex_t lock; /* guards all below; rules and expressions are only read without it */
	enum source next_source;
	struct cfi_table tables[MAX_TABLES];
	size_t table_count;
	struct rule_pool *pool;
	struct code_table *code_table; /* NULL: not asked yet */
	struct fde_row *rows;          /* of the FDE that is being compiled */
	size_t row_count, row_capacity;
	uint64_t row_base;
};

static const struct unwind_rule root_rule = { .path = PATH_ROOT };
static const struct unwind_rule context_rule = { .path = PATH_ROOT, .not_called = true };

/* e_entry, which elf_header does not decode (gABI, "ELF Header"). */
static uint64_t entry_of(const struct elf_file *file)
{
	size_t size;
	const uint8_t *bytes = elf_file_bytes(file, &size);
	struct byte_reader r = byte_reader_over(bytes, size, elf_file_swapped(file));

	byte_reader_skip(&r, 24);
	return elf_file_is_64bit(file) ? byte_reader_u64(&r) : byte_reader_u32(&r);
}

static void add_init(struct module *module, uint64_t vaddr)
{
	if (module->init_count < MAX_INIT_FUNCTIONS)
		module->init_vaddrs[module->init_count++] = vaddr;
}

/* Without a table of sections these few functions stay unknown. */
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
		uint64_t tag = byte_reader_u64(&r), value = byte_reader_u64(&r);

		if (!byte_reader_ok(&r) || tag == DT_NULL)
			return;
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
				    .after = module->code_size - (size_t)vaddr };
}

struct code_bytes module_code(const struct module *module, uint64_t vaddr)
{
	struct code_bytes code = { .at = NULL };

	if (!module->files[SOURCE_FILE])
		return jit_code(module, vaddr);
	/* A return address may lie at the end of the segment. */
	code.at = cfi_source_loaded(module->files[SOURCE_FILE], vaddr, &code.before, &code.after);
	if (!code.at) {
		code.at = cfi_source_loaded(module->files[SOURCE_FILE], vaddr - 1, &code.before, &code.after);
		if (!code.at || code.after != 1)
			return (struct code_bytes){ .at = NULL };
		code.at++;
		code.before++;
		code.after = 0;
	}
	return code;
}

/*
 * Programs and the dynamic linker begin at their entry point. What is no program for the want of anything to link it
 * by has an address there, too: perf inject --jit puts its one function's.
 */
static bool begins_programs(const struct elf_file *file)
{
	struct elf_program_header dynamic;

	return elf_file_type(file) == ET_EXEC || cfi_source_segment(file, PT_DYNAMIC, &dynamic) == 1;
}

static void set_entry(struct module *module, const struct elf_file *file)
{
	uint64_t vaddr = entry_of(file);
	struct code_bytes code = module_code(module, vaddr);

	if (vaddr && code.at && begins_programs(file)) {
		module->entry_vaddr = vaddr;
		module->entry_size = module->arch->entry_size(&code);
	}
}

struct module *module_create(uint32_t number, struct elf_file *file, const struct debug_file_search *search,
			     struct error *err)
{
	const struct unwind_arch *arch = unwind_arch_find(elf_file_machine(file));
	struct module *module;

	if (!arch || !elf_file_is_64bit(file) || number > MODULE_MAX_NUMBER) {
		error_set(err, "%s: code of machine %u cannot be unwound", elf_file_path(file),
			  elf_file_machine(file));
		elf_file_close(file);
		return NULL;
	}
	module = create(number, arch);
	module->files[SOURCE_FILE] = file;
	find_inits(module, file);
	set_entry(module, file);
	module->go = go_functions_open(file);
	if (search) {
		module->search_copy = *search;
		module->search = &module->search_copy;
	}
	return module;
}

void module_destroy(struct module *module)
{
	if (!module)
		return;
	for (size_t i = 0; i < module->table_count; i++) {
		fde_index_destroy(module->tables[i].index);
		fde_rows_destroy(module->tables[i].rows);
	}
	code_table_destroy(module->code_table);
	rule_pool_destroy(module->pool);
	go_functions_close(module->go);
	free(module->rows);
	free(module->frames);
	for (size_t i = SOURCE_COUNT; i > 0; i--)
		elf_file_close(module->files[i - 1]);
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
	return module->files[SOURCE_FILE];
}

const struct dwarf_expr *module_expression(const struct module *module, int32_t number)
{
	return number < 0 ? NULL : rule_pool_expression(module->pool, (uint32_t)number);
}

static void add_table(struct module *module, const struct cfi_section *section, const struct cfi_hdr *hdr)
{
	struct fde_index *index = fde_index_create(section, hdr->bytes, hdr->size);

	if (fde_index_count(index) == 0) {
		fde_index_destroy(index);
		return;
	}
	module->tables[module->table_count++] =
		(struct cfi_table){ .index = index, .rows = fde_rows_create(fde_index_count(index)) };
}

static void add_eh_frame(struct module *module, struct elf_file *file)
{
	struct cfi_section section;
	struct cfi_hdr hdr;

	if (cfi_source_eh_frame(file, &section, &hdr) == 1)
		add_table(module, &section, &hdr);
}

static void add_debug_frame(struct module *module, struct elf_file *file)
{
	static const struct cfi_hdr none;
	struct cfi_section section;

	if (cfi_source_debug_frame(file, &section) == 1)
		add_table(module, &section, &none);
}

struct module *module_create_jit(uint32_t number, const struct unwind_arch *arch,
				 const struct module_frames *frames)
{
	struct module *module = create(number, arch);
	struct cfi_section section = {
		.size = frames->eh_frame_size,
		.vaddr = frames->eh_frame_vaddr,
		.hdr_vaddr = frames->hdr_vaddr,
		.is_eh_frame = true,
		.is_64bit = true,
		.swap = frames->swap,
	};
	struct cfi_hdr hdr = { .size = frames->hdr_size };

	module->frames = xmalloc(frames->eh_frame_size + frames->hdr_size + 1);
	if (frames->eh_frame_size)
		memcpy(module->frames, frames->eh_frame, frames->eh_frame_size);
	if (frames->hdr_size)
		memcpy(module->frames + frames->eh_frame_size, frames->hdr, frames->hdr_size);
	section.bytes = module->frames;
	hdr.bytes = module->frames + frames->eh_frame_size;
	if (section.size)
		add_table(module, &section, &hdr);
	module->code = frames->code;
	module->code_size = frames->code_size;
	module->next_source = SOURCE_COUNT;
	return module;
}

/* Opens the next file that may have something to say. False when there is none left. */
static bool open_next_source(struct module *module)
{
	struct elf_file *file = module->files[SOURCE_FILE];
	struct error err;

	switch (module->next_source) {
	case SOURCE_FILE:
		add_eh_frame(module, file);
		add_debug_frame(module, file);
		break;
	case SOURCE_MINI:
		if (mini_debuginfo_open(file, &module->files[SOURCE_MINI], &err) == 1)
			add_debug_frame(module, module->files[SOURCE_MINI]);
		break;
	case SOURCE_DEBUG_FILE:
		if (module->search)
			module->files[SOURCE_DEBUG_FILE] = debug_file_open(file, module->search, &err);
		if (module->files[SOURCE_DEBUG_FILE])
			add_debug_frame(module, module->files[SOURCE_DEBUG_FILE]);
		break;
	default: return false;
	}
	module->next_source++;
	return true;
}

static void collect_row(void *context, uint64_t start, uint32_t rule)
{
	struct module *module = context;

	module->rows =
		array_grow(module->rows, &module->row_capacity, module->row_count + 1, sizeof(*module->rows));
	module->rows[module->row_count++] = (struct fde_row){ start - module->row_base, rule };
}

/*
 * Each FDE is compiled once, so all of a section is run about once. A hostile
 * table can name one long FDE many times over, and a hostile CIE be long itself.
 */
static bool may_compile(struct cfi_table *table, const struct cfi_cie *cie, const struct cfi_fde *fde)
{
	enum { WORK_FACTOR = 4, WORK_MINIMUM = 1 << 16 };
	uint64_t limit = (uint64_t)fde_index_section(table->index)->size * WORK_FACTOR + WORK_MINIMUM;

	table->work_bytes += cie->initial.size + fde->program.size;
	return table->work_bytes <= limit;
}

/* What find_in_table() can count from where the table says that the FDE begins; 0: it begins elsewhere. */
static uint64_t size_by_table(const struct cfi_table *table, uint32_t number, const struct cfi_fde *fde)
{
	struct fde_index_slot slot;

	return fde_index_slot(table->index, number, &slot) == 0 && slot.start == fde->start ?
		       fde->end - fde->start :
		       0;
}

static void compile(struct module *module, struct cfi_table *table, uint32_t number,
		    const struct cfi_fde *fde)
{
	const struct cfi_cie *cie = fde_index_cie(table->index, fde);

	module->row_count = 0;
	module->row_base = fde->start;
	if (cie && may_compile(table, cie, fde))
		cfi_program_run(fde_index_section(table->index), cie, fde, module->arch, module->pool,
				collect_row, module);
	else
		collect_row(module, fde->start, RULE_POOL_NO_CFI);
	fde_rows_put(table->rows, number, size_by_table(table, number, fde), module->rows, module->row_count);
}

/* *goes_on: the FDE describes the next address, too. */
static const struct unwind_rule *find_in_table(struct module *module, struct cfi_table *table, uint64_t vaddr,
					       bool *goes_on)
{
	struct cfi_fde fde;
	uint64_t start, size;
	uint32_t number;

	if (fde_index_last(table->index, vaddr, &number, &start) != 1)
		return NULL;
	size = fde_rows_size(table->rows, number);
	if (vaddr - start >= size) {
		/* Not looked up before, or it does not cover the vaddr, or it is a rare one. */
		if (fde_index_find_back(table->index, number, vaddr, &number, &fde) != 1)
			return NULL;
		if (!fde_rows_has(table->rows, number))
			compile(module, table, number, &fde);
		start = fde.start;
		size = fde.end - fde.start;
	}
	*goes_on = vaddr + 1 - start < size;
	return rule_pool_rule(module->pool, fde_rows_find(table->rows, number, vaddr - start));
}

/* The first rule that says something, opening what has not been opened yet. */
static const struct unwind_rule *find_in_tables(struct module *module, uint64_t vaddr, bool *goes_on)
{
	size_t searched = 0;

	do {
		for (; searched < module->table_count; searched++) {
			const struct unwind_rule *rule =
				find_in_table(module, &module->tables[searched], vaddr, goes_on);

			if (rule && rule->path != PATH_NO_CFI)
				return rule;
		}
	} while (open_next_source(module));
	return NULL;
}

/* NULL when nothing is known. */
static const struct unwind_rule *leaf_rule(struct module *module, uint64_t vaddr,
					   const struct code_bytes *code, bool *goes_on)
{
	const struct unwind_rule *rule = find_in_tables(module, vaddr, goes_on), *next;
	bool next_goes_on;

	if (!rule || !code->at || !module->arch->does_nothing(code))
		return rule;
	next = find_in_tables(module, vaddr + module->arch->code_alignment_bytes, &next_goes_on);
	return next ? next : rule;
}

bool module_is_entry(const struct module *module, uint64_t vaddr)
{
	return vaddr - module->entry_vaddr < module->entry_size;
}

/*
 * _start of C libraries that do not describe it (musl), and the code that a
 * thread returns to when it is done, are where stacks begin.
 */
static bool is_root(const struct module *module, uint64_t vaddr, const struct code_bytes *code,
		    bool is_return_address)
{
	if (module_is_entry(module, vaddr - is_return_address))
		return true;
	return is_return_address && code->at && module->arch->exits(code);
}

/* The instruction at `vaddr`, or behind a call of one in front of it: never the first. */
static const struct unwind_rule *init_rule(const struct module *module, uint64_t vaddr,
					   const struct code_bytes *code, bool is_return_address)
{
	for (size_t i = 0; i < module->init_count; i++) {
		uint64_t distance = vaddr - module->init_vaddrs[i];
		struct code_bytes function = { code->at, (size_t)distance, code->after };
		const struct unwind_rule *rule = NULL;

		if (distance >= is_return_address && distance < MAX_INIT_BYTES && distance <= code->before)
			rule = module->arch->init_function(&function);
		if (rule)
			return rule;
	}
	return NULL;
}

/* A frame of Go's at an instruction where the stack pointer is `size` bytes below where it was at the entry. */
static const struct unwind_rule *go_frame(struct module *module, int32_t size)
{
	const struct unwind_arch *arch = module->arch;
	struct unwind_rule rule = {
		.cfa = { .kind = CFA_REGISTER, .reg = arch->sp, .value = size },
		.ra = { .kind = RULE_AT_CFA, .column = arch->ra, .value = -size },
		.fp = { .kind = RULE_AT_CFA, .column = arch->fp, .value = -size - 8 },
	};

	if (!arch->ra_is_register) {
		/* Behind the return address, which the call has pushed, lies the frame pointer. */
		rule.cfa.value = size + 8;
		rule.ra.value = -8;
		rule.fp.value = -16;
	}
	if (size == 0) {
		rule.fp = (struct register_rule){ .kind = RULE_SAME_VALUE, .column = arch->fp };
		if (arch->ra_is_register)
			rule.ra = (struct register_rule){ .kind = RULE_SAME_VALUE, .column = arch->ra };
	}
	return rule_pool_rule(module->pool,
			      rule_pool_add(module->pool, arch, &rule, hash_u64((uint32_t)size)));
}

/*
 * What is known of a place in Go's code beside its CFI. A function that moves to another stack is left where its CFI
 * says before it does so, and nobody knows where that was once it has: its frames are unproved, and followed by frame
 * pointer where it has called somebody.
 */
enum go_place { GO_ORDINARY, GO_ROOT, GO_NO_CFI, GO_UNPROVED };

static enum go_place go_place(const struct module *module, uint64_t vaddr, const struct code_bytes *code,
			      bool is_return_address)
{
	struct go_function function;

	if (!module->go || !go_functions_find(module->go, vaddr - is_return_address, &function))
		return GO_ORDINARY;
	if (function.is_top)
		return GO_ROOT;
	if (!is_return_address)
		return function.moves_to_stack ? GO_UNPROVED : GO_ORDINARY;
	if (function.calls_on_other || (code->at && module->arch->exits(code)))
		return GO_ROOT;
	return function.moves_to_stack && !function.makes_caller ? GO_NO_CFI : GO_ORDINARY;
}

/*
 * A goroutine that calls C is left as if at the first instruction of systemstack_switch, which is where what C calls back
 * returns to.
 */
static bool go_begins_at(const struct module *module, uint64_t vaddr)
{
	struct go_function function;

	return module->go && go_functions_find(module->go, vaddr, &function) && function.start == vaddr;
}

/* `copy` is a rule of the module but for its marks. */
static const struct unwind_rule *marked(struct module *module, const struct unwind_rule *rule,
					const struct unwind_rule *copy)
{
	return rule_pool_rule(module->pool,
			      rule_pool_add(module->pool, module->arch, copy, hash_u64((uintptr_t)rule)));
}

static const struct unwind_rule *marked_for_go(struct module *module, const struct unwind_rule *rule,
					       bool is_unproved, bool is_not_called)
{
	struct unwind_rule copy = *rule;

	if (rule->path == PATH_NO_CFI || rule->path == PATH_ROOT || (!is_unproved && !is_not_called))
		return rule;
	copy.unproved = is_unproved;
	copy.not_called = is_not_called;
	return marked(module, rule, &copy);
}

/* Of a program without CFI. */
static const struct unwind_rule *go_rule(struct module *module, uint64_t lookup)
{
	enum { MAX_FRAME_BYTES = 1 << 28 };
	struct go_function function;
	int32_t size;

	if (!go_functions_find(module->go, lookup, &function) ||
	    !go_functions_frame_size(module->go, &function, lookup, &size) || size < 0 || size & 7 ||
	    size > MAX_FRAME_BYTES)
		return NULL;
	return go_frame(module, size);
}

static bool is_described(void *context, uint64_t vaddr)
{
	const struct module *module = context;

	for (size_t i = 0; i < module->table_count; i++)
		if (fde_index_covers(module->tables[i].index, vaddr))
			return true;
	return false;
}

static size_t list_described(void *context, struct code_range **ranges)
{
	const struct module *module = context;
	size_t count = 0, capacity = 0;

	*ranges = NULL;
	for (size_t i = 0; i < module->table_count; i++) {
		struct fde_index *index = module->tables[i].index;

		*ranges = array_grow(*ranges, &capacity, count + fde_index_count(index), sizeof(**ranges));
		for (uint32_t number = 0; number < fde_index_count(index); number++) {
			struct fde_index_slot slot;
			struct cfi_fde fde;

			if (fde_index_slot(index, number, &slot) == 0 &&
			    fde_index_read(index, slot.fde_offset, &fde) == 1)
				(*ranges)[count++] = (struct code_range){ fde.start, fde.end };
		}
	}
	return count;
}

static struct code_table *open_code_table(struct module *module)
{
	const struct code_descriptions described = { is_described, list_described, module };
	struct code_table *table = code_table_create(module->files, SOURCE_COUNT, module->arch, &described);

	for (size_t i = 0; i < module->init_count; i++)
		code_table_add_start(table, module->init_vaddrs[i]);
	return table;
}

/*
 * In the parent what is said up to the system call goes on to hold. In the child it leads nowhere, which shows when it is
 * tried, as with rules made from instructions.
 */
static const struct unwind_rule *clone_rule(struct module *module, uint64_t vaddr,
					    const struct code_bytes *code)
{
	const size_t distance = module->arch->since_clone ? module->arch->since_clone(code) : SIZE_MAX;
	const struct unwind_rule *rule = NULL;
	struct unwind_rule copy;
	bool goes_on = false;

	if (distance == SIZE_MAX)
		return NULL;
	pthread_mutex_lock(&module->lock);
	if (!find_in_tables(module, vaddr - distance, &goes_on))
		rule = find_in_tables(module, vaddr - distance - 1, &goes_on);
	if (rule && rule->path != PATH_ROOT) {
		copy = *rule;
		copy.by_code = true;
		rule = marked(module, rule, &copy);
	}
	pthread_mutex_unlock(&module->lock);
	return rule;
}

/* By what the function's instructions do, where nothing else says anything. All files have been opened by then. */
static const struct unwind_rule *code_rule(struct module *module, uint64_t lookup)
{
	uint32_t number;

	pthread_mutex_lock(&module->lock);
	if (!module->code_table)
		module->code_table = open_code_table(module);
	number = code_table_find(module->code_table, module->pool, lookup);
	pthread_mutex_unlock(&module->lock);
	return rule_pool_rule(module->pool, number);
}

const struct unwind_rule *module_rule(struct module *module, uint64_t vaddr, bool is_return_address)
{
	struct code_bytes code = module_code(module, vaddr);
	const struct unwind_rule *rule = NULL, *trampoline;
	bool goes_on = false, not_called;
	enum go_place place;

	if (module->go && code.at)
		rule = module->arch->signal_trampoline(&code);
	if (rule)
		return rule;
	not_called = is_return_address && go_begins_at(module, vaddr);
	is_return_address &= !not_called;
	place = go_place(module, vaddr, &code, is_return_address);
	if (place == GO_ROOT)
		return &root_rule;
	if (place == GO_NO_CFI)
		return rule_pool_rule(module->pool, RULE_POOL_NO_CFI);
	pthread_mutex_lock(&module->lock);
	rule = is_return_address ? find_in_tables(module, vaddr - 1, &goes_on) :
				   leaf_rule(module, vaddr, &code, &goes_on);
	if (!rule && module->go)
		rule = go_rule(module, vaddr - is_return_address);
	if (rule)
		rule = marked_for_go(module, rule, place == GO_UNPROVED, not_called);
	pthread_mutex_unlock(&module->lock);
	/*
	 * A handler "returns" to the first instruction of a trampoline, and a coroutine to that of what ends it: what was
	 * found is of the function before it, unless that goes on. Most code is not looked at, and need not be read from
	 * the disk.
	 */
	if (code.at && (!rule || rule->signal_frame || !goes_on)) {
		trampoline = module->arch->signal_trampoline(&code);
		if (trampoline)
			return trampoline;
		if (is_return_address && module->arch->begins_context(&code))
			return &context_rule;
	}
	if (!rule && !is_return_address && code.at)
		rule = clone_rule(module, vaddr, &code);
	if (rule)
		return rule;
	/* What linkers and C libraries put together is in files alone. */
	if (!module->files[SOURCE_FILE])
		return rule_pool_rule(module->pool, RULE_POOL_NO_CFI);
	if (code.at)
		rule = init_rule(module, vaddr, &code, is_return_address);
	if (!rule && !is_return_address && code.at)
		rule = module->arch->jump_stub(&code);
	if (rule)
		return rule;
	return is_root(module, vaddr, &code, is_return_address) ?
		       &root_rule :
		       code_rule(module, vaddr - is_return_address);
}

void module_visit_used(struct module *module, module_start_visit *visit, void *context)
{
	pthread_mutex_lock(&module->lock);
	for (size_t i = 0; i < module->table_count; i++) {
		const struct cfi_table *table = &module->tables[i];

		for (uint32_t number = 0; number < fde_index_count(table->index); number++) {
			struct fde_index_slot slot;
			struct cfi_fde fde;

			if (fde_rows_has(table->rows, number) &&
			    fde_index_slot(table->index, number, &slot) == 0 &&
			    fde_index_read(table->index, slot.fde_offset, &fde) == 1)
				visit(context, fde.start);
		}
	}
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
	*counts = (struct module_counts){ .size_bytes = sizeof(*module) };
	pthread_mutex_lock(&module->lock);
	for (size_t i = 0; i < module->table_count; i++) {
		counts->fde_count += fde_rows_fde_count(module->tables[i].rows);
		counts->row_count += fde_rows_row_count(module->tables[i].rows);
		counts->size_bytes += fde_rows_bytes(module->tables[i].rows);
	}
	counts->rule_count = rule_pool_count(module->pool);
	counts->size_bytes += rule_pool_bytes(module->pool);
	pthread_mutex_unlock(&module->lock);
}

static void visit_table(struct module *module, struct cfi_table *table, module_row_visit *visit,
			void *context)
{
	for (uint32_t number = 0; number < fde_index_count(table->index); number++) {
		struct fde_index_slot slot;
		struct cfi_fde fde;

		if (fde_index_slot(table->index, number, &slot) < 0 ||
		    fde_index_read(table->index, slot.fde_offset, &fde) != 1)
			continue;
		compile(module, table, number, &fde);
		for (size_t i = 0; i < module->row_count; i++)
			visit(context, fde.start + module->rows[i].distance,
			      i + 1 < module->row_count ? fde.start + module->rows[i + 1].distance : fde.end,
			      rule_pool_rule(module->pool, module->rows[i].rule));
	}
}

void module_visit_rows(struct module *module, module_row_visit *visit, void *context)
{
	pthread_mutex_lock(&module->lock);
	while (open_next_source(module))
		continue;
	for (size_t i = 0; i < module->table_count; i++)
		visit_table(module, &module->tables[i], visit, context);
	pthread_mutex_unlock(&module->lock);
}
