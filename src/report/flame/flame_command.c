/*
 * Adds an entry for each setting that chooses samples, stacks or names. Texts are cleaned first, as the JSON goes into a
 * page.
 */
#include "report/flame/flame_command.h"

#include <inttypes.h>

#include "report/waits/wait_choice.h"
#include "text/web_text.h"

static void add_text(struct strbuf *out, const char *option, const char *text)
{
	struct strbuf clean = STRBUF_INIT;

	if (!text)
		return;
	web_text_clean(&clean, text);
	strbuf_addf(out, ",[\"%s\",", option);
	web_text_add_json(out, clean.bytes);
	strbuf_addc(out, ']');
	strbuf_fini(&clean);
}

static void add_texts(struct strbuf *out, const char *option, const struct text_list *list)
{
	struct strbuf joined = STRBUF_INIT;
	size_t i;

	if (!list->items)
		return;
	for (i = 0; i < list->count; i++)
		strbuf_addf(&joined, "%s%s", i ? "," : "", list->items[i]);
	add_text(out, option, joined.bytes);
	strbuf_fini(&joined);
}

static void add_numbers(struct strbuf *out, const char *option, const struct number_list *list)
{
	size_t i;

	if (!list->count)
		return;
	strbuf_addf(out, ",[\"%s\",\"", option);
	for (i = 0; i < list->count; i++)
		strbuf_addf(out, "%s%" PRIu32, i ? "," : "", list->items[i]);
	strbuf_adds(out, "\"]");
}

static void add_waits(struct strbuf *out, const struct wait_choice *waits)
{
	struct strbuf names = STRBUF_INIT;

	wait_choice_add_text(&names, waits);
	add_text(out, "--wait", names.bytes);
	strbuf_fini(&names);
}

static void add_filters(struct strbuf *out, const struct sample_choice *samples)
{
	add_texts(out, "--comms", &samples->comms);
	add_texts(out, "--dsos", &samples->dsos);
	add_texts(out, "--symbols", &samples->symbols);
	add_texts(out, "--cgroups", &samples->cgroups);
	add_text(out, "--stack", samples->stack);
	add_numbers(out, "--pid", &samples->pids);
	add_numbers(out, "--tid", &samples->tids);
	add_numbers(out, "--cpu", &samples->cpus);
	add_text(out, "--time", samples->time);
	if (wait_choice_is_made(&samples->waits))
		add_waits(out, &samples->waits);
	if (samples->hide_idle)
		strbuf_adds(out, ",[\"--hide-idle\"]");
}

void flame_command_add(struct strbuf *out, const struct flame_options *options, const char *event)
{
	if (options->folded) {
		strbuf_adds(out, "null");
		return;
	}
	strbuf_adds(out, "[[\"-s\",\"dso,sym\"],[\"-n\"],[\"--percentage\",\"relative\"]");
	add_text(out, "-i", options->input);
	add_text(out, "--event", *event ? event : NULL);
	add_filters(out, &options->samples);
	if (options->stacks.max_stack)
		add_numbers(out, "--max-stack",
			    &(struct number_list){ .items = (uint32_t[]){ options->stacks.max_stack },
						   .count = 1 });
	if (options->stacks.unwind)
		add_text(out, "--unwind", unwind_choice_names[options->stacks.unwind]);
	if (!options->stacks.join_stacks)
		strbuf_adds(out, ",[\"--no-join-stacks\"]");
	if (options->stacks.guess)
		strbuf_adds(out, ",[\"--guess\"]");
	if (options->stacks.wakers)
		strbuf_adds(out, ",[\"--wakers\"]");
	if (options->stacks.unwinder)
		add_text(out, "--unwinder", unwind_engine_names[options->stacks.unwinder]);
	add_text(out, "--vmlinux", options->symbols.vmlinux);
	add_text(out, "--kallsyms", options->symbols.kallsyms);
	add_text(out, "--symfs", options->symbols.symfs);
	add_texts(out, "--debug-dir", &options->symbols.debug_dirs);
	if (options->symbols.debuginfod == DEBUGINFOD_OFF) /* otherwise downloaded files are found again */
		add_text(out, "--debuginfod", debuginfod_mode_names[DEBUGINFOD_OFF]);
	if (!options->symbols.demangle)
		strbuf_adds(out, ",[\"--no-demangle\"]");
	if (!options->symbols.inlines)
		strbuf_adds(out, ",[\"--no-inline\"]");
	strbuf_addc(out, ']');
}
