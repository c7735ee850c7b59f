/*
 * The text that create_llvm_prof reads with --profiler=text (autofdo, sample_reader.cc): three lists, each after its length:
 * ranges from branch to branch, addresses, branches. Addresses are offsets in the file; those of a kernel without vmlinux are
 * run-time addresses.
 */
#include <inttypes.h>
#include <stdio.h>

#include "report/export_code/code_export.h"

static bool find_end(const struct code_object *object, const struct code_place *place, uint64_t *address)
{
	*address = place->address;
	if (object->file || !object->vmlinux)
		return code_object_has(object, place);
	return code_object_vaddr(object, place, address) &&
	       elf_file_vaddr_to_offset(object->vmlinux, *address, address) == 0;
}

/* False if one end is in another object. */
static bool find_ends(const struct code_export *export, const struct code_count *count, uint64_t *from,
		      uint64_t *to)
{
	return find_end(&export->object, &count->from, from) && find_end(&export->object, &count->to, to);
}

/*
 * Before version 0.20 create_llvm_prof read addresses as distances from the first segment (autofdo 0.19, symbol_map.cc,
 * base_addr_). Returns true if offsets in the file differ from these.
 */
static bool differs_for_old_readers(const struct elf_file *file)
{
	for (size_t i = 0; i < elf_file_segment_count(file); i++) {
		const struct elf_segment *segment = elf_file_segment(file, i);

		if (segment->executable &&
		    segment->vaddr - elf_file_segment(file, 0)->vaddr != segment->file_offset)
			return true;
	}
	return false;
}

static void say_readers(const struct code_export *export)
{
	const struct code_object *object = &export->object;
	const struct elf_file *file = code_object_file(object);

	if (file && !export->options->quiet && differs_for_old_readers(file))
		fprintf(stderr,
			"xprof: %s: this takes create_llvm_prof 0.20 or later: earlier ones look in wrong places of a file "
			"that is linked like %s\n",
			export->options->input, elf_file_path(file));
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
	say_readers(export);
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
