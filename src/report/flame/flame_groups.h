#ifndef XPROF_REPORT_FLAME_FLAME_GROUPS_H
#define XPROF_REPORT_FLAME_FLAME_GROUPS_H

/*
 * The groups below the stacks of a flame graph: command, process, thread, CPU, cgroup or event of a sample, as text that
 * pictures can show.
 */

#include "base/str_pool.h"
#include "base/strbuf.h"
#include "report/view/view.h"

enum flame_group {
	FLAME_BY_COMM,
	FLAME_BY_PID,
	FLAME_BY_TID,
	FLAME_BY_CPU,
	FLAME_BY_CGROUP,
	FLAME_BY_EVENT,
	FLAME_GROUP_COUNT
};

extern const char *const flame_group_words[FLAME_GROUP_COUNT]; /* words of --by */

struct flame_groups {
	const struct view_input *input;
	uint32_t *process_names; /* by thread: the name of its process, a string of the profile; 0: unknown */
	struct strbuf scratch;
};

/* The input is borrowed. */
void flame_groups_init(struct flame_groups *groups, const struct view_input *input);
void flame_groups_fini(struct flame_groups *groups);

/* The text of a sample's group, as a string of `texts` with a NUL at its end. */
uint32_t flame_groups_text(struct flame_groups *groups, const struct profile_sample *sample,
			   enum flame_group group, struct str_pool *texts);

#endif
