#ifndef XPROF_RECORD_SYNTHESIZE_H
#define XPROF_RECORD_SYNTHESIZE_H

/*
 * Records for what was there before the recording: the kernel would have sent
 * them had it been watched then. They are made from /proc, look like the
 * kernel's (struct layouts of linux/perf_event.h), and have an all-zero
 * sample_id trailer, so their time is 0: before everything else.
 *
 *	kernel, modules  PERF_RECORD_MMAP, pid -1
 *	BPF programs     PERF_RECORD_KSYMBOL
 *	a process        FORK (if wanted), COMM, MMAP2 of each executable mapping (or readable one, see data_mappings)
 *	its threads      FORK (if wanted), COMM
 *	each of these    NAMESPACES, on request
 *	cgroups          PERF_RECORD_CGROUP
 *
 *     struct synthesis synthesis = { .proc = "/proc", .sys = "/sys", .out = &records, .files = files };
 *
 *     synthesize_kernel(&synthesis);
 *     synthesize_process(&synthesis, pid);
 *     perf_writer_append(writer, records.bytes, records.size, &err);
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "record/process/build_id_table.h"

struct synthesis {
	const char *proc, *sys; /* "/proc", "/sys"; directories of their own in tests */
	bool data_mappings;     /* readable mappings too, as attr.mmap_data asks the kernel */
	/*
	 * FORK records, which tell whose child a process is. As perf, only where the whole system is recorded: hotspot's
	 * parser takes a process that was forked for one whose mappings it has seen, and loses the stacks of one without.
	 */
	bool forks;
	bool namespaces;      /* NAMESPACES records, as attr.namespaces asks the kernel */
	size_t trailer_bytes; /* event_attr_sample_id_size() */
	struct strbuf *out;   /* whole records are appended */
	struct build_id_table *files;
	size_t process_count, mapping_count; /* so far */
};

/* Kernel and modules. Returns false when the kernel hides its addresses. */
bool synthesize_kernel(struct synthesis *synthesis);

/* One process with all its threads and executable mappings; one that ends meanwhile is left out. */
void synthesize_process(struct synthesis *synthesis, pid_t pid);

/* One KSYMBOL record, as bpf_program uses it. */
void synthesize_ksymbol(struct synthesis *synthesis, uint64_t address, uint32_t length, const char *name);

/* If they are wanted, what namespaces a thread is in; a process's threads have theirs by synthesize_process(). */
void synthesize_namespaces(const struct synthesis *synthesis, pid_t pid, pid_t tid);

/* A CGROUP record for each cgroup of the hierarchy that the kernel takes the cgroups of samples from. */
void synthesize_cgroups(struct synthesis *synthesis);

/* BPF programs that are loaded now; needs CAP_BPF or CAP_SYS_ADMIN, does nothing without. */
void synthesize_bpf_programs(struct synthesis *synthesis);

#endif
