/*
 * Lines are assembled in a small buffer; a line that does not fit is not a command. As in perf, FIFOs are
 * opened for reading and writing, so that they stay open when a writer has closed them.
 */
#include "record/switch/control_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { BUFFER_BYTES = 4096 };

struct control_channel {
	int fd, ack_fd; /* ack_fd: -1 if there is none */
	bool owns_fds;
	char buffer[BUFFER_BYTES];
	size_t size;
	bool skips; /* skipping the rest of a line that is too long */
};

static int open_fifo(const char *path, struct error *err)
{
	const int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		error_set_errno(err, errno, "cannot open %s%s", path,
				errno == ENOENT ? " ('mkfifo' makes a FIFO)" : "");
	return fd;
}

static int find_descriptor(const char *text, struct error *err)
{
	const size_t digits = strspn(text, "0123456789");
	const int fd = digits > 0 && digits < 9 && !text[digits] ? atoi(text) : -1;

	if (fd < 0)
		return error_set(err, "'%s' is not the number of a descriptor", text);
	if (fcntl(fd, F_GETFD) < 0)
		return error_set(err, "descriptor %d is not open", fd);
	return fd;
}

static int open_both(struct control_channel *channel, const char *control, const char *ack, struct error *err)
{
	int (*const open_one)(const char *, struct error *) = channel->owns_fds ? open_fifo : find_descriptor;

	channel->fd = open_one(control, err);
	if (channel->fd >= 0 && ack)
		channel->ack_fd = open_one(ack, err);
	return channel->fd < 0 || (ack && channel->ack_fd < 0) ? -1 : 0;
}

struct control_channel *control_channel_open(const char *text, struct error *err)
{
	const bool is_fifo = strncmp(text, "fifo:", 5) == 0;
	struct control_channel *channel;
	char *control, *ack;

	if (!is_fifo && strncmp(text, "fd:", 3) != 0) {
		error_set(err, "'%s' is neither fifo:CTL[,ACK] nor fd:CTL[,ACK]", text);
		return NULL;
	}
	channel = xcalloc(1, sizeof(*channel));
	channel->fd = channel->ack_fd = -1;
	channel->owns_fds = is_fifo;
	control = xstrdup(strchr(text, ':') + 1);
	ack = strchr(control, ',');
	if (ack)
		*ack++ = '\0';
	if (open_both(channel, control, ack, err) < 0) {
		control_channel_close(channel);
		channel = NULL;
	}
	free(control);
	return channel;
}

void control_channel_close(struct control_channel *channel)
{
	if (!channel)
		return;
	if (channel->owns_fds && channel->fd >= 0)
		close(channel->fd);
	if (channel->owns_fds && channel->ack_fd >= 0)
		close(channel->ack_fd);
	free(channel);
}

int control_channel_fd(const struct control_channel *channel)
{
	return channel->fd;
}

bool control_channel_read(struct control_channel *channel)
{
	struct pollfd entry = { .fd = channel->fd, .events = POLLIN };
	ssize_t got;

	if (poll(&entry, 1, 0) <= 0)
		return true;
	if (!(entry.revents & POLLIN))
		return !(entry.revents & (POLLHUP | POLLERR | POLLNVAL));
	got = read(channel->fd, channel->buffer + channel->size, sizeof(channel->buffer) - channel->size);
	if (got < 0)
		return errno == EAGAIN || errno == EINTR;
	channel->size += (size_t)got;
	return got > 0;
}

/* Parses a word, and the argument after a space if there is one: "evlist -v". */
static void parse(struct control_command *command, const char *line, size_t size)
{
	static const char *const words[] = {
		[CONTROL_ENABLE] = "enable", [CONTROL_DISABLE] = "disable", [CONTROL_SNAPSHOT] = "snapshot",
		[CONTROL_STOP] = "stop",     [CONTROL_PING] = "ping",       [CONTROL_EVLIST] = "evlist",
	};
	const char *space = memchr(line, ' ', size);
	const size_t word_size = space ? (size_t)(space - line) : size;

	*command = (struct control_command){ .kind = CONTROL_UNKNOWN };
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == word_size && memcmp(words[i], line, word_size) == 0)
			command->kind = (enum control_command_kind)i;
	if (space)
		memcpy(command->argument, space + 1, size - word_size - 1);
}

static size_t line_size(const char *text, size_t size)
{
	size_t at = 0;

	while (at < size && text[at] != '\n' && text[at] != '\0')
		at++;
	return at;
}

bool control_channel_next(struct control_channel *channel, struct control_command *command)
{
	const size_t size = line_size(channel->buffer, channel->size);
	const bool is_whole = size < channel->size, fits = size < CONTROL_LINE_MAX && !channel->skips;
	const size_t used = is_whole ? size + 1 : size;

	if (!is_whole && size < CONTROL_LINE_MAX)
		return false;
	if (is_whole && fits)
		parse(command, channel->buffer, size);
	else
		*command = (struct control_command){ .kind = CONTROL_UNKNOWN };
	channel->skips = !is_whole;
	channel->size -= used;
	memmove(channel->buffer, channel->buffer + used, channel->size);
	return true;
}

void control_channel_ack(const struct control_channel *channel)
{
	static const char ack[] = "ack\n";
	struct pollfd entry = { .fd = channel->ack_fd, .events = POLLOUT };

	if (channel->ack_fd >= 0 && poll(&entry, 1, 0) > 0 && entry.revents & POLLOUT &&
	    write(channel->ack_fd, ack, sizeof(ack) - 1) < 0)
		return; /* its reader has gone */
}
