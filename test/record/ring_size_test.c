#include "record/ring_size.h"

#include "support/cmocka.h"

/* 2 CPUs and 8 GiB of memory in pages of 4 KiB. */
static size_t pages(uint32_t dump_bytes, uint64_t frequency)
{
	return ring_size_pages(&(struct ring_demand){ .dump_bytes = dump_bytes,
						      .frequency = frequency,
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
	assert_int_equal(pages(16384, 99), 2048);      /* 8 MiB at least */
	assert_int_equal(pages(16384, 4000), 2048);    /* 8,192,000 bytes */
	assert_int_equal(pages(16384, 10000), 8192);   /* 20 MB need 32 MiB */
	assert_int_equal(pages(64072, 100000), 16384); /* 64 MiB at most */
	assert_int_equal(pages(16384, 0), 2048);       /* by count */
}

static void all_rings_together_leave_memory_to_others(void **state)
{
	const struct ring_demand many_cpus = { .dump_bytes = 16384,
					       .frequency = 4000,
					       .cpu_count = 128,
					       .page_bytes = 4096,
					       .memory_pages = 2 << 20 };
	const struct ring_demand tiny = { .dump_bytes = 16384,
					  .frequency = 4000,
					  .cpu_count = 4,
					  .page_bytes = 4096,
					  .memory_pages = 1024 };

	(void)state;
	assert_int_equal(ring_size_pages(&many_cpus), 1024); /* 128 x 4 MiB are 512 MiB of 8 GiB */
	assert_int_equal(ring_size_pages(&tiny), 128);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_samples_need_what_the_kernel_gives_everybody),
		cmocka_unit_test(with_dumps_a_ring_holds_the_eighth_part_of_a_second),
		cmocka_unit_test(all_rings_together_leave_memory_to_others),
	};

	return cmocka_run_group_tests_name("record/ring_size", tests, NULL, NULL);
}
