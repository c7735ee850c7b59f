#include "record/wait/waker_chain.h"

#include "support/cmocka.h"

static struct waking *waking(uint32_t tid, uint64_t woken_ns, size_t word_count)
{
	static const uint64_t words[2000];
	const struct off_cpu_waking waker = { .kind = tid ? OFF_CPU_WAKER_THREAD : OFF_CPU_WAKER_TIMER,
					      .tid = tid,
					      .woken_ns = woken_ns };

	return waking_create(&waker, words, word_count);
}

/* Thread `tid`, which had waited since `begin_ns`, is woken. Returns how many wakers its chain has. */
static size_t wake(struct waker_chains *chains, uint32_t tid, struct waking *by, uint64_t waker_woken_ns,
		   uint64_t begin_ns)
{
	struct waker_chain chain = waker_chains_extend(chains, by, waker_woken_ns, begin_ns);
	const size_t count = chain.count;

	waker_chains_note(chains, tid, &chain);
	waker_chain_fini(&chain);
	return count;
}

static void only_wakings_since_the_wait_began_belong_to_it(void **state)
{
	struct waker_chains *chains = waker_chains_create();

	(void)state;
	assert_int_equal(wake(chains, 5, waking(0, 100, 0), 0, 50), 1);
	assert_int_equal(wake(chains, 6, waking(5, 110, 0), 100, 50), 2);
	assert_int_equal(wake(chains, 7, waking(6, 120, 0), 110, 105), 2); /* asleep since after the timer */
	assert_int_equal(wake(chains, 7, waking(6, 130, 0), 110, 110), 1);
	waker_chains_destroy(chains);
}

static void a_chain_ends_where_the_wakers_last_wait_was_not_sampled(void **state)
{
	struct waker_chains *chains = waker_chains_create();
	struct waking *unknown;

	(void)state;
	assert_int_equal(wake(chains, 5, waking(0, 100, 0), 0, 50), 1);
	assert_int_equal(wake(chains, 6, waking(5, 120, 0), 115, 50), 1); /* woken at 115 again */
	assert_int_equal(wake(chains, 6, waking(5, 120, 0), 0, 50), 1);
	unknown = waking(0, 130, 0);
	unknown->waker.kind = OFF_CPU_WAKER_UNKNOWN;
	assert_int_equal(wake(chains, 5, unknown, 0, 120), 1);
	assert_int_equal(wake(chains, 6, waking(5, 140, 0), 130, 120), 1);
	/* This tid has the same place in the table. */
	assert_int_equal(wake(chains, 6, waking(5 + 1024, 120, 0), 100, 50), 1);
	waker_chains_destroy(chains);
}

/* Threads 1 to 20 stand in a row. */
static void a_chain_has_a_greatest_length(void **state)
{
	struct waker_chains *chains = waker_chains_create();
	size_t length = wake(chains, 1, waking(0, 100, 0), 0, 50);

	(void)state;
	for (uint32_t tid = 2; tid <= 20; tid++)
		length = wake(chains, tid, waking(tid - 1, 98 + tid, 0), 97 + tid, 50);
	assert_int_equal(length, OFF_CPU_CHAIN_WAKERS);
	waker_chains_destroy(chains);
}

static void stacks_that_are_too_large_for_a_record_end_the_description(void **state)
{
	struct waker_chains *chains = waker_chains_create();
	struct off_cpu_wait wait = { .further_count = 0 };
	struct waker_chain chain;

	(void)state;
	wake(chains, 1, waking(0, 100, 2000), 0, 50);
	wake(chains, 2, waking(1, 110, 2000), 100, 50);
	chain = waker_chains_extend(chains, waking(2, 120, 2000), 110, 50);
	assert_int_equal(chain.count, 3);
	waker_chain_describe(&chain, &wait);
	assert_int_equal(wait.further_count, 1);
	assert_int_equal(wait.wakers[1].chain_count, 2000);
	waker_chain_fini(&chain);
	waker_chains_destroy(chains);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_wakings_since_the_wait_began_belong_to_it),
		cmocka_unit_test(a_chain_ends_where_the_wakers_last_wait_was_not_sampled),
		cmocka_unit_test(a_chain_has_a_greatest_length),
		cmocka_unit_test(stacks_that_are_too_large_for_a_record_end_the_description),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
