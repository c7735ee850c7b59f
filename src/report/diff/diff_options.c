/*
 * The option table is at the end, the callbacks that parse its values come first. The words of compute_choices are in
 * the order of their enum, so that an index is a value.
 */
#include "report/diff/diff_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/xalloc.h"
#include "cli/pager.h"
#include "report/view/perf_options.h"
#include "report/view/view.h"

const struct diff_options diff_option_defaults = {
	.percentage = PERCENTAGE_ABSOLUTE,
	.confidence_percent = 95,
	.weights = { 1, 1 },
	.order = DIFF_ORDER_COMPUTED,
	.children = true,
	.symbols = SYMBOL_OPTION_DEFAULTS,
	.stacks = UNWIND_OPTION_DEFAULTS,
	.header = true,
	.pager = true,
};

static const char *const compute_choices[] = { "delta-abs", "delta", "ratio",
					       "wdiff:", NULL }; /* enum diff_compute */
static const char *const key_choices[] = { "comm", "dso", "symbol", "cpu", NULL };

/* "A:B", two numbers above 0. */
static int parse_pair(const char *text, double pair[COMPARE_SIDES], struct error *err)
{
	const char *colon = strchr(text, ':');
	char *first;
	int status;

	if (!colon)
		return error_set(err, "'%s' is not two numbers with a colon between them", text);
	first = xstrdup(text);
	first[colon - text] = '\0';
	status = option_parse_double(first, &pair[COMPARE_BEFORE], err);
	free(first);
	if (status || option_parse_double(colon + 1, &pair[COMPARE_AFTER], err))
		return -1;
	if (!(pair[COMPARE_BEFORE] > 0) || !(pair[COMPARE_AFTER] > 0))
		return error_set(err, "'%s': both numbers have to be larger than 0", text);
	return 0;
}

static int set_normalize(void *parsed, const char *argument, struct error *err)
{
	struct diff_options *options = parsed;

	for (int i = 0; diff_normalize_names[i]; i++)
		if (!strcmp(argument, diff_normalize_names[i])) {
			options->normalize = i;
			options->normalize_set = true;
			return 0;
		}
	return error_set(err, "'%s' is not one of share, time, work, samples and none", argument);
}

/* Takes two numbers, or the event that counted the work. */
static int set_work(void *parsed, const char *argument, struct error *err)
{
	struct diff_options *options = parsed;

	options->normalize = DIFF_WORK;
	options->normalize_set = true;
	options->work_event = NULL;
	if (argument[0] < '0' || argument[0] > '9') {
		options->work_event = argument;
		return 0;
	}
	return parse_pair(argument, options->work, err);
}

static int set_compute(void *parsed, const char *argument, struct error *err)
{
	struct diff_options *options = parsed;

	for (int i = 0; i < DIFF_WDIFF; i++)
		if (!strcmp(argument, compute_choices[i])) {
			options->compute = i;
			return 0;
		}
	if (!strncmp(argument, "wdiff:", 6)) {
		char *pair = xstrdup(argument + 6), *comma = strchr(pair, ',');
		int status;

		if (comma) /* perf has a comma here */
			*comma = ':';
		options->compute = DIFF_WDIFF;
		status = parse_pair(pair, options->weights, err);
		free(pair);
		return status;
	}
	return error_set(err, "'%s' is not one of delta-abs, delta, ratio and wdiff:WEIGHT,WEIGHT", argument);
}

static int set_confidence(void *parsed, const char *argument, struct error *err)
{
	struct diff_options *options = parsed;

	if (option_parse_double(argument, &options->confidence_percent, err))
		return -1;
	if (!(options->confidence_percent > 0) || !(options->confidence_percent < 100))
		return error_set(err, "'%s' is not between 0 and 100 percent", argument);
	return 0;
}

static int add_rename(void *parsed, const char *argument, struct error *err)
{
	struct diff_options *options = parsed;

	return name_pairs_parse(&options->pairs, argument, err);
}

static int set_unwind(void *parsed, const char *argument, struct error *err)
{
	struct diff_options *options = parsed;

	options->ways = !argument;
	for (int i = 0; argument && unwind_choice_names[i]; i++)
		if (!strcmp(argument, unwind_choice_names[i])) {
			options->stacks.unwind = (enum unwind_choice)i;
			return 0;
		}
	return argument ? error_set(err, "'%s' is not one of auto, fp and dwarf", argument) : 0;
}

static int set_top(void *parsed, const char *argument, struct error *err)
{
	struct diff_options *options = parsed;

	if (option_parse_unsigned(argument, &options->top, err) < 0)
		return -1;
	options->top_set = true;
	return 0;
}

/* --- --sort ------------------------------------------------------------------- */

static int add_key(const char *word, size_t length, unsigned *keys, struct error *err)
{
	static const unsigned bits[] = { DIFF_BY_COMM, DIFF_BY_DSO, DIFF_BY_SYMBOL, DIFF_BY_CPU };

	for (size_t i = 0; length && key_choices[i]; i++)
		if (!strncasecmp(key_choices[i], word, length)) {
			*keys |= bits[i];
			return 0;
		}
	return error_set(err, "--sort: '%.*s' cannot be compared: comm, dso, symbol and cpu can", (int)length,
			 word);
}

int diff_options_keys(const struct diff_options *options, unsigned *keys, struct error *err)
{
	const char *text = options->sort;

	*keys = DIFF_BY_DSO | DIFF_BY_SYMBOL;
	if (!text)
		return 0;
	if (*text == '+')
		text++;
	else
		*keys = 0;
	while (*text) {
		size_t length = strcspn(text, ", ");

		if (length && add_key(text, length, keys, err))
			return -1;
		text += length;
		text += strspn(text, ", ");
	}
	return *keys ? 0 : error_set(err, "--sort: no column is named");
}

const struct option diff_option_table[] = {
	OPTION_GROUP("Comparison"),
	{ OPTION_CALLBACK(set_normalize), .name = "normalize", .placeholder = "BY",
	  .choices = diff_normalize_names,
	  .help = "normalize by share (default), time, work, samples or none",
	  .details =
		  "\"share\": a function's percentage of all samples, the only comparable number if length, "
		  "load or rate differ. \"time\": the function's weight per second; for cpu-clock, percent "
		  "of one CPU. \"work\": the cost of one unit of work, see --work. \"samples\": the number "
		  "of samples. \"none\": sums of periods as they were recorded, for two runs that did the "
		  "same." },
	{ OPTION_CALLBACK(set_work), .name = "work", .placeholder = "OLD:NEW",
	  .help = "normalize by work: the amount done during each recording, or the event that counted it",
	  .details = "Any unit does: requests, megabytes, or 1:1 if both did the same. The name of an event "
		     "instead of numbers takes the sum of its periods in each recording, --work=instructions "
		     "for example." },
	{ OPTION_CALLBACK(set_compute), .letter = 'c', .name = "compute", .placeholder = "HOW",
	  .choices = compute_choices, .help = "show delta-abs (default), delta, ratio or wdiff:OLD,NEW",
	  .details =
		  "Chooses the number shown for each row, by which rows are sorted: \"delta\" is new - old, "
		  "from the largest increase to the largest decrease; \"delta-abs\" the same, sorted by "
		  "absolute value; \"ratio\" is new / old; \"wdiff\" is new * NEW - old * OLD. The last two "
		  "use the recorded sums, as perf diff does, unless --normalize is given." },
	{ OPTION_CALLBACK(set_confidence), .name = "confidence", .placeholder = "PERCENT",
	  .help = "confidence of intervals and of differences (default: 95)",
	  .details =
		  "Sampling is random, so two recordings always differ a little. The interval of a row holds "
		  "the true difference with this probability. Among hundreds of rows, some intervals will "
		  "miss it; xprof therefore decides for all rows together which of them differ (by the "
		  "method of Holm), so that, with this probability, none of the rows shown differs by "
		  "chance. Variation within a recording is estimated from slices of both; variation between "
		  "runs is known only if there are several recordings of each side (Welch's test)." },
	{ OPTION_CALLBACK(add_rename), .name = "rename", .placeholder = "OLD=NEW",
	  .help = "match program or library OLD with NEW in the second file; may be repeated",
	  .details =
		  "Functions are matched by the names of their files, without directories, and their own "
		  "names, without suffixes of compilers (.constprop.0, .isra.0, .part.0, .cold, .llvm.123, "
		  "Rust's hashes). If each file has exactly one program, or one library, with at least a "
		  "twentieth of the samples that the other lacks, xprof matches the two without this option, "
		  "and the header says so; any --rename prevents that." },
	{ OPTION_CALLBACK(set_unwind), .name = "unwind", .placeholder = "HOW", .argument_optional = true,
	  .choices = unwind_choice_names,
	  .help = "compare frame pointers with DWARF in one file; with =auto|fp|dwarf, choose how to find stacks",
	  .details =
		  "Without an argument xprof unwinds each sample that has registers and a stack dump twice, "
		  "by the chain of frame pointers alone and by call frame information, and shows how often "
		  "the two agree, where they differ, and which callers frame pointers skip. With an argument "
		  "the option works as in xprof report, for both files." },

	OPTION_GROUP("The table"),
	{ OPTION_STRING(struct diff_options, sort), .letter = 's', .name = "sort",
	  .placeholder = "KEY[,KEY...]", .choices = key_choices, .comma_list = true,
	  .help = "columns to group samples by: comm, dso, symbol, cpu (default: dso,symbol)",
	  .details = "Names may be abbreviated. A leading + adds to the default." },
	{ OPTION_UNSIGNED(struct diff_options, order), .letter = 'o', .name = "order", .placeholder = "N",
	  .maximum = DIFF_ORDER_CHILDREN,
	  .help = "order rows by: 0 the baseline, 1 the difference (default), 2 the difference with callees" },
	{ OPTION_NEGATABLE(struct diff_options, children), .name = "children",
	  .help = "also show each row's difference including everything it called (default if there are call "
		  "chains)" },
	{ OPTION_FLAG(struct diff_options, all), .letter = 'a', .name = "all",
	  .help = "also show rows whose difference may be chance (marked ~) or variation between runs "
		  "(marked ?)" },
	{ OPTION_FLAG(struct diff_options, callers), .letter = 'g', .name = "call-graph",
	  .help = "show below each row the callers that call it more or less often" },
	{ OPTION_FLAG(struct diff_options, period), .letter = 'p', .name = "period",
	  .help = "add columns with the sums of periods" },
	{ OPTION_FLAG(struct diff_options, baseline_only), .letter = 'b', .name = "baseline-only",
	  .help = "show only rows with samples in the first file" },
	{ OPTION_CALLBACK(set_top), .name = "top", .placeholder = "N",
	  .help = "show at most N rows per event; 0: all (default: 40 on a terminal, all otherwise)" },
	{ OPTION_STRING(struct diff_options, separator), .letter = 't', .name = "field-separator",
	  .placeholder = "CHARACTER",
	  .help = "separate columns with CHARACTER instead of aligning them, for other programs" },
	{ OPTION_FLAG(struct diff_options, folded), .name = "folded",
	  .help = "print one line per stack, with its weight in each: comm;root;...;leaf 12 15",
	  .details =
		  "The format is that of difffolded.pl; flamegraph.pl draws it. The weights of the first "
		  "file are scaled: for shares, so that both files have the same sum; for time or work, to "
		  "the time or work of the second file. Otherwise weights are as recorded." },
	{ OPTION_FLAG(struct diff_options, json), .name = "json",
	  .help = "print everything as one JSON object: files, warnings, events, rows with intervals" },

	OPTION_GROUP("Filters"),
	SAMPLE_CHOICE_EVENT(struct diff_options, samples),
	SAMPLE_CHOICE_OPTIONS(struct diff_options, samples, 'C'),
	SAMPLE_CHOICE_DSOS(struct diff_options, samples),
	SAMPLE_CHOICE_CGROUPS(struct diff_options, samples),
	SAMPLE_CHOICE_WAITS(struct diff_options, samples),
	{ OPTION_NUMBER_LIST(struct diff_options, samples.cpus), .name = "cpu", .placeholder = "CPU[,CPU...]",
	  .completes = OPTION_COMPLETES_CPU, .comma_list = true, .help = "only on these CPUs, as in 0-3,8" },
	{ OPTION_STRING(struct diff_options, samples.time), .name = "time", .placeholder = "OLD[:NEW]",
	  .help = "only from second START to second STOP, as in xprof report; with a colon, one span for "
		  "each file",
	  .details = "10%-20%:10%-20% is the second tenth of both; one span without a colon applies to both "
		     "files." },
	{ OPTION_CHOICE(struct diff_options, percentage), .name = "percentage", .choices = percentage_names,
	  .help = "percentages refer to: absolute (all samples; default) or relative (the samples that "
		  "filters keep)" },

	OPTION_GROUP("Stacks"),
	UNWIND_OPTIONS(struct diff_options, stacks),

	OPTION_GROUP("Symbols"),
	SYMBOL_OPTIONS(struct diff_options, symbols),
	SYMBOL_OPTION_INLINE(struct diff_options, symbols),

	OPTION_GROUP("Output"),
	{ OPTION_NEGATABLE(struct diff_options, header), .name = "header",
	  .help = "print the files compared and what makes the comparison unfair (default)" },
	{ OPTION_FLAG(struct diff_options, quiet), .letter = 'q', .name = "quiet",
	  .help = "print rows only, no headings and no warnings" },
	OPTION_COLOR(struct diff_options, color),
	OPTION_PAGER(struct diff_options, pager),

	/* Options of perf: accepted if they change nothing here, refused otherwise. */
	PERF_OPTION_FORCE,
	PERF_OPTION_VERBOSE,
	PERF_OPTION_MODULES,
	{ OPTION_REFUSED("'xprof dump -i FILE' prints the records, of one file at a time"), .letter = 'D',
	  .name = "dump-raw-trace" },
	{ OPTION_REFUSED(
		  "-c ratio and -p show both values beside the result; 'xprof help diff' has the formulas"),
	  .letter = 'F', .name = "formula" },
	{ PERF_BRANCHES_REFUSED, .name = "cycles-hist" },
	{ PERF_BRANCHES_REFUSED, .name = "stream" },
	OPTION_END,
};

void diff_options_fini(struct diff_options *options)
{
	name_pairs_fini(&options->pairs);
	sample_choice_fini(&options->samples);
	symbol_options_fini(&options->symbols);
}
