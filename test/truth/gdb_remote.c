#include "truth/gdb_remote.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

enum { CHECKSUM_BYTES = 2 };

struct gdb_remote {
	int fd;
	struct strbuf in; /* received, not read yet */
	struct strbuf reply;
};

static int try_to_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

struct gdb_remote *gdb_remote_connect(const char *path, pid_t pid, struct error *err)
{
	enum { TRIES = 3000 }; /* one every 10 ms */
	const struct timespec pause = { .tv_nsec = 10000000 };
	struct gdb_remote *remote;
	int fd = -1, status;

	for (size_t i = 0; i < TRIES && (fd = try_to_connect(path)) < 0; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			break;
		nanosleep(&pause, NULL);
	}
	if (fd < 0) {
		error_set_errno(err, errno, "nobody listens at %s", path);
		return NULL;
	}
	remote = xcalloc(1, sizeof(*remote));
	remote->fd = fd;
	strbuf_init(&remote->in);
	strbuf_init(&remote->reply);
	return remote;
}

void gdb_remote_close(struct gdb_remote *remote)
{
	if (!remote)
		return;
	close(remote->fd);
	strbuf_fini(&remote->in);
	strbuf_fini(&remote->reply);
	free(remote);
}

static bool send_all(struct gdb_remote *remote, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t sent = send(remote->fd, bytes, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		bytes += sent;
		size -= (size_t)sent;
	}
	return true;
}

static bool send_packet(struct gdb_remote *remote, const char *packet)
{
	unsigned int sum = 0;
	char *text;
	bool sent;

	for (const char *c = packet; *c; c++)
		sum += (unsigned char)*c;
	text = xasprintf("$%s#%02x", packet, sum & 255);
	sent = send_all(remote, text, strlen(text));
	free(text);
	return sent;
}

static bool receive_more(struct gdb_remote *remote)
{
	char bytes[4096];
	ssize_t got;

	do
		got = recv(remote->fd, bytes, sizeof(bytes), 0);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		strbuf_add(&remote->in, bytes, (size_t)got);
	return got > 0;
}

/* Takes the first whole packet, "$TEXT#XX", out of the received bytes; acknowledgements may precede it. */
static bool take_packet(struct gdb_remote *remote)
{
	const char *start = memchr(remote->in.bytes, '$', remote->in.size), *end;
	size_t used;

	if (!start)
		return false;
	end = memchr(start, '#', remote->in.size - (size_t)(start - remote->in.bytes));
	used = end ? (size_t)(end - remote->in.bytes) + 1 + CHECKSUM_BYTES : 0;
	if (!end || used > remote->in.size)
		return false;
	strbuf_reset(&remote->reply);
	strbuf_add(&remote->reply, start + 1, (size_t)(end - start - 1));
	memmove(remote->in.bytes, remote->in.bytes + used, remote->in.size - used);
	strbuf_cut(&remote->in, remote->in.size - used);
	return true;
}

const char *gdb_remote_ask(struct gdb_remote *remote, const char *packet)
{
	if (!send_packet(remote, packet))
		return NULL;
	while (!take_packet(remote))
		if (!receive_more(remote))
			return NULL;
	return send_all(remote, "+", 1) ? remote->reply.bytes : NULL;
}
