/*
 * Rings of different CPUs are read one after the other, so the two ends of a thread's time off a CPU may be out of order: marks
 * are sorted by thread and time, the ends are paired, and the intervals and single marks sorted by track and time.
 */
#include "report/export/export_marks.h"

#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

struct finding {
	struct export_marks *marks;
	const struct export_tracks *tracks;
	struct hash_table threads; /* of tracks by thread, process or CPU */
};

static uint64_t hash_of(uint32_t pid, uint32_t tid, uint32_t cpu)
{
	return hash_combine(hash_combine(pid, tid), cpu);
}

static bool is_track(const void *items, uint32_t item, const void *key)
{
	const struct export_track *track = (const struct export_track *)items + item, *wanted = key;

	return track->pid == wanted->pid && track->tid == wanted->tid && track->cpu == wanted->cpu;
}

/* HASH_TABLE_NONE if the mark belongs to no track. */
static uint32_t track_of(const struct finding *finding, const struct mark *mark)
{
	struct export_track wanted = { .pid = PROFILE_NONE, .tid = PROFILE_NONE, .cpu = PROFILE_NONE };
	const int per = finding->tracks->input->options->per;

	if (per == EXPORT_PER_CPU) {
		wanted.cpu = mark->cpu;
	} else {
		wanted.pid = mark->pid;
		if (per != EXPORT_PER_PROCESS)
			wanted.tid = mark->tid;
		if (per != EXPORT_PER_PROCESS && mark->tid == 0)
			wanted.cpu = mark->cpu;
	}
	return hash_table_find(&finding->threads, hash_of(wanted.pid, wanted.tid, wanted.cpu), is_track,
			       finding->tracks->items, &wanted);
}

static void index_tracks(struct finding *finding)
{
	hash_table_init(&finding->threads);
	for (size_t t = 0; t < finding->tracks->count; t++) {
		const struct export_track *track = &finding->tracks->items[t];

		hash_table_insert(&finding->threads, hash_of(track->pid, track->tid, track->cpu),
				  (uint32_t)t);
	}
}

/* Time off a CPU belongs to a thread; for an idle thread it is time in which another one ran. */
static bool is_shown(const struct finding *finding, const struct mark *mark)
{
	return mark->kind == MARK_LOST ||
	       (mark->tid != 0 && finding->tracks->input->options->per != EXPORT_PER_CPU);
}

static void collect(struct finding *finding)
{
	const struct mark_log *log = finding->tracks->input->marks;
	struct export_marks *marks = finding->marks;

	for (size_t i = 0; i < mark_log_count(log); i++) {
		const struct mark *mark = mark_log_at(log, i);
		uint32_t track = track_of(finding, mark);

		if (track == HASH_TABLE_NONE && mark->kind == MARK_LOST && finding->tracks->count)
			track = 0;
		if (track == HASH_TABLE_NONE || !is_shown(finding, mark))
			continue;
		marks->items =
			array_grow(marks->items, &marks->capacity, marks->count + 1, sizeof(*marks->items));
		marks->items[marks->count++] = (struct export_mark){
			.track = track,
			.kind = (enum mark_kind)mark->kind,
			.begin_ns = mark->begin_ns,
			.end_ns = mark->end_ns,
			.mark = mark,
		};
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_thread(const void *one, const void *other)
{
	const struct export_mark *a = one, *b = other;
	int order = compare(a->mark->tid, b->mark->tid);

	if (!order)
		order = compare(a->begin_ns, b->begin_ns);
	return order ? order : compare((uintptr_t)a->mark, (uintptr_t)b->mark);
}

static int by_track(const void *one, const void *other)
{
	const struct export_mark *a = one, *b = other;
	int order = compare(a->track, b->track);

	if (!order)
		order = compare(a->begin_ns, b->begin_ns);
	return order ? order : compare((uintptr_t)a->mark, (uintptr_t)b->mark);
}

/* Drops a return without a departure: it does not say when the thread left, which may be new. */
static void pair_switches(struct export_marks *marks)
{
	struct export_mark *out = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < marks->count; i++) {
		const struct export_mark mark = marks->items[i];

		if (out && (out->mark->tid != mark.mark->tid || out->mark->pid != mark.mark->pid))
			out = NULL;
		if (mark.kind == MARK_IN) {
			if (out) {
				out->end_ns = mark.begin_ns;
				out->is_open = false;
			}
			out = NULL;
			continue;
		}
		marks->items[kept++] = mark;
		if (mark.kind == MARK_OUT) {
			out = &marks->items[kept - 1];
			out->is_open = true;
		}
	}
	marks->count = kept;
}

void export_marks_init(struct export_marks *marks, const struct export_tracks *tracks)
{
	struct finding finding = { .marks = marks, .tracks = tracks };

	*marks = (struct export_marks){ .log = tracks->input->marks, .first_ns = UINT64_MAX };
	if (!tracks->has_times || !tracks->input->marks)
		return;
	index_tracks(&finding);
	collect(&finding);
	hash_table_fini(&finding.threads);
	if (marks->count) {
		qsort(marks->items, marks->count, sizeof(*marks->items), by_thread);
		pair_switches(marks);
		qsort(marks->items, marks->count, sizeof(*marks->items), by_track);
	}
	for (size_t i = 0; i < marks->count; i++)
		if (marks->items[i].begin_ns < marks->first_ns)
			marks->first_ns = marks->items[i].begin_ns;
}

void export_marks_fini(struct export_marks *marks)
{
	free(marks->items);
}

size_t export_marks_of(const struct export_marks *marks, uint32_t track)
{
	size_t low = 0, high = marks->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (marks->items[middle].track < track)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
