#ifndef XPROF_RECORD_CONTROL_CHANNEL_H
#define XPROF_RECORD_CONTROL_CHANNEL_H

/*
 * Receives commands while a recording runs, one per line, and sends acknowledgements ("ack" and a newline),
 * like perf's --control.
 *
 *     channel = control_channel_open("fifo:/run/ctl,/run/ack", &err);
 *     ... control_channel_fd() is readable:
 *     control_channel_read(channel);
 *     while (control_channel_next(channel, &command))
 *             control_channel_ack(channel);
 */

#include <stdbool.h>

#include "base/error.h"

enum control_command_kind {
	CONTROL_ENABLE, /* start all samplers, or the one called `argument` */
	CONTROL_DISABLE,
	CONTROL_SNAPSHOT,
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_EVLIST,  /* list the events; `argument` is "", -v, -F or -g */
	CONTROL_UNKNOWN, /* is not acknowledged */
};

enum { CONTROL_LINE_MAX = 256 };

struct control_command {
	enum control_command_kind kind;
	char argument[CONTROL_LINE_MAX]; /* "" if there is none */
};

struct control_channel;

/*
 * Opens "fifo:CTL[,ACK]", paths of existing FIFOs, or "fd:CTL[,ACK]", open descriptors, which
 * control_channel_close() leaves open. Returns NULL with err on failure.
 */
struct control_channel *control_channel_open(const char *text, struct error *err);
void control_channel_close(struct control_channel *channel);

/* A descriptor to poll for reading. */
int control_channel_fd(const struct control_channel *channel);

/* Reads what has come, without blocking. Returns false at the end of file: do not poll it any more. */
bool control_channel_read(struct control_channel *channel);

/* Takes the next command that was read. Returns false if there is none. */
bool control_channel_next(struct control_channel *channel, struct control_command *command);

/* Acknowledges a command, if the channel has a descriptor for that. Does not wait for a reader. */
void control_channel_ack(const struct control_channel *channel);

#endif
