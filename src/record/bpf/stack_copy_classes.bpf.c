/* The program for kernels before 6.16, where a record's size has to be a constant: the outer stack is left out. */

#include "record/bpf/stack_copy.bpf.h"

/* One size of records: the smallest that the stack fits into, or the largest. The outer stack is left out. */
#define COPY_CLASS(class_bytes)                                                                             \
	static bool copy_##class_bytes(const struct stack_copy_record *record)                              \
	{                                                                                                   \
		struct stack_copy_record *room =                                                            \
			bpf_ringbuf_reserve(&copies, sizeof(*room) + class_bytes + STACK_COPY_PAGE, 0);     \
		struct replaced_returns returns;                                                            \
                                                                                                            \
		if (!room)                                                                                  \
			return false;                                                                       \
		*room = *record;                                                                            \
		if (room->stack.size > class_bytes)                                                         \
			room->stack.size = class_bytes;                                                     \
		for (__u32 page = 0; page < class_bytes / STACK_COPY_PAGE + 1; page++) {                    \
			__u64 from, offset;                                                                 \
			__u32 size;                                                                         \
                                                                                                            \
			if (!page_of(&room->stack, page, &from, &size))                                     \
				break;                                                                      \
			offset = from - room->stack.address;                                                \
			if (offset > class_bytes || size > STACK_COPY_PAGE)                                 \
				break;                                                                      \
			if (bpf_probe_read_user((char *)(room + 1) + offset, size, (const void *)from))     \
				note_hole(&room->stack, page);                                              \
		}                                                                                           \
		if (find_replaced(&returns))                                                                \
			for (__u32 i = 0; i < MAX_PUT_BACK; i++) {                                          \
				struct replaced_return found = {};                                          \
                                                                                                            \
				if (!next_replaced(&returns, &room->stack, &found))                         \
					break;                                                              \
				if (found.size == 8 && found.offset < class_bytes)                          \
					__builtin_memcpy((char *)(room + 1) + found.offset, &found.address, \
							 8);                                                \
				else if (found.size == 4 && found.offset < class_bytes)                     \
					__builtin_memcpy((char *)(room + 1) + found.offset, &found.address, \
							 4);                                                \
			}                                                                                   \
		if (settings.by_clock)                                                                      \
			room->end_time = bpf_ktime_get_ns();                                                \
		bpf_ringbuf_submit(room, wake_flags(sizeof(*room) + class_bytes + STACK_COPY_PAGE));        \
		return true;                                                                                \
	}

COPY_CLASS(4096)
COPY_CLASS(16384)
COPY_CLASS(65536)
COPY_CLASS(262144)

SEC("perf_event")
int copy_classes(struct bpf_perf_event_data *context)
{
	struct stack_copy_record record = {};
	__u32 size;
	bool copied;

	if (!prepare(&record, sample_time(context)))
		return 1;
	record.outer.size = 0;
	size = record.stack.size;
	copied = size <= 4096  ? copy_4096(&record) :
		 size <= 16384 ? copy_16384(&record) :
		 size <= 65536 ? copy_65536(&record) :
				 copy_262144(&record);
	count(copied ? STACK_COPY_DONE : STACK_COPY_NO_ROOM);
	return 1;
}
