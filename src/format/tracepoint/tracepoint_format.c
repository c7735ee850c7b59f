/*
 * A socket pair joins this process to the child. Both ends use the same channel code; questions and answers have fixed heads
 * in front of their bytes. The child answers in serve() until the socket closes. Any timeout or nonsense ends the child in
 * end_child(), and every later question fails.
 */
#include "format/tracepoint/tracepoint_format.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xalloc.h"

enum {
	/* an answer takes microseconds, reading the formats a few tenths of a second */
	ANSWER_TIMEOUT_MS = 10000,
	MAX_ANSWER_BYTES = 1 << 20, /* far more than any line; stops a library that runs wild */
	CHUNK_BYTES = 1 << 16,
};

/* One end of a socket, with bytes that were received but not read yet, and bytes to send. */
struct channel {
	int fd;
	struct strbuf in, out;
	size_t in_read; /* how much of `in` was read */
};

struct tracepoint_formats {
	pid_t child; /* -1: gone */
	struct channel channel;
	size_t unanswered;
};

enum question { QUESTION_NAME, QUESTION_PRINT, QUESTION_FIELDS };

/* Precedes `size` bytes in the socket. Sent as it is in memory, since both ends are one program on one machine. */
struct question_head {
	uint32_t question, cpu;
	uint64_t config;
	uint32_t size, unused; /* explicit padding, which the compiler would leave uninitialized */
};

struct answer_head {
	int32_t status; /* 0; -1: the bytes are an error message */
	uint32_t size;
};

/* --- both ends -------------------------------------------------------------------- */

static void channel_init(struct channel *channel, int fd)
{
	*channel = (struct channel){ .fd = fd };
	strbuf_init(&channel->in);
	strbuf_init(&channel->out);
}

static void channel_fini(struct channel *channel)
{
	strbuf_fini(&channel->in);
	strbuf_fini(&channel->out);
}

static int channel_flush(struct channel *channel)
{
	size_t done = 0;

	while (done < channel->out.size) {
		ssize_t sent = TEMP_FAILURE_RETRY(
			send(channel->fd, channel->out.bytes + done, channel->out.size - done, MSG_NOSIGNAL));

		if (sent <= 0)
			return -1;
		done += (size_t)sent;
	}
	strbuf_reset(&channel->out);
	return 0;
}

static size_t channel_left(const struct channel *channel)
{
	return channel->in.size - channel->in_read;
}

static void forget_what_was_read(struct channel *channel)
{
	size_t left = channel_left(channel);

	if (channel->in_read == 0)
		return;
	memmove(channel->in.bytes, channel->in.bytes + channel->in_read, left);
	channel->in.size = left;
	channel->in_read = 0;
}

/* Receives one more piece from the other end. timeout_ms -1: waits without limit. */
static int receive_piece(struct channel *channel, int timeout_ms)
{
	struct pollfd readable = { .fd = channel->fd, .events = POLLIN };
	char piece[CHUNK_BYTES];
	ssize_t received;
	int ready = poll(&readable, 1, timeout_ms);

	if (ready < 0 && errno == EINTR)
		return 0;
	received = ready > 0 ? recv(channel->fd, piece, sizeof(piece), 0) : -1;
	if (received <= 0)
		return -1;
	strbuf_add(&channel->in, piece, (size_t)received);
	return 0;
}

/* The next `size` bytes, valid until the next call; NULL if they do not arrive. */
static const char *channel_take(struct channel *channel, size_t size, int timeout_ms)
{
	const char *bytes;

	if (channel_left(channel) < size)
		forget_what_was_read(channel);
	while (channel_left(channel) < size)
		if (receive_piece(channel, timeout_ms) != 0)
			return NULL;
	bytes = channel->in.bytes + channel->in_read;
	channel->in_read += size;
	return bytes;
}

/* --- the child ------------------------------------------------------------------------ */

static void put_answer(struct channel *channel, int status, const char *text, size_t size)
{
	const struct answer_head head = { .status = status, .size = (uint32_t)size };

	strbuf_add(&channel->out, &head, sizeof(head));
	strbuf_add(&channel->out, text, size);
}

static void answer_question(struct tracepoint_parser *parser, struct channel *channel,
			    const struct question_head *head, const uint8_t *raw)
{
	struct strbuf text = STRBUF_INIT;
	struct error err = { .message = "" };
	int status;

	if (head->question == QUESTION_NAME)
		status = tracepoint_parser_name(parser, head->config, &text);
	else if (head->question == QUESTION_FIELDS)
		status = tracepoint_parser_fields(parser, head->config, raw, head->size, &text, &err);
	else
		status = tracepoint_parser_print(parser, head->config, head->cpu, raw, head->size, &text,
						 &err);
	if (status == 0)
		put_answer(channel, 0, text.bytes, text.size);
	else
		put_answer(channel, -1, err.message, strlen(err.message));
	strbuf_fini(&text);
}

/* Sends the answers when no question is left to read. */
static void serve(struct tracepoint_parser *parser, struct channel *channel)
{
	for (;;) {
		struct question_head head;
		const char *bytes;

		if (channel_left(channel) < sizeof(head) && channel_flush(channel) != 0)
			return;
		bytes = channel_take(channel, sizeof(head), -1);
		if (!bytes)
			return;
		memcpy(&head, bytes, sizeof(head));
		bytes = channel_take(channel, head.size, -1);
		if (!bytes)
			return;
		answer_question(parser, channel, &head, (const uint8_t *)bytes);
	}
}

/* Standard output may be a pipe to a pager, which must see its end when the parent exits. */
static void let_go_of_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
}

__attribute__((noreturn)) static void run_child(int fd, struct byte_reader tracing_data,
						tracepoint_resolve *resolve, void *context)
{
	struct tracepoint_parser *parser;
	struct channel channel;
	struct error err = { .message = "" };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	let_go_of_terminal();
	channel_init(&channel, fd);
	parser = tracepoint_parser_create(tracing_data, resolve, context, &err);
	put_answer(&channel, parser ? 0 : -1, err.message, strlen(err.message));
	if (channel_flush(&channel) == 0 && parser)
		serve(parser, &channel);
	_exit(0); /* not exit(): what is buffered for standard output is the parent's */
}

/* --- the parent -------------------------------------------------------------------------- */

static void end_child(struct tracepoint_formats *formats)
{
	if (formats->child < 0)
		return;
	close(formats->channel.fd);
	kill(formats->child, SIGKILL);
	(void)TEMP_FAILURE_RETRY(waitpid(formats->child, NULL, 0));
	formats->child = -1;
}

/* NULL if the child is gone, or had to be ended. */
static const char *receive(struct tracepoint_formats *formats, size_t size)
{
	const char *bytes =
		formats->child >= 0 ? channel_take(&formats->channel, size, ANSWER_TIMEOUT_MS) : NULL;

	if (!bytes)
		end_child(formats);
	return bytes;
}

static int receive_answer(struct tracepoint_formats *formats, struct strbuf *out, struct error *err)
{
	struct answer_head head = { .size = UINT32_MAX };
	const char *bytes = receive(formats, sizeof(head));

	if (bytes)
		memcpy(&head, bytes, sizeof(head));
	if (head.size > MAX_ANSWER_BYTES)
		end_child(formats);
	bytes = receive(formats, head.size);
	if (!bytes)
		return error_set(err, "libtraceevent failed on the formats of this recording");
	if (head.status != 0)
		return error_set(err, "%.*s", (int)head.size, bytes);
	strbuf_add(out, bytes, head.size);
	return 0;
}

struct tracepoint_formats *tracepoint_formats_create(struct byte_reader tracing_data,
						     tracepoint_resolve *resolve, void *context,
						     struct error *err)
{
	struct tracepoint_formats *formats;
	struct strbuf nothing = STRBUF_INIT;
	int fds[2], result;

	if (!tracepoint_parser_available()) {
		(void)tracepoint_parser_create(tracing_data, resolve, context, err);
		return NULL;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
		error_set_errno(err, errno, "cannot read the formats of tracepoints");
		return NULL;
	}
	formats = xcalloc(1, sizeof(*formats));
	channel_init(&formats->channel, fds[0]);
	formats->child = fork();
	if (formats->child == 0)
		run_child(fds[1], tracing_data, resolve, context);
	if (formats->child < 0)
		error_set_errno(err, errno, "cannot start a process to read the formats of tracepoints");
	close(fds[1]);
	if (formats->child < 0) {
		close(fds[0]);
		tracepoint_formats_destroy(formats);
		return NULL;
	}
	result = receive_answer(formats, &nothing, err);
	strbuf_fini(&nothing);
	if (result == 0)
		return formats;
	tracepoint_formats_destroy(formats);
	return NULL;
}

void tracepoint_formats_destroy(struct tracepoint_formats *formats)
{
	if (!formats)
		return;
	end_child(formats);
	channel_fini(&formats->channel);
	free(formats);
}

static void put_question(struct tracepoint_formats *formats, const struct question_head *head,
			 const uint8_t *raw)
{
	strbuf_add(&formats->channel.out, head, sizeof(*head));
	if (head->size)
		strbuf_add(&formats->channel.out, raw, head->size);
	formats->unanswered++;
}

bool tracepoint_formats_is_full(const struct tracepoint_formats *formats)
{
	return formats->channel.out.size >= CHUNK_BYTES;
}

void tracepoint_formats_ask(struct tracepoint_formats *formats, uint64_t config, uint32_t cpu,
			    const uint8_t *raw, size_t raw_size)
{
	put_question(formats,
		     &(struct question_head){ .question = QUESTION_PRINT,
					      .cpu = cpu,
					      .config = config,
					      .size = (uint32_t)raw_size },
		     raw);
}

void tracepoint_formats_ask_fields(struct tracepoint_formats *formats, uint64_t config, const uint8_t *raw,
				   size_t raw_size)
{
	put_question(formats,
		     &(struct question_head){
			     .question = QUESTION_FIELDS, .config = config, .size = (uint32_t)raw_size },
		     raw);
}

int tracepoint_formats_answer(struct tracepoint_formats *formats, struct strbuf *out, struct error *err)
{
	if (formats->unanswered == 0)
		return error_set(err, "nothing was asked");
	formats->unanswered--;
	if (formats->child >= 0)
		(void)channel_flush(
			&formats->channel); /* if the child is gone, no answer will come, which is reported below */
	return receive_answer(formats, out, err);
}

int tracepoint_formats_name(struct tracepoint_formats *formats, uint64_t config, struct strbuf *name)
{
	put_question(formats, &(struct question_head){ .question = QUESTION_NAME, .config = config }, NULL);
	return tracepoint_formats_answer(formats, name, NULL);
}
