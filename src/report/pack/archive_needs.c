/*
 * Runs the readers only to note what they look up: the loader, three times if there are stack dumps, then
 * xprof script with all fields, printing to /dev/null. The symbolizer's option `needs` collects all look-ups.
 */
#include "report/pack/archive_needs.h"

#include <linux/perf_event.h>
#include <stdio.h>

#include "report/load/recorded_names.h"
#include "report/names/profile_namer.h"
#include "report/script/script_run.h"
#include "report/view/recording_input.h"

enum { ALL_CALLERS = 65536 }; /* the maximum of --max-stack */

static int load(const char *path, const struct symbolizer_options *symbols, bool quiet,
		const struct unwind_options *stacks, struct error *err)
{
	const struct recording_request request = { .path = path,
						   .load.stacks = *stacks,
						   .load.symbols = *symbols,
						   .load.detail = NAMING_LINES | NAMING_INLINES,
						   .quiet = quiet };
	struct recording_input input;

	if (recording_input_open(&input, &request, err) < 0)
		return -1;
	recording_input_close(&input);
	return 0;
}

static bool has_dumps(const struct perf_file *file)
{
	for (size_t i = 0; i < perf_file_event_count(file); i++)
		if (perf_file_event(file, i)->attr.sample_type & PERF_SAMPLE_STACK_USER)
			return true;
	return perf_file_mode(file) == PERF_FILE_PIPE; /* its events come later */
}

/*
 * With "auto", frames are those of the recorded chain or those of the dump; guessing adds callers. So these three cover every
 * choice of options.
 */
static int load_all(const char *path, const struct symbolizer_options *symbols, bool quiet, bool dumps,
		    struct error *err)
{
	static const struct unwind_options ways[] = {
		{ .max_stack = ALL_CALLERS, .unwind = UNWIND_FP, .join_stacks = true },
		{ .max_stack = ALL_CALLERS, .unwind = UNWIND_DWARF, .join_stacks = true },
		{ .max_stack = ALL_CALLERS, .unwind = UNWIND_DWARF, .join_stacks = true, .guess = true },
	};

	for (size_t i = 0; i < (dumps ? sizeof(ways) / sizeof(*ways) : 1); i++)
		if (load(path, symbols, quiet, &ways[i], err) < 0)
			return -1;
	return 0;
}

/* --- script ------------------------------------------------------------------------------------ */

static bool samples_all_branches(const struct perf_file *file)
{
	for (size_t i = 0; i < perf_file_event_count(file); i++)
		if (perf_file_event(file, i)->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY)
			return true;
	return false;
}

/* All fields that look something up; fields that an event does not sample are left out of the default set. */
static struct script_fields all_fields(const struct perf_file *file)
{
	struct script_fields fields = script_default_fields;
	uint64_t more = (uint64_t)1 << SCRIPT_ADDR | (uint64_t)1 << SCRIPT_SYMOFF |
			(uint64_t)1 << SCRIPT_SRCLINE | (uint64_t)1 << SCRIPT_BRSTACKSYM |
			(uint64_t)1 << SCRIPT_INSN;

	if (samples_all_branches(file))
		more |= (uint64_t)1 << SCRIPT_BRSTACKINSN;
	for (size_t i = 0; i < SCRIPT_TYPE_COUNT; i++)
		fields.types[i].fields |= more;
	return fields;
}

static int run_script(struct perf_file *file, const struct symbolizer_options *symbols, struct error *err)
{
	static const struct script_filter everything;
	struct script_losses losses;
	struct script_request request = {
		.style = { .fields = all_fields(file),
			   .callchains = true,
			   .stacks = { .max_stack = ALL_CALLERS, .join_stacks = true },
			   .inlines = true },
		.filter = &everything,
		.symbols = *symbols,
	};
	int result;

	request.out = fopen("/dev/null", "we");
	if (!request.out)
		return error_set(err, "cannot open /dev/null");
	result = script_run(file, &request, &losses, err);
	fclose(request.out);
	return result;
}

int archive_needs_find(const char *path, const struct symbolizer_options *symbols, bool quiet,
		       struct object_needs *needs, struct debug_file_search *search, struct error *err)
{
	struct symbolizer_options asking = *symbols;
	struct perf_file *file = perf_file_open(path, err);
	int result;

	if (!file)
		return -1;
	*search = recorded_names_search(file, symbols);
	asking.needs = needs;
	asking.demangle = false; /* the reader of the archive chooses how to show names */
	result = load_all(path, &asking, quiet, has_dumps(file), err);
	if (result == 0)
		result = run_script(file, &asking, err);
	perf_file_close(file);
	return result;
}
