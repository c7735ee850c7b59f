/*
 * The options and messages of the command; conversion.h does the work. Messages come after the output is complete; those about
 * losses are printed even with --quiet.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "format/write/compress.h"
#include "report/convert/conversion.h"
#include "report/dump/dump_feature.h"

struct convert_options {
	struct conversion_options conversion;
	bool decompress, quiet;
};

static int set_compression(void *parsed, const char *text, struct error *err)
{
	uint64_t level = COMPRESS_LEVEL_DEFAULT;

	if (text && option_parse_u64(text, &level, err) < 0)
		return -1;
	if (level > COMPRESS_LEVEL_MAX)
		return error_set(err, "'%s' is not a compression level: 1 (fast) to %d (small), 0 for none",
				 text, COMPRESS_LEVEL_MAX);
	((struct convert_options *)parsed)->conversion.compression_level = (int)level;
	return 0;
}

static const struct option convert_table[] = {
	OPTION_GROUP("Output format"),
	{ OPTION_FLAG(struct convert_options, decompress), .name = "decompress",
	  .help = "write records uncompressed" },
	{ OPTION_CALLBACK(set_compression), .letter = 'z', .name = "compress", .placeholder = "LEVEL",
	  .argument_optional = true, .help = "compress with zstd, level 1 (fast) to 22 (small), 3 by default",
	  .details =
		  "Without this option and --decompress a compressed recording is compressed again, at its "
		  "old level, and an uncompressed one stays uncompressed." },
	{ OPTION_FLAG(struct convert_options, conversion.plain_samples), .name = "compat",
	  .help = "write for readers built on quipper (perf_to_profile, AutoFDO), and others that do not unwind",
	  .details =
		  "The output is not compressed, event attributes are not longer than those of Linux 6.1, "
		  "and samples have no user registers, stack dumps, registers at the interrupt, AUX data or "
		  "branch counters, because such readers refuse them. xprof first unwinds stack dumps into "
		  "call chains, as 'xprof report' does (the files of the programs must be there), and "
		  "completes call chains whose user part was recorded later (Linux 6.19). It writes records "
		  "in order of time." },
	{ OPTION_FLAG(struct convert_options, conversion.add_build_ids), .name = "build-ids",
	  .help = "add build-ids that the recording lacks, from the files of this machine",
	  .details =
		  "xprof adds those of files that have not been replaced since (the same inode, on the "
		  "recorded host), and of the kernel and its modules, if the recorded kernel is running now." },

	OPTION_GROUP("Messages"),
	{ OPTION_FLAG(struct convert_options, quiet), .letter = 'q', .name = "quiet",
	  .help = "print nothing but errors and what is left out" },
	OPTION_END,
};

static void show_progress(unsigned int percent, uint64_t records, void *context)
{
	struct progress *progress = context;
	char count[PROGRESS_TEXT_SIZE];

	if (!progress_due(progress))
		return;
	progress_format_count(count, records);
	if (percent)
		progress_draw(progress, "converting: %u%%, %s records", percent, count);
	else
		progress_draw(progress, "converting: %s records", count);
}

static void print_result(const char *output, const struct conversion_counts *counts)
{
	char records[PROGRESS_TEXT_SIZE], samples[PROGRESS_TEXT_SIZE], size[PROGRESS_TEXT_SIZE];

	fprintf(stderr, "xprof: %s: %s record%s, %s of them samples, %s",
		strcmp(output, "-") == 0 ? "standard output" : output,
		progress_format_count(records, counts->records), counts->records == 1 ? "" : "s",
		progress_format_count(samples, counts->samples),
		progress_format_size(size, counts->output_bytes));
	if (counts->compression.packed_bytes)
		fprintf(stderr, ", compressed (original %s, ratio is %.3f)",
			progress_format_size(size, counts->compression.original_bytes),
			compression_ratio(counts->compression));
	fputc('\n', stderr);
}

static void print_build_ids(const struct missing_build_id_counts *counts)
{
	fprintf(stderr, "xprof: %zu build-ids added", counts->added);
	if (counts->absent)
		fprintf(stderr, "; %zu files are missing here or have none", counts->absent);
	if (counts->changed)
		fprintf(stderr, "; %zu files were replaced after the recording", counts->changed);
	if (counts->foreign)
		fprintf(stderr, "; %zu belong to another machine or kernel", counts->foreign);
	fputc('\n', stderr);
}

static void print_features_left_out(const char *input, const uint64_t *left_out)
{
	struct strbuf names = STRBUF_INIT;
	char buffer[24];

	for (unsigned int i = 0; i < HEADER_FEATURE_BITS; i++)
		if (left_out[i / 64] >> i % 64 & 1)
			strbuf_addf(&names, "%s%s", names.size ? ", " : "", dump_feature_name(i, buffer));
	if (names.size)
		fprintf(stderr, "xprof: %s: left out, because a pipe cannot carry them: %s\n", input,
			names.bytes);
	strbuf_fini(&names);
}

/* Prints everything that the output lacks. */
static void print_losses(const char *input, const struct conversion_counts *counts)
{
	const struct perf_file_damage *damage = &counts->damage;
	char samples[PROGRESS_TEXT_SIZE], size[PROGRESS_TEXT_SIZE];

	if (damage->first_reason[0])
		fprintf(stderr,
			"xprof: %s: %s (offset 0x%" PRIx64 "; %" PRIu64
			" records skipped); 'xprof dump --summary' says more\n",
			input, damage->first_reason, damage->first_offset, damage->skipped_records);
	if (counts->plain_samples)
		fprintf(stderr,
			"xprof: %s: left out of %s samples: registers, stack dumps, AUX data and branch counters, %s\n",
			input, progress_format_count(samples, counts->plain_samples),
			progress_format_size(size, counts->plain_bytes));
	if (counts->unwound_samples)
		fprintf(stderr, "xprof: %s: call chains of %s samples were unwound from their stack dumps\n",
			input, progress_format_count(samples, counts->unwound_samples));
	if (counts->joined_samples)
		fprintf(stderr,
			"xprof: %s: call chains of %s samples were completed with parts recorded "
			"later\n",
			input, progress_format_count(samples, counts->joined_samples));
	if (counts->cut_attrs)
		fprintf(stderr,
			"xprof: %s: left out of %zu event attributes: settings that Linux 6.1 did not have\n",
			input, counts->cut_attrs);
	if (counts->left_out_records)
		fprintf(stderr,
			"xprof: %s: left out: %" PRIu64
			" records that describe events or tracepoints and came after the first sample\n",
			input, counts->left_out_records);
	print_features_left_out(input, counts->left_out_features);
}

static int check_usage(struct convert_options *options, int operand_count, char **operands, struct error *err)
{
	if (operand_count != 2)
		return cli_usage_error(err,
				       "name two files: the one that is read and the one that is written");
	if (options->decompress && options->conversion.compression_level > 0)
		return cli_usage_error(err, "--decompress and --compress exclude each other");
	if (options->conversion.plain_samples && options->conversion.compression_level > 0)
		return cli_usage_error(err,
				       "--compat and --compress exclude each other: quipper reads no zstd");
	if (strcmp(operands[1], "-") == 0 && isatty(STDOUT_FILENO))
		return cli_usage_error(
			err, "- writes binary data, and standard output is a terminal: redirect it");
	if (options->decompress || options->conversion.plain_samples)
		options->conversion.compression_level = 0;
	return 0;
}

static int run_convert(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct convert_options *options = parsed;
	struct progress progress;
	struct conversion_counts counts;
	int result = check_usage(options, operand_count, operands, err);

	if (result != 0)
		return result;
	options->conversion.input = operands[0];
	options->conversion.output = operands[1];
	options->conversion.progress = show_progress;
	options->conversion.progress_context = &progress;
	progress_init(&progress, STDERR_FILENO, options->quiet);
	result = conversion_run(&options->conversion, &counts, err);
	progress_erase(&progress);
	if (result != 0)
		return CLI_FAILED;
	print_losses(operands[0], &counts);
	if (options->conversion.add_build_ids && !options->quiet)
		print_build_ids(&counts.build_ids);
	if (!options->quiet)
		print_result(operands[1], &counts);
	return 0;
}

const struct cli_command cmd_convert = {
	.name = "convert",
	.summary = "rewrite a recording as an ordinary file, compressed or not",
	.usage = (const char *const[]){ "[--decompress|--compress=LEVEL] [--build-ids] [--compat] IN OUT",
					NULL },
	.description =
		(const char *const[]){
			"Reads a recording IN of any kind (a file, a directory, a pipe, compressed, inside "
			"gzip, xz or zstd, from a killed recorder, in the other byte order) and writes its "
			"records, in their order, with everything it says about its machine, to the ordinary "
			"file OUT.",
			"OUT can be IN. It gets its name when it is complete, and an older OUT is kept as "
			"OUT.old. - is standard input or standard output; on standard output the recording "
			"is written in pipe format.",
			"xprof reports what it leaves out. Byte order and event attributes stay the same.",
			NULL },
	.options = convert_table,
	.options_size = sizeof(struct convert_options),
	.defaults = &(const struct convert_options){ .conversion.compression_level =
							     CONVERSION_KEEPS_COMPRESSION },
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 2,
	.examples =
		(const struct cli_example[]){
			{ "xprof convert --compress=19 perf.data small.data", "Make it small, to keep it for "
									      "years." },
			{ "xprof convert --decompress perf.data perf.data",
			  "Decompress in place, for a perf older than Linux 5.2." },
			{ "xprof convert --compat perf.data q.data",
			  "Write for tools built on quipper: perf_to_profile -i q.data -o pprof.pb." },
			{ "ssh host perf record -ao- sleep 5 | xprof convert - host.data",
			  "Turn a pipe into a file." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-inject(1)", "perf-record(1)", NULL },
	.run = run_convert,
};
