/*
 * Callbacks for libunwind's remote unwinder. Memory comes from the stack bytes, else from mapped files; registers come from the
 * input; find_proc_info() hands over the linker's table. walk() is the loop. The rest of the file are callbacks that refuse, and
 * stubs for builds without libunwind.
 */
#include "unwind/engine_libunwind.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "unwind/cfi/cfi_source.h"
#include "unwind/cfi/fde_index.h"

#if defined(HAVE_LIBUNWIND_GENERIC) && (defined(__x86_64__) || defined(__aarch64__))

#include <libunwind.h>

/* Exported by libunwind and used by every remote unwinder, but declared in none of its headers. */
#define search_unwind_table UNW_OBJ(dwarf_search_unwind_table)
extern int search_unwind_table(unw_addr_space_t space, unw_word_t ip, unw_dyn_info_t *info,
			       unw_proc_info_t *proc, int need_unwind_info, void *context);

enum { MAX_OBJECTS = 64 };

/* A mapped module and its search table. libunwind expects the table without its header. */
struct object {
	struct unwind_mapping mapping;
	uint64_t hdr_vaddr;
	size_t table_offset; /* in .eh_frame_hdr */
	uint32_t pair_count;
};

struct engine_libunwind {
	unw_addr_space_t address_space;
	const struct unwind_input *input; /* of the current walk */
	struct object objects[MAX_OBJECTS];
	size_t object_count;
	uint64_t space;
	bool stack_exhausted; /* a word above the stack bytes was needed */
};

static const struct object *add_object(struct engine_libunwind *engine, uint64_t address)
{
	struct object *object = &engine->objects[engine->object_count];
	struct elf_file *file;
	struct cfi_section section;
	struct cfi_hdr hdr;

	if (engine->object_count == MAX_OBJECTS ||
	    !engine->input->find_mapping(engine->input->context, address, &object->mapping) ||
	    !object->mapping.module)
		return NULL;
	/* Reading sections changes nothing that other threads see, once the sections are decompressed. */
	file = (struct elf_file *)(uintptr_t)module_file(object->mapping.module);
	if (!file || cfi_source_eh_frame(file, &section, &hdr) != 1 ||
	    !fde_index_find_table(&section, hdr.bytes, hdr.size, &object->table_offset, &object->pair_count))
		return NULL;
	object->hdr_vaddr = section.hdr_vaddr;
	engine->object_count++;
	return object;
}

static const struct object *object_at(struct engine_libunwind *engine, uint64_t address)
{
	for (size_t i = 0; i < engine->object_count; i++)
		if (address >= engine->objects[i].mapping.start && address < engine->objects[i].mapping.end)
			return &engine->objects[i];
	return add_object(engine, address);
}

static int find_proc_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *proc, int need_unwind_info,
			  void *context)
{
	struct engine_libunwind *engine = context;
	const struct object *object = object_at(engine, ip);
	unw_dyn_info_t info = { .format = UNW_INFO_FORMAT_REMOTE_TABLE };

	if (!object)
		return -UNW_ENOINFO;
	info.start_ip = object->mapping.start;
	info.end_ip = object->mapping.end;
	info.u.rti.segbase = object->mapping.bias + object->hdr_vaddr;
	info.u.rti.table_data = info.u.rti.segbase + object->table_offset;
	info.u.rti.table_len = (size_t)object->pair_count * FDE_INDEX_PAIR_BYTES / sizeof(unw_word_t);
	return search_unwind_table(space, ip, &info, proc, need_unwind_info, context);
}

static void put_unwind_info(unw_addr_space_t space, unw_proc_info_t *proc, void *context)
{
	(void)space;
	(void)proc;
	(void)context;
}

static int no_dynamic_info(unw_addr_space_t space, unw_word_t *list, void *context)
{
	(void)space;
	(void)list;
	(void)context;
	return -UNW_ENOINFO;
}

/* Reads CFI and instructions from the mapped files, whichever has the word. */
static int read_object(struct engine_libunwind *engine, uint64_t address, unw_word_t *word)
{
	for (size_t i = 0; i < engine->object_count; i++) {
		const struct unwind_mapping *mapping = &engine->objects[i].mapping;
		size_t before, after;
		const uint8_t *bytes = cfi_source_loaded(module_file(mapping->module),
							 address - mapping->bias, &before, &after);

		if (bytes && after >= sizeof(*word)) {
			memcpy(word, bytes, sizeof(*word));
			return 0;
		}
	}
	return -UNW_EINVAL;
}

static int access_mem(unw_addr_space_t space, unw_word_t address, unw_word_t *word, int write, void *context)
{
	struct engine_libunwind *engine = context;
	const struct stack_memory *stack = &engine->input->stack;
	uint64_t value;

	(void)space;
	if (write)
		return -UNW_EINVAL;
	if (stack_memory_word(stack, address, &value)) {
		*word = value;
		return 0;
	}
	if (read_object(engine, address, word) == 0)
		return 0;
	engine->stack_exhausted = address >= stack->address + stack->size - sizeof(value);
	return -UNW_EINVAL;
}

/* libunwind numbers registers as DWARF does on both machines, except the pc. */
static int access_reg(unw_addr_space_t space, unw_regnum_t reg, unw_word_t *value, int write, void *context)
{
	const struct engine_libunwind *engine = context;
	const struct unwind_input *input = engine->input;

	(void)space;
	if (write)
		return -UNW_EREADONLYREG;
	if (reg == UNW_REG_IP) {
		*value = input->pc;
		return 0;
	}
	if (reg < 0 || reg >= UNWIND_REGISTER_COUNT || !(input->registers.known >> reg & 1))
		return -UNW_EBADREG;
	*value = input->registers.value[reg];
	return 0;
}

static int access_fpreg(unw_addr_space_t space, unw_regnum_t reg, unw_fpreg_t *value, int write,
			void *context)
{
	(void)space;
	(void)reg;
	(void)value;
	(void)write;
	(void)context;
	return -UNW_EINVAL;
}

static int resume(unw_addr_space_t space, unw_cursor_t *cursor, void *context)
{
	(void)space;
	(void)cursor;
	(void)context;
	return -UNW_EINVAL;
}

static int no_proc_name(unw_addr_space_t space, unw_word_t ip, char *name, size_t size, unw_word_t *offset,
			void *context)
{
	(void)space;
	(void)ip;
	(void)name;
	(void)size;
	(void)offset;
	(void)context;
	return -UNW_EINVAL;
}

struct engine_libunwind *engine_libunwind_create(struct error *err)
{
	static unw_accessors_t accessors = {
		.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = no_dynamic_info,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = access_fpreg,
		.resume = resume,
		.get_proc_name = no_proc_name,
	};
	struct engine_libunwind *engine = xcalloc(1, sizeof(*engine));

	engine->address_space = unw_create_addr_space(&accessors, 0);
	if (!engine->address_space) {
		free(engine);
		error_set(err, "libunwind cannot unwind for this machine");
		return NULL;
	}
	unw_set_caching_policy(engine->address_space, UNW_CACHE_GLOBAL);
	return engine;
}

void engine_libunwind_destroy(struct engine_libunwind *engine)
{
	if (!engine)
		return;
	unw_destroy_addr_space(engine->address_space);
	free(engine);
}

/* libunwind caches by run-time address, so a new address space needs a flush. */
static void enter_space(struct engine_libunwind *engine, const struct unwind_input *input)
{
	engine->input = input;
	engine->stack_exhausted = false;
	if (input->space != 0 && input->space == engine->space)
		return;
	engine->space = input->space;
	engine->object_count = 0;
	unw_flush_cache(engine->address_space, 0, 0);
}

static enum unwind_end end_of(const struct engine_libunwind *engine, int result)
{
	if (result == 0)
		return UNWIND_END_ROOT;
	if (engine->stack_exhausted)
		return UNWIND_END_STACK_EXHAUSTED;
	if (result == -UNW_ENOINFO)
		return UNWIND_END_NO_CFI;
	return result == -UNW_EBADREG ? UNWIND_END_UNKNOWN_REGISTER : UNWIND_END_BAD_CFA;
}

/* libunwind reports signal frames only for frames that it found without CFI, so look at the code. */
static bool is_signal_frame(struct engine_libunwind *engine, uint64_t pc)
{
	const struct object *object = object_at(engine, pc);
	struct code_bytes code = { .at = NULL };

	if (object)
		code = module_code(object->mapping.module, pc - object->mapping.bias);
	return code.at && engine->input->arch->signal_trampoline(&code) != NULL;
}

static enum unwind_end walk(struct engine_libunwind *engine, struct unwind_stack *stack)
{
	bool is_return_address = false;
	unw_cursor_t cursor;
	int result = unw_init_remote(&cursor, engine->address_space, engine);

	if (result != 0)
		return UNWIND_END_NO_REGISTERS;
	for (;;) {
		enum unwind_how how = stack->count == 0 ? UNWIND_HOW_REGISTERS :
				      is_return_address ? UNWIND_HOW_CFI :
							  UNWIND_HOW_SIGNAL;
		unw_word_t pc;

		if (unw_get_reg(&cursor, UNW_REG_IP, &pc) != 0 || pc == 0)
			return UNWIND_END_ROOT;
		if (stack->count == stack->capacity)
			return UNWIND_END_DEPTH_LIMIT;
		stack->frames[stack->count++] = (struct unwind_frame){
			.address = pc, .how = (uint8_t)how, .is_return_address = is_return_address
		};
		result = unw_step(&cursor);
		if (result <= 0)
			return end_of(engine, result);
		is_return_address = !is_signal_frame(engine, pc);
	}
}

void engine_libunwind_walk(struct engine_libunwind *engine, const struct unwind_input *input,
			   struct unwind_stack *stack)
{
	if (!unwind_stack_begin(stack, input))
		return;
#if defined(__x86_64__)
	if (input->arch != &unwind_arch_x86_64)
		return;
#else
	if (input->arch != &unwind_arch_aarch64)
		return;
#endif
	enter_space(engine, input);
	stack->end = walk(engine, stack);
	if (stack->count)
		stack->at = stack->frames[stack->count - 1].address;
}

#else

struct engine_libunwind *engine_libunwind_create(struct error *err)
{
	error_set(err, "xprof was built without libunwind");
	return NULL;
}

void engine_libunwind_destroy(struct engine_libunwind *engine)
{
	(void)engine;
}

void engine_libunwind_walk(struct engine_libunwind *engine, const struct unwind_input *input,
			   struct unwind_stack *stack)
{
	(void)engine;
	(void)input;
	stack->count = 0;
	stack->end = UNWIND_END_NO_REGISTERS;
}

#endif
