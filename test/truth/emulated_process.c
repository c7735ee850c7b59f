#include "truth/emulated_process.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "base/xalloc.h"
#include "truth/gdb_remote.h"

enum { MAX_ARGUMENTS = 64, PAGE_BYTES = 4096, REGISTERS = 33, SIGTRAP_NUMBER = 5 };

struct emulated_process {
	struct process_image image;
	char *directory; /* of the socket */
	char *socket;
	struct gdb_remote *remote;
	struct emulated_registers registers;
	int signal; /* delivered with the next step */
	/* The code that handlers return to. It is in no file, so it has a module of its own. */
	uint64_t trampoline;
	struct module *trampoline_module;
};

/* --- registers and memory --- */

static bool take_register(const char **text, uint64_t *value)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < sizeof(bytes); i++, *text += 2) {
		unsigned int byte;

		if (sscanf(*text, "%2x", &byte) != 1)
			return false;
		bytes[i] = (uint8_t)byte;
	}
	memcpy(value, bytes, sizeof(*value)); /* little-endian, like this machine */
	return true;
}

/* The "g" packet has x0 to x30, sp, pc (features/aarch64-core.xml of GDB). */
static bool read_registers(struct emulated_process *process)
{
	const char *text = gdb_remote_ask(process->remote, "g");
	uint64_t values[REGISTERS];

	if (!text || strlen(text) < (size_t)REGISTERS * 16)
		return false;
	for (size_t i = 0; i < REGISTERS; i++)
		if (!take_register(&text, &values[i]))
			return false;
	memcpy(process->registers.x, values, sizeof(process->registers.x));
	process->registers.sp = values[31];
	process->registers.pc = values[32];
	return true;
}

const struct emulated_registers *emulated_process_registers(const struct emulated_process *process)
{
	return &process->registers;
}

struct instruction emulated_process_instruction(struct emulated_process *process)
{
	uint32_t word = 0;

	(void)process_image_read(&process->image, process->registers.pc, &word, sizeof(word));
	return instruction_decode_aarch64(word);
}

/* --- mappings --- */

/* Is the vaddr's page in an executable segment? The emulator maps code without execute permission, so only the file tells. */
static bool is_code(const struct elf_file *file, uint64_t vaddr)
{
	for (size_t i = 0; i < elf_file_segment_count(file); i++) {
		const struct elf_segment *segment = elf_file_segment(file, i);

		if (segment->executable && vaddr < segment->vaddr + segment->memory_size &&
		    vaddr + PAGE_BYTES > segment->vaddr)
			return true;
	}
	return false;
}

static void find_module(struct emulated_process *process, struct mapped *mapped)
{
	const uint64_t size = mapped->mapping.end - mapped->mapping.start;
	struct module *module =
		mapped->path[0] == '/' ? module_cache_open(process->image.cache, mapped->path) : NULL;
	uint64_t vaddr;

	if (!module || module_arch(module) != &unwind_arch_aarch64 ||
	    elf_file_mapping_to_vaddr(module_file(module), mapped->file_offset, size, &vaddr) != 0 ||
	    !is_code(module_file(module), vaddr))
		return;
	mapped->mapping.module = module;
	mapped->mapping.bias = mapped->mapping.start - vaddr;
	mapped->mapping.executable = true;
}

static void describe(void *context, struct mapped *mapped)
{
	struct emulated_process *process = context;
	struct unwind_mapping *mapping = &mapped->mapping;

	if (process->trampoline_module &&
	    process->trampoline - mapping->start < mapping->end - mapping->start) {
		mapping->module = process->trampoline_module;
		mapping->bias = process->trampoline & ~(uint64_t)(PAGE_BYTES - 1);
		mapping->executable = true;
	} else if (mapped->readable && !mapped->writable) {
		find_module(process, mapped);
	}
}

struct process_image *emulated_process_image(struct emulated_process *process)
{
	return &process->image;
}

/* --- running --- */

/* At a handler's entry the link register holds the address that the handler returns to. */
static void learn_trampoline(struct emulated_process *process)
{
	uint8_t page[PAGE_BYTES] = { 0 };

	if (process->trampoline == process->registers.x[30])
		return;
	process->trampoline = process->registers.x[30];
	(void)process_image_read(&process->image, process->trampoline & ~(uint64_t)(PAGE_BYTES - 1), page,
				 sizeof(page));
	process->trampoline_module = module_cache_code(process->image.cache, "[trampoline]",
						       &unwind_arch_aarch64, page, sizeof(page));
	process->image.stale = true;
}

enum traced_stop emulated_process_step(struct emulated_process *process)
{
	const struct emulated_registers before = process->registers;
	const int delivered = process->signal;
	char packet[32] = "s";
	unsigned int signal;
	const char *reply;

	if (emulated_process_instruction(process).kind == INSTRUCTION_SYSCALL)
		process->image.stale = true;
	if (delivered)
		snprintf(packet, sizeof(packet), "vCont;S%02x:p1.-1", (unsigned int)delivered);
	process->signal = 0;
	reply = gdb_remote_ask(process->remote, packet);
	if (!reply || sscanf(reply, "T%2x", &signal) != 1 || !read_registers(process))
		return TRACED_ENDED;
	if (signal != SIGTRAP_NUMBER)
		process->signal = (int)signal;
	if (!delivered || process->registers.sp == before.sp)
		return TRACED_STEPPED;
	learn_trampoline(process);
	return TRACED_ENTERED;
}

static uint64_t entry_address(struct emulated_process *process, const char *program)
{
	uint64_t entry = 0;
	struct error err;
	struct elf_file *file = elf_file_open(program, &err);
	char *path = realpath(program, NULL);

	process_image_space(&process->image);
	for (size_t i = 0; file && path && i < process->image.count; i++) {
		const struct mapped *mapped = &process->image.maps[i];

		if (strcmp(mapped->path, path) == 0 && mapped->mapping.module) {
			size_t size;
			struct byte_reader r = byte_reader_over(elf_file_bytes(file, &size), 64, false);

			byte_reader_skip(&r, 24); /* e_entry: gABI, "ELF Header" */
			entry = byte_reader_u64(&r) + mapped->mapping.bias;
			break;
		}
	}
	elf_file_close(file);
	free(path);
	return entry;
}

static int run_to_entry(struct emulated_process *process, const char *program, struct error *err)
{
	uint64_t entry = entry_address(process, program);
	char packet[64];
	bool arrived;

	if (!entry)
		return error_set(err, "%s is not where the emulator should have it", program);
	snprintf(packet, sizeof(packet), "Z0,%" PRIx64 ",4", entry);
	arrived = gdb_remote_ask(process->remote, packet) && gdb_remote_ask(process->remote, "c");
	packet[0] = 'z';
	arrived = arrived && gdb_remote_ask(process->remote, packet) && read_registers(process) &&
		  process->registers.pc == entry;
	process->image.stale = true;
	return arrived ? 0 : error_set(err, "%s never came to its entry point", program);
}

static int child_exec(char *const arguments[], char *socket)
{
	char *all[MAX_ARGUMENTS] = { arguments[0], (char *)(uintptr_t) "-g", socket };

	for (size_t i = 1; arguments[i] && i < MAX_ARGUMENTS - 3; i++)
		all[i + 2] = arguments[i];
	process_image_silence();
	execvp(all[0], all);
	return 127;
}

static const char *last(char *const arguments[])
{
	size_t count = 1;

	while (arguments[count])
		count++;
	return arguments[count - 1];
}

struct emulated_process *emulated_process_start(char *const arguments[], struct module_cache *cache,
						struct error *err)
{
	struct emulated_process *process = xcalloc(1, sizeof(*process));

	process->image = (struct process_image){
		.cache = cache, .describe = describe, .process = process, .stale = true
	};
	process->directory = xstrdup("/tmp/xprof-truth.XXXXXX");
	if (!mkdtemp(process->directory)) {
		error_set_errno(err, errno, "no place for a socket");
		free(process->directory);
		free(process);
		return NULL;
	}
	process->socket = xasprintf("%s/gdb", process->directory);
	process->image.pid = fork();
	if (process->image.pid == 0)
		_exit(child_exec(arguments, process->socket));
	if (process->image.pid > 0)
		process->remote = gdb_remote_connect(process->socket, process->image.pid, err);
	/* With "multiprocess+" the emulator accepts packets that name processes and signals. */
	if (process->remote && gdb_remote_ask(process->remote, "qSupported:multiprocess+") &&
	    gdb_remote_ask(process->remote, "?") && run_to_entry(process, last(arguments), err) == 0)
		return process;
	emulated_process_kill(process);
	return NULL;
}

void emulated_process_kill(struct emulated_process *process)
{
	int status;

	if (process->image.pid > 0) {
		kill(process->image.pid, SIGKILL);
		waitpid(process->image.pid, &status, 0);
	}
	gdb_remote_close(process->remote);
	unlink(process->socket);
	rmdir(process->directory);
	free(process->socket);
	free(process->directory);
	process_image_fini(&process->image);
	free(process);
}
