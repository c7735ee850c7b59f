/*
 * The text that create_llvm_prof reads with --profiler=text (autofdo, sample_reader.cc): three lists, each after its length:
 * ranges from branch to branch, addresses, branches. Addresses are offsets in the file, those of the kernel vaddrs.
 */
#include <inttypes.h>

#include "report/export_code/code_export.h"

/* False if one end is in another object. */
static bool find_ends(const struct code_export *export, const struct code_count *count, uint64_t *from,
		      uint64_t *to)
{
	*from = count->from.address;
	*to = count->to.address;
	return export->object.file ? code_object_has(&export->object, &count->from) &&
					     code_object_has(&export->object, &count->to) :
				     code_export_ends(export, count, from, to);
}

static size_t length_of(const struct code_export *export, const struct code_table *table)
{
	uint64_t from, to;
	size_t length = 0;

	for (size_t i = 0; i < table->count; i++)
		length += find_ends(export, &table->items[i], &from, &to);
	return length;
}

/* `between` stands between the two addresses; NULL: writes one for both. */
static void add_list(struct code_export *export, const struct code_table *table, const char *between)
{
	struct strbuf *text = &export->out->text;

	strbuf_addf(text, "%zu\n", length_of(export, table));
	for (size_t i = 0; i < table->count; i++) {
		const struct code_count *item = &table->items[i];

		uint64_t from, to;

		if (!find_ends(export, item, &from, &to))
			continue;
		strbuf_addf(text, "%" PRIx64, from);
		if (between)
			strbuf_addf(text, "%s%" PRIx64, between, to);
		strbuf_addf(text, ":%" PRIu64 "\n", item->count);
		export_out_flow(export->out);
	}
}

static int write_autofdo(struct code_export *export, struct error *err)
{
	const struct code_counts *counts = &export->recording.counts;

	(void)err;
	add_list(export, &counts->ranges, "-");
	add_list(export, &counts->addresses, NULL);
	add_list(export, &counts->branches, "->");
	return 0;
}

/* Without branches, there are only addresses, which create_llvm_prof reads with --use_lbr=false. */
static int run_autofdo(const struct export_options *options, struct export_out *out, struct error *err)
{
	return code_export_run(options, out, false, write_autofdo, err);
}

const struct export_format export_autofdo = {
	.name = "autofdo",
	.help = "for create_llvm_prof --profiler=text",
	.file = "profile.afdo.txt",
	.traits = EXPORT_BINARY,
	.run = run_autofdo,
};
