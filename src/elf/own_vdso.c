/*
 * The 64-bit [vdso] is copied from this process's memory. The 32-bit one needs a child process: it unmaps its own [vdso], asks
 * the kernel to map the other with arch_prctl(), and sends the bytes through a pipe. The child must not allocate, since it is a
 * raw clone of a process that may have threads.
 */
#include "elf/own_vdso.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { MAX_VDSO_BYTES = 1024 * 1024 }; /* 2 pages on x86-64, at most some dozen anywhere */

/* The size of the mapping that begins at `start`; 0 if unknown. */
static uint64_t mapped_bytes(uint64_t start)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uint64_t size = 0;
	char line[4096 + 256];

	if (!maps)
		return 0;
	while (size == 0 && fgets(line, sizeof(line), maps)) {
		char *end;

		if (strtoull(line, &end, 16) == start && *end == '-')
			size = strtoull(end + 1, NULL, 16) - start;
	}
	fclose(maps);
	return size;
}

static struct elf_file *open_64bit(struct error *err)
{
	uintptr_t start = (uintptr_t)getauxval(AT_SYSINFO_EHDR);
	uint64_t size = start ? mapped_bytes(start) : 0;
	void *copy;

	if (size == 0 || size > MAX_VDSO_BYTES) {
		error_set(err, "this process has no [vdso]");
		return NULL;
	}
	copy = xmalloc((size_t)size);
	memcpy(copy, (const void *)start, (size_t)size);
	return elf_file_open_memory(copy, (size_t)size, "[vdso]", err);
}

const char *own_vdso_name(const char *path, uint64_t start)
{
	return strcmp(path, "[vdso]") == 0 && start < (uint64_t)1 << 32 ? OWN_VDSO_32BIT : path;
}

struct elf_file *own_vdso_open_named(const char *name, struct error *err)
{
	return strcmp(name, OWN_VDSO_32BIT) == 0 ? own_vdso_open_32bit(err) : open_64bit(err);
}

/* --- the [vdso] of 32-bit programs --------------------------------------------------- */

#if defined(__x86_64__)

/*
 * Finds the next line of /proc/self/maps that contains `name`, from `*text` on, and advances *text behind the name. Returns false
 * if there is none. Calls nothing that allocates.
 */
static bool next_range(const char **text, const char *name, uintptr_t *start, uintptr_t *end)
{
	const char *found = strstr(*text, name), *line = found;
	char *dash;

	if (!found)
		return false;
	while (line > *text && line[-1] != '\n')
		line--;
	*start = strtoull(line, &dash, 16);
	*end = *dash == '-' ? strtoull(dash + 1, NULL, 16) : *start;
	*text = found + strlen(name);
	return true;
}

static void read_maps(char *text, size_t size)
{
	const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t filled = 0;
	ssize_t got = 1;

	for (; fd >= 0 && got > 0 && filled + 1 < size; filled += got > 0 ? (size_t)got : 0)
		got = read(fd, text + filled, size - 1 - filled);
	text[filled] = '\0';
	if (fd >= 0)
		close(fd);
}

/*
 * Runs in a child process that shares no memory. A process has one [vdso], so this unmaps the inherited one first, with its data
 * ([vvar], [vvar_vclock]); from then on the C library must not be asked for the time. `text` has room for /proc/self/maps.
 */
static void send_32bit(int fd, char *text, size_t size)
{
	enum { MAP_VDSO_32 = 0x2002 }; /* asm/prctl.h: ARCH_MAP_VDSO_32 */
	const uintptr_t wanted = 0x10000000;
	const char *rest = text;
	uintptr_t start, end;

	read_maps(text, size);
	while (next_range(&rest, "[v", &start, &end))
		if (strncmp(rest, "syscall", 7) != 0)
			munmap((void *)start, end - start);
	if (syscall(SYS_arch_prctl, MAP_VDSO_32, wanted) < 0)
		return;
	read_maps(text, size);
	rest = text;
	while (next_range(&rest, "[vdso]", &start, &end))
		if (end - start <= MAX_VDSO_BYTES)
			(void)!write(fd, (const void *)start, end - start);
}

static size_t receive(int fd, char *bytes, size_t size)
{
	size_t filled = 0;
	ssize_t got;

	while (filled < size && (got = read(fd, bytes + filled, size - filled)) > 0)
		filled += (size_t)got;
	return filled;
}

struct elf_file *own_vdso_open_32bit(struct error *err)
{
	enum { MAPS_BYTES = 1024 * 1024 };
	char *bytes = xmalloc(MAX_VDSO_BYTES), *maps = xmalloc(MAPS_BYTES);
	size_t size = 0;
	int fds[2];
	long child;

	if (pipe2(fds, O_CLOEXEC) == 0) {
		child = syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L); /* no exit signal, no fork() handlers */
		if (child == 0) {
			send_32bit(fds[1], maps, MAPS_BYTES);
			_exit(0);
		}
		close(fds[1]);
		size = receive(fds[0], bytes, MAX_VDSO_BYTES);
		close(fds[0]);
		if (child > 0)
			waitpid((pid_t)child, NULL, __WCLONE);
	}
	free(maps);
	if (size > 0)
		return elf_file_open_memory(bytes, size, OWN_VDSO_32BIT, err);
	free(bytes);
	error_set(err, "this kernel does not provide the [vdso] of 32-bit programs");
	return NULL;
}

#else

struct elf_file *own_vdso_open_32bit(struct error *err)
{
	error_set(err, "the [vdso] of 32-bit programs cannot be read on this machine");
	return NULL;
}

#endif
