#ifndef XPROF_RECORD_SYNTHESIZE_H
#define XPROF_RECORD_SYNTHESIZE_H

/*
 * Records for everything that existed before the recording: those that the kernel would have written if the
 * recording had been running. They are made from /proc, have the kernel's layouts (linux/perf_event.h), and
 * an all-zero sample_id trailer: their time 0 sorts them before all others.
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
	const char *proc, *sys; /* "/proc", "/sys"; tests use other directories */
	bool data_mappings;     /* readable mappings, too, like attr.mmap_data */
	/*
	 * FORK records, which tell the parent of a process. As in perf, only in system-wide recordings: hotspot's parser
	 * expects a forked process to share the mappings of a parent that it has seen, and loses the stacks otherwise.
	 */
	bool forks;
	bool namespaces;      /* NAMESPACES records, like attr.namespaces */
	size_t trailer_bytes; /* event_attr_sample_id_size() */
	struct strbuf *out;   /* whole records are appended */
	struct build_id_table *files;
	size_t process_count, mapping_count; /* so far */
};

/* Adds the kernel and its modules. Returns false if the kernel hides its addresses. */
bool synthesize_kernel(struct synthesis *synthesis);

/* Adds a process with all its threads and executable mappings. A process that ends meanwhile is left out. */
void synthesize_process(struct synthesis *synthesis, pid_t pid);

/* Adds a KSYMBOL record for a BPF program. */
void synthesize_ksymbol(struct synthesis *synthesis, uint64_t address, uint32_t length, const char *name);

/*
 * Adds a NAMESPACES record for one thread, if `namespaces` is set. synthesize_process() does it for the
 * threads of a process.
 */
void synthesize_namespaces(const struct synthesis *synthesis, pid_t pid, pid_t tid);

/* Adds a CGROUP record for each cgroup of the hierarchy that samples refer to. */
void synthesize_cgroups(struct synthesis *synthesis);

/* Adds the loaded BPF programs. Does nothing without CAP_BPF or CAP_SYS_ADMIN. */
void synthesize_bpf_programs(struct synthesis *synthesis);

#endif
