/* The table is the command line: each row names the field of struct export_options that it sets, and its help. */
#include "report/export/export_command_line.h"

#include "report/export/export_formats.h"
#include "report/view/view.h"

const struct export_options export_option_defaults = {
	.symbols = SYMBOL_OPTION_DEFAULTS,
	.stacks = UNWIND_OPTION_DEFAULTS,
};

static const char *const per_choices[] = { "default", "thread", "process", "cpu",
					   NULL }; /* enum export_per */

static int set_format(void *options, const char *argument, struct error *err)
{
	(void)err;
	((struct export_options *)options)->format = argument;
	return 0;
}

const struct option export_option_table[] = {
	OPTION_GROUP("Input and output"),
	OPTION_RECORDING(struct export_options, input),
	{ OPTION_CALLBACK(set_format), .name = "format", .placeholder = "FORMAT",
	  .choices = export_format_names, .help = "the format to write (default: by the name of the output)",
	  .details = EXPORT_FORMATS_TEXT },
	{ OPTION_STRING(struct export_options, output), .letter = 'o', .name = "output",
	  .placeholder = "FILE", .completes = OPTION_COMPLETES_FILE,
	  .help = "write to FILE; - is standard output (default: named after the format)" },
	{ OPTION_CHOICE(struct export_options, per), .name = "per", .choices = per_choices,
	  .help = "make a track, or an outermost frame, for each thread, process or cpu",
	  .details = "Without this option, formats with tracks have one per thread, and collapsed stacks "
		     "begin with the command's name. Formats that have thread, process and CPU with each "
		     "sample do not take this option." },
	{ OPTION_STRING(struct export_options, binary), .name = "binary", .placeholder = "FILE",
	  .help = "formats for compilers: the program or library, or [kernel.kallsyms] (default: the one "
		  "with most samples)" },
	{ OPTION_CHOICE(struct export_options, weight), .name = "weight", .choices = stack_weight_names,
	  .help = "weight of collapsed stacks: period (default) or samples" },
	{ OPTION_FLAG(struct export_options, force), .letter = 'f', .name = "force",
	  .help = "no effect (the output is always overwritten); for programs that call perf_to_profile" },

	OPTION_GROUP("Filters"),
	{ OPTION_STRING(struct export_options, samples.event), .name = "event", .placeholder = "NAME",
	  .completes = OPTION_COMPLETES_EVENT,
	  .help = "this event of several (default: the one with most samples, or all in formats that keep "
		  "events apart)" },
	SAMPLE_CHOICE_OPTIONS(struct export_options, samples, 'c'),
	SAMPLE_CHOICE_DSOS(struct export_options, samples),
	SAMPLE_CHOICE_CGROUPS(struct export_options, samples),
	SAMPLE_CHOICE_STACK(struct export_options, samples),
	SAMPLE_CHOICE_CPUS(struct export_options, samples),
	SAMPLE_CHOICE_TIME(struct export_options, samples),
	SAMPLE_CHOICE_WAITS(struct export_options, samples),

	OPTION_GROUP("Stacks"),
	UNWIND_OPTION_CHOICE(struct export_options, stacks),
	UNWIND_OPTIONS(struct export_options, stacks),

	OPTION_GROUP("Symbols"),
	SYMBOL_OPTIONS(struct export_options, symbols),
	SYMBOL_OPTION_INLINE(struct export_options, symbols),

	OPTION_GROUP("Output"),
	{ OPTION_FLAG(struct export_options, quiet), .letter = 'q', .name = "quiet",
	  .help = "do not print the summary line" },
	OPTION_END,
};

void export_options_fini(struct export_options *options)
{
	sample_choice_fini(&options->samples);
	symbol_options_fini(&options->symbols);
}
