#include "record/wait/wait_sampler.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/byte_reader.h"
#include "record/bpf/off_cpu_record.h"
#include "support/built_copy_ring.h"
#include "support/cmocka.h"

enum { TID = 7, WAKER = 9, COPY_TIME = 5000 };

/* A thread that is woken, and its waker. */
struct pair {
	uint32_t woken, waker;
	uint64_t waker_woken_ns;
};

static const char kallsyms[] = "ffffffff81001000 T try_to_wake_up\n"
			       "ffffffff81001100 T hrtimer_interrupt\n"
			       "ffffffff81001200 T futex_do_wait\n"
			       "ffffffff81001300 T other\n";

struct fixture {
	struct built_copy_ring built;
	struct kernel_functions *functions;
	struct wait_sampler *sampler;
	struct strbuf out;
	size_t at; /* offset of the next sample in `out` */
};

static void set_up(struct fixture *fixture)
{
	static const struct perf_event_attr attr = { .size = PERF_ATTR_SIZE_VER7 };
	struct wait_sampler_plan plan = { .sampler = &attr };

	*fixture = (struct fixture){ .functions = kernel_functions_create(kallsyms) };
	built_copy_ring_init(&fixture->built);
	plan.ring = &fixture->built.ring;
	plan.functions = fixture->functions;
	fixture->sampler = wait_sampler_create(&plan);
	strbuf_init(&fixture->out);
}

static void tear_down(struct fixture *fixture)
{
	wait_sampler_destroy(fixture->sampler);
	kernel_functions_destroy(fixture->functions);
	built_copy_ring_fini(&fixture->built);
	strbuf_fini(&fixture->out);
}

static void add_wake_of(struct fixture *fixture, struct pair pair, uint64_t time, uint64_t frame)
{
	struct off_cpu_stack_record wake = { .header = { OFF_CPU_RECORD_WAKE, 0, pair.woken, pair.woken,
							 time },
					     .stack_pid = pair.waker,
					     .stack_tid = pair.waker,
					     .kernel_count = 2,
					     .kernel = { 0xffffffff81001010, frame } };

	built_copy_ring_add(&fixture->built, 0, &wake, sizeof(wake));
}

static void add_wake(struct fixture *fixture, uint64_t time, uint64_t frame)
{
	add_wake_of(fixture, (struct pair){ .woken = TID, .waker = WAKER }, time, frame);
}

/* Adds a wait: 100 ns asleep in a futex, then 10 ns for a CPU. */
static void add_wait_of(struct fixture *fixture, struct pair pair, uint32_t number, uint64_t wake_ns,
			uint64_t blocked_weight, uint64_t waiting_weight)
{
	struct off_cpu_wait_record wait = {
		.header = { OFF_CPU_RECORD_WAIT, number, pair.woken, pair.woken, wake_ns + 10 },
		.times = { .begin_ns = wake_ns - 100,
			   .blocked_ns = 100,
			   .waiting_ns = 10,
			   .blocked_weight = blocked_weight,
			   .waiting_weight = waiting_weight,
			   .wake_ns = wake_ns },
		.waker = { .pid = pair.waker,
			   .tid = pair.waker,
			   .comm = "waker",
			   .captured = true,
			   .woken_ns = pair.waker_woken_ns },
		.syscall = 202,
		.left = OFF_CPU_LEFT_SLEEPING,
		.kernel_count = 1,
		.kernel = { 0xffffffff81001210 },
	};

	built_copy_ring_add(&fixture->built, 0, &wait, sizeof(wait));
}

static void add_wait(struct fixture *fixture, uint32_t number, uint64_t wake_ns, uint64_t blocked_weight,
		     uint64_t waiting_weight)
{
	add_wait_of(fixture, (struct pair){ .woken = TID, .waker = WAKER }, number, wake_ns, blocked_weight,
		    waiting_weight);
}

static void add_copy(struct fixture *fixture, uint32_t number)
{
	struct off_cpu_stack_record copy = { .header = { OFF_CPU_RECORD_COPY, number, TID, TID, COPY_TIME } };

	built_copy_ring_add(&fixture->built, 0, &copy, sizeof(copy));
}

static void run_round(struct fixture *fixture)
{
	wait_sampler_begin_round(fixture->sampler);
	wait_sampler_append(fixture->sampler, &fixture->out);
}

/* Reads the next sample of the output. Returns false after the last. */
static bool next_sample(struct fixture *fixture, uint64_t *time, uint64_t *period, struct off_cpu_wait *wait)
{
	struct byte_reader r =
		byte_reader_over(fixture->out.bytes + fixture->at, fixture->out.size - fixture->at, false);
	struct perf_event_header header;
	uint32_t raw_size;
	struct error err;

	if (!byte_reader_left(&r))
		return false;
	memcpy(&header, byte_reader_bytes(&r, sizeof(header)), sizeof(header));
	assert_int_equal(header.type, PERF_RECORD_SAMPLE);
	byte_reader_skip(&r, 8 + 8 + 8); /* id, ip, thread */
	*time = byte_reader_u64(&r);
	byte_reader_skip(&r, 8); /* CPU */
	*period = byte_reader_u64(&r);
	byte_reader_skip(&r, 8 * byte_reader_u64(&r));
	raw_size = byte_reader_u32(&r);
	assert_int_equal(off_cpu_wait_decode(wait, byte_reader_bytes(&r, raw_size), raw_size, false, &err),
			 0);
	fixture->at += header.size;
	return true;
}

static void a_wait_is_held_until_its_stack_comes(void **state)
{
	struct off_cpu_wait wait;
	struct fixture fixture;
	uint64_t time, period;

	(void)state;
	set_up(&fixture);
	add_wake(&fixture, 1000, 0xffffffff81001310);
	add_wait(&fixture, 1, 1000, 100, 0);
	run_round(&fixture);
	assert_int_equal(fixture.out.size, 0);
	assert_int_equal(fixture.built.consumer, fixture.built.producer);
	add_copy(&fixture, 1);
	run_round(&fixture);
	assert_true(next_sample(&fixture, &time, &period, &wait));
	assert_int_equal(time, COPY_TIME);
	assert_int_equal(period, 100);
	assert_int_equal(wait.state, OFF_CPU_SLEEPING);
	assert_int_equal(wait.kind, OFF_CPU_KIND_FUTEX);
	assert_int_equal(wait.begin_ns, 900);
	assert_int_equal(wait.wakers[0].kind, OFF_CPU_WAKER_THREAD);
	assert_int_equal(wait.wakers[0].tid, WAKER);
	assert_string_equal(wait.wakers[0].comm, "waker");
	assert_int_equal(wait.wakers[0].chain_count, 2); /* without the waker function */
	assert_true(off_cpu_wait_chain_word(&wait, &wait.wakers[0], 1) == UINT64_C(0xffffffff81001310));
	assert_false(next_sample(&fixture, &time, &period, &wait));
	tear_down(&fixture);
}

static void the_time_for_a_cpu_is_a_sample_of_its_own(void **state)
{
	struct off_cpu_wait wait;
	struct fixture fixture;
	uint64_t time, period;

	(void)state;
	set_up(&fixture);
	add_wake(&fixture, 1000, 0xffffffff81001310);
	add_wait(&fixture, 1, 1000, 100, 50);
	add_copy(&fixture, 1);
	run_round(&fixture);
	assert_true(next_sample(&fixture, &time, &period, &wait));
	assert_int_equal(wait.state, OFF_CPU_SLEEPING);
	assert_true(next_sample(&fixture, &time, &period, &wait));
	assert_int_equal(wait.state, OFF_CPU_RUNQUEUE);
	assert_int_equal(period, 50);
	assert_false(next_sample(&fixture, &time, &period, &wait));
	tear_down(&fixture);
}

static void an_interrupted_thread_is_no_waker(void **state)
{
	struct off_cpu_wait wait;
	struct fixture fixture;
	uint64_t time, period;

	(void)state;
	set_up(&fixture);
	add_wake(&fixture, 1000, 0xffffffff81001110);
	add_wait(&fixture, 0, 1000, 100, 0);
	run_round(&fixture);
	assert_true(next_sample(&fixture, &time, &period, &wait));
	assert_int_equal(wait.wakers[0].kind, OFF_CPU_WAKER_TIMER);
	assert_int_equal(wait.wakers[0].tid, 0);
	assert_string_equal(wait.wakers[0].comm, "");
	tear_down(&fixture);
}

static void several_waits_have_one_stack_and_each_its_waker(void **state)
{
	struct off_cpu_wait wait;
	struct fixture fixture;
	uint64_t time, period;

	(void)state;
	set_up(&fixture);
	add_wake(&fixture, 1000, 0xffffffff81001310);
	add_wait(&fixture, 1, 1000, 100, 0);
	add_wake(&fixture, 2000, 0xffffffff81001110);
	add_wait(&fixture, 1, 2000, 100, 0);
	add_copy(&fixture, 1);
	run_round(&fixture);
	assert_true(next_sample(&fixture, &time, &period, &wait));
	assert_int_equal(wait.wakers[0].kind, OFF_CPU_WAKER_THREAD);
	assert_true(next_sample(&fixture, &time, &period, &wait));
	assert_int_equal(wait.wakers[0].kind, OFF_CPU_WAKER_TIMER);
	assert_int_equal(time, COPY_TIME);
	tear_down(&fixture);
}

static void a_waker_of_another_wait_is_not_taken(void **state)
{
	struct off_cpu_wait wait;
	struct fixture fixture;
	uint64_t time, period;

	(void)state;
	set_up(&fixture);
	add_wake(&fixture, 500, 0xffffffff81001310);
	add_wait(&fixture, 0, 1000, 100, 0);
	run_round(&fixture);
	assert_true(next_sample(&fixture, &time, &period, &wait));
	assert_int_equal(wait.wakers[0].kind, OFF_CPU_WAKER_UNKNOWN);
	assert_int_equal(wait.wakers[0].tid, 0);
	tear_down(&fixture);
}

/* A timer wakes thread 9 at 960, 9 wakes 8 at 980, and 8 wakes 7 at 1000; each had slept for 100. */
static void a_chain_of_wakers_is_recorded(void **state)
{
	const struct pair pairs[] = { { 9, 1, 0 }, { 8, 9, 960 }, { TID, 8, 980 } };
	struct off_cpu_wait wait = { .further_count = 0 };
	struct fixture fixture;
	uint64_t time, period;

	(void)state;
	set_up(&fixture);
	for (size_t i = 0; i < 3; i++) {
		add_wake_of(&fixture, pairs[i], 960 + 20 * i,
			    i ? UINT64_C(0xffffffff81001310) : UINT64_C(0xffffffff81001110));
		add_wait_of(&fixture, pairs[i], 0, 960 + 20 * i, 100, 0);
	}
	run_round(&fixture);
	for (size_t i = 0; i < 3; i++) {
		assert_true(next_sample(&fixture, &time, &period, &wait));
		assert_int_equal(wait.further_count, i);
	}
	assert_int_equal(wait.wakers[0].tid, 8);
	assert_int_equal(wait.wakers[1].tid, 9);
	assert_int_equal(wait.wakers[1].woken_ns, 980);
	assert_int_equal(wait.wakers[1].chain_count, 2);
	assert_int_equal(wait.wakers[2].kind, OFF_CPU_WAKER_TIMER);
	assert_int_equal(wait.wakers[2].tid, 0);
	tear_down(&fixture);
}

static void waits_whose_stack_does_not_come_are_written_at_the_end(void **state)
{
	struct off_cpu_wait wait;
	struct fixture fixture;
	uint64_t time, period;

	(void)state;
	set_up(&fixture);
	add_wait(&fixture, 1, 1000, 100, 0);
	run_round(&fixture);
	wait_sampler_append_rest(fixture.sampler, &fixture.out);
	assert_true(next_sample(&fixture, &time, &period, &wait));
	assert_int_equal(time, 1010);
	assert_int_equal(wait_sampler_counts(fixture.sampler).samples, 1);
	assert_int_equal(wait_sampler_counts(fixture.sampler).without_stack, 1);
	wait_sampler_append_rest(fixture.sampler, &fixture.out);
	assert_false(next_sample(&fixture, &time, &period, &wait));
	tear_down(&fixture);
}

static void lost_waits_are_written(void **state)
{
	struct fixture fixture;
	struct perf_event_header header;
	uint64_t lost;

	(void)state;
	set_up(&fixture);
	wait_sampler_add_lost(fixture.sampler, &fixture.out);
	assert_int_equal(fixture.out.size, 0);
	wait_sampler_note_lost(fixture.sampler, 3);
	wait_sampler_add_lost(fixture.sampler, &fixture.out);
	memcpy(&header, fixture.out.bytes, sizeof(header));
	memcpy(&lost, fixture.out.bytes + sizeof(header), sizeof(lost));
	assert_int_equal(header.type, PERF_RECORD_LOST_SAMPLES);
	assert_int_equal(lost, 3);
	memcpy(&header, fixture.out.bytes + header.size, sizeof(header));
	assert_int_equal(header.type, PERF_RECORD_LOST);
	tear_down(&fixture);
}

static void records_that_are_too_short_are_left_out(void **state)
{
	const struct off_cpu_header header = { OFF_CPU_RECORD_WAIT, 0, TID, TID, 1 };
	struct fixture fixture;

	(void)state;
	set_up(&fixture);
	built_copy_ring_add(&fixture.built, 0, &header, sizeof(header));
	built_copy_ring_add(&fixture.built, 0, &header, 4);
	run_round(&fixture);
	assert_int_equal(fixture.out.size, 0);
	assert_int_equal(fixture.built.consumer, fixture.built.producer);
	tear_down(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_is_held_until_its_stack_comes),
		cmocka_unit_test(the_time_for_a_cpu_is_a_sample_of_its_own),
		cmocka_unit_test(an_interrupted_thread_is_no_waker),
		cmocka_unit_test(several_waits_have_one_stack_and_each_its_waker),
		cmocka_unit_test(a_waker_of_another_wait_is_not_taken),
		cmocka_unit_test(a_chain_of_wakers_is_recorded),
		cmocka_unit_test(waits_whose_stack_does_not_come_are_written_at_the_end),
		cmocka_unit_test(lost_waits_are_written),
		cmocka_unit_test(records_that_are_too_short_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
