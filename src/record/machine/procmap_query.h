#ifndef XPROF_RECORD_PROCMAP_QUERY_H
#define XPROF_RECORD_PROCMAP_QUERY_H

/*
 * ioctl(PROCMAP_QUERY) on /proc/PID/maps: one mapping, in binary, with its file's build-id. From linux/fs.h of Linux 6.11;
 * older headers do not have it.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>

struct procmap_query { /* the kernel's layout */
	uint64_t size;
	uint64_t query_flags;
	uint64_t query_addr;
	uint64_t vma_start, vma_end;
	uint64_t vma_flags;
	uint64_t vma_page_size;
	uint64_t vma_offset;
	uint64_t inode;
	uint32_t dev_major, dev_minor;
	uint32_t vma_name_size; /* in: size of the buffer; out: bytes with terminator, 0: no name */
	uint32_t build_id_size; /* in: size of the buffer; out: bytes */
	uint64_t vma_name_addr;
	uint64_t build_id_addr;
};

enum { /* enum procmap_query_flags */
       QUERY_READABLE = 0x01,
       QUERY_WRITABLE = 0x02,
       QUERY_EXECUTABLE = 0x04,
       QUERY_SHARED = 0x08,
       QUERY_COVERING_OR_NEXT = 0x10,
};

#define PROCMAP_QUERY_IOCTL _IOWR('f', 17, struct procmap_query)

/* Returns 0, or -1 with errno: ENOENT no such mapping, ESRCH the process is gone, others: not supported. */
static inline int procmap_query(int maps_fd, struct procmap_query *query)
{
	return ioctl(maps_fd, PROCMAP_QUERY_IOCTL, query);
}

/* Does the kernel support the ioctl? Asks about this process. `proc` is "/proc". */
bool procmap_query_is_known(const char *proc);

#endif
