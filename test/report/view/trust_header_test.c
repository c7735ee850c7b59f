#include "report/view/trust_header.h"

#include <linux/perf_event.h>
#include <string.h>

#include "report/load/profile_loader.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"
#include "support/profile_builder.h"

struct fixture {
	struct perf_data_builder *builder;
	struct perf_file *file;
	struct loaded_profile loaded;
	struct strbuf out;
};

static struct fixture fixture;

static int setup(void **state)
{
	fixture = (struct fixture){ .builder = perf_data_builder_create(BUILD_NATIVE) };
	strbuf_init(&fixture.out);
	perf_data_builder_add_clock(fixture.builder);
	*state = &fixture;
	return 0;
}

static void fini(struct fixture *f)
{
	strbuf_fini(&f->out);
	loaded_profile_fini(&f->loaded);
	perf_file_close(f->file);
	perf_data_builder_destroy(f->builder);
}

static int teardown(void **state)
{
	fini(*state);
	return 0;
}

static void samples(struct fixture *f, uint64_t count)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x1000, 0x2000 };
	uint64_t i;

	for (i = 0; i < count; i++)
		perf_data_builder_sample(f->builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
									     .ip = 0x1000,
									     .pid = 7,
									     .tid = 7,
									     .time_ns = 1000000 * (i + 1),
									     .period = 1000000,
									     .callchain = chain,
									     .callchain_count = 3 });
}

static const char *render(struct fixture *f, unsigned int lines)
{
	const struct load_options options = { .symbols = { .symfs = "/proc/nonexistent",
							   .kallsyms_path = "/proc/nonexistent" } };
	struct error err;

	perf_data_builder_finish_file(f->builder);
	f->file = perf_data_builder_open(f->builder);
	assert_int_equal(profile_load(f->file, &options, &f->loaded, &err), 0);
	trust_header_render(&f->out, &f->loaded, lines);
	return f->out.size ? f->out.bytes : "";
}

static void events_come_with_counts_and_duration(void **state)
{
	struct fixture *f = *state;

	samples(f, 2001);
	assert_string_equal(render(f, TRUST_EVENTS),
			    "# 2,001 samples of cpu-clock, event count 2,001,000,000, in 2 s\n");
}

static void a_recording_without_samples_says_so(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(render(f, TRUST_EVENTS),
			    "# no samples: was anything running, and long enough?\n");
}

static void the_rate_of_clock_events_is_what_was_achieved(void **state)
{
	struct fixture *f = *state;

	samples(f, 10);
	assert_string_equal(render(f, TRUST_RATE),
			    "# rate: cpu-clock at 1000 Hz of running CPU time, 1000 Hz asked for\n");
}

static void what_is_fine_takes_no_line(void **state)
{
	struct fixture *f = *state;

	samples(f, 10);
	assert_string_equal(render(f, TRUST_LOSS | TRUST_MACHINE | TRUST_COMMAND), "");
}

static void loss_comes_with_its_remedy(void **state)
{
	struct fixture *f = *state;

	perf_data_builder_lost(f->builder, 0, 1234, 10);
	assert_string_equal(render(f, TRUST_LOSS),
			    "# lost records: 1,234 (100.0%), so that shares may be wrong: record with larger "
			    "buffers ('-m 8M') or sample less often ('-F')\n");
}

static void a_recording_that_was_not_finished_says_so(void **state)
{
	struct fixture *f = *state;

	f->builder->never_finished = true;
	perf_data_builder_feature_record(f->builder, 3 /* HEADER_HOSTNAME */, "\4\0\0\0abc", 8);
	samples(f, 10);
	assert_string_equal(
		render(f, TRUST_LOSS),
		"# not finished: the recorder was killed or is still at work; everything that it has "
		"written is shown\n");
}

static void the_same_loss_is_told_once(void **state)
{
	struct fixture *f = *state;

	perf_data_builder_lost(f->builder, 0, 1234, 10);
	perf_data_builder_lost_samples(f->builder, 1200, 10);
	assert_string_equal(render(f, TRUST_LOSS),
			    "# lost samples: 1,200 (100.0%), so that shares may be wrong: record with larger "
			    "buffers ('-m 8M') or sample less often ('-F')\n");
}

/* Records that the kernel lost, and samples among them by each event's own count (PERF_FORMAT_LOST). */
static const char *render_losses(struct fixture *f, uint64_t records, uint64_t lost_samples)
{
	perf_data_builder_destroy(f->builder);
	f->builder = perf_data_builder_create(BUILD_NATIVE);
	perf_data_builder_add_event(
		f->builder, &(struct built_event){ .attr = { .type = PERF_TYPE_SOFTWARE,
							     .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
									    PERF_SAMPLE_TIME,
							     .read_format = PERF_FORMAT_LOST,
							     .sample_id_all = 1 } });
	perf_data_builder_lost(f->builder, 0, records, 10);
	if (lost_samples)
		perf_data_builder_lost_samples(f->builder, lost_samples, 10);
	return render(f, TRUST_LOSS);
}

static void other_records_that_were_lost_may_be_names(void **state)
{
	assert_string_equal(
		render_losses(*state, 34, 0),
		"# lost records other than samples: 34, so that names may be missing: record with "
		"larger buffers ('-m 8M') or sample less often ('-F')\n");
}

static void samples_and_other_records_that_were_lost_are_told_apart(void **state)
{
	assert_string_equal(
		render_losses(*state, 1234, 1200),
		"# lost samples: 1,200 (100.0%) and 34 other records, so that shares may be wrong and "
		"names missing: record with larger buffers ('-m 8M') or sample less often ('-F')\n");
}

static void stacks_that_break_off_are_counted(void **state)
{
	struct fixture *f = *state;

	samples(f, 10);
	assert_string_equal(
		render(f, TRUST_STACKS),
		"# call stacks: 100.0% are cut short (outer callers are missing), because code without frame "
		"pointers breaks the chain: record with 'xprof record -g', or build it with "
		"-fno-omit-frame-pointer\n"
		"#   0 (0.0%) reach the start of their thread\n"
		"#   10 (100.0%) end early: code without frame pointers breaks the chain: record with "
		"'xprof record -g', or build it with -fno-omit-frame-pointer\n");
}

static void samples_without_a_stack_among_others_are_counted(void **state)
{
	struct fixture *f = *state;

	samples(f, 9);
	perf_data_builder_sample(f->builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
								     .ip = 0x1000,
								     .pid = 7,
								     .tid = 7,
								     .time_ns = 10000000,
								     .period = 1000000 });
	assert_string_equal(
		render(f, TRUST_STACKS),
		"# call stacks: 100.0% are cut short (outer callers are missing), most of them because code "
		"without frame pointers breaks the chain: record with 'xprof record -g', or build it with "
		"-fno-omit-frame-pointer\n"
		"#   0 (0.0%) reach the start of their thread\n"
		"#   9 (90.0%) end early: code without frame pointers breaks the chain: record with "
		"'xprof record -g', or build it with -fno-omit-frame-pointer\n"
		"#   1 (10.0%) end early: no stack was recorded, or it could not be copied at that moment\n");
}

static void assert_remedy(uint64_t sample_type, bool kernel_chain, uint32_t dump_bytes, uint16_t max_stack,
			  const char *expected)
{
	struct fixture own = { .builder = perf_data_builder_create(BUILD_NATIVE) }, *f = &own;

	strbuf_init(&f->out);
	perf_data_builder_add_event(
		f->builder,
		&(struct built_event){ .attr = { .type = PERF_TYPE_SOFTWARE,
						 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
								PERF_SAMPLE_STACK_USER | sample_type,
						 .sample_stack_user = dump_bytes,
						 .sample_max_stack = max_stack,
						 .exclude_callchain_user = kernel_chain } });
	render(f, 0);
	f->loaded.facts.samples = f->loaded.facts.stacks_ended[STACK_END_DUMP] = 4;
	trust_header_render(&f->out, &f->loaded, TRUST_STACKS);
	assert_non_null(strstr(f->out.bytes, expected));
	fini(f);
}

static void assert_dump_remedy(uint64_t sample_type, bool kernel_chain, uint32_t dump_bytes,
			       const char *expected)
{
	assert_remedy(sample_type, kernel_chain, dump_bytes, 0, expected);
}

/* A recording of arm64, of a program that began with the leaf at 0x1000. */
static void render_arm64(struct fixture *f, uint64_t abi)
{
	static const uint64_t registers[2] = { 0x1000, 0x7000 };
	static const uint64_t stack[2];

	*f = (struct fixture){ .builder = perf_data_builder_create(BUILD_NATIVE) };
	strbuf_init(&f->out);
	perf_data_builder_add_event(
		f->builder,
		&(struct built_event){ .attr = { .type = PERF_TYPE_SOFTWARE,
						 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
								PERF_SAMPLE_TIME | PERF_SAMPLE_REGS_USER |
								PERF_SAMPLE_STACK_USER,
						 .sample_regs_user = 3ull << 31, /* sp and pc */
						 .sample_stack_user = sizeof(stack) } });
	perf_data_builder_feature_string(f->builder, HEADER_ARCH, "aarch64");
	perf_data_builder_sample(f->builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
								     .ip = 0x1000,
								     .pid = 7,
								     .tid = 7,
								     .time_ns = 1000000,
								     .user_regs_abi = abi,
								     .user_regs = registers,
								     .user_stack = stack,
								     .user_stack_size = sizeof(stack),
								     .user_stack_dumped = sizeof(stack) });
	render(f, TRUST_STACKS);
}

static void programs_of_32_bits_on_arm64_are_said_not_to_be_unwound(void **state)
{
	static const char said[] =
		"#   1 (100.0%) end early: stack dumps of 32-bit programs on arm64, and of "
		"machines other than x86 and arm64, are not unwound\n";
	struct fixture own;

	(void)state;
	render_arm64(&own, PERF_SAMPLE_REGS_ABI_32);
	assert_non_null(strstr(own.out.bytes, said));
	fini(&own);
	render_arm64(&own, PERF_SAMPLE_REGS_ABI_64);
	assert_null(strstr(own.out.bytes, "32-bit"));
	fini(&own);
}

static void a_larger_dump_is_proposed_where_there_is_one(void **state)
{
	(void)state;
	assert_dump_remedy(PERF_SAMPLE_CALLCHAIN, true, 8192,
			   "#   4 (100.0%) end early: they are deeper than their stack dump: record with "
			   "'--call-graph dwarf,65528'\n");
	assert_dump_remedy(PERF_SAMPLE_CALLCHAIN, false, 16384,
			   "stack dump: record with '--call-graph auto,65528'\n");
	assert_dump_remedy(PERF_SAMPLE_CALLCHAIN, false, 64072, "stack dump, which cannot be larger\n");
	assert_dump_remedy(0, false, 65528, "stack dump, which cannot be larger\n");
	assert_remedy(
		PERF_SAMPLE_CALLCHAIN, false, 64072, UINT16_MAX,
		"they are deeper than a record holds, and were not followed to their start while recording\n");
}

static void where_many_stacks_go_astray_the_files_can_be_asked_for(void **state)
{
	struct fixture *f = *state;

	samples(f, 100);
	render(f, 0);
	f->loaded.facts.stacks_ended[STACK_END_ROOT] = 98;
	f->loaded.facts.stacks_ended[STACK_END_CHAIN] = 0;
	f->loaded.facts.stacks_ended[STACK_END_NO_CFI] = 2;
	trust_header_render(&f->out, &f->loaded, TRUST_STACKS);
	assert_string_equal(
		f->out.bytes,
		"# call stacks: 2.0% are cut short (outer callers are missing), because code has no "
		"unwind information\n"
		"#   98 (98.0%) reach the start of their thread\n"
		"#   2 (2.0%) end early: code has no unwind information\n");
	f->loaded.facts.stacks_ended[STACK_END_ROOT] = 97;
	f->loaded.facts.stacks_ended[STACK_END_NO_CFI] = 3;
	strbuf_fini(&f->out);
	strbuf_init(&f->out);
	trust_header_render(&f->out, &f->loaded, TRUST_STACKS);
	assert_non_null(
		strstr(f->out.bytes,
		       "3 (3.0%) end early: code has no unwind information: 'xprof report --stacks' says in "
		       "which files\n"));
}

static void memory_that_nothing_was_mapped_in_is_named(void **state)
{
	struct fixture *f = *state;

	samples(f, 10);
	assert_string_equal(render(f, TRUST_SYMBOLS),
			    "# names: 100.0% of the samples are in functions without a name\n"
			    "#   100.0% in no file: the recording has no mapping at these addresses\n");
}

static void jit_code_whose_turns_cannot_be_told_is_said(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(render(f, TRUST_SYMBOLS), "");
	f->loaded.facts.jit_dumps_unclear = 1;
	trust_header_render(&f->out, &f->loaded, TRUST_SYMBOLS);
	assert_string_equal(
		f->out.bytes,
		"# JIT code: in 1 process functions replaced each other at the same addresses, and the last "
		"one's name is shown for all: record with '-k monotonic' to tell them apart\n");
}

static void a_host_name_cannot_drive_the_terminal(void **state)
{
	struct fixture *f = *state;

	perf_data_builder_feature_string(f->builder, 3 /* HEADER_HOSTNAME */, "h\033[2Jx");
	assert_string_equal(render(f, TRUST_MACHINE), "# recorded on h?[2Jx\n");
}

/* --- in five lines --------------------------------------------------------------- */

static const char *render_brief(struct fixture *f)
{
	strbuf_fini(&f->out);
	strbuf_init(&f->out);
	trust_header_render(&f->out, &f->loaded, TRUST_BRIEF);
	return f->out.bytes;
}

/* A recording without faults, made by this command. */
static void load_whole(struct fixture *f)
{
	static const char command[] = "\3\0\0\0\14\0\0\0/bin/xprof\0\0\7\0\0\0record\0\6\0\0\0a\tb c\0";

	perf_data_builder_feature_string(f->builder, 3 /* HEADER_HOSTNAME */, "desk");
	perf_data_builder_feature(f->builder, 11 /* HEADER_CMDLINE */, command, sizeof(command) - 1);
	samples(f, 1001);
	render(f, 0);
	f->loaded.facts.unresolved_samples = 0;
	f->loaded.facts.stacks_ended[STACK_END_CHAIN] = 0;
	f->loaded.facts.stacks_ended[STACK_END_ROOT] = f->loaded.facts.samples;
	f->loaded.facts.is_part = true; /* so nothing is said of waiting */
}

static void where_all_is_well_one_line_says_what_was_recorded(void **state)
{
	struct fixture *f = *state;

	load_whole(f);
	profile_set_function(f->loaded.profile, 0, profile_function(f->loaded.profile, 0, "f", 0));
	assert_string_equal(strrchr(render_brief(f), '#'), "# recorded 1 s on desk: xprof record 'a?b c'\n");
}

static void the_worst_comes_first(void **state)
{
	struct fixture *f = *state;
	const char *text, *stacks, *lost, *jit;

	load_whole(f);
	f->loaded.facts.lost_samples = 20; /* 2.0% */
	f->loaded.facts.jit_dumps_unclear = 1;
	f->loaded.facts.stacks_ended[STACK_END_NO_CFI] = 500;
	f->loaded.facts.stacks_ended[STACK_END_ROOT] -= 500;
	text = render_brief(f);
	stacks = strstr(text, "# call stacks: 50.0% ");
	lost = strstr(text, "# lost samples: 20 (2.0%)");
	jit = strstr(text, "# JIT code: ");
	assert_non_null(stacks);
	assert_non_null(jit);
	assert_true(stacks < lost && lost < jit);
	f->loaded.facts.lost_samples = 10000;
	text = render_brief(f);
	assert_true(strstr(text, "# lost samples: ") < strstr(text, "# call stacks: "));
}

static size_t line_count(const char *text)
{
	size_t count = 0;

	for (; (text = strchr(text, '\n')); text++)
		count++;
	return count;
}

static void there_are_never_more_than_five_lines(void **state)
{
	struct fixture *f = *state;
	const char *text;

	load_whole(f);
	f->loaded.facts.damaged_records = 1;
	f->loaded.facts.lost_samples = 100;
	f->loaded.facts.throttle_records = 3;
	f->loaded.facts.jit_dumps_unclear = 1;
	f->loaded.facts.unresolved_samples = 700;
	f->loaded.facts.stacks_ended[STACK_END_NO_CFI] = 500;
	f->loaded.facts.stacks_ended[STACK_END_DEPTH] = 100;
	f->loaded.facts.stacks_ended[STACK_END_ROOT] -= 600;
	text = render_brief(f);
	assert_int_equal(line_count(text), TRUST_BRIEF_LINES);
	assert_true(strncmp(text, "# left out: 1 damaged records", strlen("# left out: 1 damaged records")) ==
		    0);
	assert_non_null(strstr(text, " (2 lesser remarks: --header)\n"));
}

static void what_spoils_next_to_nothing_is_left_to_the_full_header(void **state)
{
	struct fixture *f = *state;

	load_whole(f);
	f->loaded.facts.stacks_ended[STACK_END_NO_CFI] = 4; /* 0.4% */
	f->loaded.facts.stacks_ended[STACK_END_ROOT] -= 4;
	assert_null(strstr(render_brief(f), "call stacks"));
	strbuf_fini(&f->out);
	strbuf_init(&f->out);
	trust_header_render(&f->out, &f->loaded, TRUST_ALL);
	assert_non_null(strstr(f->out.bytes, "# call stacks: 0.4% are cut short"));
}

/* It never was a perf.data: no file, no processes, no symbolizer. */
static void a_profile_of_another_source_has_the_same_header(void **state)
{
	static const char *const command[] = { "py-spy", "record", "-o", "my profile", "./serve.py" };
	struct fixture *f = *state;
	struct profile *profile = f->loaded.profile = profile_create();
	struct profile_facts *facts = &f->loaded.facts;
	const uint32_t event = builder_event(profile, "cpu-clock");

	builder_add(profile, event, "web 10/10", "web`main;web`serve", 900, 900000000);
	builder_add(profile, event, "web 10/10", "web`main;web`0x1234", 100, 100000000);
	profile_facts_init(facts);
	facts->path = profile_facts_text(facts, "profile.pb");
	facts->hostname = profile_facts_text(facts, "desk");
	facts->command_line = command;
	facts->command_line_count = sizeof(command) / sizeof(*command);
	facts->samples = 1000;
	facts->lost_samples = 250;
	facts->first_record_ns = 0;
	facts->last_record_ns = 2500000000;
	profile_facts_count_stacks(facts, profile);
	assert_int_equal(facts->unresolved_samples, 100);
	trust_header_render(&f->out, &f->loaded, TRUST_BRIEF);
	assert_string_equal(
		f->out.bytes,
		"# lost samples: 250 (20.0%), so that shares may be wrong: record with larger buffers "
		"('-m 8M') or sample less often ('-F')\n"
		"# names: 10.0% of the samples are in functions without a name\n"
		"# recorded 2.5 s on desk: py-spy record -o 'my profile' ./serve.py\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(events_come_with_counts_and_duration),
		TEST(a_recording_without_samples_says_so),
		TEST(the_rate_of_clock_events_is_what_was_achieved),
		TEST(what_is_fine_takes_no_line),
		TEST(loss_comes_with_its_remedy),
		TEST(a_recording_that_was_not_finished_says_so),
		TEST(the_same_loss_is_told_once),
		TEST(other_records_that_were_lost_may_be_names),
		TEST(samples_and_other_records_that_were_lost_are_told_apart),
		TEST(stacks_that_break_off_are_counted),
		TEST(where_many_stacks_go_astray_the_files_can_be_asked_for),
		TEST(programs_of_32_bits_on_arm64_are_said_not_to_be_unwound),
		TEST(a_larger_dump_is_proposed_where_there_is_one),
		TEST(samples_without_a_stack_among_others_are_counted),
		TEST(memory_that_nothing_was_mapped_in_is_named),
		TEST(jit_code_whose_turns_cannot_be_told_is_said),
		TEST(a_host_name_cannot_drive_the_terminal),
		TEST(where_all_is_well_one_line_says_what_was_recorded),
		TEST(the_worst_comes_first),
		TEST(there_are_never_more_than_five_lines),
		TEST(a_profile_of_another_source_has_the_same_header),
		TEST(what_spoils_next_to_nothing_is_left_to_the_full_header),
	};

	return cmocka_run_group_tests_name("report/view/trust_header", tests, NULL, NULL);
}
