#include "support/own_process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

static struct elf_file *open_object(const char *path, uint64_t start, uint64_t end)
{
	struct error err;
	void *copy;

	if (path[0] == '/')
		return elf_file_open(path, &err);
	if (strcmp(path, "[vdso]") != 0)
		return NULL;
	/* A copy: the vdso is the same in all processes, but not at the same address. */
	copy = malloc(end - start);
	memcpy(copy, (const void *)getauxval(AT_SYSINFO_EHDR), end - start);
	return elf_file_open_memory(copy, end - start, path, &err);
}

static struct module *module_of(struct own_process *process, const char *path, uint64_t start, uint64_t end)
{
	static const struct debug_file_search search = { .symfs = "" };
	struct elf_file *file;
	struct error err;

	for (size_t i = 0; i < process->module_count; i++)
		if (strcmp(process->paths[i], path) == 0)
			return process->modules[i];
	file = open_object(path, start, end);
	if (!file || process->module_count == OWN_PROCESS_MAPPINGS)
		return NULL;
	process->modules[process->module_count] =
		module_create((uint32_t)process->module_count, file, &search, &err);
	process->paths[process->module_count] = strdup(path);
	return process->modules[process->module_count++];
}

static void add_mapping(struct own_process *process, const char *line)
{
	uint64_t start, end, offset, vaddr;
	char permissions[8], path[1024] = "";
	struct unwind_mapping *mapping = &process->mappings[process->mapping_count];

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %1023s", &start, &end, permissions,
		   &offset, path) < 4 ||
	    permissions[2] != 'x' || process->mapping_count == OWN_PROCESS_MAPPINGS)
		return;
	*mapping = (struct unwind_mapping){ .start = start, .end = end, .executable = true };
	mapping->module = module_of(process, path, start, end);
	if (mapping->module &&
	    elf_file_mapping_to_vaddr(module_file(mapping->module), offset, end - start, &vaddr) == 0)
		mapping->bias = start - vaddr;
	process->mapping_count++;
}

void own_process_refresh(struct own_process *process)
{
	char path[64], line[2048];
	FILE *maps;

	if (process->pid)
		snprintf(path, sizeof(path), "/proc/%d/maps", (int)process->pid);
	else
		snprintf(path, sizeof(path), "/proc/self/maps");
	maps = fopen(path, "re");
	process->mapping_count = 0;
	while (maps && fgets(line, sizeof(line), maps))
		add_mapping(process, line);
	if (maps)
		fclose(maps);
}

void own_process_init_other(struct own_process *process, pid_t pid)
{
	*process = (struct own_process){ .pid = pid };
	own_process_refresh(process);
}

void own_process_init(struct own_process *process)
{
	own_process_init_other(process, 0);
}

void own_process_fini(struct own_process *process)
{
	for (size_t i = 0; i < process->module_count; i++) {
		module_destroy(process->modules[i]);
		free(process->paths[i]);
	}
}

bool own_process_find(void *context, uint64_t address, struct unwind_mapping *mapping)
{
	const struct own_process *process = context;

	for (size_t i = 0; i < process->mapping_count; i++) {
		if (address >= process->mappings[i].start && address < process->mappings[i].end) {
			*mapping = process->mappings[i];
			return true;
		}
	}
	return false;
}

static void read_registers(struct unwind_input *input, const ucontext_t *context)
{
#if defined(__x86_64__)
	static const uint8_t dwarf_number[] = {
		[REG_RAX] = X86_64_RAX, [REG_RDX] = X86_64_RDX, [REG_RCX] = X86_64_RCX,
		[REG_RBX] = X86_64_RBX, [REG_RSI] = X86_64_RSI, [REG_RDI] = X86_64_RDI,
		[REG_RBP] = X86_64_RBP, [REG_RSP] = X86_64_RSP, [REG_R8] = X86_64_R8,
		[REG_R9] = X86_64_R9,   [REG_R10] = X86_64_R10, [REG_R11] = X86_64_R11,
		[REG_R12] = X86_64_R12, [REG_R13] = X86_64_R13, [REG_R14] = X86_64_R14,
		[REG_R15] = X86_64_R15,
	};

	input->arch = &unwind_arch_x86_64;
	input->pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	for (size_t i = 0; i < sizeof(dwarf_number); i++) {
		input->registers.value[dwarf_number[i]] = (uint64_t)context->uc_mcontext.gregs[i];
		input->registers.known |= (uint64_t)1 << dwarf_number[i];
	}
#elif defined(__aarch64__)
	input->arch = &unwind_arch_aarch64;
	input->pc = context->uc_mcontext.pc;
	for (size_t i = 0; i < 31; i++)
		input->registers.value[i] = context->uc_mcontext.regs[i];
	input->registers.value[AARCH64_SP] = context->uc_mcontext.sp;
	input->registers.known = 0xffffffff;
#endif
}

/* End of the bytes that can be read without a gap from the address on: other threads' stacks begin with a guard page. */
static uint64_t mapped_end(uint64_t address)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[2048];
	uint64_t start, end, found = address;
	char readable;

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %c", &start, &end, &readable) == 3 &&
		    readable == 'r' && found >= start && found < end)
			found = end;
	if (maps)
		fclose(maps);
	return found;
}

__attribute__((no_sanitize("address"))) void own_stack_copy(uint8_t *to, uint64_t from, size_t size)
{
	const volatile uint8_t *bytes = (const volatile uint8_t *)(uintptr_t)from;

	for (size_t i = 0; i < size; i++)
		to[i] = bytes[i];
}

void own_input_init(struct unwind_input *input, struct own_process *process, const ucontext_t *context,
		    size_t max_bytes)
{
	uint64_t sp;
	uint8_t *copy;
	size_t size;

	*input = (struct unwind_input){ .find_mapping = own_process_find, .context = process, .space = 1 };
	read_registers(input, context);
	sp = input->registers.value[input->arch->sp];
	size = (size_t)(mapped_end(sp) - sp);
	if (size > max_bytes)
		size = max_bytes;
	copy = malloc(size);
	own_stack_copy(copy, sp, size);
	input->stack = (struct stack_memory){ .bytes = copy, .size = size, .address = sp };
}

void own_input_fini(struct unwind_input *input)
{
	free((void *)(uintptr_t)input->stack.bytes);
}
