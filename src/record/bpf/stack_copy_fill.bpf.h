#ifndef XPROF_RECORD_BPF_STACK_COPY_FILL_BPF_H
#define XPROF_RECORD_BPF_STACK_COPY_FILL_BPF_H

/* Copies the stack parts that prepare() has chosen into a record of the ring, on kernels with dynptrs (Linux 5.19). */

#include "record/bpf/stack_copy.bpf.h"

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

/* `offset` is relative to the stack_copy_record. */
static void begin_part(struct copying *copying, const struct stack_copy_part *part, __u32 offset)
{
	copying->to = part->address;
	copying->end = part->address + part->size;
	copying->offset = copying->base + offset;
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
		bpf_dynptr_write(&filling->to, copying->base + copying->caller_offset, &copying->caller, size,
				 0);
	return 0;
}

/* Completes the stack_copy_record that prepare() has begun, and writes it with the stack's bytes, from copying->base on. */
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
	bpf_dynptr_write(&filling->to, copying->base, &copying->record, sizeof(copying->record), 0);
}

#endif
