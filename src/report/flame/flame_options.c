/*
 * The table is the command line: each row names the field of struct flame_options that it sets, and its help. Only --by and
 * --rename have functions of their own here.
 */
#include "report/flame/flame_options.h"

#include <string.h>

#define DEFAULT_MIN_WIDTH_PX 0.1 /* as in flamegraph.pl */

const struct flame_options flame_option_defaults = {
	.recipe = { .by = { FLAME_BY_COMM }, .by_count = 1 },
	.min_width_px = DEFAULT_MIN_WIDTH_PX,
	.symbols = SYMBOL_OPTION_DEFAULTS,
	.stacks = UNWIND_OPTION_DEFAULTS,
};

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
		return error_set(err, "'%.*s' is not one of comm, pid, tid, cpu, cgroup, event and none",
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

static int add_rename(void *parsed, const char *argument, struct error *err)
{
	struct flame_options *options = parsed;

	return name_pairs_parse(&options->pairs, argument, err);
}

const struct option flame_option_table[] = {
	OPTION_GROUP("Input and output"),
	OPTION_RECORDING(struct flame_options, input),
	{ OPTION_STRING(struct flame_options, folded), .name = "folded", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "draw folded stacks of any tool instead; - is standard input",
	  .details = "Lines \"outermost;...;leaf WEIGHT\". _[k], _[j] and _[i] after a name mark kernel, JIT "
		     "and inlined code. Options that choose samples or symbols do not apply." },
	{ OPTION_STRING(struct flame_options, diff), .name = "diff", .placeholder = "BEFORE",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "colour by the change since this recording (with --folded: since this folded text)",
	  .details =
		  "Widths are those of the newer recording. Red frames have a larger share of all samples "
		  "than before, blue frames a smaller one; colours deepen at half a point, 2 and 8 points. "
		  "Frames whose change may be chance, by the statistics of xprof diff, are grey. xprof "
		  "compares call paths and does not draw those that are gone. Filters apply to both "
		  "recordings." },
	{ OPTION_CALLBACK(add_rename), .name = "rename", .placeholder = "OLD=NEW",
	  .help = "with --diff: match program or library OLD with NEW; may be repeated",
	  .details =
		  "If each recording has exactly one program, or one library, with at least a twentieth of "
		  "the samples that the other lacks, xprof matches the two without this option; any --rename "
		  "prevents that. Functions without a name are compared by their offset in the file if both "
		  "recordings have the same build-id of it; otherwise all of them in the file are compared "
		  "as one." },
	{ OPTION_STRING(struct flame_options, output), .letter = 'o', .name = "output", .placeholder = "FILE",
	  .completes = OPTION_COMPLETES_FILE,
	  .help = "write to FILE; - is standard output (default: flamegraph.html)" },
	{ OPTION_CHOICE(struct flame_options, format), .name = "format", .choices = format_choices,
	  .help = "html: a page, for any number of stacks; svg: a picture; auto (default): chosen by the "
		  "file's name" },
	{ OPTION_FLAG(struct flame_options, force), .letter = 'f', .name = "force",
	  .help = "no effect (files of other users are read anyway); for compatibility with perf" },

	OPTION_GROUP("The picture"),
	{ OPTION_CALLBACK(set_by), .name = "by", .placeholder = "GROUP[,GROUP...]", .choices = by_choices,
	  .comma_list = true, .help = "group stacks by comm (default), pid, tid, cpu, cgroup, event or none",
	  .details =
		  "Several groups are nested in the given order: --by cpu,comm. The page can change the "
		  "grouping. event shows all events side by side; widths are then samples, because periods "
		  "of different events do not add up." },
	{ OPTION_FLAG(struct flame_options, reverse), .name = "reverse",
	  .help = "begin stacks with the sampled function: wide functions are hot, their callers above them" },
	{ OPTION_FLAG(struct flame_options, inverted), .name = "inverted",
	  .help = "draw callers at the top and callees below (icicle graph)" },
	{ OPTION_CHOICE(struct flame_options, weight), .name = "weight", .choices = stack_weight_names,
	  .help = "draw widths by period (default) or samples" },
	{ OPTION_STRING(struct flame_options, title), .name = "title", .placeholder = "TEXT",
	  .help = "title of the picture (default: the event and the file)" },
	{ OPTION_CHOICE(struct flame_options, colors), .name = "colors", .choices = flame_color_names,
	  .help = "kind (default): one colour each for kernel, user, JIT and so on; hot: warm colours; gray",
	  .details = "Kinds can also be told apart by font and outline." },
	{ OPTION_DOUBLE(struct flame_options, min_width_px), .name = "min-width", .placeholder = "PIXELS",
	  .help = "in an SVG, 1200 pixels wide, merge frames narrower than this (default: 0.1)" },

	OPTION_GROUP("Filters"),
	{ OPTION_STRING(struct flame_options, samples.event), .name = "event", .placeholder = "NAME",
	  .completes = OPTION_COMPLETES_EVENT,
	  .help = "this event of several (default: the one with most samples)" },
	SAMPLE_CHOICE_WALL(struct flame_options, samples),
	SAMPLE_CHOICE_OPTIONS(struct flame_options, samples, 'c'),
	SAMPLE_CHOICE_DSOS(struct flame_options, samples),
	SAMPLE_CHOICE_CGROUPS(struct flame_options, samples),
	SAMPLE_CHOICE_STACK(struct flame_options, samples),
	SAMPLE_CHOICE_CPUS(struct flame_options, samples),
	SAMPLE_CHOICE_TIME(struct flame_options, samples),
	SAMPLE_CHOICE_WAITS(struct flame_options, samples),
	SAMPLE_CHOICE_HIDE_IDLE(struct flame_options, samples),

	OPTION_GROUP("Stacks"),
	UNWIND_OPTION_CHOICE(struct flame_options, stacks),
	UNWIND_OPTIONS(struct flame_options, stacks),
	UNWIND_OPTION_WAKERS(struct flame_options, stacks),

	OPTION_GROUP("Symbols"),
	SYMBOL_OPTIONS(struct flame_options, symbols),
	SYMBOL_OPTION_INLINE(struct flame_options, symbols),

	OPTION_GROUP("Output"),
	{ OPTION_FLAG(struct flame_options, quiet), .letter = 'q', .name = "quiet",
	  .help = "do not print the summary line" },
	OPTION_END,
};

void flame_options_fini(struct flame_options *options)
{
	name_pairs_fini(&options->pairs);
	sample_choice_fini(&options->samples);
	symbol_options_fini(&options->symbols);
}

bool flame_options_want_samples(const struct flame_options *options)
{
	return options->format != FLAME_FORMAT_SVG && !options->diff && !options->folded;
}
