/* The one place that prints what --hide-idle leaves out, for all commands alike. */
#include "report/view/idle_choice.h"

#include <stdio.h>

#include "report/waits/idle_stacks.h"

bool *idle_choice_find(const struct profile *profile, const char *path, bool quiet, struct error *err)
{
	bool *idle = idle_stacks_find(profile);
	struct strbuf text;

	if (!idle) {
		error_set(err,
			  "%s: --hide-idle: time off the CPU was not recorded; 'xprof record --off-cpu' does",
			  path);
		return NULL;
	}
	if (quiet)
		return idle;
	strbuf_init(&text);
	idle_stacks_add_text(&text, profile);
	fprintf(stderr, "xprof: %s: --hide-idle: %s\n", path, text.bytes);
	strbuf_fini(&text);
	return idle;
}
