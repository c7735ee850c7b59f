#include "report/flame_command.h"

#include <inttypes.h>
#include <string.h>

/* As one word of a POSIX shell: in single quotes, unless nothing in it has a meaning. */
static void add_word(struct strbuf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,%+-=";

	if (*word && !word[strspn(word, plain)]) {
		strbuf_adds(out, word);
		return;
	}
	strbuf_addc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			strbuf_adds(out, "'\\''");
		else
			strbuf_addc(out, *word);
	}
	strbuf_addc(out, '\'');
}

static void add_text(struct strbuf *out, const char *option, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, " %s ", option);
	add_word(out, text);
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

	if (list->count)
		strbuf_addf(out, " %s ", option);
	for (i = 0; i < list->count; i++)
		strbuf_addf(out, "%s%" PRIu32, i ? "," : "", list->items[i]);
}

static void add_filters(struct strbuf *out, const struct flame_options *options)
{
	add_texts(out, "--comms", &options->comms);
	add_texts(out, "--dsos", &options->dsos);
	add_texts(out, "--symbols", &options->symbols);
	add_numbers(out, "--pid", &options->pids);
	add_numbers(out, "--tid", &options->tids);
	add_numbers(out, "--cpu", &options->cpus);
	add_text(out, "--time", options->time);
}

void flame_command_add(struct strbuf *out, const struct flame_options *options, const char *event)
{
	static const char *const unwind_names[] = { "auto", "fp", "dwarf" }; /* enum unwind_choice */

	if (options->folded)
		return;
	strbuf_adds(out, "xprof report -s dso,sym -n --percentage relative");
	add_text(out, "-i", options->input);
	if (*event)
		add_text(out, "--event", event);
	add_filters(out, options);
	if (options->max_stack)
		strbuf_addf(out, " --max-stack %u", options->max_stack);
	if (options->unwind)
		add_text(out, "--unwind", unwind_names[options->unwind]);
	if (!options->join_stacks)
		strbuf_adds(out, " --no-join-stacks");
	if (options->guess)
		strbuf_adds(out, " --guess");
	add_text(out, "--vmlinux", options->vmlinux);
	add_text(out, "--kallsyms", options->kallsyms);
	add_text(out, "--symfs", options->symfs);
	if (!options->demangle)
		strbuf_adds(out, " --no-demangle");
}
