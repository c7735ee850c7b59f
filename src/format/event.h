#ifndef XPROF_FORMAT_EVENT_H
#define XPROF_FORMAT_EVENT_H

/*
 * One record of a perf.data file: a view into the file's bytes, in the file's byte order. struct
 * perf_event_header, linux/perf_event.h.
 *
 * The decoders below turn the payload of the kernel's state records into host integers. They return 0, or -1
 * with err set if the record is too small for its type or a string in it has no terminator. Strings point
 * into the record and live as long as it does.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "base/error.h"
#include "format/perf_attr.h"

struct event {
	uint32_t type; /* PERF_RECORD_* */
	uint16_t misc;
	uint32_t size; /* including the header */
	const uint8_t *payload;
	size_t payload_size;
	uint64_t file_offset; /* of the header; for a record from a compressed record, that of the compressed
				 record */
	uint32_t compressed_size; /* size of the compressed record that contained it; 0 if there was none */
	bool swap;
};

static inline struct byte_reader event_payload(const struct event *event)
{
	return byte_reader_over(event->payload, event->payload_size, event->swap);
}

/* "MMAP2", "FINISHED_ROUND" …, or "UNKNOWN_123" in the caller's buffer. */
const char *event_type_name(uint32_t type, char buffer[static 24]);

/* Types of namespaces, in the order of the entries of a NAMESPACES record: NET_NS_INDEX to CGROUP_NS_INDEX. */
enum { EVENT_NAMESPACES = 7 };
extern const char *const event_namespace_names[EVENT_NAMESPACES];

enum { MMAP_BUILD_ID_BYTES = 20 };

struct mmap_record { /* PERF_RECORD_MMAP and MMAP2 */
	uint32_t pid, tid;
	uint64_t start, length;
	uint64_t file_offset; /* pgoff; for kernel maps see process_table.h */
	uint32_t device_major, device_minor;
	uint64_t inode, inode_generation;
	uint32_t prot; /* PROT_*; PROT_EXEC assumed for MMAP without MMAP_DATA */
	uint32_t flags;
	uint8_t build_id[MMAP_BUILD_ID_BYTES];
	uint8_t build_id_size; /* 0: the record has device and inode instead */
	const char *path;
};

struct comm_record {
	uint32_t pid, tid;
	bool exec;
	const char *comm;
};

struct task_record { /* PERF_RECORD_FORK and EXIT */
	uint32_t pid, parent_pid, tid, parent_tid;
	uint64_t time_ns;
};

struct lost_record { /* PERF_RECORD_LOST (records, of one event id) and LOST_SAMPLES (id 0) */
	uint64_t id;
	uint64_t lost;
};

struct ksymbol_record {
	uint64_t address;
	uint32_t length;
	uint16_t type;  /* PERF_RECORD_KSYMBOL_TYPE_* */
	uint16_t flags; /* bit 0: unregister */
	const char *name;
};

struct switch_record { /* PERF_RECORD_SWITCH and SWITCH_CPU_WIDE; misc has the direction */
	uint32_t next_prev_pid, next_prev_tid; /* 0 for SWITCH */
	bool out, preempt;
};

/* Does this MMAP2 carry a build-id, rather than device and inode? Its misc alone does not say so reliably. */
bool event_mmap2_has_build_id(const struct event *event);

int event_decode_mmap(const struct event *event, struct mmap_record *record, struct error *err);
int event_decode_comm(const struct event *event, struct comm_record *record, struct error *err);
int event_decode_task(const struct event *event, struct task_record *record, struct error *err);
int event_decode_lost(const struct event *event, struct lost_record *record, struct error *err);
int event_decode_ksymbol(const struct event *event, struct ksymbol_record *record, struct error *err);
int event_decode_switch(const struct event *event, struct switch_record *record, struct error *err);

/*
 * The trailer of every kernel record that is not a sample, if the attr has sample_id_all. Fields that the
 * attr does not request are 0.
 */
struct sample_id {
	uint32_t pid, tid, cpu;
	uint64_t time_ns, id, stream_id;
};

/*
 * Decodes the trailer; all zero if the attr has no sample_id_all. Returns -1 with err set if the record is
 * too short.
 */
int event_sample_id(const struct event *event, const struct perf_attr *attr, struct sample_id *id,
		    struct error *err);

#endif
