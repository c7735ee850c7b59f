#include "record/ring_size.h"

#include "support/cmocka.h"

/* 2 CPUs and 8 GiB of memory in pages of 4 KiB. */
static size_t pages(uint32_t dump_bytes, uint64_t frequency)
{
	return ring_size_pages(&(struct ring_demand){ .dump_bytes = dump_bytes,
						      .rate_hz = frequency,
						      .cpu_count = 2,
						      .page_bytes = 4096,
						      .memory_pages = 2 << 20 });
}

static void small_samples_need_what_the_kernel_gives_everybody(void **state)
{
	(void)state;
	assert_int_equal(pages(0, 4000), 128);
	assert_int_equal(pages(0, 100000), 128);
}

static void with_dumps_a_ring_holds_the_eighth_part_of_a_second(void **state)
{
	(void)state;
	assert_int_equal(pages(16384, 4000), 2048);    /* 8,192,000 bytes */
	assert_int_equal(pages(16384, 10000), 8192);   /* 20 MB need 32 MiB */
	assert_int_equal(pages(64072, 100000), 16384); /* the limit is 64 MiB */
	assert_int_equal(pages(16384, 0), 2048);       /* sampled by count */
}

static void a_slow_rate_has_a_ring_for_a_second_of_at_least_1_mib(void **state)
{
	struct ring_demand copied = { .dump_bytes = 8,
				      .fixed_bytes = 1500,
				      .rate_hz = 99,
				      .cpu_count = 2,
				      .page_bytes = 4096,
				      .memory_pages = 2 << 20 };

	(void)state;
	assert_int_equal(pages(16384, 99), 512);   /* 1.5 MiB need 2 */
	assert_int_equal(pages(16384, 999), 2048); /* 15.6 MiB would be needed: 8 are enough */
	assert_int_equal(ring_size_pages(&copied), 256);
	copied.rate_hz = 999;
	assert_int_equal(ring_size_pages(&copied), 512);
	copied.rate_hz = 4000;
	assert_int_equal(ring_size_pages(&copied), 2048);
}

static size_t copies_mib(uint64_t rate_hz, size_t cpu_count, uint64_t copy_bytes)
{
	const struct ring_demand demand = { .rate_hz = rate_hz, .cpu_count = cpu_count };

	return ring_size_copies_bytes(&demand, copy_bytes) >> 20;
}

static void the_ring_of_copies_holds_a_second_of_all_cpus(void **state)
{
	(void)state;
	assert_int_equal(copies_mib(1, 2, 32 << 10), 4);      /* the largest stack of each CPU */
	assert_int_equal(copies_mib(1, 4, 32 << 10), 8);      /* the largest stack of four CPUs */
	assert_int_equal(copies_mib(99, 2, 32 << 10), 8);     /* 99 x 32 KiB x 2 */
	assert_int_equal(copies_mib(99, 4, 32 << 10), 16);    /* 12.4 MiB */
	assert_int_equal(copies_mib(999, 2, 4 << 10), 8);     /* 7.8 MiB: small stacks */
	assert_int_equal(copies_mib(499, 2, 32 << 10), 32);   /* 31.2 MiB */
	assert_int_equal(copies_mib(4000, 64, 32 << 10), 32); /* the limit is 32 MiB */
	assert_int_equal(copies_mib(0, 2, 32 << 10), 32);     /* sampled by count */
}

static void it_begins_with_a_sixteenth_of_what_large_stacks_take(void **state)
{
	(void)state;
	assert_int_equal(copies_mib(99, 2, 0), 4);
	assert_int_equal(copies_mib(999, 2, 0), 4);   /* 3.9 MiB */
	assert_int_equal(copies_mib(4000, 2, 0), 16); /* 15.6 MiB */
	assert_int_equal(copies_mib(4000, 64, 0), 32);
}

static void what_waits_behind_other_programs_has_larger_ones(void **state)
{
	const struct ring_demand waiting = { .dump_bytes = 8,
					     .fixed_bytes = 1500,
					     .rate_hz = 99,
					     .waits = true,
					     .cpu_count = 2,
					     .page_bytes = 4096,
					     .memory_pages = 2 << 20 };

	(void)state;
	assert_int_equal(ring_size_pages(&waiting), 2048);
	assert_int_equal(ring_size_copies_bytes(&waiting, 0), 32 << 20);
}

static void all_rings_together_leave_memory_to_others(void **state)
{
	const struct ring_demand many_cpus = { .dump_bytes = 16384,
					       .rate_hz = 4000,
					       .cpu_count = 128,
					       .page_bytes = 4096,
					       .memory_pages = 2 << 20 };
	const struct ring_demand tiny = {
		.dump_bytes = 16384, .rate_hz = 4000, .cpu_count = 4, .page_bytes = 4096, .memory_pages = 1024
	};

	(void)state;
	assert_int_equal(ring_size_pages(&many_cpus), 1024); /* 128 x 4 MiB are 512 MiB of 8 GiB */
	assert_int_equal(ring_size_pages(&tiny), 128);
}

enum {
	FRAMES = 127,
	/* Header, 4 words, 1 + 127 + 8 of the chain, 1 + 24 registers, 2 of the dump. */
	FIXED_BYTES = 8 * (1 + 4 + 136 + 25 + 2),
};

static struct perf_event_attr with_dump(uint32_t type, uint64_t config, uint32_t dump_bytes)
{
	return (struct perf_event_attr){ .type = type,
					 .config = config,
					 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
							PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN |
							PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
					 .sample_regs_user = 0xffffff,
					 .sample_stack_user = dump_bytes };
}

static struct ring_demand demand_of(const struct perf_event_attr *attr)
{
	struct ring_demand demand = { .cpu_count = 2, .page_bytes = 4096, .memory_pages = 2 << 20 };

	ring_demand_add(&demand, attr, FRAMES);
	return demand;
}

static void a_sample_is_as_large_as_its_fields(void **state)
{
	struct perf_event_attr attr = with_dump(PERF_TYPE_HARDWARE, 0, 16384);

	(void)state;
	attr.freq = 1;
	attr.sample_freq = 4000;
	assert_int_equal(demand_of(&attr).fixed_bytes, FIXED_BYTES);
	assert_int_equal(demand_of(&attr).dump_bytes, 16384);
	assert_int_equal(demand_of(&attr).rate_hz, 4000);
	attr.sample_max_stack = 27;
	assert_int_equal(demand_of(&attr).fixed_bytes, FIXED_BYTES - 100 * 8);
}

static void every_hit_of_a_software_event_may_come_in_a_burst_and_a_clock_does_not(void **state)
{
	struct perf_event_attr faults = with_dump(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 16384);
	struct perf_event_attr clock = with_dump(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 16384);
	struct perf_event_attr tracepoint = with_dump(PERF_TYPE_TRACEPOINT, 300, 16384);

	(void)state;
	faults.sample_period = tracepoint.sample_period = 1;
	clock.sample_period = 1000000;
	assert_true(demand_of(&faults).bursts);
	assert_int_equal(demand_of(&faults).rate_hz, 80000);
	assert_true(demand_of(&tracepoint).bursts);
	assert_false(demand_of(&clock).bursts);
	assert_int_equal(demand_of(&clock).rate_hz, 1000);
	faults.sample_period = 1000;
	assert_int_equal(demand_of(&faults).rate_hz, 80);
}

static void a_ring_holds_the_eighth_part_of_a_second_of_a_burst(void **state)
{
	struct perf_event_attr faults = with_dump(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 16384);
	struct ring_demand demand;
	size_t ring_bytes;
	uint32_t dump_bytes;

	(void)state;
	faults.sample_period = 1;
	demand = demand_of(&faults);
	ring_bytes = ring_size_pages(&demand) * demand.page_bytes;
	assert_int_equal(ring_bytes, 64 << 20);
	dump_bytes = ring_size_dump_bytes(&demand, ring_bytes, false);
	assert_int_equal(dump_bytes, 4096);
	assert_true(80000 / 8 * (FIXED_BYTES + dump_bytes) <= ring_bytes);
	assert_int_equal(ring_size_dump_bytes(&demand, ring_bytes, true), 16384); /* the user's own size */
	assert_int_equal(ring_size_dump_bytes(&demand, 512 << 10, false), 1024);  /* the minimum */
}

static void a_dump_is_shortened_until_the_ring_holds_several_samples(void **state)
{
	struct perf_event_attr attr = with_dump(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 16384);
	struct ring_demand demand;

	(void)state;
	attr.freq = 1;
	attr.sample_freq = 4000;
	demand = demand_of(&attr);
	assert_int_equal(ring_size_dump_bytes(&demand, 8 << 20, false), 16384);
	assert_int_equal(ring_size_dump_bytes(&demand, 64 << 10, true), 8192);
	assert_int_equal(ring_size_dump_bytes(&demand, 16 << 10, true), 2048);
	assert_int_equal(ring_size_dump_bytes(&demand, 4 << 10, true), 512);
	assert_true(2 * (FIXED_BYTES + 512) <= 4096);
}

static void a_dump_that_fits_keeps_its_size(void **state)
{
	struct perf_event_attr attr = with_dump(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 1000);
	struct ring_demand demand = demand_of(&attr);

	(void)state;
	assert_int_equal(ring_size_dump_bytes(&demand, 16 << 10, true), 1000);
	attr.sample_stack_user = 0;
	demand = demand_of(&attr);
	assert_int_equal(ring_size_dump_bytes(&demand, 4 << 10, true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_samples_need_what_the_kernel_gives_everybody),
		cmocka_unit_test(with_dumps_a_ring_holds_the_eighth_part_of_a_second),
		cmocka_unit_test(a_slow_rate_has_a_ring_for_a_second_of_at_least_1_mib),
		cmocka_unit_test(the_ring_of_copies_holds_a_second_of_all_cpus),
		cmocka_unit_test(it_begins_with_a_sixteenth_of_what_large_stacks_take),
		cmocka_unit_test(what_waits_behind_other_programs_has_larger_ones),
		cmocka_unit_test(all_rings_together_leave_memory_to_others),
		cmocka_unit_test(a_sample_is_as_large_as_its_fields),
		cmocka_unit_test(every_hit_of_a_software_event_may_come_in_a_burst_and_a_clock_does_not),
		cmocka_unit_test(a_ring_holds_the_eighth_part_of_a_second_of_a_burst),
		cmocka_unit_test(a_dump_is_shortened_until_the_ring_holds_several_samples),
		cmocka_unit_test(a_dump_that_fits_keeps_its_size),
	};

	return cmocka_run_group_tests_name("record/ring_size", tests, NULL, NULL);
}
