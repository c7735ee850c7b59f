/*
 * BOLT's profiles. llvm-bolt -data reads fdata: branches between places in functions, or, without branch stacks, samples in
 * functions ("no_lbr"). perf2bolt -pa reads the pre-aggregated form: branches (B) and the ranges between two (F); without branch
 * stacks, an event (E) and its samples (S), which perf2bolt reads since 2025, with -ba. (bolt/include/bolt/Profile/DataReader.h,
 * DataAggregator.h)
 */
#include <inttypes.h>

#include "report/export_code/code_export.h"

/* "1 FUNCTION OFFSET", as BOLT names functions: the number of a local one follows a slash. */
static void add_place(struct code_export *export, const struct code_place *place)
{
	struct strbuf *text = &export->out->text;
	const struct code_function *function = NULL;
	uint64_t vaddr;

	if (code_object_vaddr(&export->object, place, &vaddr))
		function = code_object_function(&export->object, vaddr);
	if (!function) {
		strbuf_adds(text, "0 [unknown] 0");
		return;
	}
	strbuf_addf(text, "1 %s", function->name);
	if (function->copy)
		strbuf_addf(text, "/%" PRIu32, function->copy);
	strbuf_addf(text, " %" PRIx64, vaddr - function->vaddr);
}

static bool is_in_function(const struct code_export *export, const struct code_place *place)
{
	uint64_t vaddr;

	return code_object_vaddr(&export->object, place, &vaddr) &&
	       code_object_function(&export->object, vaddr) != NULL;
}

static void add_branches(struct code_export *export)
{
	const struct code_table *table = &export->recording.counts.branches;

	for (size_t i = 0; i < table->count; i++) {
		const struct code_count *branch = &table->items[i];

		if (!is_in_function(export, &branch->from) && !is_in_function(export, &branch->to))
			continue;
		add_place(export, &branch->from);
		strbuf_addc(&export->out->text, ' ');
		add_place(export, &branch->to);
		strbuf_addf(&export->out->text, " %" PRIu64 " %" PRIu64 "\n", branch->mispredicted,
			    branch->count);
		export_out_flow(export->out);
	}
}

static void add_samples(struct code_export *export)
{
	const struct code_table *table = &export->recording.counts.addresses;

	strbuf_adds(&export->out->text, "no_lbr cycles\n");
	for (size_t i = 0; i < table->count; i++) {
		if (!is_in_function(export, &table->items[i].from))
			continue;
		add_place(export, &table->items[i].from);
		strbuf_addf(&export->out->text, " %" PRIu64 "\n", table->items[i].count);
		export_out_flow(export->out);
	}
}

static int check_symbols(const struct code_export *export, struct error *err)
{
	if (export->object.function_count)
		return 0;
	return error_set(err, "%s has no symbols, and BOLT finds functions by them: link it without -s",
			 export->object.dso->path);
}

static int write_fdata(struct code_export *export, struct error *err)
{
	if (check_symbols(export, err))
		return -1;
	if (export->recording.counts.branch_samples)
		add_branches(export);
	else
		add_samples(export);
	return 0;
}

static int run_fdata(const struct export_options *options, struct export_out *out, struct error *err)
{
	return code_export_run(options, out, false, write_fdata, err);
}

const struct export_format export_bolt = {
	.name = "bolt",
	.help = "for llvm-bolt -data",
	.file = "profile.fdata",
	.suffixes = ".fdata",
	.traits = EXPORT_BINARY,
	.run = run_fdata,
};

/* --- pre-aggregated ------------------------------------------------------------------------- */

/* BOLT takes address 0 for a place outside the object. */
static void add_preaggregated_branches(struct code_export *export)
{
	const struct code_table *table = &export->recording.counts.branches;

	for (size_t i = 0; i < table->count; i++) {
		const struct code_count *branch = &table->items[i];
		uint64_t from = 0, to = 0;
		const bool has_from = code_object_vaddr(&export->object, &branch->from, &from);
		const bool has_to = code_object_vaddr(&export->object, &branch->to, &to);

		if (!has_from && !has_to)
			continue;
		strbuf_addf(&export->out->text, "B %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
			    has_from ? from : 0, has_to ? to : 0, branch->count, branch->mispredicted);
		export_out_flow(export->out);
	}
}

static void add_preaggregated_samples(struct code_export *export)
{
	const struct code_table *table = &export->recording.counts.addresses;
	uint64_t vaddr;

	strbuf_adds(&export->out->text, "E cycles\n");
	for (size_t i = 0; i < table->count; i++) {
		if (!code_object_vaddr(&export->object, &table->items[i].from, &vaddr))
			continue;
		strbuf_addf(&export->out->text, "S %" PRIx64 " %" PRIu64 "\n", vaddr, table->items[i].count);
		export_out_flow(export->out);
	}
}

static int write_preaggregated(struct code_export *export, struct error *err)
{
	const struct code_table *ranges = &export->recording.counts.ranges;
	uint64_t from, to;

	(void)err;
	if (!export->recording.counts.branch_samples) {
		add_preaggregated_samples(export);
		return 0;
	}
	add_preaggregated_branches(export);
	for (size_t i = 0; i < ranges->count; i++) {
		if (!code_export_ends(export, &ranges->items[i], &from, &to))
			continue;
		strbuf_addf(&export->out->text, "F %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", from, to,
			    ranges->items[i].count);
		export_out_flow(export->out);
	}
	return 0;
}

static int run_preaggregated(const struct export_options *options, struct export_out *out, struct error *err)
{
	return code_export_run(options, out, false, write_preaggregated, err);
}

const struct export_format export_bolt_preagg = {
	.name = "bolt-preagg",
	.help = "for perf2bolt -pa",
	.file = "profile.preagg",
	.suffixes = ".preagg",
	.traits = EXPORT_BINARY,
	.run = run_preaggregated,
};
