/*
 * The program for kernels before 5.19, which require a constant record size: it leaves the outer stack out. In these kernels a
 * sample does not have its time yet when the program runs.
 */

#include "record/bpf/stack_copy.bpf.h"

/* Finds page `page` of a part: `*size` bytes from `*from` on. Returns false after the last page. */
static bool page_of(const struct stack_copy_part *part, __u32 page, __u64 *from, __u32 *size)
{
	const __u64 end = part->address + part->size;
	const __u64 first = part->address & ~(__u64)(STACK_COPY_PAGE - 1);
	__u64 to = first + (page + 1) * (__u64)STACK_COPY_PAGE;

	*from = page ? to - STACK_COPY_PAGE : part->address;
	if (*from >= end)
		return false;
	if (to > end)
		to = end;
	*size = (__u32)(to - *from);
	return true;
}

/* Copies into a record of one size: the smallest that the stack fits into, or the largest. */
#define COPY_CLASS(class_bytes)                                                                         \
	static bool copy_##class_bytes(struct copying *copying, void *ring)                             \
	{                                                                                               \
		struct stack_copy_record *room =                                                        \
			bpf_ringbuf_reserve(ring, sizeof(*room) + class_bytes + STACK_COPY_PAGE, 0);    \
                                                                                                        \
		if (!room)                                                                              \
			return false;                                                                   \
		if (copying->record.stack.size > class_bytes)                                           \
			copying->record.stack.size = class_bytes;                                       \
		*room = copying->record;                                                                \
		for (__u32 page = 0; page < class_bytes / STACK_COPY_PAGE + 1; page++) {                \
			__u64 from, offset;                                                             \
			__u32 size;                                                                     \
                                                                                                        \
			if (!page_of(&room->stack, page, &from, &size))                                 \
				break;                                                                  \
			offset = from - room->stack.address;                                            \
			if (offset > class_bytes || size > STACK_COPY_PAGE)                             \
				break;                                                                  \
			if (bpf_probe_read_user((char *)(room + 1) + offset, size, (const void *)from)) \
				note_hole(&room->stack, from);                                          \
		}                                                                                       \
		if (find_replaced(copying))                                                             \
			for (__u32 i = 0; i < MAX_PUT_BACK; i++) {                                      \
				__u32 offset;                                                           \
                                                                                                        \
				if (!next_replaced(copying))                                            \
					break;                                                          \
				offset = copying->caller_offset;                                        \
				if (offset >= class_bytes)                                              \
					continue;                                                       \
				if (copying->caller_size == 8)                                          \
					__builtin_memcpy((char *)room + offset, &copying->caller, 8);   \
				else if (copying->caller_size == 4)                                     \
					__builtin_memcpy((char *)room + offset, &copying->caller, 4);   \
			}                                                                               \
		room->end_time = bpf_ktime_get_ns();                                                    \
		bpf_ringbuf_submit(room, wake_flags(sizeof(*room) + class_bytes + STACK_COPY_PAGE));    \
		return true;                                                                            \
	}

COPY_CLASS(4096)
COPY_CLASS(16384)
COPY_CLASS(65536)
COPY_CLASS(262144)

SEC("perf_event")
int copy_classes(struct bpf_perf_event_data *context)
{
	void *ring = ring_to_fill();
	struct copying *copying = begin_copying(ring);
	__u64 size;
	bool copied;

	(void)context;
	if (!copying || !prepare(copying, bpf_ktime_get_ns()))
		return 1;
	copying->record.outer.size = 0;
	size = copying->record.stack.size;
	copied = size <= 4096  ? copy_4096(copying, ring) :
		 size <= 16384 ? copy_16384(copying, ring) :
		 size <= 65536 ? copy_65536(copying, ring) :
				 copy_262144(copying, ring);
	count(copied ? STACK_COPY_DONE : STACK_COPY_NO_ROOM);
	return 1;
}
