/* Options that choose samples by their stacks or functions would tear branches apart, so they are refused. */
#include "report/export_code/code_export.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/view/perf_options.h"

static int check_options(const struct export_options *options, struct error *err)
{
	const struct sample_choice *choice = &options->samples;

	if (choice->stack || choice->symbols.items || choice->dsos.items || choice->cgroups.items)
		return error_set(
			err,
			"--stack, --symbols, --dsos and --cgroups do not choose branches; --binary chooses "
			"the program, and --comms, --pid, --tid, --cpu and --time choose samples");
	return 0;
}

static void say_object(const struct code_export *export)
{
	const struct code_counts *counts = &export->recording.counts;

	if (export->options->quiet)
		return;
	fprintf(stderr, "xprof: %s: %" PRIu64 " samples, %" PRIu64 " of them with branches; this is %s\n",
		export->options->input, counts->samples, counts->branch_samples, export->object.dso->path);
	if (perf_file_has_trace(export->recording.recording.file))
		fprintf(stderr, "xprof: %s: %s\n", export->options->input, perf_options_traces_are_left_out);
	if (export->object.dso->kind == DSO_KERNEL && !export->object.kernel)
		fprintf(stderr,
			"xprof: %s: no vmlinux of the recorded kernel was named (--vmlinux), so addresses "
			"are those at which it ran; compilers need those of vmlinux, which KASLR changes\n",
			export->options->input);
	if (counts->broken)
		fprintf(stderr,
			"xprof: %s: between %" PRIu64
			" pairs of branches there can be no code; they are left out\n",
			export->options->input, counts->broken);
}

static int check_branches(const struct code_export *export, struct error *err)
{
	if (export->recording.counts.branch_samples)
		return 0;
	return error_set(
		err,
		"%s: no sample has branches, which this format needs: record them with 'xprof record -b', if "
		"the CPU can, or use --format=llvm-sample or --format=bolt",
		export->options->input);
}

int code_export_run(const struct export_options *options, struct export_out *out, bool branches,
		    code_export_write *write, struct error *err)
{
	struct code_export export = { .options = options, .out = out };
	const struct code_request request = {
		.path = options->input,
		.choice = &options->samples,
		.symbols = symbol_options_symbolizer(&options->symbols, NULL),
	};
	int status;

	if (check_options(options, err) || code_recording_read(&export.recording, &request, err))
		return -1;
	status = branches ? check_branches(&export, err) : 0;
	if (status == 0 &&
	    !(status = code_object_open(&export.object, &export.recording, options->binary, err))) {
		say_object(&export);
		status = write(&export, err);
	}
	if (export.object.dso)
		code_object_close(&export.object);
	code_recording_close(&export.recording);
	return status;
}

bool code_export_ends(const struct code_export *export, const struct code_count *count, uint64_t *from,
		      uint64_t *to)
{
	return code_object_vaddr(&export->object, &count->from, from) &&
	       code_object_vaddr(&export->object, &count->to, to);
}
