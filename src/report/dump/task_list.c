/*
 * Records feed a process table and two arrays: tasks, and the bounds of mappings. task_list_add() sorts the
 * tasks by tid, drops duplicates, links each to its parent, and prints the tree. The mappings printed are
 * those in the process table between these bounds at the end.
 */
#include "report/dump/task_list.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/partition_point.h"
#include "base/xalloc.h"
#include "process/process_table.h"
#include "text/safe_text.h"

#define NO_TASK UINT32_MAX

struct task {
	uint32_t pid, tid;
	int64_t parent_tid; /* -1: no record says */
	uint32_t parent;    /* number of the task, NO_TASK: it is not in the list */
	uint32_t mapped; /* itself, or the next task above it, whose process mapped something; or NO_TASK */
};

/* Where a mapping began or ended. The process table says what is there at the end. */
struct mapped_place {
	uint64_t address;
	uint64_t end;   /* of the mapping that begins here; 0: one ends here */
	uint32_t flags; /* MAP_*, of one that begins */
	uint32_t pid;
	uint32_t number; /* in order of the records */
};

struct task_list {
	struct process_table *processes;
	struct task *tasks; /* ordered by tid in the end */
	size_t task_count, task_capacity;
	struct mapped_place *places; /* ordered by process and address in the end */
	size_t place_count, place_capacity;
};

struct task_list *task_list_create(void)
{
	struct task_list *list = xcalloc(1, sizeof(*list));

	list->processes = process_table_create();
	return list;
}

void task_list_destroy(struct task_list *list)
{
	if (!list)
		return;
	process_table_destroy(list->processes);
	free(list->tasks);
	free(list->places);
	free(list);
}

/* --- records ---------------------------------------------------------------------------------------------- */

static void note_task(struct task_list *list, uint32_t pid, uint32_t tid, int64_t parent_tid)
{
	*ARRAY_ADD(list->tasks, list->task_count, list->task_capacity) =
		(struct task){ .pid = pid, .tid = tid, .parent_tid = parent_tid, .parent = NO_TASK };
}

static void note_place(struct task_list *list, struct mapped_place place)
{
	place.number = (uint32_t)list->place_count;
	*ARRAY_ADD(list->places, list->place_count, list->place_capacity) = place;
}

static int take_task(struct task_list *list, const struct event *event, struct error *err)
{
	struct task_record record;

	if (event_decode_task(event, &record, err))
		return -1;
	if (event->type == PERF_RECORD_FORK)
		note_task(list, record.pid, record.tid, record.parent_tid);
	return 0;
}

static int take_comm(struct task_list *list, const struct event *event, struct error *err)
{
	struct comm_record record;

	if (event_decode_comm(event, &record, err))
		return -1;
	note_task(list, record.pid, record.tid, -1);
	return 0;
}

static int take_mapping(struct task_list *list, const struct event *event, struct error *err)
{
	struct mmap_record record;
	uint64_t end;

	if (event_decode_mmap(event, &record, err))
		return -1;
	if (record.pid == UINT32_MAX || !record.length) /* of the kernel */
		return 0;
	end = record.length <= UINT64_MAX - record.start ? record.start + record.length : UINT64_MAX;
	note_place(list, (struct mapped_place){ record.start, end, record.flags, .pid = record.pid });
	note_place(list, (struct mapped_place){ end, .pid = record.pid });
	return 0;
}

int task_list_apply(struct task_list *list, const struct perf_file *file, const struct event *event,
		    struct error *err)
{
	const size_t number = perf_file_event_of(file, event);
	const struct event_desc *desc = perf_file_event(file, number == SIZE_MAX ? 0 : number);
	struct sample_id id = { 0 };

	if (desc && event->type != PERF_RECORD_SAMPLE)
		(void)event_sample_id(event, &desc->attr, &id, NULL);
	switch (event->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		if (take_task(list, event, err))
			return -1;
		break;
	case PERF_RECORD_COMM:
		if (take_comm(list, event, err))
			return -1;
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (take_mapping(list, event, err))
			return -1;
		break;
	default: return 0;
	}
	return process_table_apply(list->processes, event, id.time_ns, err);
}

/* --- parents of tasks ----------------------------------------------------------------------------------------- */

/* By tid; among equal tids, those with a known parent first. */
static int compare_tasks(const void *one, const void *other)
{
	const struct task *a = one, *b = other;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->parent_tid > b->parent_tid ? -1 : a->parent_tid < b->parent_tid;
}

static void merge_tasks(struct task_list *list)
{
	size_t kept = 0;

	note_task(list, 0, 0, -1); /* the idle task is always listed */
	qsort(list->tasks, list->task_count, sizeof(*list->tasks), compare_tasks);
	for (size_t i = 0; i < list->task_count; i++)
		if (!kept || list->tasks[kept - 1].tid != list->tasks[i].tid)
			list->tasks[kept++] = list->tasks[i];
	list->task_count = kept;
}

static uint32_t find_task(const struct task_list *list, int64_t tid)
{
	const size_t first = PARTITION_POINT(i, 0, list->task_count, list->tasks[i].tid < tid);

	return first < list->task_count && list->tasks[first].tid == tid ? (uint32_t)first : NO_TASK;
}

/* Tids are reused, so a task may seem to descend from itself. The last task of such a circle gets no parent. */
static void cut_circle(struct task_list *list, uint32_t task)
{
	uint32_t last = task;

	for (uint32_t i = list->tasks[task].parent; i != task; i = list->tasks[i].parent)
		last = i > last ? i : last;
	list->tasks[last].parent = NO_TASK;
}

static void find_parents(struct task_list *list)
{
	uint32_t *walks = xcalloc(list->task_count, sizeof(*walks)); /* by task: its first walk, plus 1 */

	for (uint32_t i = 0; i < list->task_count; i++)
		if (list->tasks[i].parent_tid >= 0)
			list->tasks[i].parent = find_task(list, list->tasks[i].parent_tid);
	for (uint32_t i = 0; i < list->task_count; i++) {
		uint32_t task = i;

		for (; task != NO_TASK && !walks[task]; task = list->tasks[task].parent)
			walks[task] = i + 1;
		if (task != NO_TASK && walks[task] == i + 1)
			cut_circle(list, task);
	}
	free(walks);
}

/* --- mappings ----------------------------------------------------------------------------------------------- */

struct shown_mapping {
	struct mapping mapping; /* the part that no later mapping covers */
	struct mapping whole;   /* also with the part that others cover */
	uint32_t flags;
};

static int compare_places(const void *one, const void *other)
{
	const struct mapped_place *a = one, *b = other;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static int compare_processes(const void *one, const void *other)
{
	const struct mapped_place *a = one, *b = other;

	return a->pid != b->pid ? (a->pid < b->pid ? -1 : 1) : compare_places(one, other);
}

/* The number of the first place of a process; the places are sorted. */
static size_t first_place(const struct task_list *list, uint32_t pid)
{
	return PARTITION_POINT(i, 0, list->place_count, list->places[i].pid < pid);
}

static bool has_places(const struct task_list *list, uint32_t pid)
{
	const size_t first = first_place(list, pid);

	return first < list->place_count && list->places[first].pid == pid;
}

static uint32_t mapped_above(const struct task_list *list, uint32_t task)
{
	const uint32_t parent = list->tasks[task].parent;

	return parent == NO_TASK ? NO_TASK : list->tasks[parent].mapped;
}

/* Call it for a task's parent first. */
static void find_mapped(struct task_list *list, uint32_t number)
{
	struct task *task = &list->tasks[number];

	task->mapped = has_places(list, task->pid) ? number : mapped_above(list, number);
}

/* Places of the task's process and of its ancestors' processes, by address. */
struct places {
	struct mapped_place *items;
	size_t count, capacity;
};

static void add_places(struct places *places, const struct task_list *list, uint32_t pid)
{
	const size_t first = first_place(list, pid);
	size_t end = first;

	while (end < list->place_count && list->places[end].pid == pid)
		end++;
	if (end == first)
		return;
	places->items = array_grow(places->items, &places->capacity, places->count + end - first,
				   sizeof(*places->items));
	memcpy(places->items + places->count, list->places + first, (end - first) * sizeof(*places->items));
	places->count += end - first;
}

static void find_places(struct places *places, const struct task_list *list, uint32_t task)
{
	uint32_t pid = UINT32_MAX;

	for (task = list->tasks[task].mapped; task != NO_TASK; task = mapped_above(list, task))
		if (list->tasks[task].pid != pid) { /* once for all threads of one process */
			pid = list->tasks[task].pid;
			add_places(places, list, pid);
		}
	if (places->count)
		qsort(places->items, places->count, sizeof(*places->items), compare_places);
}

static bool is_same(const struct mapping *one, const struct mapping *other)
{
	return one->start == other->start && one->end == other->end && one->dso == other->dso &&
	       one->file_offset == other->file_offset && one->prot == other->prot;
}

/* MAP_* of the record that made a mapping: the last one with its bounds. `until`: number of a place after its start. */
static uint32_t flags_of(const struct places *places, size_t until, const struct mapping *mapping)
{
	while (until-- > 0 && places->items[until].address >= mapping->start)
		if (places->items[until].address == mapping->start &&
		    places->items[until].end == mapping->end)
			return places->items[until].flags;
	return 0;
}

/*
 * Mappings of the process, own or inherited, that still exist. Nothing changes between one place and the next, so looks mappings
 * up at each place, and joins the parts of one mapping. The caller frees the array.
 */
static struct shown_mapping *find_mappings(const struct task_list *list, uint32_t task, size_t *count)
{
	const uint32_t pid = list->tasks[task].pid;
	struct places places = { .items = NULL };
	struct shown_mapping *found = NULL, *last = NULL;
	size_t capacity = 0;

	*count = 0;
	find_places(&places, list, task);
	for (size_t i = 0; i < places.count; i++) {
		const uint64_t start = places.items[i].address;
		const uint64_t next = i + 1 < places.count ? places.items[i + 1].address : UINT64_MAX;
		struct mapping mapping;
		uint64_t end;

		if (next == start ||
		    process_table_find(list->processes, pid, UINT64_MAX, ADDRESS_USER, start, &mapping) != 1)
			continue;
		end = mapping.end < next ? mapping.end : next;
		if (last && last->mapping.end == start && is_same(&last->whole, &mapping)) {
			last->mapping.end = end;
			continue;
		}
		last = ARRAY_ADD(found, *count, capacity);
		*last = (struct shown_mapping){ mapping, mapping, flags_of(&places, i + 1, &mapping) };
		last->mapping.file_offset += start - mapping.start;
		last->mapping.start = start;
		last->mapping.end = end;
	}
	free(places.items);
	return found;
}

static void add_mappings(struct strbuf *out, const struct task_list *list, uint32_t task, size_t indent)
{
	size_t count;
	struct shown_mapping *mappings = find_mappings(list, task, &count);

	for (size_t i = 0; i < count; i++) {
		const struct mapping *mapping = &mappings[i].mapping;

		strbuf_addf(out, "%*s  %" PRIx64 "-%" PRIx64 " %c%c%c%c %08" PRIx64 " %" PRIu64 " ",
			    (int)indent, "", mapping->start, mapping->end,
			    mapping->prot & PROT_READ ? 'r' : '-', mapping->prot & PROT_WRITE ? 'w' : '-',
			    mapping->prot & PROT_EXEC ? 'x' : '-', mappings[i].flags & MAP_SHARED ? 's' : 'p',
			    mapping->file_offset, mapping->dso->inode);
		safe_text_add(out, mapping->dso->path);
		strbuf_addc(out, '\n');
	}
	free(mappings);
}

/* --- lines ------------------------------------------------------------------------------------------------- */

enum { MAX_LEVEL = 100 }; /* of indentation */

static void add_task(struct strbuf *out, struct task_list *list, uint32_t number, unsigned level,
		     bool with_mappings)
{
	const struct task *task = &list->tasks[number];
	const size_t start = out->size;
	size_t indent;

	strbuf_addf(out, "  %8" PRIu32 " %8" PRIu32 " %8" PRId64 " |%*s", task->pid, task->tid,
		    task->parent_tid, (int)(level < MAX_LEVEL ? level : MAX_LEVEL), "");
	indent = out->size - start;
	safe_text_add(out, process_table_comm(list->processes, task->pid, task->tid, UINT64_MAX));
	strbuf_addc(out, '\n');
	if (with_mappings && task->pid == task->tid)
		add_mappings(out, list, number, indent);
}

static int by_parent(const void *one, const void *other, void *context)
{
	const struct task *tasks = ((const struct task_list *)context)->tasks;
	const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;

	if (tasks[a].parent != tasks[b].parent)
		return tasks[a].parent < tasks[b].parent ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Index in `order` of the first child of `parent`. If it has none: of a task with another parent, or task_count. */
static size_t first_child(const struct task_list *list, const uint32_t *order, uint32_t parent)
{
	return PARTITION_POINT(i, 0, list->task_count, list->tasks[order[i]].parent < parent);
}

/* Children follow their parent, in order of their tids. */
static void add_tree(struct strbuf *out, struct task_list *list, const uint32_t *order, bool with_mappings)
{
	struct level {
		uint32_t parent;
		size_t next; /* child, in `order` */
	} *levels = xmalloc((list->task_count + 1) * sizeof(*levels));
	size_t depth = 0; /* number of open levels; 0: done */

	levels[depth++] = (struct level){ NO_TASK, first_child(list, order, NO_TASK) };
	while (depth > 0) {
		struct level *level = &levels[depth - 1];
		uint32_t task;

		if (level->next == list->task_count ||
		    list->tasks[order[level->next]].parent != level->parent) {
			depth--;
			continue;
		}
		task = order[level->next++];
		find_mapped(list, task);
		add_task(out, list, task, (unsigned)(depth - 1), with_mappings);
		levels[depth++] = (struct level){ task, first_child(list, order, task) };
	}
	free(levels);
}

void task_list_add(struct strbuf *out, struct task_list *list, bool with_mappings)
{
	uint32_t *order;

	merge_tasks(list);
	find_parents(list);
	if (list->place_count)
		qsort(list->places, list->place_count, sizeof(*list->places), compare_processes);
	order = xmalloc((list->task_count + 1) * sizeof(*order));
	for (uint32_t i = 0; i < list->task_count; i++)
		order[i] = i;
	qsort_r(order, list->task_count, sizeof(*order), by_parent, list);
	strbuf_addf(out, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	add_tree(out, list, order, with_mappings);
	free(order);
}
