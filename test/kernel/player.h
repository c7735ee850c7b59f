#ifndef XPROF_TEST_KERNEL_PLAYER_H
#define XPROF_TEST_KERNEL_PLAYER_H

/* A played kernel: its machine, its events, and how far the script has been written into rings. */

#include <stdio.h>

#include "base/strbuf.h"
#include "kernel/machine.h"
#include "kernel/notifier.h"
#include "kernel/play_script.h"
#include "kernel/played_event.h"

enum { SAMPLERS_MAX = 64, WAITING_MAX = 64, WATCHED_MAX = 512 };

/* A call of poll() that is held up to `until_ns` (CLOCK_MONOTONIC) or until one of the rings has data. */
struct waiting_poll {
	uint64_t call, until_ns;
	int events[WATCHED_MAX];
	size_t event_count;
};

struct player {
	struct play_script script;
	const struct machine *machine;
	struct notifier notifier;
	struct played_events events;
	FILE *log; /* NULL: none */
	pid_t recorder;
	/* The first events of the samplers, in the order in which they were opened; -1 until all samplers are enabled. */
	int samplers[SAMPLERS_MAX];
	size_t sampler_count;
	bool is_playing;
	size_t next_record, dropped; /* dropped: there was no event for them, or none any more */
	struct strbuf bytes;
	struct waiting_poll polls[WAITING_MAX];
	size_t poll_count;
	uint64_t held_exits[WAITING_MAX]; /* calls */
	size_t held_count;
};

/* Writes as many records as there is room for. */
void player_play(struct player *player);

/* The script is over, or cannot go on. */
bool player_is_done(const struct player *player);

/* Answers a call; some are answered later, by player_answer_waiting(). */
void player_answer(struct player *player, const struct seccomp_notif *call);
void player_answer_waiting(struct player *player);

#endif
