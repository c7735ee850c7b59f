/* The program for kernels that copy into a dynptr (6.16 on): a record is as large as what it holds. */

#include <linux/version.h>

#include "record/bpf/stack_copy.bpf.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
struct bpf_iter_num { /* linux/bpf.h since 6.4 */
	__u64 opaque;
} __attribute__((aligned(8)));
#endif

/* kfuncs: NULL where the kernel has none of that name. */
extern int bpf_probe_read_user_dynptr(struct bpf_dynptr *to, __u64 offset, __u64 size,
				      const void *from) __ksym __weak;
extern int bpf_iter_num_new(struct bpf_iter_num *iterator, int start, int end) __ksym __weak;
extern int *bpf_iter_num_next(struct bpf_iter_num *iterator) __ksym __weak;
extern void bpf_iter_num_destroy(struct bpf_iter_num *iterator) __ksym __weak;

enum { MAX_PAGES = STACK_COPY_MAX / STACK_COPY_PAGE + 2 };

__noinline int copy_part(struct bpf_dynptr *to, __u32 offset, struct stack_copy_part *part)
{
	struct bpf_iter_num pages;
	int *page;

	if (!part)
		return 0;
	bpf_iter_num_new(&pages, 0, MAX_PAGES);
	while ((page = bpf_iter_num_next(&pages))) {
		__u64 from;
		__u32 size, number = *page;

		if (!page_of(part, number, &from, &size))
			break;
		if (bpf_probe_read_user_dynptr(to, offset + (from - part->address), size, (const void *)from))
			note_hole(part, number);
	}
	bpf_iter_num_destroy(&pages);
	return 0;
}

/* Static, as the verifier loses sight of a dynptr that a function of its own keeps in memory. */
static __noinline void put_back_part(struct bpf_dynptr *to, __u32 offset, const struct stack_copy_part *part)
{
	struct replaced_returns returns;
	struct bpf_iter_num numbers;

	if (!find_replaced(&returns))
		return;
	bpf_iter_num_new(&numbers, 0, MAX_URETPROBES);
	while (bpf_iter_num_next(&numbers)) {
		struct replaced_return found = {};

		if (!next_replaced(&returns, part, &found))
			break;
		if (found.size == 8)
			bpf_dynptr_write(to, offset + found.offset, &found.address, 8, 0);
		else if (found.size == 4)
			bpf_dynptr_write(to, offset + found.offset, &found.address, 4, 0);
	}
	bpf_iter_num_destroy(&numbers);
}

SEC("perf_event")
int copy_whole(struct bpf_perf_event_data *context)
{
	struct stack_copy_record record = {};
	struct bpf_dynptr to;
	__u32 outer_offset;

	if (!prepare(&record, sample_time(context)))
		return 1;
	outer_offset = sizeof(record) + ((record.stack.size + 7) & ~7u);
	if (bpf_ringbuf_reserve_dynptr(&copies, outer_offset + record.outer.size, 0, &to)) {
		bpf_ringbuf_discard_dynptr(&to, 0); /* due after a failure, too */
		count(STACK_COPY_NO_ROOM);
		return 1;
	}
	copy_part(&to, sizeof(record), &record.stack);
	copy_part(&to, outer_offset, &record.outer);
	put_back_part(&to, sizeof(record), &record.stack);
	put_back_part(&to, outer_offset, &record.outer);
	if (settings.by_clock)
		record.end_time = bpf_ktime_get_ns();
	bpf_dynptr_write(&to, 0, &record, sizeof(record), 0);
	bpf_ringbuf_submit_dynptr(&to, wake_flags(outer_offset + record.outer.size));
	count(STACK_COPY_DONE);
	return 1;
}
