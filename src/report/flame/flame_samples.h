#ifndef XPROF_REPORT_FLAME_FLAME_SAMPLES_H
#define XPROF_REPORT_FLAME_FLAME_SAMPLES_H

/*
 * The data by which a page groups and filters stacks by itself: for each distinct sample its node of the flame graph, its
 * thread, CPU, cgroup and event; and how many such samples were taken when.
 *
 * As JSON, read by flame_samples.js; numbers are encoded as in flame_html.h:
 *
 *	"events": [[name, number of its frame], ...], "threads": [[pid, tid, frames of comm, pid and tid], ...],
 *	"cpus": [[number or -1, frame], ...], "cgroups": [frame, ...], "row_scale": number,
 *	"rows": "...": for each row, in order of nodes: difference of its node number from the previous row's; thread,
 *		CPU, cgroup and event, as numbers of the lists above; samples; weight / row_scale
 *	"states": [name, ...], "row_states": "...": for each row 0 if the thread ran, else the number of the name, from 1;
 *		neither exists unless the recording has time off the CPU
 *	"spans": [["first", "last nanosecond"], ...] of --time, "slot_ns", "first_slot": numbers, "slots": slots in a column,
 *	"times": "...": for each entry, in order of slots: difference from the previous slot; row; samples * 2, + 1 if the
 *		weight is not samples * row_scale * usual; then weight / row_scale follows; "usual": number
 *	"every": number, of a recording with so many samples that "times" has only one of each so many; then "slot_counts": "...",
 *		all samples of each slot, may be there
 */

#include "profile/timeline.h"
#include "report/flame/flame_graph.h"
#include "report/flame/flame_groups.h"
#include "report/load/time_range.h"

struct flame_row {
	uint32_t node; /* node of the graph's tree */
	uint32_t thread, cpu, cgroup, event;
	uint32_t state; /* number in struct flame_samples; 0: the thread ran */
	uint64_t count, weight;
};

struct flame_thread {
	uint32_t pid, tid;
	uint32_t keys[3]; /* keys of the graph, by enum flame_group: comm, pid, tid */
};

struct flame_samples {
	struct flame_thread *threads;
	size_t thread_count;
	uint32_t *cpus, *cpu_keys; /* PROFILE_NONE: unknown */
	size_t cpu_count;
	uint32_t *cgroup_keys;
	size_t cgroup_count;
	uint32_t *event_keys;
	size_t event_count;
	struct str_pool *states; /* how threads waited, as `xprof report -s state` shows it; numbers from 1 */
	struct flame_row *rows;
	size_t row_count;
	struct timeline_entry *times; /* `sample` is the number of a row */
	size_t time_count;
	uint32_t every; /* `times` has one of each so many samples */
	uint64_t slot_ns;
	uint32_t *slot_counts; /* of all samples, from first_slot on; NULL unless every > 1 and all samples are in rows */
	uint64_t first_slot;
	size_t slot_count;
	struct time_ranges spans; /* selected by --time */
};

/*
 * `leaves` is the result of flame_graph_add_profile(); the timeline has the profile's sample numbers. Keys of groups are added
 * to the graph's texts. States come from input->keys, which may be NULL.
 */
void flame_samples_init(struct flame_samples *samples, struct flame_graph *graph,
			const struct view_input *input, const uint32_t *leaves,
			const struct timeline *timeline);
void flame_samples_fini(struct flame_samples *samples);

/* Is there any sample of time off the CPU? */
bool flame_samples_have_waits(const struct flame_samples *samples);

/*
 * Appends a comma and members of a JSON object. `places`: by node, its place on the page, from 1; `frames`: by key, the number
 * of its frame.
 */
void flame_samples_add_json(struct strbuf *out, const struct flame_samples *samples,
			    const struct flame_graph *graph, const uint32_t *places, const uint32_t *frames);

#endif
