#ifndef XPROF_REPORT_WAITS_WAIT_CHOICE_H
#define XPROF_REPORT_WAITS_WAIT_CHOICE_H

/*
 * --wait: selects kinds of time off the CPU. A name is a state of the thread (sleeping, runqueue ...) or what
 * it waited for (futex, disk ...), as the keys state and wait print them; `running` is time on a CPU.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "format/sample.h"

struct wait_choice {      /* all zero: no choice was made, and every sample is kept */
	uint32_t states;  /* a bit for each enum off_cpu_state */
	uint32_t kinds;   /* a bit for each enum off_cpu_kind */
	bool has_running; /* `running`: samples of other events */
};

/* All time off the CPU. */
extern const struct wait_choice wait_choice_off_cpu;

/* The names, NULL-terminated, each in one word: "page-fault". */
extern const char *const wait_choice_names[];

static inline bool wait_choice_is_made(const struct wait_choice *choice)
{
	return choice->states || choice->kinds || choice->has_running;
}

/*
 * Parses names with commas between them and replaces the choice. Case, blanks, hyphens and underscores make
 * no difference: "page fault", "run-queue", "on-cpu" (for running). Returns 0, or -1 with err, which lists
 * the names.
 */
int wait_choice_parse(struct wait_choice *choice, const char *text, struct error *err);

/* Is the sample's state, or what it waited for, among those chosen? `event_name` may be NULL. */
bool wait_choice_keeps(const struct wait_choice *choice, const char *event_name, const struct sample *sample);

/* Appends the choice as text for wait_choice_parse(). */
void wait_choice_add_text(struct strbuf *out, const struct wait_choice *choice);

#endif
