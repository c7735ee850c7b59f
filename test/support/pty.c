#include "support/pty.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "support/cmocka.h"

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
	fcntl(pty->master_fd, F_SETFL, O_NONBLOCK);
}

void pty_close(struct pty *pty)
{
	close(pty->slave_fd);
	close(pty->master_fd);
}

char *pty_read(const struct pty *pty, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got;

	while (used + 1 < size && (got = read(pty->master_fd, text + used, size - 1 - used)) > 0)
		used += (size_t)got;
	text[used] = '\0';
	return text;
}
