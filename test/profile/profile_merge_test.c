#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "profile/profile.h"
#include "support/cmocka.h"

/* xorshift64: the same profiles on every machine. */
static uint32_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)(*state >> 32);
}

/* One of eight locations in three DSOs; whether its function is known is left to chance. */
static uint32_t random_location(struct profile *p, uint64_t *state)
{
	static const char *const dsos[] = { "a.out", "libc.so.6", "[kernel.kallsyms]" };
	uint32_t which = next_random(state) % 8;
	uint32_t dso = profile_dso(p, dsos[which % 3], dsos[which % 3], "");
	uint32_t location =
		profile_location(p, dso, 0x100 * which, which % 3 == 2 ? FRAME_KERNEL : FRAME_USER);
	char name[8];

	if (next_random(state) % 2) {
		snprintf(name, sizeof(name), "f%u", which);
		profile_set_function(p, location, profile_function(p, dso, name, 0x100 * which));
	}
	return location;
}

static void add_random_sample(struct profile *p, uint64_t *state)
{
	uint32_t depth = 1 + next_random(state) % 4;
	uint32_t tid = next_random(state) % 3;
	struct profile_sample sample = { .stack = PROFILE_NONE };

	while (depth--)
		sample.stack = profile_stack(p, sample.stack, random_location(p, state), FRAME_KERNEL_CHAIN);
	sample.thread = profile_thread(p, 1, tid, profile_string(p, tid == 2 ? "worker" : "main"));
	sample.event = profile_event(p, next_random(state) % 2 ? "cycles" : "instructions", true, 99);
	sample.cpu = next_random(state) % 2;
	sample.count = 1;
	sample.weight = next_random(state) % 1000;
	profile_add(p, &sample);
}

static struct profile *random_profile(uint64_t seed, unsigned int samples)
{
	struct profile *p = profile_create();
	uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;

	while (samples--)
		add_random_sample(p, &state);
	return p;
}

/* Everything in a profile, numbers included. */
static void describe(const struct profile *p, struct strbuf *out)
{
	uint32_t i;

	for (i = 0; i < profile_string_count(p); i++)
		strbuf_addf(out, "string %s\n", profile_text(p, i));
	for (i = 0; i < profile_dso_count(p); i++)
		strbuf_addf(out, "dso %u %u\n", profile_dso_at(p, i)->name, profile_dso_at(p, i)->path);
	for (i = 0; i < profile_function_count(p); i++)
		strbuf_addf(out, "function %u %u\n", profile_function_at(p, i)->name,
			    profile_function_at(p, i)->dso);
	for (i = 0; i < profile_location_count(p); i++)
		strbuf_addf(out, "location %u %lu %u %u\n", profile_location_at(p, i)->dso,
			    (unsigned long)profile_location_at(p, i)->address,
			    profile_location_at(p, i)->mode, profile_location_at(p, i)->function);
	for (i = 0; i < profile_stack_count(p); i++)
		strbuf_addf(out, "stack %u %u\n", profile_stack_at(p, i)->parent,
			    profile_stack_at(p, i)->location);
	for (i = 0; i < profile_thread_count(p); i++)
		strbuf_addf(out, "thread %u %u %u\n", profile_thread_at(p, i)->pid,
			    profile_thread_at(p, i)->tid, profile_thread_at(p, i)->comm);
	for (i = 0; i < profile_event_count(p); i++)
		strbuf_addf(out, "event %u %lu %lu\n", profile_event_at(p, i)->name,
			    (unsigned long)profile_event_at(p, i)->samples,
			    (unsigned long)profile_event_at(p, i)->weight);
	for (i = 0; i < profile_sample_count(p); i++) {
		const struct profile_sample *s = profile_sample_at(p, i);

		strbuf_addf(out, "sample %u %u %u %u %lu %lu\n", s->event, s->thread, s->cpu, s->stack,
			    (unsigned long)s->count, (unsigned long)s->weight);
	}
}

static void assert_same_profile(const struct profile *one, const struct profile *other)
{
	struct strbuf a, b;

	strbuf_init(&a);
	strbuf_init(&b);
	describe(one, &a);
	describe(other, &b);
	assert_string_equal(a.bytes, b.bytes);
	strbuf_fini(&a);
	strbuf_fini(&b);
}

static void merging_into_an_empty_profile_copies(void **state)
{
	struct profile *source = random_profile(1, 500), *copy = profile_create();

	(void)state;
	profile_merge(copy, source);
	assert_same_profile(copy, source);
	profile_destroy(source);
	profile_destroy(copy);
}

static void merging_an_empty_profile_changes_nothing(void **state)
{
	struct profile *p = random_profile(1, 500), *same = random_profile(1, 500), *empty = profile_create();

	(void)state;
	profile_merge(p, empty);
	assert_same_profile(p, same);
	profile_destroy(p);
	profile_destroy(same);
	profile_destroy(empty);
}

static void merge_is_associative_numbers_included(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= 50; seed++) {
		struct profile *left = random_profile(seed, 40), *a = random_profile(seed, 40);
		struct profile *b = random_profile(seed + 1000, 40), *c = random_profile(seed + 2000, 40);

		profile_merge(left, b); /* (a b) c */
		profile_merge(left, c);
		profile_merge(b, c); /* a (b c) */
		profile_merge(a, b);
		assert_same_profile(left, a);
		profile_destroy(left);
		profile_destroy(a);
		profile_destroy(b);
		profile_destroy(c);
	}
}

static void merging_a_profile_with_its_copy_doubles_the_sums_only(void **state)
{
	struct profile *p = random_profile(7, 300), *copy = random_profile(7, 300);
	uint32_t i;

	(void)state;
	profile_merge(p, copy);
	assert_int_equal(profile_sample_count(p), profile_sample_count(copy));
	assert_int_equal(profile_stack_count(p), profile_stack_count(copy));
	assert_int_equal(profile_location_count(p), profile_location_count(copy));
	for (i = 0; i < profile_sample_count(p); i++)
		assert_int_equal(profile_sample_at(p, i)->weight, 2 * profile_sample_at(copy, i)->weight);
	assert_int_equal(profile_event_at(p, 0)->samples, 2 * profile_event_at(copy, 0)->samples);
	profile_destroy(p);
	profile_destroy(copy);
}

static void a_function_known_on_one_side_is_known_after_the_merge(void **state)
{
	struct profile *p = profile_create(), *other = profile_create();
	uint32_t dso = profile_dso(other, "a.out", "/a.out", "");
	uint32_t location = profile_location(other, dso, 0x10, FRAME_USER);

	(void)state;
	profile_set_function(other, location, profile_function(other, dso, "f", 0x8));
	profile_location(p, profile_dso(p, "a.out", "/a.out", ""), 0x10, FRAME_USER);
	profile_merge(p, other);
	assert_int_equal(profile_location_count(p), 1);
	assert_int_equal(profile_location_at(p, 0)->function, 0);
	assert_string_equal(profile_text(p, profile_function_at(p, 0)->name), "f");
	profile_destroy(p);
	profile_destroy(other);
}

static void code_of_jit_compilers_stays_marked_after_the_merge(void **state)
{
	struct profile *p = profile_create(), *other = profile_create();

	(void)state;
	profile_dso(other, "a.out", "/a.out", "");
	profile_set_dso_jit(other, profile_dso(other, "perf-7.map", "/tmp/perf-7.map", ""));
	profile_merge(p, other);
	assert_false(profile_dso_at(p, 0)->is_jit);
	assert_true(profile_dso_at(p, 1)->is_jit);
	profile_destroy(p);
	profile_destroy(other);
}

static void a_function_without_a_name_has_none_after_the_merge(void **state)
{
	struct profile *p = profile_create(), *other = profile_create();
	const uint32_t dso = profile_dso(other, "a.out", "/a.out", "");

	(void)state;
	profile_set_function(other, profile_location(other, dso, 0x10, FRAME_USER),
			     profile_nameless_function(other, dso, 0x8));
	profile_merge(p, other);
	assert_true(profile_function_at(p, 0)->nameless);
	assert_false(profile_location_is_named(p, profile_location_at(p, 0)));
	assert_string_equal(profile_text(p, profile_function_at(p, 0)->name), "a.out+0x8");
	profile_destroy(p);
	profile_destroy(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(merging_into_an_empty_profile_copies),
		cmocka_unit_test(merging_an_empty_profile_changes_nothing),
		cmocka_unit_test(merge_is_associative_numbers_included),
		cmocka_unit_test(merging_a_profile_with_its_copy_doubles_the_sums_only),
		cmocka_unit_test(a_function_known_on_one_side_is_known_after_the_merge),
		cmocka_unit_test(code_of_jit_compilers_stays_marked_after_the_merge),
		cmocka_unit_test(a_function_without_a_name_has_none_after_the_merge),
	};

	return cmocka_run_group_tests_name("profile/profile_merge", tests, NULL, NULL);
}
