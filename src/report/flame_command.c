#include "report/flame_command.h"

#include <inttypes.h>

#include "report/web_text.h"

static void add_text(struct strbuf *out, const char *option, const char *text)
{
	struct strbuf clean;

	if (!text)
		return;
	strbuf_init(&clean);
	web_text_clean(&clean, text);
	strbuf_addf(out, ",[\"%s\",", option);
	web_text_add_json(out, clean.bytes);
	strbuf_addc(out, ']');
	strbuf_fini(&clean);
}

static void add_texts(struct strbuf *out, const char *option, const struct text_list *list)
{
	struct strbuf joined;
	size_t i;

	if (!list->items)
		return;
	strbuf_init(&joined);
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

static void add_filters(struct strbuf *out, const struct flame_options *options)
{
	add_texts(out, "--comms", &options->comms);
	add_texts(out, "--dsos", &options->dsos);
	add_texts(out, "--symbols", &options->symbols);
	add_texts(out, "--cgroups", &options->cgroups);
	add_text(out, "--stack", options->stack);
	add_numbers(out, "--pid", &options->pids);
	add_numbers(out, "--tid", &options->tids);
	add_numbers(out, "--cpu", &options->cpus);
	add_text(out, "--time", options->time);
}

void flame_command_add(struct strbuf *out, const struct flame_options *options, const char *event)
{
	static const char *const unwind_names[] = { "auto", "fp", "dwarf" }; /* enum unwind_choice */
	static const char *const unwinder_names[] = { "xprof", "libunwind",
						      "libdw" }; /* enum unwind_engine */

	if (options->folded) {
		strbuf_adds(out, "null");
		return;
	}
	strbuf_adds(out, "[[\"-s\",\"dso,sym\"],[\"-n\"],[\"--percentage\",\"relative\"]");
	add_text(out, "-i", options->input);
	add_text(out, "--event", *event ? event : NULL);
	add_filters(out, options);
	if (options->max_stack)
		add_numbers(out, "--max-stack",
			    &(struct number_list){ .items = (uint32_t[]){ options->max_stack }, .count = 1 });
	if (options->unwind)
		add_text(out, "--unwind", unwind_names[options->unwind]);
	if (!options->join_stacks)
		strbuf_adds(out, ",[\"--no-join-stacks\"]");
	if (options->guess)
		strbuf_adds(out, ",[\"--guess\"]");
	if (options->unwinder)
		add_text(out, "--unwinder", unwinder_names[options->unwinder]);
	add_text(out, "--vmlinux", options->vmlinux);
	add_text(out, "--kallsyms", options->kallsyms);
	add_text(out, "--symfs", options->symfs);
	add_texts(out, "--debug-dir", &options->debug_dirs);
	if (!options->demangle)
		strbuf_adds(out, ",[\"--no-demangle\"]");
	if (!options->inlines)
		strbuf_adds(out, ",[\"--no-inline\"]");
	strbuf_addc(out, ']');
}
