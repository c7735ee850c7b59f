/*
 * profile_load() shows the order of work: scan, free the data for stacks, find names, collect facts. During the scan,
 * see_record() gets every record when it is read and applies those that change processes; scan() gets samples later, when
 * all earlier records are known.
 */
#include "report/load/profile_loader.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/lbr_stitch.h"
#include "format/perf_abi.h"
#include "report/load/branch_samples.h"
#include "report/load/file_facts.h"
#include "report/load/recorded_facts.h"
#include "report/load/recorded_machine.h"
#include "report/load/recorded_marks.h"
#include "report/load/recorded_modules.h"
#include "report/load/recorded_names.h"
#include "report/load/running_time.h"
#include "report/load/sample_intake.h"
#include "report/load/sample_stream.h"
#include "report/names/function_starts.h"
#include "report/names/profile_namer.h"

enum {
	FORMAT_LOST = 1 << 4,       /* PERF_FORMAT_LOST of Linux 6.0 */
	PROGRESS_RECORDS = 1 << 16, /* between two calls of the progress function: a few milliseconds */
};

struct loader {
	struct perf_file *file;
	const struct load_options *options;
	struct recorded_marks marks;
	struct recorded_machine machine;
	struct raw_profile *raw; /* filled by the resolver: see stack_resolver.h */
	/* held to change the machine, and by threads other than the loader's to read it */
	pthread_mutex_t lock;
	struct stack_resolver *resolver;
	struct sample_stream *stream;
	struct profile_facts facts;
	struct sample_intake *intake;
	struct sample_key_source *keys; /* NULL: no keys requested */
	size_t event_count; /* number of the file's events; the raw profile numbers them likewise */
	bool timeless;      /* no event of the file samples the time, so the order of records replaces it */
	uint64_t record_number; /* of the present record, from 1 */
	bool is_adding;         /* samples were added since the last record */
};

/* --- events ------------------------------------------------------------------ */

/* In a pipe, attrs become known while reading, and names even later: until then an event is named by its number. */
static void learn_events(struct loader *loader)
{
	size_t count = perf_file_event_count(loader->file), i;
	char number[24];

	if (count == loader->event_count)
		return;
	for (i = loader->event_count; i < count; i++) {
		snprintf(number, sizeof(number), "%zu", i);
		(void)raw_profile_event(loader->raw, number);
	}
	loader->event_count = count;
	loader->timeless = true;
	for (i = 0; i < count; i++)
		if (perf_file_event(loader->file, i)->attr.sample_type & PERF_SAMPLE_TIME)
			loader->timeless = false;
}

static void add_event(struct profile *profile, const struct event_desc *desc)
{
	uint32_t known = profile_event_count(profile);
	bool frequency = perf_attr_has(&desc->attr, PERF_ATTR_FREQ);
	char *name = xstrdup(desc->name);
	uint32_t copy;

	/*
	 * An event requested twice remains two events, as in perf. The second try appends the event's number, so a file
	 * full of equal events does not take quadratic time.
	 */
	for (copy = 2; profile_event(profile, name, frequency, desc->attr.sample_period_or_freq) < known;
	     copy += known) {
		free(name);
		name = xasprintf("%s (%" PRIu32 ")", desc->name, copy);
	}
	free(name);
}

/* --- samples ----------------------------------------------------------------- */

static void show_to_observer(const struct loader *loader, const struct stream_sample *sample)
{
	const struct sample_observer *observer = loader->options->observer;

	observer->see(observer->context,
		      &(struct observed_sample){ .sample = &sample->sample,
						 .time_ns = sample->time_ns,
						 .processes = loader->machine.processes,
						 .unwinder = loader->machine.unwinder,
						 .features = perf_file_features(loader->file) });
}

static bool keep_sample(void *context, const struct stream_sample *sample)
{
	const struct loader *loader = context;
	const struct load_options *options = loader->options;

	if (options->keep_sample && !options->keep_sample(&sample->sample, options->keep_context))
		return false;
	if (options->waits && !wait_choice_keeps(options->waits, sample->desc->name, &sample->sample))
		return false;
	if (options->observer)
		show_to_observer(loader, sample);
	return true;
}

/* --- other records ----------------------------------------------------------- */

/*
 * Time of a record that is not a sample. A record without a time, in a file whose samples have one, was synthesized at the
 * beginning or written by a kernel before 2.6.38: it applies to everything that is not resolved yet.
 */
static uint64_t record_time_ns(const struct loader *loader, const struct event *event)
{
	size_t file_event = perf_file_event_of(loader->file, event);
	const struct event_desc *desc =
		perf_file_event(loader->file, file_event == SIZE_MAX ? 0 : file_event);
	struct sample_id id;

	if (loader->timeless)
		return loader->record_number;
	if (!desc || event_sample_id(event, &desc->attr, &id, NULL) < 0)
		return 0;
	if (!perf_attr_has(&desc->attr, PERF_ATTR_SAMPLE_ID_ALL))
		return sample_stream_past_ns(loader->stream);
	return id.time_ns;
}

/*
 * Notes when something happened during the recording, from records of the kernel. Recorders write records of what existed
 * before with time 0, none, or some other.
 */
static void note_time(struct loader *loader, uint64_t time_ns)
{
	struct profile_facts *facts = &loader->facts;

	if (time_ns == 0 || time_ns == UINT64_MAX || loader->timeless)
		return;
	if (time_ns < facts->first_record_ns)
		facts->first_record_ns = time_ns;
	if (time_ns > facts->last_record_ns)
		facts->last_record_ns = time_ns;
}

/* Whether the record belongs to perf's event for records that are no samples. */
static bool is_of_dummy(const struct loader *loader, const struct event *event)
{
	const struct event_desc *desc =
		perf_file_event(loader->file, perf_file_event_of(loader->file, event));

	return desc && desc->attr.type == PERF_TYPE_SOFTWARE && desc->attr.config == PERF_COUNT_SW_DUMMY;
}

static void count_lost(struct loader *loader, const struct event *event)
{
	struct lost_record record;

	if (event_decode_lost(event, &record, NULL) < 0)
		loader->facts.damaged_records++;
	else if (event->type == PERF_RECORD_LOST)
		loader->facts.lost_records += record.lost;
	else if (event->misc & RECORD_MISC_LOST_SAMPLES_BPF)
		return; /* left out by a filter that the user set */
	else if (is_of_dummy(loader, event))
		loader->facts.lost_others += record.lost;
	else
		loader->facts.lost_samples += record.lost;
}

/*
 * PERF_RECORD_LOST counts lost records of all events that share a ring. PERF_RECORD_LOST_SAMPLES, which a recorder writes
 * at its end from each event's own count (PERF_FORMAT_LOST), counts the samples among them. The difference is what else was
 * lost.
 */
static void divide_losses(struct loader *loader)
{
	const struct perf_file_damage *damage = perf_file_damage(loader->file);
	struct profile_facts *facts = &loader->facts;
	const uint64_t known = facts->lost_samples + facts->lost_others;
	const size_t count = perf_file_event_count(loader->file);

	if (count == 0 || damage->truncated || damage->unfinished)
		return;
	for (size_t i = 0; i < count; i++)
		if (!(perf_file_event(loader->file, i)->attr.read_format & PERF_FORMAT_LOST))
			return;
	if (facts->lost_records > known)
		facts->lost_others += facts->lost_records - known;
	facts->lost_records = 0;
}

static void take_state(struct loader *loader, const struct event *event)
{
	uint64_t time_ns = record_time_ns(loader, event);

	/* On a mapping, the bit that means exec here marks a mapping of data. */
	if (event->type == PERF_RECORD_FORK ||
	    (event->type == PERF_RECORD_COMM && event->misc & PERF_RECORD_MISC_COMM_EXEC))
		note_time(loader, time_ns);
	pthread_mutex_lock(&loader->lock);
	if (recorded_machine_apply(&loader->machine, event, time_ns) < 0)
		loader->facts.damaged_records++;
	pthread_mutex_unlock(&loader->lock);
}

static void take_counts(struct loader *loader, const struct event *event)
{
	struct thread_counts *counts = loader->options->thread_counts;

	if (counts && thread_counts_take(counts, loader->file, event) < 0)
		loader->facts.damaged_records++;
}

static void take_record(struct loader *loader, const struct event *event)
{
	switch (event->type) {
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES: count_lost(loader, event); break;
	case PERF_RECORD_CGROUP:
		if (sample_intake_learn_cgroup(loader->intake, event) < 0)
			loader->facts.damaged_records++;
		break;
	case PERF_RECORD_EXIT: note_time(loader, record_time_ns(loader, event)); break;
	case PERF_RECORD_READ: take_counts(loader, event); break;
	case PERF_RECORD_THROTTLE: loader->facts.throttle_records++; break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_KSYMBOL: take_state(loader, event); break;
	default: break;
	}
}

static void show_progress(const struct loader *loader)
{
	if (loader->options->progress && loader->record_number % PROGRESS_RECORDS == 0)
		loader->options->progress(perf_file_percent(loader->file),
					  sample_intake_counts(loader->intake)->samples,
					  loader->options->progress_context);
}

/* Applies state records as soon as they are read: the process table is indexed by time. */
static enum stream_way see_record(void *context, const struct event *event, uint64_t number,
				  struct error *err)
{
	struct loader *loader = context;

	(void)err;
	loader->record_number = number;
	if (loader->is_adding)
		sample_intake_pause(loader->intake);
	loader->is_adding = false;
	learn_events(loader);
	take_record(loader, event);
	recorded_marks_see_record(&loader->marks, loader->file, event);
	show_progress(loader);
	return loader->timeless ? STREAM_NOW : STREAM_HOLD;
}

static void add_counts(struct profile_facts *facts, const struct sample_intake_counts *counts)
{
	facts->samples = counts->samples;
	facts->dumps_not_unwound = counts->dumps_not_unwound;
	facts->first_time_ns = counts->first_time_ns;
	facts->last_time_ns = counts->last_time_ns;
	facts->near_gaps = counts->near_gaps;
	facts->prompt_gaps = counts->prompt_gaps;
}

static void add_stream_losses(struct profile_facts *facts, struct stream_losses losses)
{
	facts->damaged_samples = losses.damaged_samples;
	facts->damaged_records += losses.damaged_rests;
	facts->unknown_event_samples = losses.unknown_event_samples;
}

/* Times of samples count as times of records, too. */
static void note_sample_times(struct loader *loader)
{
	const struct profile_facts *facts = &loader->facts;

	if (facts->first_time_ns > facts->last_time_ns)
		return;
	note_time(loader, facts->first_time_ns);
	note_time(loader, facts->last_time_ns);
}

/* Adds each branch in place of the sample that contains it. */
static void add_branches(struct loader *loader, const struct stream_sample *sample)
{
	struct stream_sample branch;

	for (size_t i = 0; i < sample->sample.branch_count; i++) {
		branch_sample_make(&branch, sample, i, loader->machine.processes);
		sample_intake_add(loader->intake, &branch);
	}
}

static int scan(struct loader *loader, struct error *err)
{
	const struct stream_sample *sample;
	int more;

	while ((more = sample_stream_next(loader->stream, &sample, err)) == 1) {
		if (loader->options->branches)
			add_branches(loader, sample);
		else
			sample_intake_add(loader->intake, sample);
		recorded_marks_see_sample(&loader->marks, sample);
		loader->is_adding = true;
	}
	sample_intake_finish(loader->intake);
	add_counts(&loader->facts, sample_intake_counts(loader->intake));
	add_stream_losses(&loader->facts, sample_stream_losses(loader->stream));
	note_sample_times(loader);
	divide_losses(loader);
	return more;
}

/* --- life cycle -------------------------------------------------------------- */

/* Frees what stacks needed before names need memory, but for the files, which are slow to close. */
static void finish_stacks(struct loader *loader)
{
	sample_intake_destroy(loader->intake);
	sample_stream_destroy(loader->stream);
	stack_resolver_destroy(loader->resolver);
	dump_unwinder_destroy(loader->machine.unwinder);
	loader->intake = NULL;
	loader->stream = NULL;
	loader->resolver = NULL;
	loader->machine.unwinder = NULL;
	raw_profile_finish(loader->raw);
	perf_file_release(loader->file);
}

static bool has_numbers(const struct load_options *options)
{
	return options->timeline || options->log || options->sums || options->wait_times;
}

static void renumber(const struct load_options *options, const struct final_numbers *numbers)
{
	if (options->timeline && numbers->samples)
		timeline_renumber(options->timeline, numbers->samples);
	if (options->wait_times && numbers->samples)
		wait_times_renumber(options->wait_times, numbers->samples);
	if (!numbers->samples && !numbers->stacks)
		return;
	if (options->log)
		sample_log_renumber(options->log, numbers->samples, numbers->stacks);
	if (options->sums)
		sample_sums_renumber(options->sums, numbers->samples, numbers->stacks);
}

static void name_functions(struct loader *loader, struct loaded_profile *loaded)
{
	struct final_numbers numbers = { NULL, NULL };
	struct function_starts *starts;
	size_t i;

	file_facts_learn_build_ids(loader->file, loader->machine.processes); /* in a pipe, they come last */
	loaded->profile = profile_create();
	for (i = 0; i < loader->event_count; i++)
		add_event(loaded->profile, perf_file_event(loader->file, i));
	loaded->symbolizer = recorded_names_symbolizer(loader->file, &loader->options->symbols);
	loader->machine.search = recorded_names_search(loader->file, &loader->options->symbols);
	starts = function_starts_create(&loader->machine.search, loader->options->symbols.needs);
	profile_namer_run(loader->raw, loader->machine.processes, loaded->symbolizer, starts,
			  loader->options->detail, loaded->profile,
			  has_numbers(loader->options) ? &numbers : NULL);
	renumber(loader->options, &numbers);
	free(numbers.samples);
	free(numbers.stacks);
	if (loader->keys)
		sample_key_source_finish(loader->keys, &loader->machine.search, loaded->symbolizer);
	if (!loader->options->stacks_apart)
		profile_facts_count_stacks(&loader->facts, loaded->profile);
}

static int find_registers(const struct loader *loader, struct stack_resolver_options *resolving,
			  struct error *err)
{
	resolving->stitched_registers =
		lbr_stitch_registers(perf_file_feature_bytes(loader->file, HEADER_CPU_PMU_CAPS),
				     perf_file_feature_bytes(loader->file, HEADER_PMU_CAPS));
	if (!resolving->stitched_registers)
		return error_set(
			err, "--stitch-lbr: the recording's header does not say how many calls the CPU keeps "
			     "(CPU_PMU_CAPS: branches); save a recording from a pipe as a file, because "
			     "there it comes too late");
	return 0;
}

static uint32_t most_frames(const struct unwind_options *stacks)
{
	return stacks->max_stack ? stacks->max_stack : UINT32_MAX;
}

static int make_resolver(struct loader *loader, struct error *err)
{
	const struct unwind_options *stacks = &loader->options->stacks;
	struct stack_resolver_options resolving = {
		.max_stack = most_frames(stacks),
		.max_frames = most_frames(stacks),
		.unwind = stacks->unwind,
		.branch_history = stacks->branch_history,
		.no_roots = loader->options->stacks_apart,
	};

	if (stacks->stitch_lbr && find_registers(loader, &resolving, err) < 0)
		return -1;
	loader->machine.unwinder = recorded_machine_unwinder(&loader->machine, stacks, &loader->lock, err);
	resolving.unwinder = loader->machine.unwinder;
	loader->resolver = stack_resolver_create(loader->machine.processes, loader->raw, &resolving);
	return loader->machine.unwinder ? 0 : -1;
}

static void make_intake(struct loader *loader)
{
	const struct load_options *options = loader->options;

	if (options->keys)
		loader->keys =
			sample_key_source_create(options->keys, loader->file, loader->machine.processes,
						 most_frames(&options->stacks));
	loader->intake = sample_intake_create(&(struct sample_intake_options){
		.file = loader->file,
		.processes = loader->machine.processes,
		.profile = loader->raw,
		.resolver = loader->resolver,
		.unwinder = loader->machine.unwinder,
		.lock = &loader->lock,
		/* Libraries are no faster with several threads, and chains need no unwinding. */
		.threads = options->stacks.unwinder == ENGINE_XPROF && options->stacks.unwind != UNWIND_FP,
		.stacks = &options->stacks,
		.keys = loader->keys,
		.by_latency = options->by_latency,
		.timeline = options->timeline,
		.log = options->log,
		.sums = options->sums,
		.stacks_apart = options->stacks_apart,
		.wait_times = options->wait_times,
	});
}

static void make_stream(struct loader *loader)
{
	const struct load_options *options = loader->options;
	const bool chooses = options->keep_sample || options->waits || options->observer;

	loader->stream = sample_stream_create(&(struct sample_stream_options){
		.file = loader->file,
		.order = STREAM_WHEN_KNOWN,
		.counters = true,
		.keep = chooses ? keep_sample : NULL,
		.read = see_record,
		.context = loader,
	});
}

static int loader_init(struct loader *loader, struct perf_file *file, const struct load_options *options,
		       struct error *err)
{
	*loader = (struct loader){
		.file = file,
		.options = options,
		.marks = { options->marks, options->keep_sample, options->keep_context },
	};
	profile_facts_init(&loader->facts);
	recorded_machine_init(&loader->machine, file, recorded_names_search(file, &options->symbols));
	loader->raw = raw_profile_create();
	pthread_mutex_init(&loader->lock, NULL);
	if (make_resolver(loader, err) < 0)
		return -1;
	make_intake(loader);
	make_stream(loader);
	loader->facts.is_part = options->keep_sample || options->waits;
	learn_events(loader);
	return 0;
}

static void tell_needs(const struct loader *loader)
{
	struct object_needs *needs = loader->options->symbols.needs;

	if (!needs || !loader->machine.modules)
		return;
	recorded_modules_tell_needs(loader->machine.modules, loader->machine.processes, needs);
	jit_dumps_tell_needs(loader->machine.dumps, loader->machine.processes, needs);
}

/* Frees everything that the loaded profile does not keep. */
static void loader_fini(struct loader *loader)
{
	sample_stream_destroy(loader->stream);
	sample_intake_destroy(loader->intake);
	stack_resolver_destroy(loader->resolver);
	recorded_machine_fini(&loader->machine);
	sample_key_source_destroy(loader->keys);
	raw_profile_destroy(loader->raw);
	pthread_mutex_destroy(&loader->lock);
}

/* In a pipe, these facts are known only at the end. */
static void learn_facts(struct loader *loader, const struct loaded_profile *loaded)
{
	struct profile_facts *facts = &loader->facts;

	facts->jit_dumps_unclear = jit_dumps_unclear_count(loader->machine.dumps);
	recorded_facts_learn(facts, loader->file);
	if (!loaded->profile)
		return;
	recorded_facts_learn_threads(facts, loaded->profile, loader->machine.processes);
	running_time_find(facts, loader->file, loaded->profile);
}

int profile_load(struct perf_file *file, const struct load_options *options, struct loaded_profile *loaded,
		 struct error *err)
{
	struct loader loader;
	int status;

	*loaded = (struct loaded_profile){ 0 };
	status = loader_init(&loader, file, options, err);
	if (status == 0)
		status = scan(&loader, err);
	if (status == 0) {
		finish_stacks(&loader);
		name_functions(&loader, loaded);
	}
	learn_facts(&loader, loaded);
	loaded->facts = loader.facts;
	tell_needs(&loader);
	loaded->processes = loader.machine.processes;
	loaded->modules = loader.machine.modules;
	loader.machine.processes = NULL;
	loader.machine.modules = NULL;
	loader_fini(&loader);
	if (status < 0)
		loaded_profile_fini(loaded);
	return status;
}
