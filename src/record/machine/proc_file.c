/* proc_file_read() reads until the kernel reports the end; the other two call it. */
#include "record/machine/proc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { READ_BYTES = 16 * 1024 }; /* seq_file fills the buffer; most files fit at once */

int proc_file_read(struct strbuf *text, const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char piece[READ_BYTES];
	ssize_t got;

	if (fd < 0)
		return error_set_errno(err, errno, "cannot open %s", path);
	while ((got = TEMP_FAILURE_RETRY(read(fd, piece, sizeof(piece)))) != 0) {
		if (got < 0) {
			int read_errno = errno;

			close(fd);
			return error_set_errno(err, read_errno, "cannot read %s", path);
		}
		strbuf_add(text, piece, (size_t)got);
	}
	close(fd);
	return 0;
}

int proc_file_readf(struct strbuf *text, struct error *err, const char *path_format, ...)
{
	char path[PATH_MAX];
	va_list arguments;
	int length;

	va_start(arguments, path_format);
	length = vsnprintf(path, sizeof(path), path_format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= sizeof(path))
		return error_set(err, "path is too long: %.60s...", path);
	return proc_file_read(text, path, err);
}

int proc_file_read_number(const char *path, long long *number, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	char *end = NULL;
	int result;

	result = proc_file_read(&text, path, err);
	if (result == 0) {
		*number = strtoll(text.bytes, &end, 10);
		if (end == text.bytes)
			result = error_set(err, "%s holds no number", path);
	}
	strbuf_fini(&text);
	return result;
}
