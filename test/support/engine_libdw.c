#include "support/engine_libdw.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>

#include "base/xalloc.h"

struct engine_libdw {
	Dwfl *dwfl; /* has the mappings of the address space `space` */
	uint64_t space;
	bool attached;
	const struct unwind_input *input; /* of the present walk */
	struct unwind_stack *stack;
	bool stack_exhausted; /* the last frame needed a word above the stack bytes */
	bool limit_reached;
};

/* libdwfl numbers threads; there is only one. */
enum { THREAD = 1 };

static pid_t next_thread(Dwfl *dwfl, void *context, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = context;
	return THREAD;
}

static bool get_thread(Dwfl *dwfl, pid_t number, void *context, void **thread)
{
	(void)dwfl;
	*thread = context;
	return number == THREAD;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *context)
{
	struct engine_libdw *engine = context;
	const struct stack_memory *stack = &engine->input->stack;
	uint64_t value;

	(void)dwfl;
	if (!stack_memory_word(stack, address, &value)) {
		engine->stack_exhausted |= address >= stack->address;
		return false;
	}
	*word = value;
	return true;
}

static bool set_initial_registers(Dwfl_Thread *thread, void *context)
{
	const struct engine_libdw *engine = context;
	const struct unwind_input *input = engine->input;
	const Dwarf_Word pc = input->pc;

	for (int reg = 0; reg < input->arch->register_count; reg++) {
		const Dwarf_Word value = input->registers.value[reg];

		if ((input->registers.known >> reg & 1) &&
		    !dwfl_thread_state_registers(thread, reg, 1, &value))
			return false;
	}
	if (!input->arch->ra_is_register) /* the pc is numbered as the return address column */
		return dwfl_thread_state_registers(thread, input->arch->ra, 1, &pc);
	dwfl_thread_state_register_pc(thread, pc);
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = memory_read,
	.set_initial_registers = set_initial_registers,
};

static int no_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, char **path,
		   Elf **elf)
{
	(void)module;
	(void)data;
	(void)name;
	(void)base;
	(void)path;
	(void)elf;
	return -1;
}

static int no_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			 const char *path, const char *link, GElf_Word crc, char **debug_path)
{
	(void)module;
	(void)data;
	(void)name;
	(void)base;
	(void)path;
	(void)link;
	(void)crc;
	(void)debug_path;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = no_file,
	.find_debuginfo = no_debug_file,
	.section_address = dwfl_offline_section_address,
};

/* Tells libdwfl what is mapped at an address, before it gets there. */
static void report(struct engine_libdw *engine, uint64_t address)
{
	enum { PAGE_BYTES = 4096 };
	struct unwind_mapping mapping;
	const struct elf_file *file;
	uint64_t first;

	if (dwfl_addrmodule(engine->dwfl, address) ||
	    !engine->input->find_mapping(engine->input->context, address, &mapping) || !mapping.module)
		return;
	file = module_file(mapping.module);
	if (!file || elf_file_segment_count(file) == 0)
		return;
	/* libdwfl takes the address of the first page, not the bias. */
	first = elf_file_segment(file, 0)->vaddr & ~(uint64_t)(PAGE_BYTES - 1);
	(void)dwfl_report_elf(engine->dwfl, elf_file_path(file), elf_file_path(file), -1,
			      mapping.bias + first, false);
}

static int add_frame(Dwfl_Frame *frame, void *context)
{
	struct engine_libdw *engine = context;
	struct unwind_stack *stack = engine->stack;
	bool is_activation;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, &is_activation))
		return DWARF_CB_ABORT;
	if (stack->count == stack->capacity) {
		engine->limit_reached = true;
		return DWARF_CB_ABORT;
	}
	engine->stack_exhausted = false;
	report(engine, is_activation ? pc : pc - 1);
	stack->frames[stack->count] = (struct unwind_frame){
		.address = pc & ~engine->input->pac_mask,
		.how = stack->count == 0 ? UNWIND_HOW_REGISTERS :
		       is_activation     ? UNWIND_HOW_SIGNAL :
					   UNWIND_HOW_CFI,
		.is_return_address = !is_activation,
	};
	stack->count++;
	return DWARF_CB_OK;
}

struct engine_libdw *engine_libdw_create(void)
{
	return xcalloc(1, sizeof(struct engine_libdw));
}

void engine_libdw_destroy(struct engine_libdw *engine)
{
	if (!engine)
		return;
	if (engine->dwfl)
		dwfl_end(engine->dwfl);
	free(engine);
}

static void enter_space(struct engine_libdw *engine, const struct unwind_input *input)
{
	if (engine->dwfl && input->space != 0 && input->space == engine->space)
		return;
	if (engine->dwfl)
		dwfl_end(engine->dwfl);
	engine->dwfl = dwfl_begin(&callbacks);
	engine->attached = false;
	engine->space = input->space;
}

static enum unwind_end walk(struct engine_libdw *engine)
{
	int result;

	report(engine, engine->input->pc);
	/* libdwfl takes the machine from the first module. */
	if (!engine->attached)
		engine->attached = dwfl_attach_state(engine->dwfl, NULL, THREAD, &thread_callbacks, engine);
	if (!engine->attached)
		return UNWIND_END_NO_CFI;
	result = dwfl_getthread_frames(engine->dwfl, THREAD, add_frame, engine);
	if (engine->limit_reached)
		return UNWIND_END_DEPTH_LIMIT;
	/* A missing word makes the caller undefined, which looks like a root. */
	if (engine->stack_exhausted)
		return UNWIND_END_STACK_EXHAUSTED;
	return result == 0 ? UNWIND_END_ROOT : UNWIND_END_NO_CFI;
}

void engine_libdw_walk(struct engine_libdw *engine, const struct unwind_input *input,
		       struct unwind_stack *stack)
{
	if (!unwind_stack_begin(stack, input))
		return;
	engine->input = input;
	engine->stack = stack;
	engine->stack_exhausted = engine->limit_reached = false;
	enter_space(engine, input);
	if (engine->dwfl)
		stack->end = walk(engine);
	if (stack->count)
		stack->at = stack->frames[stack->count - 1].address;
	else
		stack->frames[stack->count++] = (struct unwind_frame){ .address = input->pc };
}
