/* Reads the memory of other processes, see process_memory.h. */

#include "record/stack/process_memory.h"

#include <sys/uio.h>

enum { PAGE_BYTES = 4096, MAX_PIECES = PROCESS_MEMORY_MAX_BYTES / PAGE_BYTES + 1 };

/* Reads page by page, because the call stops after the last piece that is wholly mapped. */
static size_t read_pages(uint32_t pid, uint64_t address, const struct iovec *local)
{
	struct iovec remote[MAX_PIECES];
	unsigned long count = 0;
	ssize_t got;

	for (size_t offset = 0; offset < local->iov_len;) {
		const uint64_t at = address + offset;
		const size_t to_end = PAGE_BYTES - (size_t)(at % PAGE_BYTES), left = local->iov_len - offset,
			     piece = to_end < left ? to_end : left;

		remote[count++] = (struct iovec){ .iov_base = (void *)(uintptr_t)at, .iov_len = piece };
		offset += piece;
	}
	got = process_vm_readv((pid_t)pid, local, 1, remote, count, 0);
	return got > 0 ? (size_t)got : 0;
}

size_t process_memory_read(uint32_t pid, uint64_t address, void *to, size_t size)
{
	const size_t wanted = size < PROCESS_MEMORY_MAX_BYTES ? size : PROCESS_MEMORY_MAX_BYTES;
	const struct iovec local = { .iov_base = to, .iov_len = wanted },
			   remote = { .iov_base = (void *)(uintptr_t)address, .iov_len = wanted };

	/* Usually everything is mapped, and one piece costs the kernel less than many. */
	if (process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0) == (ssize_t)wanted)
		return wanted;
	return read_pages(pid, address, &local);
}

size_t process_memory_read_parts(uint32_t pid, const uint64_t *addresses, size_t count, void *to,
				 size_t part_size)
{
	const struct iovec local = { .iov_base = to, .iov_len = count * part_size };
	struct iovec remote[PROCESS_MEMORY_MAX_PARTS];
	ssize_t got;

	if (count == 0 || count > PROCESS_MEMORY_MAX_PARTS)
		return 0;
	for (size_t i = 0; i < count; i++)
		remote[i] =
			(struct iovec){ .iov_base = (void *)(uintptr_t)addresses[i], .iov_len = part_size };
	got = process_vm_readv((pid_t)pid, &local, 1, remote, count, 0);
	return got > 0 ? (size_t)got : 0;
}
