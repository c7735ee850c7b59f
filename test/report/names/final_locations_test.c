#include "report/names/final_locations.h"

#include <stdlib.h>

#include "support/cmocka.h"
#include "support/state_record.h"

/* Two files of one name, and a library; locations of the raw profile have the numbers that the process table gives them. */
enum { WEB, OTHER_WEB, LIB, PERF_MAP, DSOS };

struct fixture {
	struct process_table *processes;
	struct raw_profile *raw;
	struct profile *profile;
	struct location_names names;
	struct final_locations locations;
};

static int set_up(void **state)
{
	static const char *const paths[DSOS] = { "/bin/web", "/bin/web", "/lib/lib.so", "/tmp/perf-7.map" };
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->processes = process_table_create();
	fixture->raw = raw_profile_create();
	fixture->profile = profile_create();
	for (uint32_t i = 0; i < DSOS; i++)
		state_map(fixture->processes, &(struct mmap_of){ .pid = 7,
								 .start = 0x10000 * (i + 1),
								 .length = 0x10000,
								 .path = paths[i],
								 .inode = i + 1 });
	assert_int_equal(process_table_dso_count(fixture->processes), DSOS);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	final_locations_fini(&fixture->locations);
	location_names_fini(&fixture->names);
	profile_destroy(fixture->profile);
	raw_profile_destroy(fixture->raw);
	process_table_destroy(fixture->processes);
	free(fixture);
	return 0;
}

/* Adds a raw stack with one frame, at which user code was interrupted, or to which it returns. Returns its location. */
static uint32_t add_use(struct fixture *fixture, uint32_t dso, uint64_t address, enum lookup lookup)
{
	const uint32_t location = raw_profile_location(fixture->raw, dso, address, FRAME_USER);

	raw_profile_stack(fixture->raw, PROFILE_NONE, location,
			  lookup == LOOKUP_RETURN ? FRAME_KERNEL_CHAIN : FRAME_SAMPLED);
	return location;
}

/* Call after the last use, and before the first name. */
static void list_uses(struct fixture *fixture)
{
	location_names_init(&fixture->names, fixture->raw);
}

static void set_name(struct fixture *fixture, uint32_t location, enum lookup lookup, const char *name,
		     uint64_t start)
{
	location_names_own(&fixture->names, location)->names[lookup] =
		location_names_add(&fixture->names, name, start);
}

/* Frames at a location, innermost first. */
static void set_source(struct fixture *fixture, uint32_t location, const struct source_frame *frames,
		       uint32_t count)
{
	struct location_names *names = &fixture->names;

	location_names_own(names, location)->sources[LOOKUP_PC] = (struct location_source){ 0, count };
	names->frames = calloc(count, sizeof(*names->frames));
	for (uint32_t i = 0; i < count; i++)
		names->frames[i] = frames[i];
}

static void make(struct fixture *fixture, bool inlines)
{
	final_locations_make(&fixture->locations, &fixture->names, fixture->processes, inlines,
			     fixture->profile);
}

static const struct profile_location *final_at(const struct fixture *fixture, uint32_t raw,
					       enum lookup lookup)
{
	return profile_location_at(fixture->profile, fixture->locations.numbers[raw][lookup]);
}

/* The final place of the raw profile's first stack. */
static struct final_place first_place(const struct fixture *fixture)
{
	return final_locations_place(&fixture->locations, raw_profile_stack_at(fixture->raw, 0));
}

static void assert_function(const struct fixture *fixture, const struct profile_location *location,
			    const char *name, bool inlined)
{
	const struct profile_function *function;

	assert_int_not_equal(location->function, PROFILE_NONE);
	function = profile_function_at(fixture->profile, location->function);
	assert_string_equal(profile_text(fixture->profile, function->name), name);
	assert_int_equal(function->inlined, inlined);
}

static void a_return_address_is_kept_as_the_address_inside_the_call(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t raw = add_use(fixture, WEB, 0x1000, LOOKUP_PC);

	add_use(fixture, WEB, 0x1000, LOOKUP_RETURN);
	list_uses(fixture);
	set_name(fixture, raw, LOOKUP_PC, "comes_next", 0x1000);
	set_name(fixture, raw, LOOKUP_RETURN, "ends_with_call", 0xff0);
	make(fixture, false);
	assert_int_equal(final_at(fixture, raw, LOOKUP_PC)->address, 0x1000);
	assert_function(fixture, final_at(fixture, raw, LOOKUP_PC), "comes_next", false);
	assert_int_equal(final_at(fixture, raw, LOOKUP_RETURN)->address, 0xfff);
	assert_function(fixture, final_at(fixture, raw, LOOKUP_RETURN), "ends_with_call", false);
	assert_false(fixture->locations.merged);
}

/* Its nodes still differ in how they were found. */
static void what_has_no_name_is_one_location_in_both_ways_and_not_merged(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t raw = add_use(fixture, PROFILE_NONE, 0x1000, LOOKUP_RETURN);

	add_use(fixture, PROFILE_NONE, 0x1000, LOOKUP_PC);
	list_uses(fixture);
	make(fixture, false);
	assert_int_equal(profile_location_count(fixture->profile), 1);
	assert_ptr_equal(final_at(fixture, raw, LOOKUP_RETURN), final_at(fixture, raw, LOOKUP_PC));
	assert_int_equal(final_at(fixture, raw, LOOKUP_RETURN)->address, 0x1000);
	assert_int_equal(final_at(fixture, raw, LOOKUP_RETURN)->dso, PROFILE_NONE);
	assert_false(fixture->locations.merged);
}

/* Nor are these; their nodes have different origins, too. */
static void an_instruction_inside_a_call_is_the_place_of_its_return_address_and_not_merged(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t inside = add_use(fixture, WEB, 0xfff, LOOKUP_PC),
		       after = add_use(fixture, WEB, 0x1000, LOOKUP_RETURN);

	list_uses(fixture);
	set_name(fixture, inside, LOOKUP_PC, "ends_with_call", 0xff0);
	set_name(fixture, after, LOOKUP_RETURN, "ends_with_call", 0xff0);
	make(fixture, false);
	assert_ptr_equal(final_at(fixture, inside, LOOKUP_PC), final_at(fixture, after, LOOKUP_RETURN));
	assert_false(fixture->locations.merged);
}

static void places_in_two_files_of_one_name_are_merged(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t one = add_use(fixture, WEB, 0x1000, LOOKUP_PC);
	const uint32_t other = add_use(fixture, OTHER_WEB, 0x1000, LOOKUP_PC);

	list_uses(fixture);
	make(fixture, false);
	assert_ptr_equal(final_at(fixture, one, LOOKUP_PC), final_at(fixture, other, LOOKUP_PC));
	assert_int_equal(profile_dso_count(fixture->profile), 1);
	assert_true(fixture->locations.merged);
}

static void the_code_of_jit_compilers_is_marked(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t jit = add_use(fixture, PERF_MAP, 0x1000, LOOKUP_PC),
		       lib = add_use(fixture, LIB, 0x1000, LOOKUP_PC);

	list_uses(fixture);
	make(fixture, false);
	assert_true(profile_dso_at(fixture->profile, final_at(fixture, jit, LOOKUP_PC)->dso)->is_jit);
	assert_false(profile_dso_at(fixture->profile, final_at(fixture, lib, LOOKUP_PC)->dso)->is_jit);
}

static void numbers_are_given_in_the_order_of_uses(void **state)
{
	enum { COUNT = 2 * PROFILE_BATCH + 1 };
	struct fixture *fixture = *state;

	for (uint32_t i = 0; i < COUNT; i++)
		raw_profile_location(fixture->raw, LIB, 0x1000 + i, FRAME_USER);
	for (uint32_t i = COUNT; i-- > 1;)
		add_use(fixture, LIB, 0x1000 + i, LOOKUP_PC);
	list_uses(fixture);
	make(fixture, false);
	assert_int_equal(profile_location_count(fixture->profile), COUNT - 1);
	for (uint32_t i = 1; i < COUNT; i++)
		assert_int_equal(fixture->locations.numbers[i][LOOKUP_PC], COUNT - 1 - i);
	assert_int_equal(fixture->locations.numbers[0][LOOKUP_PC], PROFILE_NONE);
	assert_int_equal(fixture->locations.numbers[1][LOOKUP_RETURN], PROFILE_NONE);
}

static void locations_that_are_alike_have_one_function(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t one = add_use(fixture, LIB, 0x1000, LOOKUP_PC);
	const uint32_t other = add_use(fixture, LIB, 0x1004, LOOKUP_PC);

	list_uses(fixture);
	set_name(fixture, one, LOOKUP_PC, "work", 0x1000);
	location_names_own(&fixture->names, other)->names[LOOKUP_PC] =
		location_names_of(&fixture->names, one)->names[LOOKUP_PC];
	make(fixture, false);
	assert_int_equal(profile_function_count(fixture->profile), 1);
	assert_function(fixture, final_at(fixture, one, LOOKUP_PC), "work", false);
	assert_function(fixture, final_at(fixture, other, LOOKUP_PC), "work", false);
}

/* Makes a location in work() with these frames, innermost first. Returns the raw one. */
static uint32_t make_work(struct fixture *fixture, const struct source_frame *frames, uint32_t count,
			  bool inlines)
{
	const uint32_t raw = add_use(fixture, LIB, 0x1000, LOOKUP_PC);

	list_uses(fixture);
	set_name(fixture, raw, LOOKUP_PC, "work", 0xf00);
	set_source(fixture, raw, frames, count);
	make(fixture, inlines);
	return raw;
}

/* work() calls middle(), and that leaf(); both were inlined. */
static const struct source_frame three_frames[] = { { "leaf", "leaf.c", 3 },
						    { "middle", "middle.c", 2 },
						    { "work", "work.c", 1 } };

static void without_inlined_functions_a_location_has_the_line_of_its_instruction(void **state)
{
	struct fixture *fixture = *state;
	const uint32_t raw = make_work(fixture, three_frames, 3, false);

	assert_int_equal(profile_location_count(fixture->profile), 1);
	assert_string_equal(profile_text(fixture->profile, final_at(fixture, raw, LOOKUP_PC)->file),
			    "leaf.c");
	assert_int_equal(final_at(fixture, raw, LOOKUP_PC)->line, 3);
	assert_int_equal(fixture->locations.inlined_count, 0);
	assert_int_equal(first_place(fixture).inlined_count, 0);
}

static void what_is_inlined_has_locations_of_its_own(void **state)
{
	static const char *const names[] = { "middle", "leaf" };
	static const char *const files[] = { "middle.c", "leaf.c" };
	struct fixture *fixture = *state;
	const uint32_t raw = make_work(fixture, three_frames, 3, true);
	const struct final_place place = first_place(fixture);

	assert_int_equal(place.location, fixture->locations.numbers[raw][LOOKUP_PC]);
	assert_function(fixture, final_at(fixture, raw, LOOKUP_PC), "work", false);
	assert_int_equal(final_at(fixture, raw, LOOKUP_PC)->line, 1);
	assert_int_equal(place.inlined_count, 2);
	for (uint32_t i = 0; i < place.inlined_count; i++) {
		const struct profile_location *inlined =
			profile_location_at(fixture->profile, place.inlined[i]);

		assert_function(fixture, inlined, names[i], true);
		assert_string_equal(profile_text(fixture->profile, inlined->file), files[i]);
		assert_int_equal(inlined->line, 2 + i);
		assert_int_equal(inlined->inline_depth, 1 + i);
		assert_int_equal(inlined->address, 0x1000);
	}
}

static void a_function_that_is_inlined_into_itself_remains_that_function(void **state)
{
	static const struct source_frame frames[] = { { NULL, NULL, 0 },
						      { "work", "work.c", 2 },
						      { "work", "work.c", 1 } };
	struct fixture *fixture = *state;
	const uint32_t raw = make_work(fixture, frames, 3, true);
	const struct final_place place = first_place(fixture);

	assert_int_equal(place.inlined_count, 2);
	assert_int_equal(profile_location_at(fixture->profile, place.inlined[0])->function,
			 final_at(fixture, raw, LOOKUP_PC)->function);
	assert_function(fixture, profile_location_at(fixture->profile, place.inlined[1]), "[inlined]", true);
	assert_string_equal(profile_text(fixture->profile,
					 profile_location_at(fixture->profile, place.inlined[1])->file),
			    "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_return_address_is_kept_as_the_address_inside_the_call),
		TEST(what_has_no_name_is_one_location_in_both_ways_and_not_merged),
		TEST(an_instruction_inside_a_call_is_the_place_of_its_return_address_and_not_merged),
		TEST(places_in_two_files_of_one_name_are_merged),
		TEST(the_code_of_jit_compilers_is_marked),
		TEST(numbers_are_given_in_the_order_of_uses),
		TEST(locations_that_are_alike_have_one_function),
		TEST(without_inlined_functions_a_location_has_the_line_of_its_instruction),
		TEST(what_is_inlined_has_locations_of_its_own),
		TEST(a_function_that_is_inlined_into_itself_remains_that_function),
	};

	return cmocka_run_group_tests_name("report/names/final_locations", tests, NULL, NULL);
}
