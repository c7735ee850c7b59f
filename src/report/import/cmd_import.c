/* `xprof import`: what a profile of another tool holds, and what its format could not say. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/commands.h"
#include "profile/event_unit.h"
#include "report/import/import_file.h"
#include "report/load/time_range.h"
#include "text/safe_text.h"

struct import_options {
	bool unused; /* a command's options are a struct, and this command has none */
};

static const struct option import_table[] = {
	OPTION_END,
};

/* Formats that have weights alone do not say how many samples there were. */
static void print_event(const struct profile *profile, uint32_t number)
{
	const struct profile_event *event = profile_event_at(profile, number);
	const char *unit = event_unit_of(profile, number);
	struct strbuf line = STRBUF_INIT;

	safe_text_add(&line, profile_text(profile, event->name));
	if (event->samples != event->weight || !strcmp(unit, "count"))
		strbuf_addf(&line, ": %" PRIu64 " samples, weight %" PRIu64, event->samples, event->weight);
	else
		strbuf_addf(&line, ": weight %" PRIu64, event->weight);
	if (event_unit_is_imported(profile, number) && strcmp(unit, "count") &&
	    strcmp(unit, EVENT_UNIT_UNKNOWN)) {
		strbuf_addc(&line, ' ');
		safe_text_add(&line, unit);
	}
	printf("  event %s\n", line.bytes);
	strbuf_fini(&line);
}

static bool has_units(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile_event_count(profile); i++)
		if (!strcmp(event_unit_of(profile, i), EVENT_UNIT_UNKNOWN))
			return false;
	return true;
}

/* Number of threads with an id or a name. */
static uint32_t known_threads(const struct profile *profile)
{
	uint32_t known = 0;

	for (uint32_t i = 0; i < profile_thread_count(profile); i++) {
		const struct profile_thread *thread = profile_thread_at(profile, i);

		known += thread->tid || *profile_text(profile, thread->comm);
	}
	return known;
}

static bool has_cpus(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile_sample_count(profile); i++)
		if (profile_sample_at(profile, i)->cpu != PROFILE_NONE)
			return true;
	return false;
}

static bool has_addresses(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile_location_count(profile); i++)
		if (!profile_location_at(profile, i)->no_address)
			return true;
	return false;
}

static void print_unknown(const struct loaded_profile *loaded)
{
	const struct {
		bool is_known;
		const char *name;
	} parts[] = {
		{ known_threads(loaded->profile) > 0, "threads" },
		{ has_cpus(loaded->profile), "CPUs" },
		{ loaded->facts.last_time_ns > 0, "times" },
		{ has_addresses(loaded->profile), "addresses" },
		{ profile_dso_count(loaded->profile) > 0, "files" },
		{ has_units(loaded->profile), "units" },
	};
	const char *between = "  not said: ";

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!parts[i].is_known) {
			printf("%s%s", between, parts[i].name);
			between = ", ";
		}
	if (*between == ',')
		printf("\n");
}

static void print_profile(const struct import_file *file, const struct loaded_profile *loaded)
{
	const struct profile *profile = loaded->profile;

	printf("%s: %s\n", file->path, file->format->summary);
	for (uint32_t i = 0; i < profile_event_count(profile); i++)
		print_event(profile, i);
	printf("  %" PRIu32 " threads, %" PRIu32 " functions, %" PRIu32 " files, %" PRIu32
	       " different stacks of samples\n",
	       known_threads(profile), profile_function_count(profile), profile_dso_count(profile),
	       profile_sample_count(profile));
	print_unknown(loaded);
}

static int refuse(const char *path, struct error *err)
{
	if (strcmp(path, "-") != 0 && access(path, R_OK) != 0)
		return error_set_errno(err, errno, "cannot open %s", path);
	return error_set(err,
			 "%s is not in a known format of another tool; 'xprof report -i FILE' reads "
			 "recordings",
			 path);
}

static int run_import(void *parsed, int operand_count, char **operands, struct error *err)
{
	struct time_ranges times;
	struct loaded_profile loaded;
	struct import_file file;
	int status;

	(void)parsed;
	if (operand_count != 1)
		return cli_usage_error(err, "name one file, or - for standard input");
	switch (import_file_open(&file, operands[0], err)) {
	case IMPORT_FAILED: return CLI_FAILED;
	case IMPORT_NONE_FOUND: refuse(operands[0], err); return CLI_FAILED;
	case IMPORT_FOUND: break;
	}
	status = import_file_load(&file, &(struct import_request){ .times = &times }, &loaded, err);
	if (status == 0) {
		print_profile(&file, &loaded);
		loaded_profile_fini(&loaded);
	}
	import_file_close(&file);
	return status ? CLI_FAILED : 0;
}

const struct cli_command cmd_import = {
	.name = "import",
	.summary = "show what a profile of another tool contains",
	.usage = (const char *const[]){ "FILE", NULL },
	.description =
		(const char *const[]){
			"report, flamegraph, diff and export read profiles of other tools wherever they read "
			"a recording: pprof, OpenTelemetry profiles, speedscope, Firefox Profiler's "
			"processed profiles, callgrind (self cost of functions), the text of perf script, "
			"and folded stacks, each also compressed by gzip. Files are recognised by their "
			"content, not their name.",
			"This command prints the format of a file, its events, and the information that is "
			"missing in the format.",
			NULL },
	.options = import_table,
	.options_size = sizeof(struct import_options),
	.operands = CLI_OPERANDS_FILES,
	.max_operands = 1,
	.examples =
		(const struct cli_example[]){
			{ "xprof import cpu.pprof", "What is in a profile of a Go program." },
			{ "xprof flamegraph -i cpu.pprof", "Draw it." },
			{ "xprof diff old.pprof new.pprof", "What has changed between two." },
			{ NULL, NULL } },
	.see_also = (const char *const[]){ "xprof-export(1)", NULL },
	.run = run_import,
};
