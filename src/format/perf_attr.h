#ifndef XPROF_FORMAT_PERF_ATTR_H
#define XPROF_FORMAT_PERF_ATTR_H

/*
 * struct perf_event_attr of a file: 64 to 144 or more bytes, in either byte order. Fields that a short attr
 * lacks are 0; additional fields of a longer one are ignored.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "base/error.h"

/*
 * The bit field behind read_format, first declared bit = bit 0. Files of big-endian machines have the bits in
 * reverse order; perf_attr_decode() corrects that.
 */
enum perf_attr_flag {
	PERF_ATTR_DISABLED = 0,
	PERF_ATTR_INHERIT = 1,
	PERF_ATTR_PINNED = 2,
	PERF_ATTR_EXCLUSIVE = 3,
	PERF_ATTR_EXCLUDE_USER = 4,
	PERF_ATTR_EXCLUDE_KERNEL = 5,
	PERF_ATTR_EXCLUDE_HV = 6,
	PERF_ATTR_EXCLUDE_IDLE = 7,
	PERF_ATTR_MMAP = 8,
	PERF_ATTR_COMM = 9,
	PERF_ATTR_FREQ = 10,
	PERF_ATTR_INHERIT_STAT = 11,
	PERF_ATTR_ENABLE_ON_EXEC = 12,
	PERF_ATTR_TASK = 13,
	PERF_ATTR_WATERMARK = 14,
	PERF_ATTR_PRECISE_IP = 15, /* two bits */
	PERF_ATTR_MMAP_DATA = 17,
	PERF_ATTR_SAMPLE_ID_ALL = 18,
	PERF_ATTR_EXCLUDE_HOST = 19,
	PERF_ATTR_EXCLUDE_GUEST = 20,
	PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL = 21,
	PERF_ATTR_EXCLUDE_CALLCHAIN_USER = 22,
	PERF_ATTR_MMAP2 = 23,
	PERF_ATTR_COMM_EXEC = 24,
	PERF_ATTR_USE_CLOCKID = 25,
	PERF_ATTR_CONTEXT_SWITCH = 26,
	PERF_ATTR_WRITE_BACKWARD = 27,
	PERF_ATTR_NAMESPACES = 28,
	PERF_ATTR_KSYMBOL = 29,
	PERF_ATTR_BPF_EVENT = 30,
	PERF_ATTR_AUX_OUTPUT = 31,
	PERF_ATTR_CGROUP = 32,
	PERF_ATTR_TEXT_POKE = 33,
	PERF_ATTR_BUILD_ID = 34,
	PERF_ATTR_INHERIT_THREAD = 35,
	PERF_ATTR_REMOVE_ON_EXEC = 36,
	PERF_ATTR_SIGTRAP = 37,
	PERF_ATTR_DEFER_CALLCHAIN = 38,
	PERF_ATTR_DEFER_OUTPUT = 39,
};

struct perf_attr {
	uint32_t type;       /* PERF_TYPE_* */
	uint32_t size_bytes; /* as in the file; 0 in files of Linux 2.6.3x */
	uint64_t config;
	uint64_t sample_period_or_freq; /* Hz when PERF_ATTR_FREQ */
	uint64_t sample_type;           /* PERF_SAMPLE_* */
	uint64_t read_format;           /* PERF_FORMAT_* */
	uint64_t flags;                 /* 1 << enum perf_attr_flag */
	uint32_t wakeup_events_or_watermark;
	uint32_t bp_type;
	uint64_t config1; /* or bp_addr */
	uint64_t config2; /* or bp_len */
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user;
	int32_t clockid;
	uint64_t sample_regs_intr;
	uint32_t aux_watermark;
	uint16_t sample_max_stack;
	uint32_t aux_sample_size;
	uint64_t sig_data;
	uint64_t config3;
	/* Not in the file: another event of its group has PERF_SAMPLE_BRANCH_COUNTERS, and so its samples have counters, too. */
	bool group_counts_branches;
};

static inline bool perf_attr_has(const struct perf_attr *attr, enum perf_attr_flag flag)
{
	return attr->flags >> flag & 1;
}

/*
 * Did xprof record copy whole stacks in place of the kernel's dumps? It marks such events with
 * sample_max_stack UINT16_MAX; the kernel's own limit for chains is always lower.
 */
static inline bool perf_attr_has_copied_stacks(const struct perf_attr *attr)
{
	return attr->sample_stack_user && attr->sample_max_stack == UINT16_MAX;
}

/* Decodes all bytes of `r`. Returns -1 with err set if there are fewer than 64. */
int perf_attr_decode(struct perf_attr *attr, struct byte_reader *r, struct error *err);

/*
 * Writes the name that perf would give the event: "cycles", "cpu-clock:u", "raw 0x1c2"; for files without
 * EVENT_DESC.
 */
void perf_attr_name(const struct perf_attr *attr, char *name, size_t size);

#endif
