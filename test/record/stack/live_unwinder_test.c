#include "record/stack/live_unwinder.h"

#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/own_sample.h"

enum { DUMP = 32768 };

static struct unwind_frame frames[256];
static struct unwind_stack stack = { .frames = frames, .capacity = 256 };

/* Unwinds a sample of this process. Returns whether the callers are those of backtrace(). */
static bool unwinds_own_stack(struct live_unwinder *unwinder)
{
	struct own_sample sample;
	struct sample_parts parts;
	bool same;

	own_sample_init(&sample, &(struct own_sample_plan){ .dump_bytes = DUMP });
	assert_true(sample_parts_find(&parts, (const uint8_t *)sample.record.bytes, sample.record.size,
				      &own_sample_attr));
	live_unwinder_walk(unwinder, &parts, parts.filled, &stack);
	same = stack.end == UNWIND_END_ROOT && stack.count == sample.caller_count + 1;
	for (size_t i = 0; same && i < sample.caller_count; i++)
		same = stack.frames[i + 1].address == sample.callers[i];
	if (same)
		same = live_unwinder_is_root(unwinder, &parts, &stack.frames[stack.count - 1]) &&
		       !live_unwinder_is_root(unwinder, &parts, &stack.frames[0]);
	own_sample_fini(&sample);
	return same;
}

static struct live_unwinder *create(void)
{
	struct live_unwinder *unwinder =
		live_unwinder_create(own_sample_attr.sample_regs_user, &own_sample_attr);

	if (!own_sample_is_possible())
		skip();
	assert_non_null(unwinder);
	return unwinder;
}

static void apply_own_state(struct live_unwinder *unwinder)
{
	struct strbuf records;

	strbuf_init(&records);
	own_state_records(&records);
	live_unwinder_apply_all(unwinder, (const uint8_t *)records.bytes, records.size);
	strbuf_fini(&records);
}

struct change {
	uint32_t pid;
	uint16_t misc;
	uint32_t type;
	uint64_t time_ns;
};

/* Applies an MMAP2 of all memory, or an exec. */
static void apply_change_of(struct live_unwinder *unwinder, const struct change *change)
{
	struct perf_event_header header = { .type = change->type, .misc = change->misc };
	const uint32_t pid = change->pid, type = change->type;
	const uint64_t time_ns = change->time_ns;
	struct strbuf record;

	strbuf_init(&record);
	strbuf_add(&record, &header, sizeof(header));
	strbuf_add_u32(&record, pid, false);
	strbuf_add_u32(&record, pid, false);
	if (type == PERF_RECORD_MMAP2) {
		strbuf_add_u64(&record, 0, false);          /* start */
		strbuf_add_u64(&record, UINT64_MAX, false); /* length */
		strbuf_add_zeros(&record, 8 + 24);          /* file offset; device, inode, generation */
		strbuf_add_u32(&record, 1, false);          /* PROT_READ */
		strbuf_add_u32(&record, 2, false);          /* MAP_PRIVATE */
	}
	strbuf_add(&record, "//anon\0", 8);
	strbuf_add_u32(&record, pid, false); /* trailer: TID, TIME */
	strbuf_add_u32(&record, pid, false);
	strbuf_add_u64(&record, time_ns, false);
	header.size = (uint16_t)record.size;
	memcpy(record.bytes, &header, sizeof(header));
	live_unwinder_apply_all(unwinder, (const uint8_t *)record.bytes, record.size);
	strbuf_fini(&record);
}

/* Applies a change of this process, later or earlier than the sample. */
static void apply_change(struct live_unwinder *unwinder, uint16_t misc, uint32_t type, uint64_t time_ns)
{
	apply_change_of(unwinder, &(struct change){ (uint32_t)getpid(), misc, type, time_ns });
}

static void begin_program(struct live_unwinder *unwinder, uint32_t pid, uint64_t time_ns)
{
	apply_change_of(unwinder,
			&(struct change){ pid, PERF_RECORD_MISC_COMM_EXEC, PERF_RECORD_COMM, time_ns });
}

static void what_records_say_is_mapped_is_unwound(void **state)
{
	struct live_unwinder *unwinder = create();

	(void)state;
	assert_false(unwinds_own_stack(unwinder));
	apply_own_state(unwinder);
	assert_true(unwinds_own_stack(unwinder));
	live_unwinder_destroy(unwinder);
}

static void what_was_mapped_before_an_exec_is_gone(void **state)
{
	struct live_unwinder *unwinder = create();

	(void)state;
	apply_own_state(unwinder);
	apply_change(unwinder, PERF_RECORD_MISC_COMM_EXEC, PERF_RECORD_COMM, OWN_SAMPLE_TIME_NS + 1);
	assert_true(unwinds_own_stack(unwinder)); /* the sample is older */
	apply_change(unwinder, PERF_RECORD_MISC_COMM_EXEC, PERF_RECORD_COMM, OWN_SAMPLE_TIME_NS - 1);
	assert_false(unwinds_own_stack(unwinder));
	live_unwinder_destroy(unwinder);
}

static void a_new_name_changes_nothing(void **state)
{
	struct live_unwinder *unwinder = create();

	(void)state;
	apply_own_state(unwinder);
	apply_change(unwinder, 0, PERF_RECORD_COMM, OWN_SAMPLE_TIME_NS - 1);
	assert_true(unwinds_own_stack(unwinder));
	live_unwinder_destroy(unwinder);
}

static void data_that_takes_no_codes_place_is_passed_over(void **state)
{
	struct live_unwinder *unwinder = create();

	(void)state;
	apply_change(unwinder, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA, PERF_RECORD_MMAP2, 1);
	apply_own_state(unwinder); /* earlier by its time, but data mappings are not noted */
	assert_true(unwinds_own_stack(unwinder));
	live_unwinder_destroy(unwinder);
}

static void forgotten_mappings_are_read_again(void **state)
{
	struct build_id_table *files = build_id_table_create();
	struct live_unwinder *unwinder = create();

	(void)state;
	assert_false(live_unwinder_is_full(unwinder));
	live_unwinder_refill(unwinder, files);
	assert_false(live_unwinder_is_full(unwinder));
	assert_true(unwinds_own_stack(unwinder));
	live_unwinder_destroy(unwinder);
	build_id_table_destroy(files);
}

static void it_is_full_after_a_bounded_number_of_changes(void **state)
{
	struct live_unwinder *unwinder = create();
	uint64_t changes = 0;

	(void)state;
	while (!live_unwinder_is_full(unwinder) && changes < 1000000)
		apply_change(unwinder, PERF_RECORD_MISC_COMM_EXEC, PERF_RECORD_COMM, 100 + changes++);
	assert_in_range(changes, 10000, 100000);
	live_unwinder_destroy(unwinder);
}

static void processes_that_have_ended_make_room(void **state)
{
	enum { NO_PROCESS = 1 << 23 }; /* larger than any pid_max */
	struct live_unwinder *unwinder = create();

	(void)state;
	apply_own_state(unwinder);
	for (uint32_t i = 0; !live_unwinder_is_full(unwinder); i++)
		begin_program(unwinder, NO_PROCESS + i, OWN_SAMPLE_TIME_NS);
	live_unwinder_forget_ended(unwinder);
	assert_true(live_unwinder_is_full(unwinder)); /* their samples may still come */
	begin_program(unwinder, NO_PROCESS, OWN_SAMPLE_TIME_NS + 10ull * 1000 * 1000 * 1000);
	live_unwinder_forget_ended(unwinder);
	assert_false(live_unwinder_is_full(unwinder));
	assert_true(unwinds_own_stack(unwinder));
	live_unwinder_destroy(unwinder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_records_say_is_mapped_is_unwound),
		cmocka_unit_test(what_was_mapped_before_an_exec_is_gone),
		cmocka_unit_test(a_new_name_changes_nothing),
		cmocka_unit_test(data_that_takes_no_codes_place_is_passed_over),
		cmocka_unit_test(forgotten_mappings_are_read_again),
		cmocka_unit_test(it_is_full_after_a_bounded_number_of_changes),
		cmocka_unit_test(processes_that_have_ended_make_room),
	};

	return cmocka_run_group_tests_name("record/stack/live_unwinder", tests, NULL, NULL);
}
