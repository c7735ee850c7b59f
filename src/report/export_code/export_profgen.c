/*
 * The input of llvm-profgen: as text of perf script (--perfscript), with the mappings of the program before its branch
 * stacks; or its own intermediate form (--unsymbolized-profile), in which equal branches and ranges are added up already.
 */
#include <inttypes.h>

#include "format/branch_entry.h"
#include "report/load/branch_samples.h"

#include "report/export_code/code_export.h"

enum { PAGE_BYTES = 4096 };

/* --- unsymbolised ------------------------------------------------------------------------- */

/* llvm-profgen counts from the page at which the first segment with code begins. */
static uint64_t base_vaddr(const struct code_object *object)
{
	for (size_t i = 0; object->file && i < elf_file_segment_count(object->file); i++) {
		const struct elf_segment *segment = elf_file_segment(object->file, i);

		if (segment->executable)
			return segment->vaddr & ~(uint64_t)(PAGE_BYTES - 1);
	}
	return 0;
}

static void add_list(struct code_export *export, const struct code_table *table, const char *between)
{
	const uint64_t base = base_vaddr(&export->object);
	struct strbuf *text = &export->out->text;
	uint64_t from, to;
	size_t length = 0;

	for (size_t i = 0; i < table->count; i++)
		length += code_export_ends(export, &table->items[i], &from, &to);
	strbuf_addf(text, "%zu\n", length);
	for (size_t i = 0; i < table->count; i++) {
		if (!code_export_ends(export, &table->items[i], &from, &to))
			continue;
		strbuf_addf(text, "%" PRIx64 "%s%" PRIx64 ":%" PRIu64 "\n", from - base, between, to - base,
			    table->items[i].count);
		export_out_flow(export->out);
	}
}

static int write_unsymbolized(struct code_export *export, struct error *err)
{
	(void)err;
	add_list(export, &export->recording.counts.ranges, "-");
	add_list(export, &export->recording.counts.branches, "->");
	return 0;
}

static int run_unsymbolized(const struct export_options *options, struct export_out *out, struct error *err)
{
	return code_export_run(options, out, true, write_unsymbolized, err);
}

const struct export_format export_profgen_raw = {
	.name = "llvm-profgen-raw",
	.help = "for llvm-profgen --unsymbolized-profile",
	.file = "profile.raw",
	.traits = EXPORT_BINARY,
	.run = run_unsymbolized,
};

/* --- perf script ----------------------------------------------------------------------------- */

/*
 * llvm-profgen follows one process: if several have the program at different addresses, it would confuse their addresses. So all
 * addresses are vaddrs here, and the one mapping says so.
 */
static void add_mappings(struct code_export *export)
{
	const struct code_object *object = &export->object;

	for (size_t i = 0; object->file && i < elf_file_segment_count(object->file); i++) {
		const struct elf_segment *segment = elf_file_segment(object->file, i);
		const uint64_t slack = segment->vaddr & (PAGE_BYTES - 1);

		if (!(segment->executable))
			continue;
		strbuf_addf(&export->out->text,
			    "PERF_RECORD_MMAP2 1/1: [0x%" PRIx64 "(0x%" PRIx64 ") @ 0x%" PRIx64
			    " 00:00 0 0]: r-xp %s\n",
			    segment->vaddr - slack,
			    (segment->memory_size + slack + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1),
			    segment->file_offset - slack, object->dso->path);
	}
}

static uint64_t end_vaddr(const struct code_export *export, const struct stream_sample *sample,
			  uint64_t address, struct process_table *processes)
{
	const struct branch_place found =
		branch_place_find(processes, sample->sample.pid, sample->time_ns, address);
	const struct code_place place = { found.dso ? found.dso->number : CODE_NOWHERE, found.address };
	uint64_t vaddr;

	/* Address 1 is in no program. */
	return code_object_vaddr(&export->object, &place, &vaddr) ? vaddr : 1;
}

static void add_stack(void *context, const struct stream_sample *sample, struct process_table *processes)
{
	struct code_export *export = context;
	struct strbuf *text = &export->out->text;
	const size_t before = text->size;
	bool any = false;

	for (size_t i = 0; i < sample->sample.branch_count; i++) {
		const struct branch_entry branch = sample_branch(&sample->sample, i);
		const uint64_t from = end_vaddr(export, sample, branch.from, processes),
			       to = end_vaddr(export, sample, branch.to, processes);

		any |= from != 1 || to != 1;
		if (i == 0)
			strbuf_addf(text, " %" PRIx64, to);
		strbuf_addf(text, " 0x%" PRIx64 "/0x%" PRIx64 "/%c/-/-/%u ", from, to,
			    branch.mispredicted ? 'M' : 'P', branch.cycles);
	}
	if (any)
		strbuf_addc(text, '\n');
	else
		strbuf_cut(text, before);
	export_out_flow(export->out);
}

/* The object is known only after everything was read, so reads the recording once more. */
static int write_script(struct code_export *export, struct error *err)
{
	const struct code_request request = {
		.path = export->options->input,
		.choice = &export->options->samples,
		.symbols = symbol_options_symbolizer(&export->options->symbols, NULL),
		.visit = add_stack,
		.context = export,
	};
	struct code_recording again;

	add_mappings(export);
	if (code_recording_read(&again, &request, err))
		return error_wrap(err, "this format reads a recording twice; save one from a pipe as a file");
	code_recording_close(&again);
	return 0;
}

static int run_script(const struct export_options *options, struct export_out *out, struct error *err)
{
	return code_export_run(options, out, true, write_script, err);
}

const struct export_format export_profgen = {
	.name = "llvm-profgen",
	.help = "for llvm-profgen --perfscript",
	.file = "profile.script",
	.traits = EXPORT_BINARY,
	.run = run_script,
};
