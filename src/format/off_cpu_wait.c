/*
 * Encodes and decodes the raw data of an `offcpu-time` sample. Later versions may only add fields behind the last fixed
 * one; readers use fixed_bytes to skip fields that they do not know.
 */
#include "format/off_cpu_wait.h"

#include <string.h>

#include "base/byte_reader.h"

enum {
	VERSION = 1,
	FIXED_BYTES = 2 + 2 + 4 + 4 + 4 + 4 + OFF_CPU_COMM_SIZE + 8 + 8 + 8 + 4,
	/* In a sample, four bytes with its size precede the raw data, and padding lets it end at a multiple of eight. */
	RAW_ALIGNMENT = 8,
	SIZE_BYTES = 4,
};

static void add_u8(struct strbuf *raw, unsigned int value)
{
	strbuf_addc(raw, (char)(uint8_t)value);
}

void off_cpu_wait_encode(const struct off_cpu_wait *wait, struct strbuf *raw)
{
	const size_t start = raw->size;

	strbuf_add_u16(raw, VERSION, wait->swap);
	strbuf_add_u16(raw, FIXED_BYTES, wait->swap);
	add_u8(raw, wait->state);
	add_u8(raw, wait->kind);
	add_u8(raw, wait->waker_kind);
	add_u8(raw, wait->flags);
	strbuf_add_u32(raw, (uint32_t)wait->syscall, wait->swap);
	strbuf_add_u32(raw, wait->waker_pid, wait->swap);
	strbuf_add_u32(raw, wait->waker_tid, wait->swap);
	strbuf_add(raw, wait->waker_comm, OFF_CPU_COMM_SIZE);
	strbuf_add_u64(raw, wait->begin_ns, wait->swap);
	strbuf_add_u64(raw, wait->blocked_ns, wait->swap);
	strbuf_add_u64(raw, wait->waiting_ns, wait->swap);
	strbuf_add_u32(raw, (uint32_t)wait->waker_chain_count, wait->swap);
	strbuf_add(raw, wait->waker_chain, 8 * wait->waker_chain_count);
	while ((SIZE_BYTES + raw->size - start) % RAW_ALIGNMENT)
		strbuf_addc(raw, '\0');
}

static void read_comm(struct off_cpu_wait *wait, struct byte_reader *r)
{
	const uint8_t *comm = byte_reader_bytes(r, OFF_CPU_COMM_SIZE);

	if (comm)
		memcpy(wait->waker_comm, comm, OFF_CPU_COMM_SIZE);
	wait->waker_comm[OFF_CPU_COMM_SIZE - 1] = '\0';
}

static void read_fixed(struct off_cpu_wait *wait, struct byte_reader *r)
{
	const uint8_t state = byte_reader_u8(r), kind = byte_reader_u8(r), waker = byte_reader_u8(r);

	wait->state = state < OFF_CPU_STATES ? state : OFF_CPU_UNKNOWN;
	wait->kind = kind < OFF_CPU_KINDS ? kind : OFF_CPU_KIND_UNKNOWN;
	wait->waker_kind = waker < OFF_CPU_WAKERS ? waker : OFF_CPU_WAKER_UNKNOWN;
	wait->flags = byte_reader_u8(r);
	wait->syscall = (int32_t)byte_reader_u32(r);
	wait->waker_pid = byte_reader_u32(r);
	wait->waker_tid = byte_reader_u32(r);
	read_comm(wait, r);
	wait->begin_ns = byte_reader_u64(r);
	wait->blocked_ns = byte_reader_u64(r);
	wait->waiting_ns = byte_reader_u64(r);
	wait->waker_chain_count = byte_reader_u32(r);
}

int off_cpu_wait_decode(struct off_cpu_wait *wait, const void *raw, size_t size, bool swap, struct error *err)
{
	struct byte_reader r = byte_reader_over(raw, size, swap);
	const unsigned int version = byte_reader_u16(&r), fixed_bytes = byte_reader_u16(&r);

	*wait = (struct off_cpu_wait){ .swap = swap };
	if (byte_reader_ok(&r) && (version < VERSION || fixed_bytes < FIXED_BYTES))
		return error_set(err,
				 "raw data of " OFF_CPU_EVENT_NAME
				 ": version %u with %u bytes is not supported",
				 version, fixed_bytes);
	read_fixed(wait, &r);
	byte_reader_skip(&r, fixed_bytes - FIXED_BYTES);
	if (byte_reader_ok(&r) && wait->waker_chain_count <= byte_reader_left(&r) / 8) {
		wait->waker_chain = byte_reader_bytes(&r, 8 * wait->waker_chain_count);
		return 0;
	}
	*wait = (struct off_cpu_wait){ .swap = swap };
	return error_set(err, "raw data of " OFF_CPU_EVENT_NAME ": %zu bytes are too few", size);
}

uint64_t off_cpu_wait_chain_word(const struct off_cpu_wait *wait, size_t number)
{
	struct byte_reader r = byte_reader_over(wait->waker_chain + 8 * number, 8, wait->swap);

	return byte_reader_u64(&r);
}

const char *off_cpu_state_name(enum off_cpu_state state)
{
	static const char *const names[OFF_CPU_STATES] = {
		[OFF_CPU_UNKNOWN] = "unknown",   [OFF_CPU_SLEEPING] = "sleeping",
		[OFF_CPU_DISK] = "disk",         [OFF_CPU_PREEMPTED] = "preempted",
		[OFF_CPU_RUNQUEUE] = "runqueue", [OFF_CPU_STOPPED] = "stopped",
	};

	return names[state < OFF_CPU_STATES ? state : OFF_CPU_UNKNOWN];
}

const char *off_cpu_kind_name(enum off_cpu_kind kind)
{
	static const char *const names[OFF_CPU_KINDS] = {
		[OFF_CPU_KIND_UNKNOWN] = "unknown",  [OFF_CPU_KIND_NONE] = "cpu",
		[OFF_CPU_KIND_FUTEX] = "futex",      [OFF_CPU_KIND_PIPE] = "pipe",
		[OFF_CPU_KIND_SOCKET] = "socket",    [OFF_CPU_KIND_POLL] = "poll",
		[OFF_CPU_KIND_EPOLL] = "epoll",      [OFF_CPU_KIND_TIMER] = "timer",
		[OFF_CPU_KIND_DISK] = "disk",        [OFF_CPU_KIND_PAGE_FAULT] = "page fault",
		[OFF_CPU_KIND_CHILD] = "child",      [OFF_CPU_KIND_SIGNAL] = "signal",
		[OFF_CPU_KIND_LOCK] = "kernel lock", [OFF_CPU_KIND_OTHER] = "other",
	};

	return names[kind < OFF_CPU_KINDS ? kind : OFF_CPU_KIND_UNKNOWN];
}

const char *off_cpu_waker_name(enum off_cpu_waker waker)
{
	static const char *const names[OFF_CPU_WAKERS] = {
		[OFF_CPU_WAKER_UNKNOWN] = "unknown", [OFF_CPU_WAKER_NONE] = "none",
		[OFF_CPU_WAKER_THREAD] = "thread",   [OFF_CPU_WAKER_HARDIRQ] = "interrupt",
		[OFF_CPU_WAKER_SOFTIRQ] = "softirq", [OFF_CPU_WAKER_TIMER] = "timer",
		[OFF_CPU_WAKER_IPI] = "IPI",         [OFF_CPU_WAKER_IDLE] = "idle",
	};

	return names[waker < OFF_CPU_WAKERS ? waker : OFF_CPU_WAKER_UNKNOWN];
}
