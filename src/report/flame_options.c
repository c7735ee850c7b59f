#include "report/flame_options.h"

#include <string.h>

#define DEFAULT_MIN_WIDTH_PX 0.1 /* flamegraph.pl's */

const struct flame_options flame_option_defaults = {
	.recipe = { .by = { FLAME_BY_COMM }, .by_count = 1 },
	.min_width_px = DEFAULT_MIN_WIDTH_PX,
	.demangle = true,
	.inlines = true,
	.cache = true,
	.join_stacks = true,
};

static const char *const unwind_choices[] = { "auto", "fp", "dwarf", NULL }; /* enum unwind_choice */
static const char *const unwinder_choices[] = { "xprof", "libunwind", "libdw",
						NULL };                       /* enum unwind_engine */
static const char *const weight_choices[] = { "period", "samples", NULL };    /* enum flame_weight */
static const char *const palette_choices[] = { "kind", "hot", "gray", NULL }; /* enum flame_colors */
static const char *const by_choices[] = { "comm", "pid", "tid", "cpu", "cgroup", "event", "none", NULL };

static const char *const format_choices[] = { "auto", "html", "svg", NULL }; /* enum flame_format */

static int add_group(struct flame_recipe *recipe, const char *word, size_t length, struct error *err)
{
	size_t group, i;

	for (group = 0; group < FLAME_GROUP_COUNT; group++)
		if (strlen(flame_group_words[group]) == length &&
		    !memcmp(flame_group_words[group], word, length))
			break;
	if (group == FLAME_GROUP_COUNT)
		return error_set(err, "'%.*s' is none of comm, pid, tid, cpu, cgroup, event and none",
				 (int)length, word);
	for (i = 0; i < recipe->by_count; i++)
		if (recipe->by[i] == (enum flame_group)group)
			return error_set(err, "'%s' is named twice", flame_group_words[group]);
	recipe->by[recipe->by_count++] = (enum flame_group)group;
	return 0;
}

static int set_by(void *options, const char *argument, struct error *err)
{
	struct flame_recipe *recipe = &((struct flame_options *)options)->recipe;

	recipe->by_count = 0;
	if (!strcmp(argument, "none"))
		return 0;
	for (;;) {
		size_t length = strcspn(argument, ",");

		if (add_group(recipe, argument, length, err))
			return -1;
		if (!argument[length])
			return 0;
		argument += length + 1;
	}
}

const struct option flame_option_table[] = {
	OPTION_GROUP("What is read and written"),
	{ OPTION_STRING(struct flame_options, input), .letter = 'i', .name = "input", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "the recording; - is standard input (default: perf.data)" },
	{ OPTION_STRING(struct flame_options, folded), .name = "folded", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "draw folded stacks of any tool instead; - is standard input",
	  .details =
		  "Lines \"outermost;...;leaf WEIGHT\". _[k], _[j] and _[i] behind a name mark kernel, JIT and "
		  "inlined code. Options that choose samples or symbols do not apply." },
	{ OPTION_STRING(struct flame_options, diff), .name = "diff", .placeholder = "BEFORE",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "colour by what has changed since this recording, or folded text with --folded",
	  .details =
		  "Frames are as wide as they are now; red ones have a larger share of all than before, blue ones "
		  "a smaller one, deeper colours mean more: from half a point, 2 and 8 points on. Call paths are "
		  "compared; those that are gone are not drawn. Filters apply to both." },
	{ OPTION_STRING(struct flame_options, output), .letter = 'o', .name = "output", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "where the picture goes; - is standard output (default: flamegraph.html)" },
	{ OPTION_CHOICE(struct flame_options, format), .name = "format", .choices = format_choices,
	  .help = "html: a page, for any number of stacks; svg: a picture; auto (default): by the file's name" },
	{ OPTION_FLAG(struct flame_options, force), .letter = 'f', .name = "force",
	  .help = "accepted for perf's sake: files of other users are read anyway" },

	OPTION_GROUP("The picture"),
	{ OPTION_CALLBACK(set_by), .name = "by", .placeholder = "GROUP[,GROUP...]", .choices = by_choices,
	  .comma_list = true,
	  .help = "what stands below the stacks: comm (default), pid, tid, cpu, cgroup, event or none",
	  .details =
		  "Several are nested in the order given: --by cpu,comm. A page can change it; event shows all "
		  "events side by side, and then widths are samples, for periods of different events do not add "
		  "up." },
	{ OPTION_FLAG(struct flame_options, reverse), .name = "reverse",
	  .help = "stacks begin with the function that was sampled: what is wide is hot, above it who calls" },
	{ OPTION_FLAG(struct flame_options, inverted), .name = "inverted",
	  .help = "callers on top, as icicles hang" },
	{ OPTION_CHOICE(struct flame_options, weight), .name = "weight", .choices = weight_choices,
	  .help = "what widths are: period (default) or samples" },
	{ OPTION_STRING(struct flame_options, title), .name = "title", .placeholder = "TEXT",
	  .help = "stands above it (default: the event and the file)" },
	{ OPTION_CHOICE(struct flame_options, colors), .name = "colors", .choices = palette_choices,
	  .help = "kind (default): kernel, user, JIT ... apart; hot: warm; gray",
	  .details = "Kinds also differ in how their names and outlines look." },
	{ OPTION_DOUBLE(struct flame_options, min_width_px), .name = "min-width", .placeholder = "PIXELS",
	  .help = "in an SVG, frames narrower than this, of 1200, are added up in one (default: 0.1)" },

	OPTION_GROUP("Which samples"),
	{ OPTION_STRING(struct flame_options, event), .name = "event", .placeholder = "NAME",
	  .completes = OPTION_COMPLETES_EVENT,
	  .help = "this event of several (default: the first with samples)" },
	{ OPTION_TEXT_LIST(struct flame_options, comms), .letter = 'c', .name = "comms",
	  .placeholder = "COMM[,COMM...]", .help = "only of threads with these names" },
	{ OPTION_TEXT_LIST(struct flame_options, dsos), .letter = 'd', .name = "dsos",
	  .placeholder = "DSO[,DSO...]",
	  .help = "only in these programs and libraries, by short name or path" },
	{ OPTION_TEXT_LIST(struct flame_options, symbols), .letter = 'S', .name = "symbols",
	  .placeholder = "SYMBOL[,SYMBOL...]", .help = "only in these functions" },
	{ OPTION_STRING(struct flame_options, stack), .name = "stack", .placeholder = "PATTERN",
	  .help = "only stacks like main;parse;..., ...;read or ...;parse;...",
	  .details =
		  "Functions from the outermost caller on, as folded stacks have them; the three dots are any others. A "
		  "name may be followed by @ and its file: read@libc.so.6." },
	{ OPTION_TEXT_LIST(struct flame_options, cgroups), .name = "cgroups", .placeholder = "PATH[,PATH...]",
	  .help = "only in these cgroups, where they were recorded" },
	{ OPTION_NUMBER_LIST(struct flame_options, pids), .name = "pid", .placeholder = "PID[,PID...]",
	  .help = "only of these processes" },
	{ OPTION_NUMBER_LIST(struct flame_options, tids), .name = "tid", .placeholder = "TID[,TID...]",
	  .help = "only of these threads" },
	{ OPTION_NUMBER_LIST(struct flame_options, cpus), .letter = 'C', .name = "cpu",
	  .placeholder = "CPU[,CPU...]", .completes = OPTION_COMPLETES_CPU, .comma_list = true,
	  .help = "only on these CPUs, as in 0-3,8" },
	{ OPTION_STRING(struct flame_options, time), .name = "time", .placeholder = "START,STOP",
	  .help = "only from second START to STOP; or 10%/2, or 10%-20%, as in xprof report" },
	{ OPTION_UNSIGNED(struct flame_options, max_stack), .name = "max-stack", .placeholder = "N",
	  .minimum = 1, .maximum = 65536,
	  .help = "at most N callers of a stack (default: 127 of a call chain, all of a stack dump)" },
	{ OPTION_CHOICE(struct flame_options, unwind), .name = "unwind", .choices = unwind_choices,
	  .help = "how stacks of samples with a stack dump are found, as in xprof report (default: auto)" },
	{ OPTION_NEGATABLE(struct flame_options, join_stacks), .name = "join-stacks",
	  .help = "stacks deeper than their dump go on by another stack of their thread (default)" },
	{ OPTION_FLAG(struct flame_options, guess), .name = "guess",
	  .help = "where a stack dump cannot be unwound any farther, guess callers, as in xprof report" },
	{ OPTION_CHOICE(struct flame_options, unwinder), .name = "unwinder", .choices = unwinder_choices,
	  .help = "who unwinds stack dumps, as in xprof report (default: xprof)" },

	OPTION_GROUP("Symbols"),
	{ OPTION_STRING(struct flame_options, vmlinux), .letter = 'k', .name = "vmlinux",
	  .placeholder = "FILE", .completes = OPTION_COMPLETES_FILE,
	  .help = "the kernel's symbols are in this vmlinux" },
	{ OPTION_STRING(struct flame_options, kallsyms), .name = "kallsyms", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "the kernel's symbols are in this copy of /proc/kallsyms" },
	{ OPTION_STRING(struct flame_options, symfs), .name = "symfs", .placeholder = "DIRECTORY",
	  .completes = OPTION_COMPLETES_FILE, .help = "files are looked for below this directory" },
	{ OPTION_TEXT_LIST(struct flame_options, debug_dirs), .name = "debug-dir",
	  .placeholder = "DIRECTORY[,DIRECTORY...]", .completes = OPTION_COMPLETES_FILE,
	  .help = "separate debug files are in these directories instead of /usr/lib/debug" },
	{ OPTION_NEGATABLE(struct flame_options, demangle), .name = "demangle",
	  .help = "C++, Rust and D names as they were written (default)" },
	{ OPTION_NEGATABLE(struct flame_options, cache), .name = "cache",
	  .help = "keep what was found in large debug information for the next time, in ~/.cache/xprof "
		  "(default)" },
	{ OPTION_NEGATABLE(struct flame_options, inlines), .name = "inline",
	  .help = "functions that were inlined are frames of their own, where there is debug information "
		  "(default)" },

	OPTION_GROUP("Output"),
	{ OPTION_FLAG(struct flame_options, quiet), .letter = 'q', .name = "quiet",
	  .help = "say nothing about what was written" },
	OPTION_END,
};

void flame_options_fini(struct flame_options *options)
{
	text_list_fini(&options->comms);
	text_list_fini(&options->debug_dirs);
	text_list_fini(&options->dsos);
	text_list_fini(&options->symbols);
	text_list_fini(&options->cgroups);
	number_list_fini(&options->pids);
	number_list_fini(&options->tids);
	number_list_fini(&options->cpus);
}
