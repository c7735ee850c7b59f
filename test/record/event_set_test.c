#include "record/event_set.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/event/event_parser.h"
#include "support/cmocka.h"

/* These tests use the real kernel, which may refuse. */

static struct event_specs clock_and_faults;

static int set_up(void **state)
{
	(void)state;
	/* user space only: needs no privileges */
	return event_specs_parse(&clock_and_faults, "cpu-clock:u,page-faults:u", &event_sources_system, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	event_specs_fini(&clock_and_faults);
	return 0;
}

static struct target this_thread(void)
{
	struct target target;

	assert_int_equal(target_resolve(&target, &(struct target_request){ 0 }, &target_roots_system, NULL),
			 0);
	target_add_thread(&target, getpid(), getpid());
	return target;
}

static struct event_set *open_specs_or_skip(const struct event_specs *specs, const struct target *target,
					    const struct event_set_options *options)
{
	struct error err = { 0 };
	struct strbuf notices;
	struct event_set *set;

	strbuf_init(&notices);
	set = event_set_open(specs, target, options, &notices, &err);
	strbuf_fini(&notices);
	if (!set &&
	    (err.errno_value == EACCES || err.errno_value == EPERM || strstr(err.message, "perf events")))
		skip();
	if (!set)
		fail_msg("%s", err.message);
	return set;
}

static struct event_set *open_or_skip(const struct target *target, const struct event_set_options *options)
{
	return open_specs_or_skip(&clock_and_faults, target, options);
}

static void spend_cpu_time_ms(int milliseconds)
{
	struct timespec now;
	long end_ms;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	end_ms = now.tv_sec * 1000 + now.tv_nsec / 1000000 + milliseconds;
	do {
		for (volatile int i = 0; i < 50000; i++) /* stays mostly in user space, which is sampled */
			;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < end_ms);
}

static void count_samples(const uint8_t *record, size_t size, void *samples)
{
	struct perf_event_header header;

	assert_true(size >= sizeof(header));
	memcpy(&header, record, sizeof(header));
	*(size_t *)samples += header.type == PERF_RECORD_SAMPLE;
}

static size_t samples_in_rings(struct event_set *set)
{
	static uint8_t bounce[RING_RECORD_MAX_BYTES];
	size_t samples = 0;

	for (size_t i = 0; i < event_set_ring_count(set); i++) {
		struct ring_walk walk = { .spans = ring_buffer_peek(event_set_ring(set, i)) };
		const uint8_t *run;
		size_t size;

		while (ring_walk_next(&walk, bounce, &run, &size, count_samples, &samples) > 0)
			;
		ring_buffer_release(event_set_ring(set, i), walk.spans.head);
	}
	return samples;
}

static const struct event_set_options quick = { .sampling = { .frequency = 2000 }, .ring_pages = 4 };

static void samplers_are_silent_until_they_are_enabled_and_after_they_are_disabled(void **state)
{
	struct target target = this_thread();
	struct event_set *set = open_or_skip(&target, &quick);

	(void)state;
	spend_cpu_time_ms(20);
	assert_int_equal(samples_in_rings(set), 0);
	assert_int_equal(event_set_enable(set, NULL), 0);
	spend_cpu_time_ms(50);
	assert_true(samples_in_rings(set) > 20);
	event_set_disable(set);
	samples_in_rings(set);
	spend_cpu_time_ms(20);
	assert_int_equal(samples_in_rings(set), 0);
	event_set_close(set);
	target_fini(&target);
}

static void members_of_a_group_start_with_their_leader(void **state)
{
	struct target target = this_thread();
	struct event_specs specs = { 0 };
	const struct written_event *samplers;
	struct event_set *set;

	(void)state;
	/* The leader counts nothing here, so all samples are the member's. */
	assert_int_equal(event_specs_parse(&specs, "{page-faults,cpu-clock}:u", &event_sources_system, NULL),
			 0);
	set = open_specs_or_skip(&specs, &target, &quick);
	samplers = event_set_samplers(set);
	assert_int_equal(samplers[0].group_size, 2);
	assert_true(samplers[0].attr->disabled);
	assert_int_equal(samplers[1].group_size, 0);
	assert_false(samplers[1].attr->disabled);
	spend_cpu_time_ms(20);
	assert_int_equal(samples_in_rings(set), 0);
	assert_int_equal(event_set_enable(set, NULL), 0);
	spend_cpu_time_ms(50);
	assert_true(samples_in_rings(set) > 20);
	event_set_close(set);
	event_specs_fini(&specs);
	target_fini(&target);
}

static void there_is_one_ring_per_cpu_and_one_event_per_sampler_thread_and_cpu(void **state)
{
	struct target target = this_thread();
	struct event_set *set = open_or_skip(&target, &quick);

	(void)state;
	assert_int_equal(event_set_ring_count(set), target.cpu_count);
	assert_int_equal(event_set_open_count(set), 3 * target.cpu_count); /* including the sideband event */
	assert_int_equal(event_set_ring_bytes(set), 4 * (size_t)sysconf(_SC_PAGESIZE));
	event_set_close(set);
	target_fini(&target);
}

static void the_sideband_ids_belong_to_the_first_sampler(void **state)
{
	struct target target = this_thread();
	struct event_set *set = open_or_skip(&target, &quick);
	const struct written_event *samplers = event_set_samplers(set);

	(void)state;
	assert_int_equal(event_set_sampler_count(set), 2);
	assert_string_equal(samplers[0].name, "cpu-clock:u");
	assert_string_equal(samplers[1].name, "page-faults:u");
	assert_int_equal(samplers[0].id_count, 2 * target.cpu_count);
	assert_int_equal(samplers[1].id_count, target.cpu_count);
	for (size_t i = 0; i < samplers[0].id_count; i++) {
		assert_true(samplers[0].ids[i] != 0);
		for (size_t j = 0; j < i; j++)
			assert_true(samplers[0].ids[i] != samplers[0].ids[j]);
	}
	assert_true(samplers[0].attr->comm && !samplers[1].attr->comm);
	event_set_close(set);
	target_fini(&target);
}

static void a_thread_that_is_not_there_is_an_error(void **state)
{
	struct error err = { 0 };
	struct target target;
	struct strbuf notices;

	(void)state;
	assert_int_equal(target_resolve(&target, &(struct target_request){ 0 }, &target_roots_system, NULL),
			 0);
	target_add_thread(&target, 0x3fffff, 0x3fffff); /* the largest possible pid */
	strbuf_init(&notices);
	assert_null(event_set_open(&clock_and_faults, &target, &quick, &notices, &err));
	assert_true(strstr(err.message, "no such process") || strstr(err.message, "permission"));
	strbuf_fini(&notices);
	target_fini(&target);
}

/*
 * Opens cpu-clock with the rings and the call graph of the options. Returns the dump size of its samples, and the notices in
 * `said`.
 */
static uint32_t dump_bytes_opened(const struct event_set_options *options, char *said, size_t said_size)
{
	struct target target = this_thread();
	struct error err = { 0 };
	struct strbuf notices;
	struct event_set *set;
	uint32_t dump_bytes = 0;

	strbuf_init(&notices);
	set = event_set_open(&clock_and_faults, &target, options, &notices, &err);
	snprintf(said, said_size, "%s", notices.bytes ? notices.bytes : "");
	if (set)
		dump_bytes = event_set_samplers(set)[0].attr->sample_stack_user;
	event_set_close(set);
	strbuf_fini(&notices);
	target_fini(&target);
	if (!set)
		skip();
	return dump_bytes;
}

static void dumps_are_shortened_to_what_rings_hold_and_that_is_said(void **state)
{
	struct event_set_options options = { .sampling = { .frequency = 2000 }, .ring_pages = 4 };
	char said[256];

	(void)state;
	if (call_graph_user_regs() == 0 || sysconf(_SC_PAGESIZE) != 4096)
		skip();
	options.sampling.call_graph = call_graph_best();
	assert_int_equal(dump_bytes_opened(&options, said, sizeof(said)), 2048);
	assert_string_equal(said,
			    "stack dumps of 2048 bytes instead of 16384: rings of 16 KiB have no room for "
			    "larger ones; use larger rings (-m)\n");
	options.sampling.call_graph.stack_dump_bytes = 2048;
	assert_int_equal(dump_bytes_opened(&options, said, sizeof(said)), 2048);
	assert_string_equal(said, "");
}

/* Opens events in the real kernel, except that it can refuse those of CPUs. Counts the open events of either kind. */
static bool refuses_cpus;
static size_t opened_of_cpus, opened_of_threads;

static int open_counted(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
			unsigned long flags)
{
	int fd = -1;

	errno = EACCES;
	if (pid != -1 || !refuses_cpus)
		fd = perf_calls_system.open(attr, pid, cpu, group_fd, flags);
	*(pid == -1 ? &opened_of_cpus : &opened_of_threads) += fd >= 0;
	return fd;
}

static void open_dummies(const struct target *target)
{
	struct perf_calls calls = perf_calls_system;
	const struct event_set_options options = { .ring_pages = 4, .only_sideband = true, .calls = &calls };
	struct event_specs dummies = { .count = 0 };

	calls.open = open_counted;
	opened_of_cpus = opened_of_threads = 0;
	assert_int_equal(event_specs_parse(&dummies, "dummy:u", &event_sources_system, NULL), 0);
	event_set_close(open_specs_or_skip(&dummies, target, &options));
	event_specs_fini(&dummies);
}

static void events_that_sample_nothing_are_opened_for_cpus(void **state)
{
	struct target target = this_thread();

	(void)state;
	refuses_cpus = false;
	open_dummies(&target);
	if (!opened_of_cpus)
		skip(); /* not permitted */
	assert_int_equal(opened_of_cpus, 2 * target.cpu_count);
	assert_int_equal(opened_of_threads, 0);
	target_fini(&target);
}

static void and_where_that_is_refused_for_threads(void **state)
{
	struct target target = this_thread();

	(void)state;
	refuses_cpus = true;
	open_dummies(&target);
	assert_int_equal(opened_of_cpus, 0);
	assert_int_equal(opened_of_threads, 2 * target.cpu_count);
	target_fini(&target);
}

/* Gives all CPUs but the last, as if that were offline. The thread may run on any CPU, thus also on that one. */
static void a_cpu_that_comes_later_is_sampled_under_the_ids_that_are_listed(void **state)
{
	struct target online = this_thread(), target = this_thread();
	struct event_set *set;
	struct strbuf said;
	size_t late = target.cpu_count - 1;

	(void)state;
	if (late == 0)
		skip();
	target.cpu_count--;
	target.away_count = 1;
	set = open_or_skip(&target, &quick);
	assert_int_equal(event_set_open_count(set), 3 * late);
	assert_null(event_set_ring(set, late)->control);
	assert_int_equal(event_set_enable(set, NULL), 0);
	event_set_begin_to_follow(set, 1000000000);
	assert_false(event_set_follow_cpus(set, &target, 1500000000));
	assert_true(event_set_follow_cpus(set, &online, 3000000000));
	assert_false(event_set_follow_cpus(set, &online, 4000000000));
	assert_int_equal(event_set_open_count(set), 3 * online.cpu_count);
	assert_non_null(event_set_ring(set, late)->control);
	assert_true(event_set_has_late_ids(set, late) && !event_set_has_late_ids(set, 0));
	spend_cpu_time_ms(50);
	assert_true(samples_in_rings(set) > 20);
	strbuf_init(&said);
	event_set_say_offline(set, 5000000000, &said);
	assert_non_null(strstr(
		said.bytes,
		"was offline for 2.00 s; threads and processes that the recorded threads had started"));
	strbuf_fini(&said);
	event_set_close(set);
	target_fini(&target);
	target_fini(&online);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samplers_are_silent_until_they_are_enabled_and_after_they_are_disabled),
		cmocka_unit_test(members_of_a_group_start_with_their_leader),
		cmocka_unit_test(there_is_one_ring_per_cpu_and_one_event_per_sampler_thread_and_cpu),
		cmocka_unit_test(the_sideband_ids_belong_to_the_first_sampler),
		cmocka_unit_test(dumps_are_shortened_to_what_rings_hold_and_that_is_said),
		cmocka_unit_test(a_thread_that_is_not_there_is_an_error),
		cmocka_unit_test(events_that_sample_nothing_are_opened_for_cpus),
		cmocka_unit_test(and_where_that_is_refused_for_threads),
		cmocka_unit_test(a_cpu_that_comes_later_is_sampled_under_the_ids_that_are_listed),
	};

	return cmocka_run_group_tests_name("record/event_set", tests, set_up, tear_down);
}
