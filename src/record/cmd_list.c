/* `xprof list`: which words are kinds of events, and which are patterns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/pager.h"
#include "record/event/event_list.h"

struct list_options {
	bool fields, pager;
};

static const struct option list_table[] = {
	{ OPTION_FLAG(struct list_options, fields), .letter = 'v', .name = "long-desc",
	  .help = "also print the fields of each tracepoint, for --filter" },
	OPTION_PAGER(struct list_options, pager),
	{ OPTION_ACCEPTED, .letter = 'd', .name = "desc",
	  .help = "the kernel describes events by their names only" },
	{ OPTION_ACCEPTED, .name = "details", .help = "the kernel describes events by their names only" },
	{ OPTION_ACCEPTED, .name = "deprecated", .help = "deprecated events are listed anyway" },
	{ OPTION_ACCEPTED, .name = "debug", .help = "there is nothing to debug" },
	{ OPTION_REFUSED("events are listed as text; 'perf list -j' lists those of vendors' tables as JSON"),
	  .letter = 'j', .name = "json" },
	{ OPTION_REFUSED("redirect standard output instead"), .letter = 'o', .name = "output" },
	{ OPTION_REFUSED("name the PMU as a pattern: 'xprof list cpu_core/*'"), .name = "unit" },
	{ OPTION_REFUSED("name the PMU as a pattern: 'xprof list cpu_core/*'"), .name = "cputype" },
	OPTION_END,
};

static const struct kind_word {
	const char *word;
	enum event_kind kind;
} kind_words[] = {
	{ "hw", EVENT_KIND_HARDWARE }, { "hardware", EVENT_KIND_HARDWARE },
	{ "sw", EVENT_KIND_SOFTWARE }, { "software", EVENT_KIND_SOFTWARE },
	{ "cache", EVENT_KIND_CACHE }, { "hwcache", EVENT_KIND_CACHE },
	{ "pmu", EVENT_KIND_PMU },     { "tracepoint", EVENT_KIND_TRACEPOINT },
};

enum { KIND_WORDS = sizeof(kind_words) / sizeof(kind_words[0]) };

static int no_events(const char *word, struct error *err)
{
	if (strcmp(word, "sdt") == 0 || strcmp(word, "metric") == 0 || strcmp(word, "metricgroup") == 0)
		return error_set(err, "xprof knows no %s; 'perf list %s' lists them", word, word);
	if (strcmp(word, "hw") == 0 || strcmp(word, "hardware") == 0 || strcmp(word, "cache") == 0 ||
	    strcmp(word, "hwcache") == 0)
		return error_set(
			err,
			"this machine has no hardware counters (a virtual machine?), or they may not be used");
	if (strcmp(word, "tracepoint") == 0)
		return error_set(
			err, "there are no tracepoints: run as root, with tracefs mounted: 'mount -t tracefs "
			     "nodev /sys/kernel/tracing'");
	return error_set(err, "no event is called %s", word);
}

/* A kind of events, or a pattern, or a part of a name: perf also searches for *WORD*. */
static int list_word(struct event_list *list, const char *word, struct error *err)
{
	size_t lines = 0;
	char *pattern;

	for (size_t i = 0; i < KIND_WORDS; i++)
		if (strcmp(kind_words[i].word, word) == 0) {
			list->pattern = NULL;
			return event_list_add(list, kind_words[i].kind) ? 0 : no_events(word, err);
		}
	pattern = strpbrk(word, "*?[") ? xstrdup(word) : xasprintf("*%s*", word);
	list->pattern = pattern;
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
		lines += event_list_add(list, (enum event_kind)kind);
	free(pattern);
	return lines ? 0 : no_events(word, err);
}

static void list_all(struct event_list *list)
{
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
		event_list_add(list, (enum event_kind)kind);
	strbuf_addf(list->out, "  %-50s [%s]\n", "rNNN", "Raw hardware event, hexadecimal");
	strbuf_addf(list->out, "  %-50s [%s]\n", "mem:ADDRESS[/BYTES][:r|w|rw|x]", "Hardware breakpoint");
}

static int run_list(void *parsed, int operand_count, char **operands, struct error *err)
{
	const struct list_options *options = parsed;
	struct strbuf text = STRBUF_INIT;
	struct event_list list = { .sources = event_sources_system,
				   .is_there = event_list_can_open,
				   .fields = options->fields,
				   .out = &text };
	struct pager *pager;
	int result = 0;

	if (operand_count == 0)
		list_all(&list);
	for (int i = 0; i < operand_count && result == 0; i++)
		result = list_word(&list, operands[i], err);
	pager = pager_start(options->pager && result == 0);
	fwrite(text.bytes ? text.bytes : "", 1, text.size, stdout);
	pager_finish(pager);
	strbuf_fini(&text);
	return result < 0 ? CLI_FAILED : 0;
}

const struct cli_command cmd_list = {
	.name = "list",
	.summary = "list the events that this machine can record",
	.usage = (const char *const[]){ "[-v] [hw|sw|cache|tracepoint|pmu|PATTERN...]", NULL },
	.description =
		(const char *const[]){
			"Lists events as 'xprof record -e' takes them: hardware, software and cache events "
			"of this kernel and CPU, the events that PMUs describe in sysfs, and tracepoints.",
			"Any other word matches events with the word in their names; it is a pattern if it "
			"contains *, ? or [...].",
			NULL },
	.options = list_table,
	.options_size = sizeof(struct list_options),
	.defaults = &(const struct list_options){ .pager = true },
	.operands = CLI_OPERANDS_FILES,
	.examples =
		(const struct cli_example[]){
			{ "xprof list sw", "Software events, which every machine has." },
			{ "xprof list -v sched:sched_switch", "A tracepoint and its fields." },
			{ "xprof list 'syscalls:sys_enter_*'", "All tracepoints that match." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-list(1)", NULL },
	.run = run_list,
};
