/*
 * The program for kernels that have dynptrs (5.19 and later): a record is as large as its content.
 *
 * Each type or function of the kernel that a program names makes the kernel search all of its own, some 0.3 ms of CPU time at
 * the start of a recording. So this program loops with bpf_loop(), a helper, instead of an iterator of three functions, and
 * copies with bpf_probe_read_user() to the address that bpf_dynptr_data() returns.
 */

#include "record/bpf/stack_copy_fill.bpf.h"

/* No helper has this number: the kernel refuses a program that can reach the call. */
static void (*const refuse)(void) = (void *)0x7fffff;

/* The kernel passes its own struct as the program's context. */
static __u64 sample_time(const struct bpf_perf_event_data *context)
{
	const struct bpf_perf_event_data_kern *kernel = (const void *)context;

	if (settings.by_clock)
		return bpf_ktime_get_ns();
	if (!bpf_core_field_exists(((struct perf_sample_data *)0)->dyn_size))
		refuse();
	return BPF_CORE_READ(kernel, data, time);
}

SEC("perf_event")
int copy_whole(struct bpf_perf_event_data *context)
{
	void *ring = ring_to_fill();
	struct filling filling = { .copying = begin_copying(ring) };
	__u32 bytes;

	if (!filling.copying || !prepare(filling.copying, sample_time(context)))
		return 1;
	bytes = outer_offset(&filling.copying->record) + (__u32)filling.copying->record.outer.size;
	filling.copying->base = 0;
	if (bpf_ringbuf_reserve_dynptr(ring, bytes, 0, &filling.to)) {
		bpf_ringbuf_discard_dynptr(&filling.to, 0); /* required after a failure, too */
		count(STACK_COPY_NO_ROOM);
		return 1;
	}
	fill(&filling);
	bpf_ringbuf_submit_dynptr(&filling.to, wake_flags(bytes));
	count(STACK_COPY_DONE);
	return 1;
}
