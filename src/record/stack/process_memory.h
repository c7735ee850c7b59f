#ifndef XPROF_RECORD_PROCESS_MEMORY_H
#define XPROF_RECORD_PROCESS_MEMORY_H

/* The memory of another process, read while it runs: process_vm_readv(2). */

#include <stddef.h>
#include <stdint.h>

enum { PROCESS_MEMORY_MAX_BYTES = 256 * 1024 }; /* limit for one process_memory_read() */

/*
 * Reads [address, address + size) of a process; `pid` may also be one of its threads. Returns the number of bytes that could be
 * read from `address` on: fewer if a page is not mapped, 0 if the process has ended or may not be read (ptrace(2), "access mode
 * checking").
 */
size_t process_memory_read(uint32_t pid, uint64_t address, void *to, size_t size);

enum { PROCESS_MEMORY_MAX_PARTS = 512 }; /* limit for one process_memory_read_parts() */

/*
 * Reads parts of equal size, none of which crosses a page, and stores them one after the other. Stops before the first that
 * fails. Returns the number of bytes.
 */
size_t process_memory_read_parts(uint32_t pid, const uint64_t *addresses, size_t count, void *to,
				 size_t part_size);

#endif
