/*
 * The program for kernels that have dynptrs (5.19 and later): a record is as large as its content.
 *
 * Each type or function of the kernel that a program names makes the kernel search all of its own, some 0.3 ms of CPU time at
 * the start of a recording. So this program loops with bpf_loop(), a helper, instead of an iterator of three functions, and
 * copies with bpf_probe_read_user() to the address that bpf_dynptr_data() returns.
 */

#include "record/bpf/stack_copy.bpf.h"

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

enum {
	/* Pieces have one of these sizes, so that the verifier knows the size of their destination, or are part of a page. */
	MIDDLE_PIECE = 4 * STACK_COPY_PAGE,
	LARGE_PIECE = 16 * STACK_COPY_PAGE,
	MAX_PAGES = STACK_COPY_MAX / STACK_COPY_PAGE + STACK_COPY_MAX_OUTER / STACK_COPY_PAGE + 4,
	MAX_PIECES = 2 * MAX_PAGES, /* a piece with a hole is visited again, page by page */
};

/* A record of the ring while it is being filled. */
struct filling {
	struct bpf_dynptr to;
	struct copying *copying;
};

static void begin_part(struct copying *copying, const struct stack_copy_part *part, __u32 offset)
{
	copying->to = part->address;
	copying->end = part->address + part->size;
	copying->offset = offset;
	copying->most = LARGE_PIECE;
}

static __u64 piece_bytes(const struct copying *copying)
{
	const __u64 left = copying->end - copying->at;
	const __u64 to_page = STACK_COPY_PAGE - copying->at % STACK_COPY_PAGE;

	if (to_page < STACK_COPY_PAGE || left < STACK_COPY_PAGE)
		return to_page < left ? to_page : left;
	if (left >= LARGE_PIECE && copying->most >= LARGE_PIECE)
		return LARGE_PIECE;
	return left >= MIDDLE_PIECE && copying->most >= MIDDLE_PIECE ? MIDDLE_PIECE : STACK_COPY_PAGE;
}

/* Finds the next piece to copy: copying->at, to and offset. Returns false after the last. */
__noinline int next_piece(struct copying *copying)
{
	if (!copying)
		return false;
	if (copying->to >= copying->end) {
		if (copying->in_outer || !copying->record.outer.size)
			return false;
		begin_part(copying, &copying->record.outer, outer_offset(&copying->record));
		copying->in_outer = true;
	}
	copying->at = copying->to;
	copying->bytes = piece_bytes(copying);
	copying->to = copying->at + copying->bytes;
	return true;
}

/* Called after a piece was tried. If that failed, the piece is copied page by page, up to the hole and over it. */
__noinline int note_piece(struct copying *copying, int failed)
{
	if (!copying)
		return 0;
	if (!failed) {
		copying->most *= copying->most < LARGE_PIECE ? 2 : 1;
	} else if (copying->bytes > STACK_COPY_PAGE) {
		copying->most = STACK_COPY_PAGE;
		copying->to = copying->at;
	} else {
		note_hole(copying->in_outer ? &copying->record.outer : &copying->record.stack, copying->at);
	}
	copying->offset += copying->to - copying->at;
	return 0;
}

/* Copies a piece to its place in the record. Nonzero on failure. */
#define COPY_PIECE(filling, piece)                                                               \
	({                                                                                       \
		void *room = bpf_dynptr_data(&(filling)->to, (filling)->copying->offset, piece); \
		!room || bpf_probe_read_user(room, piece, (const void *)(filling)->copying->at); \
	})

/* Copies a part of a page. Nonzero on failure. */
static long copy_part(struct filling *filling)
{
	struct copying *copying = filling->copying;
	const __u32 bytes = copying->bytes & (STACK_COPY_PAGE - 1);

	return bpf_probe_read_user(copying->page, bytes, (const void *)copying->at) ||
	       bpf_dynptr_write(&filling->to, copying->offset, copying->page, bytes, 0);
}

/* For bpf_loop(): copies one piece. Returns 1, which ends the loop, after the last. */
static long copy_piece(__u32 number, struct filling *filling)
{
	struct copying *copying = filling->copying;
	long failed;

	(void)number;
	if (!next_piece(copying))
		return 1;
	switch (copying->bytes) {
	case LARGE_PIECE: failed = COPY_PIECE(filling, LARGE_PIECE); break;
	case MIDDLE_PIECE: failed = COPY_PIECE(filling, MIDDLE_PIECE); break;
	case STACK_COPY_PAGE: failed = COPY_PIECE(filling, STACK_COPY_PAGE); break;
	default: failed = copy_part(filling);
	}
	note_piece(copying, failed);
	return 0;
}

/* For bpf_loop(): puts one return address back. */
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
		bpf_ringbuf_discard_dynptr(&filling.to, 0); /* required after a failure, too */
		count(STACK_COPY_NO_ROOM);
		return 1;
	}
	fill(&filling);
	bpf_ringbuf_submit_dynptr(&filling.to, wake_flags(bytes));
	count(STACK_COPY_DONE);
	return 1;
}
