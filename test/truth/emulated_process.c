#include "truth/emulated_process.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/byte_reader.h"
#include "base/xalloc.h"
#include "truth/gdb_remote.h"

enum { PATH_BYTES = 1024, MAX_ARGUMENTS = 64, PAGE_BYTES = 4096, REGISTERS = 33, SIGTRAP_NUMBER = 5 };

struct mapped {
	struct unwind_mapping mapping;
	bool writable;
	char *path;
};

struct emulated_process {
	pid_t pid;
	char *directory; /* of the socket */
	char *socket;
	struct gdb_remote *remote;
	struct emulated_registers registers;
	int signal; /* to be delivered with the next step */
	struct module_cache *cache;
	struct mapped *maps;
	size_t map_count, map_capacity;
	bool maps_stale;
	uint64_t space;
	/* What handlers return to: no file's, so it is a module of its own instructions. */
	uint64_t trampoline;
	struct module *trampoline_module;
};

/* --- registers and memory --- */

size_t emulated_process_read(const struct emulated_process *process, uint64_t address, void *to, size_t size)
{
	struct iovec local = { .iov_base = to, .iov_len = size };
	struct iovec remote = { .iov_base = (void *)(uintptr_t)address, .iov_len = size };
	ssize_t got = process_vm_readv(process->pid, &local, 1, &remote, 1, 0);

	return got > 0 ? (size_t)got : 0;
}

static bool take_register(const char **text, uint64_t *value)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < sizeof(bytes); i++, *text += 2) {
		unsigned int byte;

		if (sscanf(*text, "%2x", &byte) != 1)
			return false;
		bytes[i] = (uint8_t)byte;
	}
	memcpy(value, bytes, sizeof(*value)); /* little-endian, as this machine */
	return true;
}

/* x0 to x30, sp, pc: the order of the protocol's "g" (features/aarch64-core.xml of GDB). */
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

	(void)emulated_process_read(process, process->registers.pc, &word, sizeof(word));
	return instruction_decode_aarch64(word);
}

/* --- what is mapped --- */

/* The emulator maps code without execute permission: what is executable is in an executable segment of its file. */
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

static void find_module(struct emulated_process *process, struct mapped *mapped, uint64_t offset)
{
	const uint64_t size = mapped->mapping.end - mapped->mapping.start;
	struct module *module =
		mapped->path[0] == '/' ? module_cache_open(process->cache, mapped->path) : NULL;
	uint64_t vaddr;

	if (!module || module_arch(module) != &unwind_arch_aarch64 ||
	    elf_file_mapping_to_vaddr(module_file(module), offset, size, &vaddr) != 0 ||
	    !is_code(module_file(module), vaddr))
		return;
	mapped->mapping.module = module;
	mapped->mapping.bias = mapped->mapping.start - vaddr;
	mapped->mapping.executable = true;
}

static void add_mapping(struct emulated_process *process, const char *line)
{
	uint64_t start, end, offset;
	char permissions[8], path[PATH_BYTES] = "";
	struct mapped *mapped;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %1023s", &start, &end, permissions,
		   &offset, path) < 4)
		return;
	process->maps = array_grow(process->maps, &process->map_capacity, process->map_count + 1,
				   sizeof(*process->maps));
	mapped = &process->maps[process->map_count++];
	*mapped = (struct mapped){ .writable = permissions[1] == 'w', .path = xstrdup(path) };
	mapped->mapping = (struct unwind_mapping){ .start = start, .end = end };
	if (process->trampoline_module && process->trampoline - start < end - start) {
		mapped->mapping.module = process->trampoline_module;
		mapped->mapping.bias = process->trampoline & ~(uint64_t)(PAGE_BYTES - 1);
		mapped->mapping.executable = true;
	} else if (permissions[0] == 'r' && permissions[1] != 'w') {
		find_module(process, mapped, offset);
	}
}

static void forget_maps(struct emulated_process *process)
{
	for (size_t i = 0; i < process->map_count; i++)
		free(process->maps[i].path);
	process->map_count = 0;
}

uint64_t emulated_process_space(struct emulated_process *process)
{
	char *path, line[PATH_BYTES + 128];
	FILE *maps;

	if (!process->maps_stale)
		return process->space;
	path = xasprintf("/proc/%d/maps", process->pid);
	maps = fopen(path, "re");
	free(path);
	forget_maps(process);
	while (maps && fgets(line, sizeof(line), maps))
		add_mapping(process, line);
	if (maps)
		fclose(maps);
	process->maps_stale = false;
	process->space = module_cache_next_space(process->cache);
	return process->space;
}

static const struct mapped *mapped_at(struct emulated_process *process, uint64_t address)
{
	emulated_process_space(process);
	for (size_t i = 0; i < process->map_count; i++)
		if (address - process->maps[i].mapping.start <
		    process->maps[i].mapping.end - process->maps[i].mapping.start)
			return &process->maps[i];
	return NULL;
}

bool emulated_process_find(void *context, uint64_t address, struct unwind_mapping *mapping)
{
	const struct mapped *mapped = mapped_at(context, address);

	if (mapped)
		*mapping = mapped->mapping;
	return mapped != NULL;
}

const char *emulated_process_path(struct emulated_process *process, uint64_t address)
{
	const struct mapped *mapped = mapped_at(process, address);

	return mapped ? mapped->path : "";
}

struct shadow_bounds emulated_process_stack(struct emulated_process *process, uint64_t sp)
{
	const struct mapped *mapped = mapped_at(process, sp);

	if (!mapped || !mapped->writable)
		return (struct shadow_bounds){ 0, 0 };
	return (struct shadow_bounds){ mapped->mapping.start, mapped->mapping.end };
}

/* --- running --- */

/* Handlers are entered with the link register at what they return to. */
static void learn_trampoline(struct emulated_process *process)
{
	uint8_t page[PAGE_BYTES] = { 0 };

	if (process->trampoline == process->registers.x[30])
		return;
	process->trampoline = process->registers.x[30];
	(void)emulated_process_read(process, process->trampoline & ~(uint64_t)(PAGE_BYTES - 1), page,
				    sizeof(page));
	process->trampoline_module =
		module_cache_code(process->cache, "[trampoline]", &unwind_arch_aarch64, page, sizeof(page));
	process->maps_stale = true;
}

enum traced_stop emulated_process_step(struct emulated_process *process)
{
	const struct emulated_registers before = process->registers;
	const int delivered = process->signal;
	char packet[32] = "s";
	unsigned int signal;
	const char *reply;

	if (emulated_process_instruction(process).kind == INSTRUCTION_SYSCALL)
		process->maps_stale = true;
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

	emulated_process_space(process);
	for (size_t i = 0; file && path && i < process->map_count; i++) {
		const struct mapped *mapped = &process->maps[i];

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
	process->maps_stale = true;
	return arrived ? 0 : error_set(err, "%s never came to its entry point", program);
}

static int child_exec(char *const arguments[], char *socket)
{
	char *all[MAX_ARGUMENTS] = { arguments[0], (char *)(uintptr_t) "-g", socket };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (size_t i = 1; arguments[i] && i < MAX_ARGUMENTS - 3; i++)
		all[i + 2] = arguments[i];
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
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

	process->cache = cache;
	process->maps_stale = true;
	process->directory = xstrdup("/tmp/xprof-truth.XXXXXX");
	if (!mkdtemp(process->directory)) {
		error_set_errno(err, errno, "no place for a socket");
		free(process->directory);
		free(process);
		return NULL;
	}
	process->socket = xasprintf("%s/gdb", process->directory);
	process->pid = fork();
	if (process->pid == 0)
		_exit(child_exec(arguments, process->socket));
	if (process->pid > 0)
		process->remote = gdb_remote_connect(process->socket, process->pid, err);
	/* An answer to qSupported tells the emulator that it may name processes and signals. */
	if (process->remote && gdb_remote_ask(process->remote, "qSupported:multiprocess+") &&
	    gdb_remote_ask(process->remote, "?") && run_to_entry(process, last(arguments), err) == 0)
		return process;
	emulated_process_kill(process);
	return NULL;
}

void emulated_process_kill(struct emulated_process *process)
{
	int status;

	if (process->pid > 0) {
		kill(process->pid, SIGKILL);
		waitpid(process->pid, &status, 0);
	}
	gdb_remote_close(process->remote);
	unlink(process->socket);
	rmdir(process->directory);
	free(process->socket);
	free(process->directory);
	forget_maps(process);
	free(process->maps);
	free(process);
}
