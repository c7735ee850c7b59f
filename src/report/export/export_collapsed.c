/* Collapsed stacks: what 'xprof report --folded' prints, with a choice of the outermost word. */
#include "report/export/export_format.h"
#include "report/view/view_folded.h"

static void flow(void *out)
{
	export_out_flow(out);
}

static void write_collapsed(const struct export_input *input, struct export_out *out)
{
	static const enum folded_start starts[] = {
		[EXPORT_PER_DEFAULT] = FOLDED_BY_COMM,
		[EXPORT_PER_THREAD] = FOLDED_BY_THREAD,
		[EXPORT_PER_PROCESS] = FOLDED_BY_PROCESS,
		[EXPORT_PER_CPU] = FOLDED_BY_CPU,
	};
	const struct folded_options folded = { .weight = (enum stack_weight)input->options->weight,
					       .start = starts[input->options->per],
					       .sums = input->sums,
					       .flow = flow,
					       .context = out };

	view_folded.render(&input->view, &folded, &out->text);
}

const struct export_format export_collapsed = {
	.name = "collapsed",
	.help = "one line per stack, for flame graph tools",
	.file = "profile.collapsed",
	.suffixes = ".collapsed .folded",
	.traits = EXPORT_ONE_EVENT | EXPORT_SUMS | EXPORT_TRACKS | EXPORT_WEIGHTS,
	.write = write_collapsed,
};
