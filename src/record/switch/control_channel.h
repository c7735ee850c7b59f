#ifndef XPROF_RECORD_CONTROL_CHANNEL_H
#define XPROF_RECORD_CONTROL_CHANNEL_H

/*
 * Commands that come while a recording runs, one a line, and their acknowledgements ("ack" and a newline), as perf's
 * --control has them.
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
	CONTROL_ENABLE, /* the samplers, or those of the name in `argument` */
	CONTROL_DISABLE,
	CONTROL_SNAPSHOT,
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_EVLIST,  /* lists the events, as -v, -F or -g in `argument` says */
	CONTROL_UNKNOWN, /* has no acknowledgement */
};

enum { CONTROL_LINE_MAX = 256 };

struct control_command {
	enum control_command_kind kind;
	char argument[CONTROL_LINE_MAX]; /* "" without one */
};

struct control_channel;

/*
 * "fifo:CTL[,ACK]": paths of FIFOs that exist. "fd:CTL[,ACK]": descriptors that are open, which are not closed. NULL with err
 * otherwise.
 */
struct control_channel *control_channel_open(const char *text, struct error *err);
void control_channel_close(struct control_channel *channel);

/* To be polled for reading. */
int control_channel_fd(const struct control_channel *channel);

/* Takes what has come; does not wait. False if nothing will come any more: poll it no longer. */
bool control_channel_read(struct control_channel *channel);

/* The next command of what has come; false if there is none. */
bool control_channel_next(struct control_channel *channel, struct control_command *command);

/* If the channel has one, by its descriptor for acknowledgements. Does not wait for a reader. */
void control_channel_ack(const struct control_channel *channel);

#endif
