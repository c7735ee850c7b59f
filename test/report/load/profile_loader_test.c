#include "report/load/profile_loader.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "format/elided_frames.h"
#include "format/perf_abi.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

#define USER_DEFERRED ((uint64_t)-640) /* PERF_CONTEXT_USER_DEFERRED */

static const struct load_options everything = { .symbols = { .symfs = "/proc/nonexistent",
							     .kallsyms_path = "/proc/nonexistent" } };

enum { USUAL = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD };

struct fixture {
	struct perf_data_builder *builder;
	struct perf_file *file;
	struct loaded_profile loaded;
};

static struct fixture fixture;

static int setup(void **state)
{
	fixture = (struct fixture){ .builder = perf_data_builder_create(BUILD_NATIVE) };
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	loaded_profile_fini(&f->loaded);
	if (f->file)
		perf_file_close(f->file);
	perf_data_builder_destroy(f->builder);
	return 0;
}

static void add_event(struct fixture *f, const char *name, uint64_t sample_type, uint64_t id)
{
	struct built_event event = { .attr = { .type = PERF_TYPE_SOFTWARE,
					       .size = PERF_ATTR_SIZE_VER5,
					       .sample_type = sample_type,
					       .sample_period = 1000,
					       .sample_id_all = 1 },
				     .name = name };

	if (id) {
		event.ids[0] = id;
		event.id_count = 1;
	}
	perf_data_builder_add_event(f->builder, &event);
}

static void map(struct fixture *f, uint32_t pid, const char *path, uint64_t time_ns)
{
	const struct built_mmap mmap = { .pid = pid,
					 .tid = pid,
					 .start = 0x400000,
					 .length = 0x1000,
					 .prot = PROT_READ | PROT_EXEC,
					 .misc = PERF_RECORD_MISC_USER,
					 .path = path,
					 .time_ns = time_ns };

	perf_data_builder_mmap2(f->builder, &mmap);
}

static void sample(struct fixture *f, uint32_t pid, uint64_t ip, uint64_t time_ns)
{
	perf_data_builder_sample(f->builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
								     .ip = ip,
								     .pid = pid,
								     .tid = pid,
								     .time_ns = time_ns,
								     .cpu = 1,
								     .period = 500 });
}

static void load_with(struct fixture *f, const struct load_options *options)
{
	struct error err;

	f->file = perf_data_builder_open(f->builder);
	assert_int_equal(profile_load(f->file, options, &f->loaded, &err), 0);
}

static void load(struct fixture *f)
{
	perf_data_builder_finish_file(f->builder);
	load_with(f, &everything);
}

/* The short name of the DSO in which sample entry `number` was. */
static const char *dso_of(const struct fixture *f, uint32_t number)
{
	const struct profile *profile = f->loaded.profile;
	const struct profile_stack *stack =
		profile_stack_at(profile, profile_sample_at(profile, number)->stack);
	uint32_t dso = profile_location_at(profile, stack->location)->dso;

	return dso == PROFILE_NONE ? "nothing" : profile_text(profile, profile_dso_at(profile, dso)->name);
}

static const char *comm_of(const struct fixture *f, uint32_t number)
{
	const struct profile *profile = f->loaded.profile;

	return profile_text(profile,
			    profile_thread_at(profile, profile_sample_at(profile, number)->thread)->comm);
}

static void equal_samples_add_up(void **state)
{
	struct fixture *f = *state;
	const struct profile_event *event;

	add_event(f, "cycles", USUAL, 0);
	perf_data_builder_comm(f->builder, 7, 7, "worker", 0);
	map(f, 7, "/bin/a", 0);
	sample(f, 7, 0x400010, 100);
	sample(f, 7, 0x400010, 200);
	sample(f, 7, 0x400020, 300);
	load(f);
	event = profile_event_at(f->loaded.profile, 0);
	assert_string_equal(profile_text(f->loaded.profile, event->name), "cycles");
	assert_int_equal(event->samples, 3);
	assert_int_equal(event->weight, 1500);
	assert_int_equal(profile_sample_count(f->loaded.profile), 2);
	assert_int_equal(profile_sample_at(f->loaded.profile, 0)->count, 2);
	assert_string_equal(dso_of(f, 0), "a");
	assert_string_equal(comm_of(f, 0), "worker");
	assert_int_equal(f->loaded.facts.first_time_ns, 100);
	assert_int_equal(f->loaded.facts.last_time_ns, 300);
	assert_int_equal(f->loaded.facts.unresolved_samples, 3);
	assert_int_equal(f->loaded.facts.stacks_ended[STACK_END_NO_CHAIN], 3);
}

static void a_sample_sees_what_was_mapped_before_it_although_it_comes_later_in_the_file(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL, 0);
	sample(f, 7, 0x400010, 100); /* the ring of one CPU … */
	sample(f, 7, 0x400011, 300);
	map(f, 7, "/bin/a", 50); /* … then that of another one */
	map(f, 7, "/bin/b", 200);
	perf_data_builder_finished_round(f->builder);
	load(f);
	assert_string_equal(dso_of(f, 0), "a");
	assert_string_equal(dso_of(f, 1), "b");
}

static void a_round_may_bring_what_is_earlier_than_samples_of_the_one_before(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL, 0);
	sample(f, 7, 0x400010, 100);
	perf_data_builder_finished_round(f->builder);
	map(f, 7, "/bin/a", 90);
	perf_data_builder_finished_round(f->builder);
	load(f);
	assert_string_equal(dso_of(f, 0), "a");
}

static void without_times_the_order_of_records_counts(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", PERF_SAMPLE_IP | PERF_SAMPLE_TID, 0);
	map(f, 7, "/bin/a", 0);
	sample(f, 7, 0x400010, 0);
	map(f, 7, "/bin/b", 0);
	sample(f, 7, 0x400010, 0);
	load(f);
	assert_int_equal(profile_sample_count(f->loaded.profile), 2);
	assert_string_equal(dso_of(f, 0), "a");
	assert_string_equal(dso_of(f, 1), "b");
	assert_int_equal(profile_event_at(f->loaded.profile, 0)->weight, 2000); /* twice the fixed period */
	assert_int_equal(f->loaded.facts.first_time_ns, UINT64_MAX);
}

static void samples_go_to_the_event_of_their_id_and_unknown_ids_are_counted(void **state)
{
	const uint64_t ids[] = { 11, 12, 12, 99 };
	struct fixture *f = *state;
	size_t i;

	add_event(f, "cycles", USUAL | PERF_SAMPLE_IDENTIFIER, 11);
	add_event(f, "instructions", USUAL | PERF_SAMPLE_IDENTIFIER, 12);
	for (i = 0; i < 4; i++)
		perf_data_builder_sample(f->builder, &(struct built_sample){ .event = ids[i] == 12,
									     .id = ids[i],
									     .ip = 1,
									     .pid = 7,
									     .tid = 7,
									     .period = 3 });
	load(f);
	assert_int_equal(profile_event_at(f->loaded.profile, 0)->samples, 1);
	assert_int_equal(profile_event_at(f->loaded.profile, 1)->samples, 2);
	assert_int_equal(f->loaded.facts.unknown_event_samples, 1);
	assert_int_equal(f->loaded.facts.samples, 3);
}

static void one_event_asked_for_twice_stays_two(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL | PERF_SAMPLE_IDENTIFIER, 11);
	add_event(f, "cycles", USUAL | PERF_SAMPLE_IDENTIFIER, 12);
	load(f);
	assert_int_equal(profile_event_count(f->loaded.profile), 2);
	assert_string_equal(profile_text(f->loaded.profile, profile_event_at(f->loaded.profile, 1)->name),
			    "cycles (2)");
}

static void a_group_that_is_read_is_one_sample_per_counter(void **state)
{
	/* { nr, { value, id } … } */
	const uint64_t first[] = { 2, 100, 11, 50, 12 }, second[] = { 2, 130, 11, 50, 12 };
	struct built_event event = { .attr = { .size = PERF_ATTR_SIZE_VER5,
					       .sample_type =
						       USUAL | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ,
					       .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID },
				     .name = "cycles",
				     .ids = { 11 },
				     .id_count = 1 };
	struct built_sample built = { .ip = 1, .pid = 7, .tid = 7, .read_words = first, .read_word_count = 5 };
	struct fixture *f = *state;

	perf_data_builder_add_event(f->builder, &event);
	event.name = "instructions";
	event.ids[0] = 12;
	perf_data_builder_add_event(f->builder, &event);
	perf_data_builder_sample(f->builder, &built);
	built.read_words = second;
	perf_data_builder_sample(f->builder, &built);
	load(f);
	assert_int_equal(profile_event_at(f->loaded.profile, 0)->samples, 2);
	assert_int_equal(profile_event_at(f->loaded.profile, 0)->weight, 130);
	assert_int_equal(profile_event_at(f->loaded.profile, 1)->samples,
			 1); /* the counter had not advanced */
	assert_int_equal(profile_event_at(f->loaded.profile, 1)->weight, 50);
}

static void lost_records_and_lost_samples_are_never_added_up(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL, 0);
	perf_data_builder_lost(f->builder, 0, 5, 10);
	perf_data_builder_lost(f->builder, 0, 6, 20);
	perf_data_builder_lost_samples(f->builder, 3, 30);
	load(f);
	assert_int_equal(f->loaded.facts.lost_records, 11);
	assert_int_equal(f->loaded.facts.lost_samples, 3);
}

static size_t add_event_that_counts_losses(struct fixture *f)
{
	const struct built_event event = { .attr = { .size = PERF_ATTR_SIZE_VER5,
						     .sample_type = USUAL,
						     .read_format = PERF_FORMAT_ID | 1 << 4 /* LOST */ },
					   .name = "cycles",
					   .ids = { 11 },
					   .id_count = 1 };

	return perf_data_builder_add_event(f->builder, &event);
}

static void records_lost_beyond_the_samples_are_others(void **state)
{
	struct fixture *f = *state;

	add_event_that_counts_losses(f);
	perf_data_builder_lost(f->builder, 0, 5, 10);
	perf_data_builder_lost(f->builder, 0, 6, 20);
	perf_data_builder_lost_samples(f->builder, 3, 30);
	load(f);
	assert_int_equal(f->loaded.facts.lost_samples, 3);
	assert_int_equal(f->loaded.facts.lost_others, 8);
	assert_int_equal(f->loaded.facts.lost_records, 0);
}

static void samples_lost_after_the_last_record_are_no_negative_others(void **state)
{
	struct fixture *f = *state;

	add_event_that_counts_losses(f);
	perf_data_builder_lost(f->builder, 0, 5, 10);
	perf_data_builder_lost_samples(f->builder, 7, 30);
	load(f);
	assert_int_equal(f->loaded.facts.lost_samples, 7);
	assert_int_equal(f->loaded.facts.lost_others, 0);
}

static void losses_of_a_recording_that_was_killed_are_not_told_apart(void **state)
{
	struct fixture *f = *state;

	add_event_that_counts_losses(f);
	f->builder->never_finished = true;
	perf_data_builder_feature_record(f->builder, 3 /* HEADER_HOSTNAME */, "\4\0\0\0abc", 8);
	perf_data_builder_lost(f->builder, 0, 5, 10);
	load(f);
	assert_int_equal(f->loaded.facts.lost_records, 5);
	assert_int_equal(f->loaded.facts.lost_others, 0);
}

static void samples_that_a_filter_dropped_are_not_lost(void **state)
{
	struct fixture *f = *state;

	add_event_that_counts_losses(f);
	perf_data_builder_begin(f->builder, PERF_RECORD_LOST_SAMPLES, 1 << 15 /* perf's LOST_SAMPLES_BPF */);
	perf_data_builder_u64(f->builder, 100);
	perf_data_builder_trailer(f->builder, 0, 0, 0);
	perf_data_builder_end(f->builder);
	load(f);
	assert_int_equal(f->loaded.facts.lost_samples, 0);
}

static bool is_thread_8(const struct sample *candidate, void *context)
{
	(void)context;
	return candidate->tid == 8;
}

static void what_is_filtered_is_not_loaded(void **state)
{
	struct load_options options = everything;
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL, 0);
	sample(f, 8, 1, 200);
	sample(f, 7, 1, 200);
	perf_data_builder_finish_file(f->builder);
	options.keep_sample = is_thread_8;
	load_with(f, &options);
	assert_int_equal(profile_event_at(f->loaded.profile, 0)->samples, 1);
}

static void user_return_addresses_without_a_function_stay_as_recorded(void **state)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x400010, 0x400020 };
	struct fixture *f = *state;
	const struct profile_stack *leaf;

	add_event(f, "cycles", USUAL | PERF_SAMPLE_CALLCHAIN, 0);
	map(f, 7, "/bin/a", 0);
	perf_data_builder_sample(f->builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
								     .ip = 0x400010,
								     .pid = 7,
								     .tid = 7,
								     .time_ns = 100,
								     .callchain = chain,
								     .callchain_count = 3 });
	load(f);
	leaf = profile_stack_at(f->loaded.profile, profile_sample_at(f->loaded.profile, 0)->stack);
	assert_int_equal(profile_location_at(f->loaded.profile, leaf->location)->address, 0x10);
	assert_int_equal(profile_location_at(f->loaded.profile,
					     profile_stack_at(f->loaded.profile, leaf->parent)->location)
				 ->address,
			 0x20);
	assert_int_equal(f->loaded.facts.stacks_ended[STACK_END_CHAIN], 1);
}

/* A sample of an event with defer_callchain: the kernel address is 0xffffffff81000000 + time, and the user part comes later. */
static void sample_deferring(struct fixture *f, uint64_t time_ns, uint64_t cookie)
{
	const uint64_t ip = 0xffffffff81000000 + time_ns;
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, ip, USER_DEFERRED, cookie };

	perf_data_builder_sample(f->builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_KERNEL,
								     .ip = ip,
								     .pid = 7,
								     .tid = 8,
								     .time_ns = time_ns,
								     .period = 500,
								     .callchain = chain,
								     .callchain_count = 4 });
}

static void rest_of_chain(struct fixture *f, uint64_t cookie, uint64_t time_ns)
{
	perf_data_builder_begin(f->builder, RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	perf_data_builder_u64(f->builder, cookie);
	perf_data_builder_u64(f->builder, 3);
	perf_data_builder_u64(f->builder, (uint64_t)PERF_CONTEXT_USER);
	perf_data_builder_u64(f->builder, 0x400010);
	perf_data_builder_u64(f->builder, 0x400020);
	perf_data_builder_trailer(f->builder, 7, 8, time_ns);
	perf_data_builder_end(f->builder);
}

static void add_deferring_event(struct fixture *f)
{
	struct built_event event = { .attr = { .type = PERF_TYPE_SOFTWARE,
					       .size = PERF_ATTR_SIZE_VER5,
					       .sample_type = USUAL | PERF_SAMPLE_CALLCHAIN,
					       .sample_id_all = 1 },
				     .name = "cycles" };
	/* Sets the bit in the word of flags, because this machine's header may not have a name for it. */
	char *word = (char *)&event.attr + offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t);
	uint64_t flags;

	memcpy(&flags, word, sizeof(flags));
	flags |= (uint64_t)1 << PERF_ATTR_DEFER_CALLCHAIN;
	memcpy(word, &flags, sizeof(flags));
	perf_data_builder_add_event(f->builder, &event);
	map(f, 7, "/bin/a", 0);
}

/* The addresses in the stack of the sample at `time_ns`, leaf first, as text. */
static const char *stack_at(const struct fixture *f, uint64_t time_ns)
{
	const struct profile *profile = f->loaded.profile;
	static char text[128];
	uint32_t i;

	for (i = 0; i < profile_sample_count(profile); i++) {
		uint32_t node = profile_sample_at(profile, i)->stack;
		size_t used = 0;

		for (; node != PROFILE_NONE; node = profile_stack_at(profile, node)->parent)
			used += (size_t)snprintf(
				text + used, sizeof(text) - used, "%s%" PRIx64, used ? " " : "",
				profile_location_at(profile, profile_stack_at(profile, node)->location)
					->address);
		if (strtoull(text, NULL, 16) == 0xffffffff81000000 + time_ns)
			return text;
	}
	return "none";
}

static void what_was_mapped_before_is_no_part_of_the_time_recorded(void **state)
{
	struct fixture *f = *state;
	const struct built_mmap data = { .pid = 7,
					 .tid = 7,
					 .start = 0x500000,
					 .length = 0x1000,
					 .prot = PROT_READ,
					 .misc = PERF_RECORD_MISC_USER | RECORD_MISC_MMAP_DATA,
					 .path = "/bin/a",
					 .time_ns = 1 };

	add_event(f, "cycles", USUAL, 0);
	perf_data_builder_mmap2(f->builder, &data);
	perf_data_builder_fork(f->builder, 8, 7, 8, 7, 1000);
	sample(f, 7, 0x400100, 2000);
	load(f);
	assert_int_equal(f->loaded.facts.first_record_ns, 1000);
	assert_int_equal(f->loaded.facts.last_record_ns, 2000);
}

/* Linux 6.19: the user part comes when the thread returns to user space, perhaps through another CPU's ring. */
static void deferred_chains_are_joined_in_order_of_time(void **state)
{
	struct fixture *f = *state;

	add_deferring_event(f);
	rest_of_chain(f, 77, 8);
	sample_deferring(f, 5, 76);
	sample_deferring(f, 6, 77);
	sample_deferring(f, 7, 77);
	sample_deferring(f, 9, 78);
	perf_data_builder_finished_round(f->builder);
	load(f);
	assert_string_equal(stack_at(f, 5), "ffffffff81000005");
	assert_string_equal(stack_at(f, 6), "ffffffff81000006 10 20");
	assert_string_equal(stack_at(f, 7), "ffffffff81000007 10 20");
	assert_string_equal(stack_at(f, 9), "ffffffff81000009");
	assert_int_equal(f->loaded.facts.samples, 4);
	assert_int_equal(f->loaded.facts.stacks_ended[STACK_END_NO_CHAIN], 2);
	assert_int_equal(f->loaded.facts.stacks_ended[STACK_END_CHAIN], 2);
}

static void the_rest_of_a_chain_that_is_shorter_than_it_says_is_damaged(void **state)
{
	struct fixture *f = *state;

	add_deferring_event(f);
	sample_deferring(f, 6, 77);
	perf_data_builder_begin(f->builder, RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	perf_data_builder_u64(f->builder, 77);
	perf_data_builder_u64(f->builder, 1000);
	perf_data_builder_trailer(f->builder, 7, 8, 8);
	perf_data_builder_end(f->builder);
	load(f);
	assert_int_equal(f->loaded.facts.damaged_records, 1);
	assert_string_equal(stack_at(f, 6), "ffffffff81000006");
}

static void a_function_that_a_ksymbol_record_names_is_found(void **state)
{
	struct fixture *f = *state;
	const struct profile *profile;

	add_event(f, "cycles", USUAL, 0);
	perf_data_builder_ksymbol(f->builder, 0xffffffffc0000000, 0x100, PERF_RECORD_KSYMBOL_TYPE_BPF, 0,
				  "bpf_prog_1234_f", 0);
	perf_data_builder_sample(f->builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_KERNEL,
								     .ip = 0xffffffffc0000010,
								     .pid = 7,
								     .tid = 7,
								     .time_ns = 100 });
	load(f);
	profile = f->loaded.profile;
	assert_int_equal(profile_function_count(profile), 1);
	assert_string_equal(profile_text(profile, profile_function_at(profile, 0)->name), "bpf_prog_1234_f");
	assert_int_equal(f->loaded.facts.unresolved_samples, 0);
}

static void a_pipe_gives_the_same_profile(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL, 0);
	perf_data_builder_comm(f->builder, 7, 7, "worker", 0);
	map(f, 7, "/bin/a", 0);
	sample(f, 7, 0x400010, 100);
	perf_data_builder_finish_pipe(f->builder);
	load_with(f, &everything);
	assert_int_equal(profile_event_at(f->loaded.profile, 0)->samples, 1);
	assert_string_equal(profile_text(f->loaded.profile, profile_event_at(f->loaded.profile, 0)->name),
			    "cycles");
	assert_string_equal(dso_of(f, 0), "a");
	assert_string_equal(comm_of(f, 0), "worker");
}

static void an_empty_recording_is_an_empty_profile(void **state)
{
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL, 0);
	load(f);
	assert_int_equal(profile_event_count(f->loaded.profile), 1);
	assert_int_equal(profile_sample_count(f->loaded.profile), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* The names of the frames of sample entry `number`, leaf first, "?" if there is none. */
static const char *stack_of(const struct fixture *f, uint32_t number)
{
	static char text[256];
	const struct profile *profile = f->loaded.profile;
	uint32_t stack = profile_sample_at(profile, number)->stack;
	size_t size = 0;

	for (; stack != PROFILE_NONE; stack = profile_stack_at(profile, stack)->parent) {
		const uint32_t location = profile_stack_at(profile, stack)->location,
			       function = profile_location_at(profile, location)->function;

		size += (size_t)snprintf(text + size, sizeof(text) - size, "%s;",
					 function == PROFILE_NONE ?
						 "?" :
						 profile_text(profile,
							      profile_function_at(profile, function)->name));
	}
	return text;
}

static void frames_that_were_left_out_are_called_by_their_number(void **state)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x400010, 0x400020,
				   elided_frames_entry(18977),  0x400020, 0x400030 };
	struct fixture *f = *state;

	add_event(f, "cycles", USUAL | PERF_SAMPLE_CALLCHAIN, 0);
	perf_data_builder_comm(f->builder, 7, 7, "deep", 0);
	map(f, 7, "/bin/a", 0);
	perf_data_builder_sample(f->builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
								     .ip = 0x400010,
								     .pid = 7,
								     .tid = 7,
								     .time_ns = 100,
								     .callchain = chain,
								     .callchain_count = 6 });
	load(f);
	assert_string_equal(stack_of(f, 0), "?;?;[... 18977 frames];?;?;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(frames_that_were_left_out_are_called_by_their_number),
		TEST(equal_samples_add_up),
		TEST(a_sample_sees_what_was_mapped_before_it_although_it_comes_later_in_the_file),
		TEST(a_round_may_bring_what_is_earlier_than_samples_of_the_one_before),
		TEST(without_times_the_order_of_records_counts),
		TEST(samples_go_to_the_event_of_their_id_and_unknown_ids_are_counted),
		TEST(one_event_asked_for_twice_stays_two),
		TEST(a_group_that_is_read_is_one_sample_per_counter),
		TEST(lost_records_and_lost_samples_are_never_added_up),
		TEST(records_lost_beyond_the_samples_are_others),
		TEST(samples_lost_after_the_last_record_are_no_negative_others),
		TEST(losses_of_a_recording_that_was_killed_are_not_told_apart),
		TEST(samples_that_a_filter_dropped_are_not_lost),
		TEST(what_is_filtered_is_not_loaded),
		TEST(user_return_addresses_without_a_function_stay_as_recorded),
		TEST(what_was_mapped_before_is_no_part_of_the_time_recorded),
		TEST(deferred_chains_are_joined_in_order_of_time),
		TEST(the_rest_of_a_chain_that_is_shorter_than_it_says_is_damaged),
		TEST(a_function_that_a_ksymbol_record_names_is_found),
		TEST(a_pipe_gives_the_same_profile),
		TEST(an_empty_recording_is_an_empty_profile),
	};

	return cmocka_run_group_tests_name("report/load/profile_loader", tests, NULL, NULL);
}
