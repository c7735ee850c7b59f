/*
 * run() and pack() are the order of work: check the output, download, make a plain file of any other input, find out what views
 * need, write. In the archive the list is first, then the recording, then the objects.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_place.h"
#include "base/spool_file.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "format/mapped_file.h"
#include "report/convert/conversion.h"
#include "report/load/recording_file.h"
#include "report/names/profile_namer.h"
#include "report/pack/archive_needs.h"
#include "report/pack/archive_object.h"
#include "report/view/recording_input.h"
#include "report/view/symbol_options.h"

enum { MAX_LEFT_OUT_LINES = 10 };

#define RECORDING_NAME "perf.data"

struct archive_options {
	const char *input, *output;
	struct symbol_options symbols;
	bool force, quiet;
};

static const struct option archive_table[] = {
	OPTION_GROUP("Input and output"),
	OPTION_RECORDING(struct archive_options, input),
	{ OPTION_STRING(struct archive_options, output), .letter = 'o', .name = "output",
	  .placeholder = "FILE", .completes = OPTION_COMPLETES_FILE,
	  .help = "write this archive, compressed according to its name (default: the recording's name with "
		  ".tar.zst)",
	  .details = "Names that end in .zst, .gz, .xz or .bz2, or in .tzst, .tgz, .txz or .tbz2, choose the "
		     "compression. With any other name the archive is a plain tar, also on standard output "
		     "(-)." },
	{ OPTION_FLAG(struct archive_options, force), .letter = 'f', .name = "force",
	  .help = "overwrite an existing archive" },

	OPTION_GROUP("Symbols"),
	SYMBOL_OPTIONS(struct archive_options, symbols),

	OPTION_GROUP("Messages"),
	{ OPTION_FLAG(struct archive_options, quiet), .letter = 'q', .name = "quiet",
	  .help = "print nothing but errors" },
	OPTION_END,
};

/* A recording as a plain file. */
struct source {
	const char *path;
	char *directory, *converted; /* NULL: it was not converted */
	struct mapped_file map;
};

/* --- the recording ---------------------------------------------------------------------------------- */

static bool is_plain_file(const char *path)
{
	char magic[8] = "";
	FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "re");
	struct stat st;
	bool plain = false;

	if (!file)
		return false;
	if (fstat(fileno(file), &st) == 0 && S_ISREG(st.st_mode) &&
	    fread(magic, 1, sizeof(magic), file) == sizeof(magic))
		plain = memcmp(magic, "PERFILE2", 8) == 0 || memcmp(magic, "2ELIFREP", 8) == 0;
	fclose(file);
	return plain;
}

/* Converts a pipe, a directory, or a file that was compressed as a whole into a plain file. */
static int convert(struct source *source, const char *input, struct error *err)
{
	struct conversion_options conversion = { .input = input,
						 .compression_level = CONVERSION_KEEPS_COMPRESSION };
	struct conversion_counts counts;

	source->directory = xasprintf("%s/xprof-XXXXXX", spool_file_directory());
	if (!mkdtemp(source->directory)) {
		error_set_errno(err, errno, "cannot create a directory in %s", source->directory);
		free(source->directory);
		source->directory = NULL;
		return -1;
	}
	source->converted = xasprintf("%s/" RECORDING_NAME, source->directory);
	conversion.output = source->converted;
	source->path = source->converted;
	return conversion_run(&conversion, &counts, err);
}

static int map_source(struct source *source, struct error *err)
{
	FILE *file = fopen(source->path, "re");
	int result;

	if (!file)
		return error_set_errno(err, errno, "cannot open %s", source->path);
	result = mapped_file_init(&source->map, fileno(file), source->path, err);
	fclose(file);
	return result;
}

static int refuse_archive(const char *input, struct error *err)
{
	struct archive_reader *reader;

	if (archive_reader_open(input, SYMBOL_ARCHIVE_LIST, &reader, NULL) != ARCHIVE_OPENED)
		return 0;
	archive_reader_close(reader);
	return error_set(err, "%s is an archive already", input);
}

static int source_init(struct source *source, const char *input, struct error *err)
{
	*source = (struct source){ .path = input };
	mapped_file_init_memory(&source->map, NULL, 0);
	if (!is_plain_file(input) && (refuse_archive(input, err) < 0 || convert(source, input, err) < 0))
		return -1;
	return map_source(source, err);
}

static void source_fini(struct source *source)
{
	mapped_file_fini(&source->map);
	if (source->converted)
		(void)unlink(source->converted);
	if (source->directory)
		(void)rmdir(source->directory);
	free(source->converted);
	free(source->directory);
}

/* --- the archive ------------------------------------------------------------------------------------- */

static int write_list(const struct archive_options *options, const struct archive_objects *objects,
		      struct archive_writer *writer, struct error *err)
{
	struct strbuf list = STRBUF_INIT;
	int result;

	symbol_archive_list_begin(&list, strcmp(options->input, "-") == 0 ? "standard input" : options->input,
				  RECORDING_NAME);
	archive_objects_list(objects, &list);
	result = archive_writer_add(writer, SYMBOL_ARCHIVE_LIST, list.bytes, list.size, err);
	strbuf_fini(&list);
	return result;
}

/* When the recording was last changed. */
static int64_t time_of(const struct source *source)
{
	struct stat st;

	return stat(source->path, &st) == 0 ? st.st_mtim.tv_sec : 0;
}

static int write_archive(const struct archive_options *options, const struct source *source,
			 struct archive_objects *objects, uint64_t *size_bytes, struct error *err)
{
	struct archive_writer *writer = archive_writer_create(options->output, time_of(source), err);
	int result;

	if (!writer)
		return -1;
	result = write_list(options, objects, writer, err);
	if (result == 0)
		result = archive_writer_add(writer, RECORDING_NAME, source->map.bytes, source->map.size_bytes,
					    err);
	if (result == 0)
		result = archive_objects_write(objects, writer, err);
	if (result == 0)
		result = archive_writer_finish(writer, size_bytes, err);
	archive_writer_destroy(writer);
	return result;
}

/* The recorded program chose the path: makes it harmless. */
static void say_left_out(const char *path, const char *why)
{
	char *name = xstrdup(path);

	(void)utf8_make_harmless(name);
	fprintf(stderr, "xprof: left out: %s: %s\n", name, why);
	free(name);
}

static void print_result(const struct archive_options *options, const struct source *source,
			 const struct archive_objects *objects, uint64_t size_bytes)
{
	char size[PROGRESS_TEXT_SIZE], recording[PROGRESS_TEXT_SIZE];
	const char *path, *why = "";
	size_t number = 0;

	fprintf(stderr, "xprof: %s: %s, with a recording of %s and parts of %zu files and symbol lists\n",
		options->output, progress_format_size(size, size_bytes),
		progress_format_size(recording, source->map.size_bytes), archive_objects_count(objects));
	for (; (path = archive_objects_left_out(objects, number, &why)); number++)
		if (number < MAX_LEFT_OUT_LINES)
			say_left_out(path, why);
	if (number > MAX_LEFT_OUT_LINES)
		fprintf(stderr, "xprof: and %zu more\n", number - MAX_LEFT_OUT_LINES);
}

static int pack(const struct archive_options *options, const struct source *source,
		const struct symbolizer_options *symbols, struct error *err)
{
	struct debug_file_search search;
	struct object_needs *needs = object_needs_create();
	struct archive_objects *objects;
	uint64_t size_bytes = 0;
	int result = archive_needs_find(source->path, symbols, options->quiet, needs, &search, err);

	if (result == 0) {
		objects = archive_objects_create(needs, &search);
		result = write_archive(options, source, objects, &size_bytes, err);
		if (result == 0 && !options->quiet)
			print_result(options, source, objects, size_bytes);
		archive_objects_destroy(objects);
	}
	object_needs_destroy(needs);
	return result;
}

static int check_output(const struct archive_options *options, struct error *err)
{
	enum file_place place;

	if (!archive_writer_is_available(err))
		return -1;
	if (strcmp(options->output, "-") == 0)
		return isatty(STDOUT_FILENO) ?
			       error_set(err, "-o - writes binary data, and standard output is a "
					      "terminal: redirect it") :
			       0;
	place = file_place_at(options->output);
	if (place == FILE_PLACE_DIRECTORY)
		return error_set(err, "%s is a directory: give -o the name of a file", options->output);
	if (place == FILE_PLACE_REGULAR && !options->force)
		return error_set(err, "%s exists: overwrite it with -f, or name another file with -o",
				 options->output);
	return 0;
}

static char *default_output(const char *input)
{
	size_t length = strlen(input);

	if (strcmp(input, "-") == 0)
		return xstrdup(RECORDING_NAME ".tar.zst");
	while (length > 1 && input[length - 1] == '/')
		length--;
	return xasprintf("%.*s.tar.zst", (int)length, input);
}

static int run(const struct archive_options *options, struct error *err)
{
	struct debug_downloads *downloads =
		symbol_options_downloads(&options->symbols, NAMING_LINES | NAMING_INLINES, options->quiet);
	const struct symbolizer_options symbols = symbol_options_symbolizer(&options->symbols, downloads);
	const struct recording_request request = {
		.path = options->input,
		.load.stacks = UNWIND_OPTION_DEFAULTS,
		.load.symbols = symbols,
		.downloads = downloads,
		.quiet = options->quiet,
	};
	struct source source = { .path = NULL };
	int result = check_output(options, err);

	if (result == 0) {
		recording_input_download(&request);
		result = source_init(&source, options->input, err);
		if (result == 0)
			result = pack(options, &source, &symbols, err);
		source_fini(&source);
	}
	debug_downloads_destroy(downloads);
	return result == 0 ? 0 : CLI_FAILED;
}

static int run_archive(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct archive_options *options = parsed;
	char *output = NULL;
	int result;

	if (operand_count && options->input)
		return cli_usage_error(err, "name the file once, with -i or without");
	if (operand_count)
		options->input = operands[0];
	if (!options->input)
		options->input = recording_file_default();
	if (!options->output)
		options->output = output = default_output(options->input);
	result = symbol_options_check(&options->symbols, err) ? CLI_FAILED : run(options, err);
	free(output);
	symbol_options_fini(&options->symbols);
	return result;
}

const struct cli_command cmd_archive = {
	.name = "archive",
	.summary = "pack a recording with all that is needed to read it elsewhere",
	.usage = (const char *const[]){ "[OPTIONS] [-i] [FILE] [-o ARCHIVE]", NULL },
	.description =
		(const char *const[]){
			"Packs the recording into one file with everything that its samples need from "
			"programs, libraries, the kernel and run-time compilers: the functions and source "
			"lines that were hit, and the unwind information of the code on the stacks. The "
			"archive is a tar of some megabytes, whatever the size of the programs and of their "
			"debug information.",
			"Every command that reads a recording also reads an archive, and prints the same on "
			"any other machine, without looking at that machine's files. The archive need not be "
			"unpacked; a directory into which it was unpacked can be named instead.",
			"In that directory perf finds the recording as perf.data, and its files with perf "
			"--buildid-dir. Programs and libraries are ELF files with holes where no sample "
			"needs the contents.",
			"xprof leaves out files that were replaced since they were recorded, and names them.",
			"xprof writes and reads archives with libarchive, which it loads when needed: "
			"package libarchive13 or libarchive13t64 (Debian, Ubuntu), libarchive (Fedora).",
			NULL },
	.options = archive_table,
	.options_size = sizeof(struct archive_options),
	.defaults = &(const struct archive_options){ .symbols = SYMBOL_OPTION_DEFAULTS },
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 1,
	.examples =
		(const struct cli_example[]){
			{ "xprof archive", "Pack perf.data and what belongs to it into perf.data.tar.zst." },
			{ "xprof report perf.data.tar.zst", "Read it on another machine." },
			{ "xprof archive -i slow.data -o slow.tar.gz", "Pack with gzip, for a machine "
								       "without zstd." },
			{ "tar xf perf.data.tar.zst -C DIR && perf --buildid-dir DIR report -i DIR/perf.data",
			  "Read it in perf." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "perf-archive(1)", "tar(1)", NULL },
	.run = run_archive,
};
