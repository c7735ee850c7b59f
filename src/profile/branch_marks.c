/* A mark is written as five hexadecimal numbers, its flags first, separated by commas and followed by a blank. */
#include "profile/branch_marks.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PREDICTED = 1, ABORTED = 2, FORWARD = 4, CROSSES_4K = 8, CROSSES_2M = 16 };

void branch_mark_add_text(struct strbuf *out, const struct branch_mark *mark)
{
	const unsigned int flags = (mark->predicted ? PREDICTED : 0u) | (mark->aborted ? ABORTED : 0u) |
				   (mark->forward ? FORWARD : 0u) | (mark->crosses_4k ? CROSSES_4K : 0u) |
				   (mark->crosses_2m ? CROSSES_2M : 0u);

	strbuf_addf(out, "%x,%x,%x,%" PRIx32 ",%" PRIx64 " ", flags, (unsigned int)mark->kind,
		    (unsigned int)mark->cycles, mark->iterations, mark->iteration_cycles);
}

static uint64_t read_number(const char **text)
{
	char *end;
	const uint64_t number = strtoull(*text, &end, 16);

	*text = *end ? end + 1 : end;
	return number;
}

size_t branch_marks_read(const char *text, struct branch_mark *marks, size_t capacity)
{
	size_t count = 0;

	for (; *text && count < capacity; count++) {
		const unsigned int flags = (unsigned int)read_number(&text);

		marks[count] = (struct branch_mark){ .predicted = flags & PREDICTED,
						     .aborted = flags & ABORTED,
						     .forward = flags & FORWARD,
						     .crosses_4k = flags & CROSSES_4K,
						     .crosses_2m = flags & CROSSES_2M };
		marks[count].kind = (uint8_t)(read_number(&text) % BRANCH_MARK_KINDS);
		marks[count].cycles = (uint16_t)read_number(&text);
		marks[count].iterations = (uint32_t)read_number(&text);
		marks[count].iteration_cycles = read_number(&text);
	}
	return count;
}
