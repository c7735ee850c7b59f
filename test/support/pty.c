#include "support/pty.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "support/cmocka.h"

#define END_MARK '\1'

void pty_open(struct pty *pty, unsigned short columns)
{
	struct winsize size = { .ws_col = columns, .ws_row = 24 };

	pty->master_fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(pty->master_fd >= 0);
	assert_int_equal(grantpt(pty->master_fd), 0);
	assert_int_equal(unlockpt(pty->master_fd), 0);
	pty->slave_fd = open(ptsname(pty->master_fd), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(pty->slave_fd >= 0);
	assert_int_equal(ioctl(pty->slave_fd, TIOCSWINSZ, &size), 0);
}

void pty_close(struct pty *pty)
{
	close(pty->slave_fd);
	close(pty->master_fd);
}

/*
 * A kernel thread moves written bytes from one side to the other, so "nothing to read" does not mean "nothing was written".
 * A mark written behind the text arrives behind it.
 */
char *pty_read(const struct pty *pty, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got;

	assert_int_equal(write(pty->slave_fd, &(char){ END_MARK }, 1), 1);
	while ((got = read(pty->master_fd, text + used, size - used)) > 0) {
		used += (size_t)got;
		if (text[used - 1] == END_MARK)
			break;
		assert_true(used < size);
	}
	assert_true(got > 0);
	text[used - 1] = '\0';
	return text;
}
