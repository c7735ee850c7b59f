/*
 * The program for kernels that copy into a dynptr (6.16 on): a record is as large as what it holds.
 *
 * Each name of a type or function of the kernel that a program mentions has the kernel go through all that it has, some 0.3 ms
 * of CPU time when a recording begins: that is why this loops by bpf_loop(), a helper, not by an iterator of three functions.
 */

#include "record/bpf/stack_copy.bpf.h"

/* A kfunc: NULL where the kernel has none of that name. */
extern int bpf_probe_read_user_dynptr(struct bpf_dynptr *to, __u64 offset, __u64 size,
				      const void *from) __ksym __weak;

/* The kernel prepares a sample before it runs the program, and what the program is handed is a structure of its own. */
static __u64 sample_time(const struct bpf_perf_event_data *context)
{
	const struct bpf_perf_event_data_kern *kernel = (const void *)context;

	return settings.by_clock ? bpf_ktime_get_ns() : BPF_CORE_READ(kernel, data, time);
}

enum {
	/* Bytes that are copied at once; as long as that works, twice as many with each piece. */
	FIRST_PIECE = 16 * STACK_COPY_PAGE,
	MAX_PAGES = STACK_COPY_MAX / STACK_COPY_PAGE + STACK_COPY_MAX_OUTER / STACK_COPY_PAGE + 4,
	MAX_PIECES = 2 * MAX_PAGES, /* where every other page is a hole, each hole is met twice */
};

/* A record of the ring that is being filled. */
struct filling {
	struct bpf_dynptr to;
	struct copying *copying;
};

static void begin_part(struct copying *copying, const struct stack_copy_part *part, __u32 offset)
{
	copying->to = part->address;
	copying->end = part->address + part->size;
	copying->offset = offset;
	copying->bytes = FIRST_PIECE;
}

/* Finds the next piece to copy: copying->at, to and offset. False behind the last. */
__noinline int next_piece(struct copying *copying)
{
	__u64 to;

	if (!copying)
		return false;
	if (copying->to >= copying->end) {
		if (copying->in_outer || !copying->record.outer.size)
			return false;
		begin_part(copying, &copying->record.outer, outer_offset(&copying->record));
		copying->in_outer = true;
	}
	copying->at = copying->to;
	to = (copying->at & ~(__u64)(STACK_COPY_PAGE - 1)) + copying->bytes;
	copying->to = to < copying->end ? to : copying->end;
	return true;
}

/* After that was tried: whether it failed. Then it is copied page by page, up to the hole and over it. */
__noinline int note_piece(struct copying *copying, int failed)
{
	if (!copying)
		return 0;
	if (!failed) {
		copying->bytes *= 2;
	} else if (copying->bytes > STACK_COPY_PAGE) {
		copying->bytes = STACK_COPY_PAGE;
		copying->to = copying->at;
	} else {
		note_hole(copying->in_outer ? &copying->record.outer : &copying->record.stack, copying->at);
	}
	copying->offset += copying->to - copying->at;
	return 0;
}

/* For bpf_loop(): one piece. Ends, with 1, behind the last. */
static long copy_piece(__u32 number, struct filling *filling)
{
	struct copying *copying = filling->copying;

	(void)number;
	if (!next_piece(copying))
		return 1;
	note_piece(copying, bpf_probe_read_user_dynptr(&filling->to, copying->offset,
						       copying->to - copying->at, (const void *)copying->at));
	return 0;
}

/* For bpf_loop(): one return address. */
static long put_back(__u32 number, struct filling *filling)
{
	struct copying *copying = filling->copying;
	__u32 size;

	(void)number;
	if (!next_replaced(copying))
		return 1;
	size = copying->caller_size;
	if (size <= sizeof(copying->caller))
		bpf_dynptr_write(&filling->to, copying->caller_offset, &copying->caller, size, 0);
	return 0;
}

static void fill(struct filling *filling)
{
	struct copying *copying = filling->copying;

	begin_part(copying, &copying->record.stack, sizeof(copying->record));
	copying->in_outer = false;
	bpf_loop(MAX_PIECES, copy_piece, filling, 0);
	if (find_replaced(copying))
		bpf_loop(MAX_URETPROBES, put_back, filling, 0);
	if (settings.by_clock)
		copying->record.end_time = bpf_ktime_get_ns();
	bpf_dynptr_write(&filling->to, 0, &copying->record, sizeof(copying->record), 0);
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
	if (bpf_ringbuf_reserve_dynptr(ring, bytes, 0, &filling.to)) {
		bpf_ringbuf_discard_dynptr(&filling.to, 0); /* due after a failure, too */
		count(STACK_COPY_NO_ROOM);
		return 1;
	}
	fill(&filling);
	bpf_ringbuf_submit_dynptr(&filling.to, wake_flags(ring, bytes));
	count(STACK_COPY_DONE);
	return 1;
}
