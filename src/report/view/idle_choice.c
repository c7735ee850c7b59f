/* Prints what --hide-idle leaves out, in the same way for all commands. */
#include "report/view/idle_choice.h"

#include <stdio.h>

#include "report/waits/idle_stacks.h"

bool *idle_choice_find(const struct profile *profile, const char *path, bool quiet, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	bool *idle;

	idle = idle_stacks_find(profile, &text);
	if (!idle)
		error_set(err,
			  "%s: --hide-idle: time off the CPU was not recorded: use 'xprof record --off-cpu'",
			  path);
	else if (!quiet)
		fprintf(stderr, "xprof: %s: --hide-idle: %s\n", path, text.bytes);
	strbuf_fini(&text);
	return idle;
}
