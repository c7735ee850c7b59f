/*
 * Encodes and decodes the raw data of an `offcpu-time` sample. Later versions may only add fields behind the last fixed
 * one; readers use fixed_bytes to skip fields that they do not know.
 */
#include "format/off_cpu_wait.h"

#include <string.h>

#include "base/byte_reader.h"

enum {
	VERSION = 1,
	LEAST_FIXED_BYTES = 2 + 2 + 4 + 4 + 4 + 4 + OFF_CPU_COMM_SIZE + 8 + 8 + 8 + 4,
	FIXED_BYTES = LEAST_FIXED_BYTES + 4, /* with the number of further wakers */
	WAKER_CUT = 2, /* a flag beside those of the wait, of the first waker and of further ones */
	/* In a sample, four bytes with its size precede the raw data, and padding lets it end at a multiple of eight. */
	RAW_ALIGNMENT = 8,
	SIZE_BYTES = 4,
};

static void add_u8(struct strbuf *raw, unsigned int value)
{
	strbuf_addc(raw, (char)(uint8_t)value);
}

static void add_chain(struct strbuf *raw, const struct off_cpu_waking *waker)
{
	strbuf_add(raw, waker->chain, 8 * waker->chain_count);
}

static void add_further(struct strbuf *raw, const struct off_cpu_waking *waker, bool swap)
{
	add_u8(raw, waker->kind);
	add_u8(raw, waker->is_cut ? WAKER_CUT : 0);
	strbuf_add_u16(raw, 0, swap);
	strbuf_add_u32(raw, waker->pid, swap);
	strbuf_add_u32(raw, waker->tid, swap);
	strbuf_add(raw, waker->comm, OFF_CPU_COMM_SIZE);
	strbuf_add_u64(raw, waker->woken_ns, swap);
	strbuf_add_u32(raw, (uint32_t)waker->chain_count, swap);
	add_chain(raw, waker);
}

void off_cpu_wait_encode(const struct off_cpu_wait *wait, struct strbuf *raw)
{
	const size_t start = raw->size;
	const struct off_cpu_waking *first = &wait->wakers[0];

	strbuf_add_u16(raw, VERSION, wait->swap);
	strbuf_add_u16(raw, FIXED_BYTES, wait->swap);
	add_u8(raw, wait->state);
	add_u8(raw, wait->kind);
	add_u8(raw, first->kind);
	add_u8(raw, wait->flags | (first->is_cut ? WAKER_CUT : 0));
	strbuf_add_u32(raw, (uint32_t)wait->syscall, wait->swap);
	strbuf_add_u32(raw, first->pid, wait->swap);
	strbuf_add_u32(raw, first->tid, wait->swap);
	strbuf_add(raw, first->comm, OFF_CPU_COMM_SIZE);
	strbuf_add_u64(raw, wait->begin_ns, wait->swap);
	strbuf_add_u64(raw, wait->blocked_ns, wait->swap);
	strbuf_add_u64(raw, wait->waiting_ns, wait->swap);
	strbuf_add_u32(raw, (uint32_t)first->chain_count, wait->swap);
	strbuf_add_u32(raw, (uint32_t)wait->further_count, wait->swap);
	add_chain(raw, first);
	for (size_t i = 1; i <= wait->further_count; i++)
		add_further(raw, &wait->wakers[i], wait->swap);
	while ((SIZE_BYTES + raw->size - start) % RAW_ALIGNMENT)
		strbuf_addc(raw, '\0');
}

static void read_comm(struct off_cpu_waking *waker, struct byte_reader *r)
{
	const uint8_t *comm = byte_reader_bytes(r, OFF_CPU_COMM_SIZE);

	if (comm)
		memcpy(waker->comm, comm, OFF_CPU_COMM_SIZE);
	waker->comm[OFF_CPU_COMM_SIZE - 1] = '\0';
}

static enum off_cpu_waker read_kind(struct byte_reader *r)
{
	const uint8_t kind = byte_reader_u8(r);

	return kind < OFF_CPU_WAKERS ? kind : OFF_CPU_WAKER_UNKNOWN;
}

static void read_id(struct off_cpu_waking *waker, struct byte_reader *r)
{
	waker->pid = byte_reader_u32(r);
	waker->tid = byte_reader_u32(r);
	read_comm(waker, r);
}

static void read_fixed(struct off_cpu_wait *wait, struct byte_reader *r, size_t fixed_bytes)
{
	const uint8_t state = byte_reader_u8(r), kind = byte_reader_u8(r);
	struct off_cpu_waking *first = &wait->wakers[0];

	wait->state = state < OFF_CPU_STATES ? state : OFF_CPU_UNKNOWN;
	wait->kind = kind < OFF_CPU_KINDS ? kind : OFF_CPU_KIND_UNKNOWN;
	first->kind = read_kind(r);
	wait->flags = byte_reader_u8(r);
	first->is_cut = wait->flags & WAKER_CUT;
	wait->flags &= ~(uint32_t)WAKER_CUT;
	wait->syscall = (int32_t)byte_reader_u32(r);
	read_id(first, r);
	wait->begin_ns = byte_reader_u64(r);
	wait->blocked_ns = byte_reader_u64(r);
	wait->waiting_ns = byte_reader_u64(r);
	first->chain_count = byte_reader_u32(r);
	if (fixed_bytes < FIXED_BYTES)
		return;
	wait->further_count = byte_reader_u32(r);
	byte_reader_skip(r, fixed_bytes - FIXED_BYTES);
}

/* Returns false if there are fewer bytes than the chain needs. */
static bool read_chain(struct off_cpu_waking *waker, struct byte_reader *r)
{
	if (!byte_reader_ok(r) || waker->chain_count > byte_reader_left(r) / 8)
		return false;
	waker->chain = byte_reader_bytes(r, 8 * waker->chain_count);
	return true;
}

static bool read_further(struct off_cpu_waking *waker, struct byte_reader *r)
{
	waker->kind = read_kind(r);
	waker->is_cut = byte_reader_u8(r) & WAKER_CUT;
	byte_reader_skip(r, 2);
	read_id(waker, r);
	waker->woken_ns = byte_reader_u64(r);
	waker->chain_count = byte_reader_u32(r);
	return read_chain(waker, r);
}

static bool read_wakers(struct off_cpu_wait *wait, struct byte_reader *r)
{
	bool is_whole = read_chain(&wait->wakers[0], r) && wait->further_count < OFF_CPU_CHAIN_WAKERS;

	for (size_t i = 1; is_whole && i <= wait->further_count; i++)
		is_whole = read_further(&wait->wakers[i], r);
	return is_whole;
}

int off_cpu_wait_decode(struct off_cpu_wait *wait, const void *raw, size_t size, bool swap, struct error *err)
{
	struct byte_reader r = byte_reader_over(raw, size, swap);
	const unsigned int version = byte_reader_u16(&r), fixed_bytes = byte_reader_u16(&r);

	*wait = (struct off_cpu_wait){ .swap = swap };
	if (byte_reader_ok(&r) && (version < VERSION || fixed_bytes < LEAST_FIXED_BYTES))
		return error_set(err,
				 "raw data of " OFF_CPU_EVENT_NAME
				 ": version %u with %u bytes is not supported",
				 version, fixed_bytes);
	read_fixed(wait, &r, fixed_bytes);
	if (read_wakers(wait, &r))
		return 0;
	*wait = (struct off_cpu_wait){ .swap = swap };
	return error_set(err, "raw data of " OFF_CPU_EVENT_NAME ": %zu bytes are too few", size);
}

uint64_t off_cpu_wait_chain_word(const struct off_cpu_wait *wait, const struct off_cpu_waking *waker,
				 size_t number)
{
	struct byte_reader r = byte_reader_over(waker->chain + 8 * number, 8, wait->swap);

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
