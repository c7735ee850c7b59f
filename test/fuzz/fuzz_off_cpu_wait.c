/*
 * Raw data of arbitrary bytes, in either byte order: reads every word of the waker's chain, makes its stack, and the texts
 * of all keys.
 */

#include <stddef.h>
#include <stdint.h>

#include "report/waits/wait_text.h"
#include "report/waits/wait_times.h"
#include "report/waits/waker_stack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void stack_up(const struct off_cpu_wait *wait)
{
	struct process_table *processes = process_table_create();
	struct raw_profile *profile = raw_profile_create();
	const uint32_t top = waker_stack_add(processes, profile, PROFILE_NONE, wait, UINT64_MAX);

	for (uint32_t node = top; node != PROFILE_NONE; node = raw_profile_stack_at(profile, node)->parent)
		(void)raw_profile_label_text(
			profile,
			raw_profile_location_at(profile, raw_profile_stack_at(profile, node)->location));
	raw_profile_destroy(profile);
	process_table_destroy(processes);
}

static void add_up(const struct off_cpu_wait *wait)
{
	struct wait_sum classes[WAIT_CLASSES] = { { 0 } };
	struct wait_times *times = wait_times_create();

	wait_times_add(times, 0, wait_class_duration_ns(wait), wait->waiting_ns);
	wait_times_finish(times);
	wait_times_sum(times, 0, classes);
	wait_times_destroy(times);
}

static void use(const struct off_cpu_wait *wait)
{
	volatile uint64_t sum = 0;
	struct strbuf text;

	for (size_t i = 0; i <= wait->further_count; i++) {
		for (size_t j = 0; j < wait->wakers[i].chain_count; j++)
			sum += off_cpu_wait_chain_word(wait, &wait->wakers[i], j);
	}
	strbuf_init(&text);
	for (int key = SAMPLE_KEY_STATE; key <= SAMPLE_KEY_WAIT_TIME; key++)
		wait_text_add(&text, (enum sample_key)key, wait);
	off_cpu_wait_encode(wait, &text);
	stack_up(wait);
	add_up(wait);
	strbuf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int swap = 0; swap < 2; swap++) {
		struct off_cpu_wait wait;
		struct error err;

		if (off_cpu_wait_decode(&wait, data, size, swap, &err) == 0)
			use(&wait);
	}
	return 0;
}
