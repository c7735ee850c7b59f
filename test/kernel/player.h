#ifndef XPROF_TEST_KERNEL_PLAYER_H
#define XPROF_TEST_KERNEL_PLAYER_H

/* A played kernel: its machine, its events, and the part of the script that has been written into rings. */

#include <stdio.h>

#include "base/strbuf.h"
#include "kernel/machine.h"
#include "kernel/notifier.h"
#include "kernel/play_script.h"
#include "kernel/played_event.h"

enum { SAMPLERS_MAX = 64, WAITING_MAX = 64, WATCHED_MAX = 512 };

/* A call of poll() that is held until `until_ns` (CLOCK_MONOTONIC) or until one of the rings has data. */
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
	FILE *log; /* NULL if none */
	pid_t recorder;
	/* The first event of each sampler, in the order of opening; -1 until all samplers are enabled. */
	int samplers[SAMPLERS_MAX];
	size_t sampler_count;
	bool is_playing;
	size_t next_record, dropped; /* dropped: records for which there was no event, or no longer */
	struct strbuf bytes;
	struct waiting_poll polls[WAITING_MAX];
	size_t poll_count;
	uint64_t held_exits[WAITING_MAX]; /* numbers of calls */
	size_t held_count;
};

/* Writes as many records as fit. */
void player_play(struct player *player);

/* Whether the script is over, or cannot continue. */
bool player_is_done(const struct player *player);

/* Answers a call; player_answer_waiting() answers some of them later. */
void player_answer(struct player *player, const struct seccomp_notif *call);
void player_answer_waiting(struct player *player);

#endif
