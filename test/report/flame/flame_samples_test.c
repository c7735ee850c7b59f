#include "report/flame/flame_samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/profile_builder.h"

#define MS UINT64_C(1000000)

/* The numbers that a page gets of a profile's samples, with a time for each sample. */
static char *json_with_keys(struct profile *profile, const uint64_t *times_ns, size_t time_count,
			    const struct filter *filter, const struct sample_keys *keys)
{
	struct selection selection = { .event = PROFILE_NONE, .filter = *filter };
	struct frame_table frames;
	struct view_input input = {
		.profile = profile, .frames = &frames, .selection = &selection, .keys = keys
	};
	const struct flame_recipe recipe = { .by_count = 0 };
	struct timeline *timeline = timeline_create(100);
	uint32_t leaves[8], places[32], numbers[512], i;
	struct flame_samples samples;
	struct flame_graph graph;
	struct strbuf out;
	char *text;

	for (i = 0; i < time_count; i++)
		timeline_add(timeline, times_ns[i], i, profile_sample_at(profile, i)->weight);
	timeline_finish(timeline, 10);
	frame_table_init(&frames, profile);
	flame_graph_init(&graph, false);
	flame_graph_add_profile(&graph, &input, &recipe, leaves);
	flame_samples_init(&samples, &graph, &input, leaves, timeline);
	for (i = 0; i < 32; i++)
		places[i] = i + 1;           /* nodes in the order in which they were made */
	memset(numbers, 0, sizeof(numbers)); /* other tests check the names of frames */
	strbuf_init(&out);
	flame_samples_add_json(&out, &samples, &graph, places, numbers);
	text = xstrdup(out.bytes);
	strbuf_fini(&out);
	flame_samples_fini(&samples);
	flame_graph_fini(&graph);
	frame_table_fini(&frames);
	timeline_destroy(timeline);
	return text;
}

static char *json_of(struct profile *profile, const uint64_t *times_ns, size_t time_count,
		     const struct filter *filter)
{
	return json_with_keys(profile, times_ns, time_count, filter, NULL);
}

static struct profile *three_samples(void)
{
	struct profile *p = profile_create();
	uint32_t cycles = builder_event(p, "cycles"), faults = builder_event(p, "faults");

	builder_add(p, cycles, "web 1/2 0", "web`main;web`parse", 1, 100);
	builder_add(p, cycles, "web 1/3 5", "web`main", 1, 300);
	builder_add(p, faults, "web 1/2 0", "web`main", 1, 200);
	return p;
}

static void assert_holds(const char *text, const char *part)
{
	if (!strstr(text, part))
		assert_string_equal(text, part);
}

/*
 * Nodes: main 1, parse 2. Rows by node: main (thread 1, CPU 1, cgroup 0, event 0, 1 sample of 3), main (0, 0, 0, 1, 1 of 2),
 * parse (0, 0, 0, 0, 1 of 1); first how much larger the node's number is than the previous: 1, 0, 1.
 */
static void rows_are_in_the_order_of_nodes(void **state)
{
	struct profile *p = three_samples();
	char *text = json_of(p, NULL, 0, &(struct filter){ 0 });

	(void)state;
	assert_holds(text, "\"row_scale\":100,\"rows\":\"BBBAABD"
			   "AAAABBC"
			   "BAAAABB\"");
	free(text);
	profile_destroy(p);
}

static void lists_say_who_and_where(void **state)
{
	struct profile *p = three_samples();
	char *text = json_of(p, NULL, 0, &(struct filter){ 0 });

	(void)state;
	assert_holds(text, "\"events\":[[\"cycles\",0],[\"faults\",0]]");
	assert_holds(text, "\"threads\":[[1,2,0,0,0],[1,3,0,0,0]]");
	assert_holds(text, "\"cpus\":[[0,0],[5,0]]");
	assert_holds(text, "\"cgroups\":[0]");
	free(text);
	profile_destroy(p);
}

static void what_filters_leave_out_is_in_no_row(void **state)
{
	struct profile *p = three_samples();
	char *text = json_of(p, NULL, 0, &(struct filter){ .tids = (const uint32_t[]){ 3 }, .tid_count = 1 });

	(void)state;
	assert_holds(text, "\"threads\":[[1,3,0,0,0]]");
	assert_holds(text, "\"row_scale\":300,\"rows\":\"BAAAABB\"");
	free(text);
	profile_destroy(p);
}

/*
 * Slots of 2 ms: the first sample in slot 5, the third in 5, the second in 8. Rows as above: parse is 2, main of faults 1, main
 * of cycles 0. The usual weight is that of the first, 1; samples with another one have it.
 */
static void times_are_in_the_order_of_slots(void **state)
{
	struct profile *p = three_samples();
	char *text = json_of(p, (const uint64_t[]){ 10 * MS, 16 * MS, 11 * MS }, 3, &(struct filter){ 0 });

	(void)state;
	assert_holds(text, "\"slot_ns\":2000000,\"first_slot\":5,\"slots\":50,\"usual\":1,\"times\":\"ACC"
			   "ABDC"
			   "DADD\"");
	free(text);
	profile_destroy(p);
}

/* Adds another sample like the first of the profile, of that event and with that state as its key. */
static void add_in_state(struct profile *p, struct sample_keys *keys, uint32_t event, const char *state)
{
	const char *texts[SAMPLE_KEY_COUNT] = { [SAMPLE_KEY_STATE] = state };
	struct profile_sample sample = *profile_sample_at(p, 0);

	sample.event = event;
	sample.keys = sample_keys_add(keys, texts);
	(void)profile_add(p, &sample);
}

/* Samples of a thread that ran, of one that slept, of a wait without a state, and of a disk. */
static void rows_have_the_states_of_waits(void **state)
{
	const struct sample_key_request request = { .wanted = { [SAMPLE_KEY_STATE] = true } };
	struct sample_keys *keys = sample_keys_create(&request);
	struct profile *p = profile_create();
	const uint32_t waits = builder_event(p, "offcpu-time");
	char *text;

	(void)state;
	builder_add(p, builder_event(p, "cycles"), "web 1/2 0", "web`main", 1, 100);
	add_in_state(p, keys, waits, "sleeping");
	add_in_state(p, keys, waits, "running");
	add_in_state(p, keys, waits, "disk");
	text = json_with_keys(p, NULL, 0, &(struct filter){ 0 }, keys);
	assert_holds(text, "\"states\":[\"sleeping\",\"unknown\",\"disk\"],\"row_states\":\"ABCD\"");
	free(text);
	profile_destroy(p);
	sample_keys_destroy(keys);
}

static void without_waits_there_are_no_states(void **state)
{
	struct profile *p = three_samples();
	char *text = json_of(p, NULL, 0, &(struct filter){ 0 });

	(void)state;
	assert_null(strstr(text, "states"));
	free(text);
	profile_destroy(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_in_the_order_of_nodes),
		cmocka_unit_test(lists_say_who_and_where),
		cmocka_unit_test(what_filters_leave_out_is_in_no_row),
		cmocka_unit_test(times_are_in_the_order_of_slots),
		cmocka_unit_test(rows_have_the_states_of_waits),
		cmocka_unit_test(without_waits_there_are_no_states),
	};

	return cmocka_run_group_tests_name("report/flame/flame_samples", tests, NULL, NULL);
}
