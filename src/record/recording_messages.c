/* The summary line at the end of a recording, then a line for each kind of loss, with its remedy. */
#include "record/recording_messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/progress.h"

void recording_messages_opened(const struct recording_summary *summary, const struct event_specs *specs)
{
	for (size_t i = 0; i < specs->count; i++)
		fprintf(stderr, "xprof: event %s: type %" PRIu32 ", config 0x%" PRIx64 "\n",
			specs->items[i].name, specs->items[i].type, specs->items[i].config);
	fprintf(stderr,
		"xprof: %zu events open, %zu rings of %zu KiB; %zu existing processes with %zu executable mappings "
		"written in %.1f ms\n",
		summary->events, summary->rings, summary->ring_bytes / 1024, summary->processes,
		summary->mappings, (double)summary->synthesis_ns / 1e6);
}

static void print_copies(const struct recording_summary *summary)
{
	if (summary->copier)
		fprintf(stderr,
			"xprof: stacks: copied by BPF (%s%s): %" PRIu64 " copies, %" PRIu64
			" lost because the ring was full, %" PRIu64
			" of stacks whose end is unknown; %" PRIu64 " samples without a copy\n",
			summary->copier, summary->copies_by_clock ? ", paired by the clock" : "",
			summary->copies.copied, summary->copies.no_room, summary->copies.no_end,
			summary->evidence.uncopied);
	else if (summary->no_copies.message[0])
		fprintf(stderr, "xprof: stacks: dumped by the kernel: %s\n", summary->no_copies.message);
}

static void print_waits(const struct recording_summary *summary)
{
	if (summary->waits_timed)
		fprintf(stderr,
			"xprof: time off the CPU: %" PRIu64 " samples, %" PRIu64
			" of them without a user stack; %" PRIu64 " waits lost because the ring was full\n",
			summary->waits.samples, summary->waits.without_stack, summary->waits.lost);
}

/* Reports stacks that are deeper than their dumps. */
static void print_continued(const struct evidence_counts *counts)
{
	if (counts->continued + counts->unconfirmed + counts->unreadable)
		fprintf(stderr,
			"xprof: stacks deeper than their dump: %" PRIu64
			" continued by reading the process's memory, %" PRIu64 " not confirmed, %" PRIu64
			" not readable\n",
			counts->continued, counts->unconfirmed, counts->unreadable);
}

static void print_evidence(const struct evidence_counts *counts)
{
	uint64_t with_dump = counts->dumps + counts->unproved;
	char dumped[PROGRESS_TEXT_SIZE];

	if (counts->chains + with_dump)
		fprintf(stderr,
			"xprof: user stacks: %" PRIu64 " as addresses only, %" PRIu64
			" as dumps up to the thread's start, %" PRIu64
			" as dumps not followed to the thread's start; %s of dumps\n",
			counts->chains, counts->dumps, counts->unproved,
			progress_format_size(dumped, counts->dump_bytes));
	if (counts->foreign)
		fprintf(stderr,
			"xprof: of those not followed, %" PRIu64
			" are of 32-bit programs, which are not unwound on this machine\n",
			counts->foreign);
	if (counts->replaced)
		fprintf(stderr,
			"xprof: of those not followed, %" PRIu64
			" lead through run-time code that was replaced before it could be read\n",
			counts->replaced);
	if (counts->shortened)
		fprintf(stderr,
			"xprof: of the stacks written as addresses, %" PRIu64
			" lack outer frames, because the stacks are too deep\n",
			counts->shortened);
}

/* "0 lost", "7 lost", "7 samples and 3 other records lost"; "10 records lost" if the kernel does not tell samples from others. */
static void print_lost(const struct recorder_counts *counts)
{
	char samples[PROGRESS_TEXT_SIZE], others[PROGRESS_TEXT_SIZE];

	progress_format_count(samples, counts->lost_samples);
	if (counts->lost_others)
		fprintf(stderr, "%s sample%s and %s other record%s lost", samples,
			counts->lost_samples == 1 ? "" : "s",
			progress_format_count(others, counts->lost_others),
			counts->lost_others == 1 ? "" : "s");
	else if (counts->lost_records && !counts->lost_samples)
		fprintf(stderr, "%s record%s lost", progress_format_count(others, counts->lost_records),
			counts->lost_records == 1 ? "" : "s");
	else
		fprintf(stderr, "%s lost", samples);
}

void recording_messages_file(const struct recorded_file *file, void *context)
{
	char samples[PROGRESS_TEXT_SIZE], size[PROGRESS_TEXT_SIZE];

	(void)context;
	fprintf(stderr, "xprof: %s: %s sample%s, %s\n", file->name,
		progress_format_count(samples, file->samples), file->samples == 1 ? "" : "s",
		progress_format_size(size, file->data_bytes));
}

void recording_messages_say(const char *text, bool is_list)
{
	if (is_list)
		fputs(text, stderr);
	else
		fprintf(stderr, "xprof: %s\n", text);
}

/* "perf.data", or the number of files and the name of the last. */
static void print_place(const struct recording_summary *summary, const char *output)
{
	if (strcmp(output, "-") == 0)
		fputs("xprof: standard output: ", stderr);
	else if (summary->files > 1)
		fprintf(stderr, "xprof: %zu files, the last is %s: ", summary->files, summary->last_file);
	else
		fprintf(stderr, "xprof: %s: ", summary->last_file ? summary->last_file : output);
}

void recording_messages_summary(const struct recording_summary *summary, const char *output, bool verbose)
{
	char samples[PROGRESS_TEXT_SIZE], elapsed[PROGRESS_TEXT_SIZE], size[PROGRESS_TEXT_SIZE];
	const struct recorder_counts *counts = &summary->counts;

	if (summary->size_reached)
		fprintf(stderr, "xprof: the file has reached --max-size: the recording ends\n");
	print_place(summary, output);
	fprintf(stderr, "%s sample%s in %s, ", progress_format_count(samples, summary->counts.taken.samples),
		summary->counts.taken.samples == 1 ? "" : "s",
		progress_format_elapsed(elapsed, summary->elapsed_ns));
	print_lost(counts);
	fprintf(stderr, ", %s", progress_format_size(size, summary->data_bytes));
	if (summary->compression.packed_bytes)
		fprintf(stderr, ", compressed (original %s, ratio is %.3f)",
			progress_format_size(size, summary->compression.original_bytes),
			compression_ratio(summary->compression));
	fputc('\n', stderr);
	if (counts->taken.left_out)
		fprintf(stderr, "xprof: %s samples of other commands are left out (--filter-comm)\n",
			progress_format_count(samples, counts->taken.left_out));
	if (verbose) {
		fprintf(stderr, "xprof: %zu thread%s read the rings\n", summary->threads,
			summary->threads == 1 ? "" : "s");
		print_copies(summary);
		print_waits(summary);
		print_evidence(&summary->evidence);
		print_continued(&summary->evidence);
	}
	if (counts->lost_others)
		fprintf(stderr,
			"xprof: the other records describe mappings, names and forks: names may be missing\n");
	if (counts->taken.dropped || summary->evidence.cut)
		fprintf(stderr,
			"xprof: the rings stayed full: %" PRIu64 " stacks were cut, %" PRIu64
			" samples dropped (counted as lost)\n",
			summary->evidence.cut, counts->taken.dropped);
	if (counts->lost_samples || counts->lost_others || counts->lost_records)
		fprintf(stderr,
			"xprof: the rings were full: to lose less, use larger ones (-m), a lower frequency (-F)%s smaller "
			"stack dumps%s\n",
			summary->comes_first ? " or" : ",",
			summary->comes_first ? "" : ", or record as root, with priority over other programs");
	if (summary->counts.throttled)
		fprintf(stderr,
			"xprof: the kernel throttled the events %" PRIu64 " times: sample less often (-F)\n",
			summary->counts.throttled);
	if (summary->unseen_ns)
		fprintf(stderr,
			"xprof: the last %s are not recorded: the kernel stops sampling a command that gains other "
			"rights than yours (setuid, file capabilities): record as root\n",
			progress_format_elapsed(elapsed, summary->unseen_ns));
	if (summary->offline)
		fprintf(stderr, "xprof: %s\n", summary->offline);
	if (summary->cut_maps)
		fprintf(stderr,
			"xprof: %zu perf map%s larger than %d MB: names of code that was compiled late are only "
			"in /tmp; run 'xprof archive' now to keep them\n",
			summary->cut_maps, summary->cut_maps == 1 ? " is" : "s are",
			MAP_SNAPSHOT_MAX_BYTES >> 20);
	if (summary->kernel_hidden)
		fprintf(stderr,
			"xprof: kernel addresses are hidden, so kernel samples will have no names: run as root, or "
			"'sysctl kernel.kptr_restrict=0'\n");
}
