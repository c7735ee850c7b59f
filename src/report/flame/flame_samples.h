#ifndef XPROF_REPORT_FLAME_FLAME_SAMPLES_H
#define XPROF_REPORT_FLAME_FLAME_SAMPLES_H

/*
 * Everything a page needs beside the stacks to group and filter by itself: for each distinct sample the node
 * of the flame graph that it ends at, its thread, CPU, cgroup and event; and when how many of them were
 * taken.
 *
 * As JSON (flame_samples.js is the other side; numbers as in flame_html.h):
 *
 *	"events": [[name, number of its frame], ...], "threads": [[pid, tid, frames of comm, pid and tid], ...],
 *	"cpus": [[number or -1, frame], ...], "cgroups": [frame, ...], "row_scale": number,
 *	"rows": "...": of each, in order of nodes: how much larger its node's number is than the last one's; thread,
 *		CPU, cgroup and event, as numbers of the lists above; samples; weight / row_scale
 *	"states": [name, ...], "row_states": "...": of each row 0: a thread that ran, or else the number of the name from 1 on;
 *		neither is there unless the recording has time off the CPU
 *	"spans": [["first", "last nanosecond"], ...] of --time, "slot_ns", "first_slot": numbers, "slots": slots in a column,
 *	"times": "...": of each, in order of slots: how many slots after the last one; row; samples * 2, + 1 where the
 *		weight is not as many times row_scale * usual as there are samples and follows, / row_scale; "usual": number
 */

#include "profile/timeline.h"
#include "report/flame/flame_graph.h"
#include "report/flame/flame_groups.h"
#include "report/load/time_range.h"

struct flame_row {
	uint32_t node; /* of the graph's tree */
	uint32_t thread, cpu, cgroup, event;
	uint32_t state; /* of struct flame_samples; 0: the thread ran */
	uint64_t count, weight;
};

struct flame_thread {
	uint32_t pid, tid;
	uint32_t keys[3]; /* of the graph, by enum flame_group: comm, pid, tid */
};

struct flame_samples {
	struct flame_thread *threads;
	size_t thread_count;
	uint32_t *cpus, *cpu_keys; /* PROFILE_NONE: not known */
	size_t cpu_count;
	uint32_t *cgroup_keys;
	size_t cgroup_count;
	uint32_t *event_keys;
	size_t event_count;
	struct str_pool *states; /* how threads waited, as `xprof report -s state` has it, from 1 on */
	struct flame_row *rows;
	size_t row_count;
	struct timeline_entry *times; /* `sample` is a row */
	size_t time_count;
	uint64_t slot_ns;
	struct time_ranges spans; /* that --time left */
};

/*
 * `leaves` is what flame_graph_add_profile() filled; numbers of samples in the timeline are the profile's. Keys of
 * groups are added to the graph's texts. States are those of input->keys, which may be NULL.
 */
void flame_samples_init(struct flame_samples *samples, struct flame_graph *graph,
			const struct view_input *input, const uint32_t *leaves,
			const struct timeline *timeline);
void flame_samples_fini(struct flame_samples *samples);

/* Is any sample of time off the CPU? */
bool flame_samples_have_waits(const struct flame_samples *samples);

/* Members of an object, behind a comma. By node: its place on the page, from 1; by key: the number of its frame. */
void flame_samples_add_json(struct strbuf *out, const struct flame_samples *samples,
			    const struct flame_graph *graph, const uint32_t *places, const uint32_t *frames);

#endif
