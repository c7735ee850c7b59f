/* Uses samples of this very process with dumps that are too short; the stack above them does not change. */

#include "record/stack/stack_continuer.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/own_sample.h"

enum { ROUNDS = 24, MAX_FRAMES = 256 };

static struct fixture {
	struct live_unwinder *unwinder;
	struct stack_continuer *continuer;
	struct own_sample sample;
	struct sample_parts parts;
	struct unwind_frame frames[MAX_FRAMES];
	struct unwind_stack stack;
	size_t first;
} fixture;

/* `test_frame` is the end of the test's frame: the stack above does not change, and the dump ends there. */
static void set_up(const void *test_frame)
{
	struct fixture *f = &fixture;
	struct strbuf records;

	if (!own_sample_is_possible())
		skip();
	own_sample_init(&f->sample, &(struct own_sample_plan){ .dump_bytes = 32768 });
	f->unwinder = live_unwinder_create(own_sample_attr.sample_regs_user, &own_sample_attr);
	strbuf_init(&records);
	own_state_records(&records);
	live_unwinder_apply_all(f->unwinder, (const uint8_t *)records.bytes, records.size);
	strbuf_fini(&records);
	f->continuer = stack_continuer_create(f->unwinder);
	f->stack = (struct unwind_stack){ .frames = f->frames, .capacity = MAX_FRAMES };
	assert_true(sample_parts_find(&f->parts, (const uint8_t *)f->sample.record.bytes,
				      f->sample.record.size, &own_sample_attr));
	f->parts.filled = ((uintptr_t)test_frame - live_unwinder_sp(f->unwinder, &f->parts)) & ~(size_t)7;
}

static void done(void)
{
	stack_continuer_destroy(fixture.continuer);
	live_unwinder_destroy(fixture.unwinder);
	own_sample_fini(&fixture.sample);
}

/* Does one round with the sample. */
static enum stack_continuation do_round(void)
{
	struct fixture *f = &fixture;

	stack_continuer_begin_round(f->continuer);
	live_unwinder_walk(f->unwinder, &f->parts, LIVE_UNWINDER_ALL_BYTES, &f->stack);
	assert_int_equal(f->stack.end, UNWIND_END_STACK_EXHAUSTED);
	return stack_continuer_continue(f->continuer, &f->parts, &f->stack, &f->first);
}

static void a_stack_that_stands_is_continued_to_the_start_of_its_thread(void **state)
{
	enum stack_continuation last = STACK_UNCONFIRMED;
	size_t cut;

	(void)state;
	set_up(__builtin_frame_address(0));
	assert_int_equal(do_round(), STACK_UNCONFIRMED); /* not read before */
	cut = fixture.stack.count;
	for (int i = 0; i < ROUNDS; i++)
		last = do_round();
	assert_int_equal(last, STACK_CONTINUED);
	assert_int_equal(fixture.stack.end, UNWIND_END_ROOT);
	assert_int_equal(fixture.first, cut);
	assert_int_equal(fixture.stack.count, fixture.sample.caller_count + 1);
	for (size_t i = 0; i < fixture.sample.caller_count; i++)
		assert_int_equal(fixture.stack.frames[i + 1].address, fixture.sample.callers[i]);
	done();
}

static void one_whose_words_have_changed_lately_is_not(void **state)
{
	volatile uint64_t *word;
	uint64_t was;
	int rounds = 0;

	(void)state;
	set_up(__builtin_frame_address(0));
	for (int i = 0; i < ROUNDS; i++)
		do_round();
	assert_int_equal(do_round(), STACK_CONTINUED);
	/* The return address of an outer function; restored before that function returns. */
	word = (volatile uint64_t *)(uintptr_t)(fixture.stack.frames[fixture.first].sp - 8);
	was = *word;
	*word = was ^ 1;
	assert_int_equal(do_round(), STACK_UNCONFIRMED); /* differs from the read before the sample */
	*word = was;
	/* Equal before and after again, but it was seen to change. */
	while (do_round() != STACK_CONTINUED)
		rounds++;
	assert_in_range(rounds, 12, 20);
	done();
}

static void one_of_a_process_that_has_ended_is_not_readable(void **state)
{
	(void)state;
	set_up(__builtin_frame_address(0));
	fixture.parts.tid = INT32_MAX;
	assert_int_equal(do_round(), STACK_UNREADABLE);
	done();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_that_stands_is_continued_to_the_start_of_its_thread),
		cmocka_unit_test(one_whose_words_have_changed_lately_is_not),
		cmocka_unit_test(one_of_a_process_that_has_ended_is_not_readable),
	};

	return cmocka_run_group_tests_name("record/stack/stack_continuer", tests, NULL, NULL);
}
