/*
 * Reads by doubling a buffer up to the caller's limit. Parsing hexadecimal numbers is a table look-up per character,
 * since lists of kernels have hundreds of thousands of lines.
 */
#include "symbol/text_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { FIRST_READ_BYTES = 1024 * 1024 };

int text_file_read(struct text_file *text, int fd, const char *name, size_t max_bytes, struct error *err)
{
	const size_t limit = max_bytes + 1; /* one byte more than allowed shows that the file is too long */
	struct stat st;
	size_t capacity = limit < FIRST_READ_BYTES ? limit : FIRST_READ_BYTES;
	int read_errno = 0;

	*text = (struct text_file){ .bytes = NULL };
	if (fstat(fd, &st) == 0 && st.st_size > 0 && (uint64_t)st.st_size < limit)
		capacity = (size_t)st.st_size + 1;
	text->bytes = xmalloc(capacity + 1);
	for (;;) {
		ssize_t n;

		if (text->size == limit)
			break;
		if (text->size == capacity) {
			capacity = capacity < limit / 2 ? capacity * 2 : limit;
			text->bytes = xrealloc(text->bytes, capacity + 1);
		}
		n = TEMP_FAILURE_RETRY(read(fd, text->bytes + text->size, capacity - text->size));
		if (n < 0)
			read_errno = errno;
		if (n <= 0)
			break;
		text->size += (size_t)n;
	}
	text->bytes[text->size] = '\0';
	if (!read_errno && text->size <= max_bytes)
		return 0;
	free(text->bytes);
	*text = (struct text_file){ .bytes = NULL };
	return read_errno ? error_set_errno(err, read_errno, "cannot read %s", name) :
			    error_set(err, "%s is larger than %zu MiB", name, max_bytes >> 20);
}

char *text_next_line(char **next, const char *file_end, char **end)
{
	char *line = *next;
	char *newline;

	if (line >= file_end)
		return NULL;
	newline = memchr(line, '\n', (size_t)(file_end - line));
	*end = newline ? newline : line + (file_end - line);
	**end = '\0';
	*next = *end + (newline ? 1 : 0);
	return line;
}

/* Values of hexadecimal digits plus one; 0: not a hexadecimal digit. */
static const uint8_t hex_values[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
	['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

bool text_take_hex(const char **at, uint64_t *value)
{
	const char *c = *at;
	uint64_t result = 0;
	int digits = 0;

	if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X'))
		c += 2;
	for (; hex_values[(uint8_t)*c]; c++, digits++)
		result = result << 4 | (uint64_t)(hex_values[(uint8_t)*c] - 1);
	if (digits == 0 || digits > 16 || *c != ' ')
		return false;
	*value = result;
	*at = c + 1;
	return true;
}
