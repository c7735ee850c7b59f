/*
 * perf_attr_decode() reads the struct from front to back; what a short attr lacks becomes 0. The second half makes a name from
 * type and config as perf does: base_name(), then the modifiers behind the colon.
 */
#include "format/perf_attr.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

enum { ATTR_SIZE_MIN_BYTES = 64 }; /* PERF_ATTR_SIZE_VER0 */

/* Bit n becomes bit 63 - n. */
static uint64_t mirror_bits(uint64_t bits)
{
	bits = (bits >> 1 & 0x5555555555555555u) | (bits & 0x5555555555555555u) << 1;
	bits = (bits >> 2 & 0x3333333333333333u) | (bits & 0x3333333333333333u) << 2;
	bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0fu) | (bits & 0x0f0f0f0f0f0f0f0fu) << 4;
	return __builtin_bswap64(bits);
}

/*
 * A big-endian compiler gives the first declared bit field the most significant bit, so the flags come mirrored.
 * precise_ip, the only field of two bits, has its own most significant bit first; mirroring reverses it, so its bits are
 * swapped back.
 */
static uint64_t flags_from_big_endian(uint64_t bits)
{
	const uint64_t precise_ip = (uint64_t)3 << PERF_ATTR_PRECISE_IP;
	uint64_t flags = mirror_bits(bits), precise = (flags & precise_ip) >> PERF_ATTR_PRECISE_IP;

	precise = precise >> 1 | (precise & 1) << 1;
	return (flags & ~precise_ip) | precise << PERF_ATTR_PRECISE_IP;
}

static bool bytes_are_big_endian(const struct byte_reader *r)
{
	return (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != r->swap;
}

/* Fields behind PERF_ATTR_SIZE_VER0 may be missing, beginning with any of them. */
static uint64_t optional_u64(struct byte_reader *r)
{
	return byte_reader_left(r) >= sizeof(uint64_t) ? byte_reader_u64(r) : 0;
}

static uint32_t optional_u32(struct byte_reader *r)
{
	return byte_reader_left(r) >= sizeof(uint32_t) ? byte_reader_u32(r) : 0;
}

static uint16_t optional_u16(struct byte_reader *r)
{
	return byte_reader_left(r) >= sizeof(uint16_t) ? byte_reader_u16(r) : 0;
}

/* struct perf_event_attr, linux/perf_event.h; the numbers below are the sizes PERF_ATTR_SIZE_VERx. */
int perf_attr_decode(struct perf_attr *attr, struct byte_reader *r, struct error *err)
{
	*attr = (struct perf_attr){ 0 };
	if (!byte_reader_ok(r) || byte_reader_left(r) < ATTR_SIZE_MIN_BYTES)
		return error_set(err,
				 "an event attribute has %zu bytes, fewer than the %d of its first version",
				 byte_reader_left(r), ATTR_SIZE_MIN_BYTES);
	attr->type = byte_reader_u32(r);
	attr->size_bytes = byte_reader_u32(r);
	attr->config = byte_reader_u64(r);
	attr->sample_period_or_freq = byte_reader_u64(r);
	attr->sample_type = byte_reader_u64(r);
	attr->read_format = byte_reader_u64(r);
	attr->flags = byte_reader_u64(r);
	if (bytes_are_big_endian(r))
		attr->flags = flags_from_big_endian(attr->flags);
	attr->wakeup_events_or_watermark = byte_reader_u32(r);
	attr->bp_type = byte_reader_u32(r);
	attr->config1 = byte_reader_u64(r);         /* 64 */
	attr->config2 = optional_u64(r);            /* 72 */
	attr->branch_sample_type = optional_u64(r); /* 80 */
	attr->sample_regs_user = optional_u64(r);
	attr->sample_stack_user = optional_u32(r);
	attr->clockid = (int32_t)optional_u32(r); /* 96 */
	attr->sample_regs_intr = optional_u64(r); /* 104 */
	attr->aux_watermark = optional_u32(r);
	attr->sample_max_stack = optional_u16(r);
	(void)optional_u16(r); /* 112 */
	attr->aux_sample_size = optional_u32(r);
	(void)optional_u32(r);            /* 120 */
	attr->sig_data = optional_u64(r); /* 128 */
	attr->config3 = optional_u64(r);  /* 136 */
	byte_reader_skip(r, byte_reader_left(r));
	return 0;
}

/* enum perf_hw_id */
static const char *const hardware_names[] = {
	"cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
	"branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
};

/* enum perf_sw_ids */
static const char *const software_names[] = {
	"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
};

/* enum perf_hw_cache_id, perf_hw_cache_op_id */
static const char *const cache_names[] = { "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node" };
static const char *const cache_operations[] = { "load", "store", "prefetch" };
static const char *const cache_accesses[] = { "loads", "stores", "prefetches" };

static int cache_event_name(uint64_t config, char *name, size_t size)
{
	uint64_t cache = config & 0xff, operation = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= ARRAY_SIZE(cache_names) || operation >= ARRAY_SIZE(cache_operations) || result > 1 ||
	    config >> 24)
		return snprintf(name, size, "cache 0x%" PRIx64, config);
	if (result == PERF_COUNT_HW_CACHE_RESULT_MISS)
		return snprintf(name, size, "%s-%s-misses", cache_names[cache], cache_operations[operation]);
	return snprintf(name, size, "%s-%s", cache_names[cache], cache_accesses[operation]);
}

static int base_name(const struct perf_attr *attr, char *name, size_t size)
{
	/* The upper half of config names the PMU on machines with several kinds of cores. */
	uint64_t hardware = attr->config & UINT32_MAX;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		if (hardware < ARRAY_SIZE(hardware_names))
			return snprintf(name, size, "%s", hardware_names[hardware]);
		return snprintf(name, size, "hardware 0x%" PRIx64, attr->config);
	case PERF_TYPE_SOFTWARE:
		if (attr->config < ARRAY_SIZE(software_names))
			return snprintf(name, size, "%s", software_names[attr->config]);
		return snprintf(name, size, "software 0x%" PRIx64, attr->config);
	case PERF_TYPE_TRACEPOINT: return snprintf(name, size, "tracepoint %" PRIu64, attr->config);
	case PERF_TYPE_HW_CACHE: return cache_event_name(hardware, name, size);
	case PERF_TYPE_RAW: return snprintf(name, size, "raw 0x%" PRIx64, attr->config);
	case PERF_TYPE_BREAKPOINT: return snprintf(name, size, "mem:0x%" PRIx64, attr->config1);
	default: return snprintf(name, size, "pmu %" PRIu32 " config 0x%" PRIx64, attr->type, attr->config);
	}
}

/*
 * Appends the modifiers behind the colon as perf prints them: k, u and h for the modes that are counted, unless all are; a
 * p per level of precision; H and G for host and guest, if that differs from what the other modifiers imply.
 */
static void append_modifiers(const struct perf_attr *attr, char *name, size_t size)
{
	unsigned int precise = attr->flags >> PERF_ATTR_PRECISE_IP & 3;
	bool modes = perf_attr_has(attr, PERF_ATTR_EXCLUDE_USER) ||
		     perf_attr_has(attr, PERF_ATTR_EXCLUDE_KERNEL) ||
		     perf_attr_has(attr, PERF_ATTR_EXCLUDE_HV);
	bool host_out = perf_attr_has(attr, PERF_ATTR_EXCLUDE_HOST),
	     guest_out = perf_attr_has(attr, PERF_ATTR_EXCLUDE_GUEST);
	bool guest_out_by_default = modes || precise;
	char text[12], *next = text;

	if (modes && !perf_attr_has(attr, PERF_ATTR_EXCLUDE_KERNEL))
		*next++ = 'k';
	if (modes && !perf_attr_has(attr, PERF_ATTR_EXCLUDE_USER))
		*next++ = 'u';
	if (modes && !perf_attr_has(attr, PERF_ATTR_EXCLUDE_HV))
		*next++ = 'h';
	for (unsigned int i = 0; i < precise; i++)
		*next++ = 'p';
	if (host_out || guest_out == guest_out_by_default) {
		if (!host_out)
			*next++ = 'H';
		if (!guest_out)
			*next++ = 'G';
	}
	*next = '\0';
	if (next != text) {
		size_t used = strlen(name);

		snprintf(name + used, size - used, ":%s", text);
	}
}

void perf_attr_name(const struct perf_attr *attr, char *name, size_t size)
{
	if (size == 0)
		return;
	base_name(attr, name, size);
	if (attr->type != PERF_TYPE_TRACEPOINT)
		append_modifiers(attr, name, size);
}
