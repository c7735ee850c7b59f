#include "record/stack/evidence.h"

#include <string.h>

#include "record/stack/sample_parts.h"
#include "support/built_copy_ring.h"
#include "support/cmocka.h"
#include "support/own_sample.h"

/* Takes samples of this very process, whose stack is known from backtrace(). */

enum { DUMP = 32768, PLENTY = OWN_SAMPLE_CALLERS };

static const struct written_event sampler = { .attr = &own_sample_attr };

/* A sample as an evidence of this level reduces it; the evidence knows the mappings of this process. */
struct left_over {
	struct evidence *evidence;
	struct own_sample sample;
	struct strbuf out;
	struct sample_parts all, left;
};

static void leave(struct left_over *over, enum evidence_level level, const struct own_sample_plan *plan)
{
	struct strbuf state;

	if (!own_sample_is_possible())
		skip();
	strbuf_init(&state);
	strbuf_init(&over->out);
	own_state_records(&state);
	own_sample_init(&over->sample, plan);
	over->evidence = evidence_create(&sampler, 1, level);
	assert_non_null(over->evidence);
	evidence_note(over->evidence, (const uint8_t *)state.bytes, state.size);
	evidence_append(over->evidence, &over->out, (const uint8_t *)over->sample.record.bytes,
			over->sample.record.size);
	strbuf_fini(&state);
	assert_true(sample_parts_find(&over->all, (const uint8_t *)over->sample.record.bytes,
				      over->sample.record.size, &own_sample_attr));
	assert_true(sample_parts_find(&over->left, (const uint8_t *)over->out.bytes, over->out.size,
				      &own_sample_attr));
}

static void done(struct left_over *over)
{
	evidence_destroy(over->evidence);
	own_sample_fini(&over->sample);
	strbuf_fini(&over->out);
}

static void assert_chain_is_the_stack(const struct left_over *over, size_t kernel_count)
{
	const struct sample_parts *left = &over->left;

	assert_int_equal(left->abi, PERF_SAMPLE_REGS_ABI_NONE);
	assert_int_equal(left->dump_size, 0);
	assert_int_equal(left->chain_count, kernel_count + 2 + over->sample.caller_count);
	assert_true(sample_chain_entry(left->chain, kernel_count) == (uint64_t)PERF_CONTEXT_USER);
	assert_int_equal(sample_chain_entry(left->chain, kernel_count + 1), over->sample.pc);
	for (size_t i = 0; i < over->sample.caller_count; i++)
		assert_int_equal(sample_chain_entry(left->chain, kernel_count + 2 + i),
				 over->sample.callers[i]);
}

static void assert_dump_is_all_there_is(const struct left_over *over)
{
	assert_int_equal(over->left.abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(over->left.filled, over->all.filled);
	assert_memory_equal(over->left.dump, over->all.dump, over->all.filled);
}

static void a_chain_that_is_the_whole_stack_is_written_alone(void **state)
{
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST,
	      &(struct own_sample_plan){ .callers_known = PLENTY, .dump_bytes = DUMP });
	assert_chain_is_the_stack(&over, 0);
	assert_int_equal(evidence_counts(over.evidence)->chains, 1);
	assert_int_equal(evidence_counts(over.evidence)->dump_bytes, 0);
	done(&over);
}

/*
 * Appends the sample with a minimal dump. Its stack comes as a copy, including the red zone below the stack pointer, of the same
 * size as the whole dump.
 */
static void leave_copied(struct left_over *over, size_t copied_bytes)
{
	static const struct sample_rest least = { .dump_size = 8 };
	static uint8_t copy[STACK_COPY_RED_ZONE + DUMP];
	struct sample_rest rest = least;
	struct built_copy_ring ring;
	struct stack_copies *copies;
	struct strbuf small;
	uint64_t sp;

	built_copy_ring_init(&ring);
	strbuf_init(&small);
	copies = stack_copies_create(&ring.ring);
	sp = sample_chain_entry(over->all.registers, 7); /* sp, in own_sample_attr.sample_regs_user */
	memcpy(copy + STACK_COPY_RED_ZONE, over->all.dump, over->all.filled);
	built_copy_ring_add_copy(&ring, 0, over->all.tid, OWN_SAMPLE_TIME_NS, sp - STACK_COPY_RED_ZONE, copy,
				 (uint32_t)(STACK_COPY_RED_ZONE + copied_bytes));
	rest.chain = over->all.chain;
	rest.chain_count = over->all.chain_count;
	sample_parts_append(&small, &over->all, &rest);
	evidence_set_copies(over->evidence, copies);
	evidence_begin_samples(over->evidence, 1);
	strbuf_reset(&over->out);
	evidence_append(over->evidence, &over->out, (const uint8_t *)small.bytes, small.size);
	evidence_end_samples(over->evidence);
	assert_true(sample_parts_find(&over->left, (const uint8_t *)over->out.bytes, over->out.size,
				      &own_sample_attr));
	evidence_set_copies(over->evidence, NULL);
	stack_copies_destroy(copies);
	strbuf_fini(&small);
	built_copy_ring_fini(&ring);
}

static void a_copied_stack_that_reaches_its_start_is_written_as_a_chain(void **state)
{
	struct left_over over;

	(void)state;
	/* The chain of frame pointers misses a caller, which only the copy shows. */
	leave(&over, EVIDENCE_LEAST,
	      &(struct own_sample_plan){ .callers_known = PLENTY, .skipped = 1, .dump_bytes = DUMP });
	leave_copied(&over, over.all.filled);
	assert_chain_is_the_stack(&over, 0);
	assert_int_equal(evidence_counts(over.evidence)->uncopied, 0);
	done(&over);
}

static void of_a_copied_stack_that_does_not_the_copy_is_written_as_a_dump(void **state)
{
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST, &(struct own_sample_plan){ .callers_known = 0, .dump_bytes = DUMP });
	leave_copied(&over, 64);
	assert_int_equal(over.left.abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(over.left.filled, 64);
	assert_memory_equal(over.left.dump, over.all.dump, 64);
	done(&over);
}

static void a_stack_that_is_read_on_in_the_process_says_from_where_on(void **state)
{
	struct sample_rest rest = { .dump_size = 0 };
	struct left_over over;
	struct strbuf cut;
	size_t markers = 0;

	(void)state;
	leave(&over, EVIDENCE_LEAST, &(struct own_sample_plan){ .callers_known = 0, .dump_bytes = DUMP });
	/* The dump ends with this function's frame: the memory above does not change. */
	rest.dump_size = ((uintptr_t)__builtin_frame_address(0) - sample_chain_entry(over.all.registers, 7)) &
			 ~(size_t)7;
	strbuf_init(&cut);
	sample_parts_append(&cut, &over.all, &rest);
	evidence_continue_stacks(over.evidence);
	for (int round = 0; round < 24; round++) {
		evidence_begin_round(over.evidence, NULL);
		strbuf_reset(&over.out);
		evidence_append(over.evidence, &over.out, (const uint8_t *)cut.bytes, cut.size);
	}
	assert_true(sample_parts_find(&over.left, (const uint8_t *)over.out.bytes, over.out.size,
				      &own_sample_attr));
	assert_int_equal(over.left.abi, PERF_SAMPLE_REGS_ABI_NONE);
	assert_int_equal(over.left.chain_count, 2 + 1 + over.sample.caller_count);
	for (size_t i = 0, frame = 0; i < over.left.chain_count; i++) {
		const uint64_t entry = sample_chain_entry(over.left.chain, i);

		if (entry == (uint64_t)PERF_CONTEXT_USER)
			markers++;
		else
			assert_int_equal(entry, frame++ ? over.sample.callers[frame - 2] : over.sample.pc);
	}
	assert_int_equal(markers, 2);
	assert_true(evidence_counts(over.evidence)->continued > 0);
	assert_true(evidence_counts(over.evidence)->unconfirmed > 16); /* the first ones */
	strbuf_fini(&cut);
	done(&over);
}

static void a_hurried_sample_is_written_as_it_came(void **state)
{
	struct left_over over;
	struct strbuf hurried;

	(void)state;
	leave(&over, EVIDENCE_LEAST,
	      &(struct own_sample_plan){ .callers_known = PLENTY, .dump_bytes = DUMP });
	strbuf_init(&hurried);
	evidence_set_hurried(over.evidence, true);
	evidence_append(over.evidence, &hurried, (const uint8_t *)over.sample.record.bytes,
			over.sample.record.size);
	assert_int_equal(evidence_counts(over.evidence)->unproved, 1);
	assert_true(sample_parts_find(&over.left, (const uint8_t *)hurried.bytes, hurried.size,
				      &own_sample_attr));
	assert_dump_is_all_there_is(&over);
	assert_int_equal(over.left.chain_count, over.all.chain_count);
	strbuf_fini(&hurried);
	done(&over);
}

static void what_start_up_code_has_above_a_chain_is_added(void **state)
{
	const uint64_t kernel[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010, 0xffffffff81000020 };
	struct own_sample counted;
	struct left_over over;

	(void)state;
	if (!own_sample_is_possible())
		skip();
	own_sample_init(&counted, &(struct own_sample_plan){ .dump_bytes = 8 });
	leave(&over, EVIDENCE_LEAST,
	      &(struct own_sample_plan){ .kernel_frames = kernel,
					 .kernel_count = 3,
					 .callers_known = counted.caller_count - 1,
					 .dump_bytes = DUMP });
	assert_chain_is_the_stack(&over, 3);
	assert_int_equal(sample_chain_entry(over.left.chain, 2), kernel[2]);
	own_sample_fini(&counted);
	done(&over);
}

/* Appends the same sample once more, after a sample of the thread whose stack is deeper than its dump. */
static void leave_after_a_cut_one(struct left_over *over)
{
	const struct sample_rest rest = { .dump_size = 16 };
	struct strbuf cut;

	strbuf_init(&cut);
	sample_parts_append(&cut, &over->all, &rest);
	evidence_append(over->evidence, &over->out, (const uint8_t *)cut.bytes, cut.size);
	strbuf_reset(&over->out);
	evidence_append(over->evidence, &over->out, (const uint8_t *)over->sample.record.bytes,
			over->sample.record.size);
	assert_true(sample_parts_find(&over->left, (const uint8_t *)over->out.bytes, over->out.size,
				      &own_sample_attr));
	strbuf_fini(&cut);
}

static void where_the_chain_misses_a_caller_the_stack_is_written_in_its_place(void **state)
{
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST,
	      &(struct own_sample_plan){ .callers_known = PLENTY, .skipped = 1, .dump_bytes = DUMP });
	assert_chain_is_the_stack(&over, 0);
	assert_int_equal(evidence_counts(over.evidence)->chains, 1);
	done(&over);
}

static void where_stacks_are_deeper_than_dumps_the_dump_is_kept_up_to_the_start(void **state)
{
	const uint64_t kernel[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010 };
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST,
	      &(struct own_sample_plan){ .kernel_frames = kernel,
					 .kernel_count = 2,
					 .callers_known = PLENTY,
					 .skipped = 1,
					 .dump_bytes = DUMP });
	leave_after_a_cut_one(&over);
	assert_int_equal(over.left.abi, PERF_SAMPLE_REGS_ABI_64);
	assert_int_equal(over.left.chain_count, 2); /* the kernel's part */
	assert_true(over.left.filled > 0 && over.left.filled < over.all.filled);
	assert_memory_equal(over.left.dump, over.all.dump, over.left.filled);
	assert_int_equal(evidence_counts(over.evidence)->dumps, 1);
	done(&over);
}

static void what_was_left_is_as_much_as_unwinding_takes(void **state)
{
	const struct own_sample_plan plan = { .callers_known = PLENTY, .skipped = 1, .dump_bytes = DUMP };
	struct strbuf again;
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST, &plan);
	leave_after_a_cut_one(&over);
	/* The cut sample is enough to reach the start, and cannot be cut further. */
	strbuf_init(&again);
	evidence_append(over.evidence, &again, (const uint8_t *)over.out.bytes, over.out.size);
	assert_int_equal(again.size, over.out.size);
	assert_memory_equal(again.bytes, over.out.bytes, again.size);
	assert_int_equal(evidence_counts(over.evidence)->dumps, 2);
	strbuf_fini(&again);
	done(&over);
}

static void a_dump_that_is_too_short_is_kept_without_a_chain_that_says_less(void **state)
{
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST, &(struct own_sample_plan){ .callers_known = 0, .dump_bytes = 16 });
	assert_dump_is_all_there_is(&over);
	assert_int_equal(over.left.chain_count, 0);
	assert_int_equal(evidence_counts(over.evidence)->unproved, 1);
	done(&over);
}

static void a_chain_that_gets_farther_than_the_dump_is_kept_with_it(void **state)
{
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST, &(struct own_sample_plan){ .callers_known = PLENTY, .dump_bytes = 16 });
	assert_dump_is_all_there_is(&over);
	assert_int_equal(over.left.chain_count, over.all.chain_count);
	done(&over);
}

static void of_an_unknown_process_everything_is_kept(void **state)
{
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST,
	      &(struct own_sample_plan){ .callers_known = PLENTY, .dump_bytes = DUMP, .pid = 1 << 29 });
	assert_dump_is_all_there_is(&over);
	assert_int_equal(over.left.chain_count, over.all.chain_count);
	assert_int_equal(evidence_counts(over.evidence)->unproved, 1);
	done(&over);
}

static void a_64_bit_stack_that_is_said_to_be_of_32_bits_is_kept(void **state)
{
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST,
	      &(struct own_sample_plan){
		      .callers_known = PLENTY, .dump_bytes = DUMP, .abi = PERF_SAMPLE_REGS_ABI_32 });
	assert_int_equal(over.left.abi, PERF_SAMPLE_REGS_ABI_32);
	assert_int_equal(over.left.filled, over.all.filled);
	assert_int_equal(over.left.chain_count, over.all.chain_count);
	done(&over);
}

static void a_chain_with_an_unknown_marker_is_left_as_it_is(void **state)
{
	const uint64_t guest[] = { (uint64_t)PERF_CONTEXT_GUEST, 0x401000 };
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST,
	      &(struct own_sample_plan){ .kernel_frames = guest,
					 .kernel_count = 2,
					 .callers_known = PLENTY,
					 .dump_bytes = DUMP });
	assert_dump_is_all_there_is(&over);
	assert_int_equal(over.left.chain_count, over.all.chain_count);
	done(&over);
}

/* The kernel took ~0 for a return address, because it followed a register that was no frame pointer. */
static void a_word_like_a_marker_in_the_user_part_is_none(void **state)
{
	const uint64_t user[] = { (uint64_t)PERF_CONTEXT_USER, 0x401000, UINT64_MAX };
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_LEAST,
	      &(struct own_sample_plan){
		      .kernel_frames = user, .kernel_count = 3, .callers_known = PLENTY, .dump_bytes = DUMP });
	leave_copied(&over, over.all.filled);
	assert_chain_is_the_stack(&over, 0);
	done(&over);
}

static void all_is_all_that_the_kernel_filled(void **state)
{
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_ALL, &(struct own_sample_plan){ .callers_known = PLENTY, .dump_bytes = DUMP });
	assert_dump_is_all_there_is(&over);
	assert_int_equal(over.left.chain_count, over.all.chain_count);
	done(&over);
}

static void without_evidence_the_stack_itself_is_written(void **state)
{
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_NONE,
	      &(struct own_sample_plan){ .callers_known = PLENTY, .skipped = 1, .dump_bytes = DUMP });
	assert_chain_is_the_stack(&over, 0);
	done(&over);
}

static void without_evidence_an_incomplete_stack_keeps_it(void **state)
{
	struct left_over over;

	(void)state;
	leave(&over, EVIDENCE_NONE, &(struct own_sample_plan){ .callers_known = 0, .dump_bytes = 16 });
	assert_dump_is_all_there_is(&over);
	done(&over);
}

static void a_record_that_is_no_sample_of_the_attr_stays(void **state)
{
	struct evidence *evidence = evidence_create(&sampler, 1, EVIDENCE_LEAST);
	const uint8_t record[16] = { PERF_RECORD_SAMPLE, 0, 0, 0, 0, 0, 16 };
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	evidence_append(evidence, &out, record, sizeof(record));
	assert_int_equal(out.size, sizeof(record));
	assert_memory_equal(out.bytes, record, sizeof(record));
	strbuf_fini(&out);
	evidence_destroy(evidence);
}

/* Known mappings also stay: the sample is written after these records as it was before them. */
static void damaged_state_records_are_passed_over(void **state)
{
	const struct own_sample_plan plan = { .callers_known = PLENTY, .dump_bytes = DUMP };
	struct evidence *evidence;
	struct left_over over;
	struct strbuf records;

	(void)state;
	leave(&over, EVIDENCE_LEAST, &plan);
	evidence = over.evidence;
	strbuf_init(&records);
	own_state_records(&records);
	for (size_t size = 0; size < 300 && size < records.size; size++)
		evidence_note(evidence, (const uint8_t *)records.bytes, size);
	for (size_t at = 6; at < 200 && at < records.size; at++) {
		char kept = records.bytes[at];

		records.bytes[at] = (char)0xff;
		evidence_note(evidence, (const uint8_t *)records.bytes, records.size);
		records.bytes[at] = kept;
	}
	evidence_note(evidence, (const uint8_t *)records.bytes, records.size);
	strbuf_fini(&records);
	strbuf_reset(&over.out);
	evidence_append(evidence, &over.out, (const uint8_t *)over.sample.record.bytes,
			over.sample.record.size);
	assert_true(sample_parts_find(&over.left, (const uint8_t *)over.out.bytes, over.out.size,
				      &own_sample_attr));
	assert_chain_is_the_stack(&over, 0);
	done(&over);
}

static void without_dumps_there_is_nothing_to_do(void **state)
{
	const struct perf_event_attr plain = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							      PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN };
	const struct written_event events[] = { { .attr = &plain }, { .attr = &own_sample_attr } };
	struct evidence *evidence = evidence_create(events, 2, EVIDENCE_LEAST);

	(void)state;
	assert_non_null(evidence);
	evidence_destroy(evidence);
	assert_null(evidence_create(events, 1, EVIDENCE_LEAST));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_that_is_the_whole_stack_is_written_alone),
		cmocka_unit_test(a_copied_stack_that_reaches_its_start_is_written_as_a_chain),
		cmocka_unit_test(of_a_copied_stack_that_does_not_the_copy_is_written_as_a_dump),
		cmocka_unit_test(a_stack_that_is_read_on_in_the_process_says_from_where_on),
		cmocka_unit_test(a_hurried_sample_is_written_as_it_came),
		cmocka_unit_test(what_start_up_code_has_above_a_chain_is_added),
		cmocka_unit_test(where_the_chain_misses_a_caller_the_stack_is_written_in_its_place),
		cmocka_unit_test(where_stacks_are_deeper_than_dumps_the_dump_is_kept_up_to_the_start),
		cmocka_unit_test(what_was_left_is_as_much_as_unwinding_takes),
		cmocka_unit_test(a_dump_that_is_too_short_is_kept_without_a_chain_that_says_less),
		cmocka_unit_test(a_chain_that_gets_farther_than_the_dump_is_kept_with_it),
		cmocka_unit_test(of_an_unknown_process_everything_is_kept),
		cmocka_unit_test(a_64_bit_stack_that_is_said_to_be_of_32_bits_is_kept),
		cmocka_unit_test(a_chain_with_an_unknown_marker_is_left_as_it_is),
		cmocka_unit_test(a_word_like_a_marker_in_the_user_part_is_none),
		cmocka_unit_test(all_is_all_that_the_kernel_filled),
		cmocka_unit_test(without_evidence_the_stack_itself_is_written),
		cmocka_unit_test(without_evidence_an_incomplete_stack_keeps_it),
		cmocka_unit_test(a_record_that_is_no_sample_of_the_attr_stays),
		cmocka_unit_test(damaged_state_records_are_passed_over),
		cmocka_unit_test(without_dumps_there_is_nothing_to_do),
	};

	return cmocka_run_group_tests_name("record/stack/evidence", tests, NULL, NULL);
}
