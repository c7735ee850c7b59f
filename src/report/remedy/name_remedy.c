/*
 * add_reason() has a sentence for each reason of a gap. The facts that it needs are looked up first, for all gaps together:
 * packages, or the answers in an archive, and the run-time compilers of processes whose code has no map.
 */
#include "report/remedy/name_remedy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/names/dso_symbols.h"
#include "report/remedy/interpreter_hint.h"
#include "report/remedy/name_gaps.h"
#include "report/remedy/package_owner.h"
#include "report/remedy/runtime_advice.h"
#include "symbol/debuginfod.h"
#include "symbol/symbol_archive.h"
#include "text/safe_text.h"

struct name_remedies {
	const struct loaded_profile *loaded;
	const struct name_gaps *gaps;
	struct distribution distribution;
	bool has_servers;               /* DEBUGINFOD_URLS names some */
	struct package_query *packages; /* of the first gaps */
	size_t count;
	struct process_runtime *runtimes; /* by process, in order of pid */
	size_t runtime_count;
};

/* --- run-time compilers ------------------------------------------------------------------------------------- */

static struct runtime_use runtime_of_stack(const struct profile *profile, uint32_t stack)
{
	struct runtime_use use = { .rule = NULL };

	for (; stack != PROFILE_NONE && !use.rule; stack = profile_stack_at(profile, stack)->parent) {
		uint32_t dso = profile_location_at(profile, profile_stack_at(profile, stack)->location)->dso;

		if (dso != PROFILE_NONE)
			use = runtime_use_of_file(profile_text(profile, profile_dso_at(profile, dso)->path));
	}
	return use;
}

struct process_runtime {
	uint32_t pid;
	struct runtime_use use;
};

static int by_pid(const void *a, const void *b)
{
	const struct process_runtime *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static struct process_runtime *find_process(const struct name_remedies *remedies, uint32_t pid)
{
	return bsearch(&(struct process_runtime){ .pid = pid }, remedies->runtimes, remedies->runtime_count,
		       sizeof(*remedies->runtimes), by_pid);
}

/* Does the stack have code of a run-time compiler that wrote no map? */
static bool has_code_without_map(const struct profile *profile, const bool *without_map, uint32_t stack)
{
	for (; stack != PROFILE_NONE; stack = profile_stack_at(profile, stack)->parent) {
		uint32_t dso = profile_location_at(profile, profile_stack_at(profile, stack)->location)->dso;

		if (dso != PROFILE_NONE && without_map[dso])
			return true;
	}
	return false;
}

/* By thread (one that changes its name is two): whether such code ran in it. The caller frees the array. */
static bool *threads_without_map(const struct name_remedies *remedies)
{
	const struct profile *profile = remedies->loaded->profile;
	bool *threads = xcalloc((size_t)profile_thread_count(profile) + 1, sizeof(*threads));
	bool *dsos = xcalloc((size_t)profile_dso_count(profile) + 1, sizeof(*dsos));

	for (size_t i = 0; i < remedies->count; i++)
		if (remedies->gaps->items[i].reason == NAME_GAP_NO_MAP)
			dsos[remedies->gaps->items[i].profile_dso] = true;
	for (uint32_t i = 0; i < profile_sample_count(profile); i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);

		threads[sample->thread] =
			threads[sample->thread] || has_code_without_map(profile, dsos, sample->stack);
	}
	free(dsos);
	return threads;
}

/*
 * Looks at the files in stacks of threads that ran the code, because threads choose their names freely; add_runtime_advice()
 * falls back on the process's name. Other threads, and the same ones before exec(), may have run another program.
 */
static void find_runtimes(struct name_remedies *remedies)
{
	const struct profile *profile = remedies->loaded->profile;
	bool *threads;

	remedies->runtimes = xcalloc(remedies->count + 1, sizeof(*remedies->runtimes));
	for (size_t i = 0; i < remedies->count; i++)
		if (remedies->gaps->items[i].reason == NAME_GAP_NO_MAP)
			remedies->runtimes[remedies->runtime_count++].pid = remedies->gaps->items[i].dso->pid;
	if (!remedies->runtime_count)
		return;
	qsort(remedies->runtimes, remedies->runtime_count, sizeof(*remedies->runtimes), by_pid);
	threads = threads_without_map(remedies);
	for (uint32_t i = 0; i < profile_sample_count(profile); i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);
		struct process_runtime *process =
			find_process(remedies, profile_thread_at(profile, sample->thread)->pid);

		if (process && !process->use.rule && threads[sample->thread])
			process->use = runtime_of_stack(profile, sample->stack);
	}
	free(threads);
}

static void add_runtime_advice(struct strbuf *out, const struct name_remedies *remedies,
			       const struct dso *dso)
{
	const uint32_t pid = dso->pid;
	struct runtime_use use = find_process(remedies, pid)->use;

	if (!use.rule)
		use = runtime_use_of_file(
			process_table_comm(remedies->loaded->processes, pid, pid, UINT64_MAX));
	if (!use.rule && strncmp(dso->path, "/memfd:", strlen("/memfd:")) == 0)
		strbuf_adds(
			out,
			"if this is a program that was run from memory (memfd), record it from a file; if it is "
			"code of a run-time compiler, ");
	runtime_advice_add(out, &use, pid);
}

/* --- one remedy --------------------------------------------------------------------------------------------- */

static bool servers_could_help(const struct name_remedies *remedies, const struct name_gap *gap)
{
	return gap->dso && gap->dso->build_id.size >= 2 && !remedies->loaded->servers_asked;
}

static void add_servers(struct strbuf *out, const struct name_remedies *remedies, const struct name_gap *gap)
{
	if (servers_could_help(remedies, gap))
		strbuf_adds(out, ", or --debuginfod=on");
}

static void add_stripped(struct strbuf *out, const struct name_remedies *remedies, size_t number)
{
	const char *package = number < remedies->count ? remedies->packages[number].package : NULL;
	const struct name_gap *gap = &remedies->gaps->items[number];

	strbuf_adds(out, "stripped: ");
	if (*gap->why &&
	    !strstr(gap->why, " is stripped: ")) { /* a debug file was found, and is not the right one */
		safe_text_add(out, gap->why);
		strbuf_adds(out, ": ");
	}
	if (package)
		package_debug_command_add(out, &remedies->distribution, package);
	else
		strbuf_adds(
			out,
			"not owned by any known package: put the unstripped file in its place, or its debug "
			"file below a --debug-dir");
}

/* Mappings whose names are not those of files. */
static const char *why_no_file(const char *path)
{
	static const struct {
		const char *beginning, *why;
	} places[] = {
		{ "[uprobes]",
		  "instructions that uprobes moved into a page of the kernel: they have no names; use fewer "
		  "probes" },
		{ "[vsyscall]",
		  "the kernel's old way to gettimeofday(), time() and getcpu(), which has no symbols" },
		{ "anon_inode:",
		  "memory that the kernel or a driver has mapped, not a file: it has no names" },
		{ "pipe:", "memory that the kernel or a driver has mapped, not a file: it has no names" },
		{ "socket:", "memory that the kernel or a driver has mapped, not a file: it has no names" },
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (strncmp(path, places[i].beginning, strlen(places[i].beginning)) == 0)
			return places[i].why;
	return "unknown";
}

static void add_why(struct strbuf *out, const struct name_gap *gap)
{
	safe_text_add(out, *gap->why ? gap->why : why_no_file(gap->dso->path));
}

static const char *host_of(const struct loaded_profile *loaded, const char *otherwise)
{
	const char *name = loaded->facts.hostname;

	return name && *name ? name : otherwise;
}

/* The file here differs from the recorded one; the reason depends on the machine that was recorded. */
static void add_absent(struct strbuf *out, const struct loaded_profile *loaded, const struct name_gap *gap)
{
	const char *symfs = symbolizer_symfs(loaded->symbolizer);
	const bool is_gone = gap->reason == NAME_GAP_GONE, archive = symbolizer_archive(loaded->symbolizer);
	/* An archive repeats the reason found on the machine that made it: see take_archived(). */
	const enum recorded_host host = archive ? RECORDED_HOST_THIS : loaded->facts.host;

	if (*symfs && !archive) {
		strbuf_adds(out, is_gone ? "there is no such file in " : "another build of it is in ");
		safe_text_add(out, symfs);
	} else if (host == RECORDED_HOST_OTHER) {
		strbuf_adds(out, "a file of ");
		safe_text_add(out, host_of(loaded, "another machine"));
		strbuf_adds(out, ": --symfs DIRECTORY with its files, or run 'xprof archive' there");
	} else if (is_gone) {
		strbuf_adds(out, "the file is not here; it was removed or belongs to a container");
		strbuf_adds(out, host == RECORDED_HOST_UNKNOWN ? " or another machine" : "");
		strbuf_adds(out, ": --symfs DIRECTORY with its files");
	} else {
		strbuf_adds(out, "the file here is another build; it was updated or belongs to a container");
		strbuf_adds(out, host == RECORDED_HOST_UNKNOWN ? " or another machine" : "");
		strbuf_adds(out, ": record again, or --symfs DIRECTORY with its files");
	}
}

/* The file here may well be the same: machines of one image, a program that was copied. Only the user knows. */
static void add_unproved(struct strbuf *out, const struct loaded_profile *loaded)
{
	strbuf_adds(out, "recorded on ");
	safe_text_add(out, host_of(loaded, "another machine"));
	strbuf_adds(out,
		    " without a build-id, so the file with this path here may be a different one: --symfs / "
		    "takes the files of this machine, --symfs DIRECTORY those of ");
	safe_text_add(out, host_of(loaded, "the other"));
}

static void add_reason(struct strbuf *out, const struct name_remedies *remedies, size_t number)
{
	const struct name_gap *gap = &remedies->gaps->items[number];

	switch (gap->reason) {
	case NAME_GAP_UNMAPPED: strbuf_adds(out, "the recording has no mapping at these addresses"); break;
	case NAME_GAP_NO_FILE:
	case NAME_GAP_UNREADABLE: add_why(out, gap); break;
	case NAME_GAP_NO_MAP:
		add_why(out, gap);
		strbuf_adds(out, ": ");
		add_runtime_advice(out, remedies, gap->dso);
		break;
	case NAME_GAP_GONE:
		if (gap->dso->build_id.size == 0 && strstr(gap->dso->path, " (deleted)"))
			add_why(out, gap);
		else
			add_absent(out, remedies->loaded, gap);
		break;
	case NAME_GAP_REPLACED: add_absent(out, remedies->loaded, gap); break;
	case NAME_GAP_UNPROVED: add_unproved(out, remedies->loaded); break;
	case NAME_GAP_STRIPPED: add_stripped(out, remedies, number); break;
	case NAME_GAP_UNCOVERED:
		strbuf_adds(out, "its symbol table does not cover the addresses, and there is no better one");
		break;
	}
}

/* May a server have it? */
static bool is_of_a_file(const struct name_gap *gap)
{
	switch (gap->reason) {
	case NAME_GAP_NO_FILE: return gap->dso->kind == DSO_KERNEL || gap->dso->kind == DSO_MODULE;
	case NAME_GAP_GONE:
	case NAME_GAP_REPLACED:
	case NAME_GAP_UNREADABLE:
	case NAME_GAP_STRIPPED: return true;
	default: return false;
	}
}

/* Adds "stripped: 'apt-get install NAME-dbgsym'", without the DSO's name, and without a newline. */
static void name_remedy_add(struct strbuf *out, const struct name_remedies *remedies, size_t number)
{
	const struct name_gap *gap = &remedies->gaps->items[number];

	add_reason(out, remedies, number);
	if (is_of_a_file(gap))
		add_servers(out, remedies, gap);
}

/* --- all remedies -------------------------------------------------------------------------------------------- */

static void ask_machine(struct name_remedies *remedies)
{
	distribution_identify(&remedies->distribution, symbolizer_symfs(remedies->loaded->symbolizer));
	package_owners_find(&remedies->distribution, remedies->packages, remedies->count);
	remedies->has_servers = debuginfod_has_servers();
}

/* Repeats the remedy from the machine where the archive was made. */
static void take_archived(struct name_remedies *remedies, const struct symbol_archive *archive)
{
	const char *distribution = symbol_archive_fact(archive, "distribution");
	const char *servers = symbol_archive_fact(archive, "debuginfod-servers");

	(void)distribution_from_description(&remedies->distribution, distribution ? distribution : "");
	remedies->has_servers = servers && strcmp(servers, "yes") == 0;
	for (size_t i = 0; i < remedies->count; i++) {
		const struct archived_object *archived = NULL;
		struct symbol_object object;

		if (remedies->packages[i].path && dso_symbols_object(remedies->gaps->items[i].dso, &object))
			archived = symbol_archive_find(archive, &object);
		if (archived && archived->package)
			remedies->packages[i].package = xstrdup(archived->package);
	}
}

/*
 * Looks up the packages of the first `count` gaps; `loaded` and `gaps` are borrowed. With --symfs, packages are those of the
 * distribution in that directory; an archive has the answers of the machine where it was made.
 */
static void name_remedies_init(struct name_remedies *remedies, const struct loaded_profile *loaded,
			       const struct name_gaps *gaps, size_t count)
{
	*remedies = (struct name_remedies){ .loaded = loaded,
					    .gaps = gaps,
					    .packages = xcalloc(count + 1, sizeof(*remedies->packages)),
					    .count = count };
	for (size_t i = 0; i < count; i++)
		if (gaps->items[i].reason == NAME_GAP_STRIPPED)
			remedies->packages[i].path = gaps->items[i].dso->path;
	if (symbolizer_archive(loaded->symbolizer))
		take_archived(remedies, symbolizer_archive(loaded->symbolizer));
	else
		ask_machine(remedies);
	find_runtimes(remedies);
}

static void name_remedies_fini(struct name_remedies *remedies)
{
	for (size_t i = 0; i < remedies->count; i++)
		free(remedies->packages[i].package);
	free(remedies->packages);
	free(remedies->runtimes);
}

static double percent_of(uint64_t part, const struct loaded_profile *loaded)
{
	return loaded->facts.samples ? 100.0 * (double)part / (double)loaded->facts.samples : 0;
}

static void add_place(struct strbuf *out, const struct loaded_profile *loaded, const struct name_gap *gap)
{
	const struct profile *profile = loaded->profile;
	const struct profile_dso *dso;
	const char *path;

	if (gap->profile_dso == PROFILE_NONE) {
		strbuf_adds(out, "no file");
		return;
	}
	dso = profile_dso_at(profile, gap->profile_dso);
	path = profile_text(profile, dso->path);
	/* Every process has such memory. Tables name it after the process, "[JIT] tid 7", and so does this line. */
	safe_text_add(out, strcmp(path, "//anon") == 0 ? profile_text(profile, dso->name) : path);
}

/* "93.1% in /bin/x: ", or with its callers "93.1% (99.4% with callers) in /bin/x: " */
static void add_share(struct strbuf *out, const struct loaded_profile *loaded, const struct name_gap *gap)
{
	strbuf_addf(out, "%.1f%%", percent_of(gap->self_samples, loaded));
	if (gap->stack_samples > gap->self_samples)
		strbuf_addf(out, " (%.1f%% with callers)", percent_of(gap->stack_samples, loaded));
	strbuf_adds(out, " in ");
	add_place(out, loaded, gap);
	strbuf_adds(out, ": ");
}

/* Adds, once, what the commands need in addition. */
static void add_conditions(struct strbuf *out, const struct name_remedies *remedies, const char *prefix)
{
	struct strbuf archive = STRBUF_INIT;
	bool needs_servers = false;

	package_debug_archive_add(&archive, &remedies->distribution, remedies->packages, remedies->count);
	if (archive.size)
		strbuf_addf(out, "%s%s\n", prefix, archive.bytes);
	strbuf_fini(&archive);
	for (size_t i = 0; i < remedies->count; i++)
		if (is_of_a_file(&remedies->gaps->items[i]) &&
		    servers_could_help(remedies, &remedies->gaps->items[i]))
			needs_servers = true;
	if (needs_servers && !remedies->has_servers)
		strbuf_addf(out, "%s--debuginfod needs servers in the environment variable DEBUGINFOD_URLS\n",
			    prefix);
}

size_t name_remedies_render(struct strbuf *out, const struct loaded_profile *loaded, const char *prefix,
			    double percent, size_t most)
{
	struct name_remedies remedies;
	struct name_gaps gaps;
	size_t count, others;

	if (!loaded->symbolizer)
		return 0;
	name_gaps_find(&gaps, loaded, percent);
	count = most && most < gaps.count ? most : gaps.count;
	others = gaps.count - count + gaps.small_count;
	name_remedies_init(&remedies, loaded, &gaps, count);
	for (size_t i = 0; i < count; i++) {
		strbuf_adds(out, prefix);
		add_share(out, loaded, &gaps.items[i]);
		name_remedy_add(out, &remedies, i);
		strbuf_addc(out, '\n');
	}
	if (count && others)
		strbuf_addf(out, "%s%zu more: 'xprof report --names' lists all\n", prefix, others);
	add_conditions(out, &remedies, prefix);
	name_remedies_fini(&remedies);
	name_gaps_fini(&gaps);
	return count;
}

size_t name_remedies_brief(struct strbuf *out, const struct loaded_profile *loaded, double percent)
{
	struct name_remedies remedies;
	struct name_gaps gaps;
	struct strbuf archive = STRBUF_INIT;
	size_t count;

	if (!loaded->symbolizer)
		return 0;
	name_gaps_find(&gaps, loaded, percent);
	count = gaps.count;
	name_remedies_init(&remedies, loaded, &gaps, count ? 1 : 0);
	if (count) {
		strbuf_adds(out, count + gaps.small_count > 1 ? "the largest part in " : "all in ");
		add_place(out, loaded, &gaps.items[0]);
		strbuf_adds(out, ": ");
		add_reason(out, &remedies, 0);
		if (remedies.has_servers && is_of_a_file(&gaps.items[0]))
			add_servers(out, &remedies, &gaps.items[0]);
		package_debug_archive_add(&archive, &remedies.distribution, remedies.packages, 1);
		if (archive.size || count + gaps.small_count > 1)
			strbuf_adds(out, archive.size ? " (how: 'xprof report --names')" :
							" (others: 'xprof report --names')");
	}
	strbuf_fini(&archive);
	name_remedies_fini(&remedies);
	name_gaps_fini(&gaps);
	return count;
}

void name_remedies_summary(struct strbuf *out, const struct loaded_profile *loaded)
{
	const struct profile_facts *facts = &loaded->facts;

	strbuf_addf(out, "# Samples: %" PRIu64 ", %" PRIu64 " (%.2f%%) in functions without a name\n",
		    facts->samples, facts->unresolved_samples, percent_of(facts->unresolved_samples, loaded));
	(void)name_remedies_render(out, loaded, "", 0, 0);
	(void)interpreter_hint_add(out, loaded, "", 1);
}
