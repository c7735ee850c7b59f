#include "process/address_map.h"

#include <stdlib.h>

#include "support/cmocka.h"

static struct dso dsos[4];

static void add(struct address_map *map, uint64_t start, uint64_t end, uint64_t time_ns, struct dso *dso)
{
	address_map_add(
		map, &(struct address_change){ .start = start, .end = end, .time_ns = time_ns, .dso = dso });
}

static const struct dso *at(struct address_map *map, uint64_t address, uint64_t time_ns)
{
	const struct address_change *change = address_map_find(map, address, time_ns);

	return change ? change->dso : NULL;
}

static void an_empty_map_knows_nothing(void **state)
{
	struct address_map map;

	(void)state;
	address_map_init(&map);
	assert_null(address_map_find(&map, 0, UINT64_MAX));
	assert_int_equal(address_map_count_at(&map, 7), 0);
	address_map_fini(&map);
}

static void a_change_holds_from_its_time_on(void **state)
{
	struct address_map map;

	(void)state;
	address_map_init(&map);
	add(&map, 0x1000, 0x2000, 10, &dsos[0]);
	assert_null(at(&map, 0x1000, 9));
	assert_ptr_equal(at(&map, 0x1000, 10), &dsos[0]);
	assert_ptr_equal(at(&map, 0x1fff, 99), &dsos[0]);
	assert_null(at(&map, 0x2000, 99));
	assert_null(at(&map, 0xfff, 99));
	address_map_fini(&map);
}

static void a_later_change_hides_only_what_it_covers(void **state)
{
	struct address_map map;

	(void)state;
	address_map_init(&map);
	add(&map, 0x1000, 0x4000, 10, &dsos[0]);
	add(&map, 0x2000, 0x3000, 20, &dsos[1]);
	assert_ptr_equal(at(&map, 0x2800, 19), &dsos[0]);
	assert_ptr_equal(at(&map, 0x2800, 20), &dsos[1]);
	assert_ptr_equal(at(&map, 0x1fff, 20), &dsos[0]);
	assert_ptr_equal(at(&map, 0x3000, 20), &dsos[0]);
	address_map_fini(&map);
}

static void an_answer_is_narrowed_to_where_it_holds(void **state)
{
	uint64_t start = 0, end = UINT64_MAX;
	struct address_map map;

	(void)state;
	address_map_init(&map);
	add(&map, 0x1000, 0x9000, 10, &dsos[0]);
	add(&map, 0x2000, 0x3000, 20, &dsos[1]);
	add(&map, 0x6000, 0x7000, 30, &dsos[1]);
	address_map_narrow(&map, 0x4000, 20, &start, &end);
	assert_int_equal(start, 0x3000);
	assert_int_equal(end, 0x9000);
	address_map_narrow(&map, 0x4000, 30, &start, &end);
	assert_int_equal(end, 0x6000);
	address_map_fini(&map);
}

static void changes_may_arrive_out_of_order(void **state)
{
	struct address_map map;

	(void)state;
	address_map_init(&map);
	add(&map, 0x1000, 0x2000, 30, &dsos[1]);
	assert_int_equal(map.version, 0);
	add(&map, 0x1000, 0x3000, 20, &dsos[0]);
	assert_int_equal(map.version, 1);
	assert_ptr_equal(at(&map, 0x1000, 29), &dsos[0]);
	assert_ptr_equal(at(&map, 0x1000, 30), &dsos[1]);
	assert_ptr_equal(at(&map, 0x2000, 30), &dsos[0]);
	address_map_fini(&map);
}

static void of_two_with_one_time_the_one_added_later_wins(void **state)
{
	struct address_map map;

	(void)state;
	address_map_init(&map);
	add(&map, 0x1000, 0x2000, 0, &dsos[0]);
	add(&map, 0x1000, 0x2000, 0, &dsos[1]);
	assert_ptr_equal(at(&map, 0x1000, 0), &dsos[1]);
	address_map_fini(&map);
}

static void mapping_the_same_again_takes_no_memory(void **state)
{
	struct address_map map;
	unsigned int i;

	(void)state;
	address_map_init(&map);
	add(&map, 0x8000, 0x9000, 0, &dsos[1]);
	for (i = 0; i < 1000; i++)
		add(&map, 0x1000, 0x2000, i, &dsos[0]);
	assert_int_equal(map.count, 2);
	address_map_fini(&map);
}

static void empty_and_backward_ranges_are_ignored(void **state)
{
	struct address_map map;

	(void)state;
	address_map_init(&map);
	add(&map, 0x1000, 0x1000, 0, &dsos[0]);
	add(&map, 0x2000, 0x1000, 0, &dsos[0]);
	assert_int_equal(map.count, 0);
	address_map_fini(&map);
}

static void split_moves_what_happened_from_a_time_on(void **state)
{
	struct address_map from, to;

	(void)state;
	address_map_init(&from);
	address_map_init(&to);
	add(&from, 0x1000, 0x2000, 10, &dsos[0]);
	add(&from, 0x1000, 0x2000, 20, &dsos[1]);
	address_map_split(&from, &to, 20);
	assert_ptr_equal(at(&from, 0x1000, 99), &dsos[0]);
	assert_ptr_equal(at(&to, 0x1000, 20), &dsos[1]);
	assert_null(at(&to, 0x1000, 19));
	assert_int_equal(from.last_ns, 10);
	assert_int_equal(to.first_ns, 20);
	address_map_fini(&from);
	address_map_fini(&to);
}

/* The definition, literally. */
static const struct address_change *find_slowly(const struct address_change *changes, size_t count,
						uint64_t address, uint64_t time_ns)
{
	const struct address_change *best = NULL;
	size_t i;

	for (i = 0; i < count; i++)
		if (changes[i].start <= address && address < changes[i].end &&
		    changes[i].time_ns <= time_ns && (!best || changes[i].time_ns >= best->time_ns))
			best = &changes[i];
	return best;
}

static void assert_narrowed(struct address_map *map, uint64_t address, uint64_t time_ns, unsigned int *seed)
{
	const struct address_change *found = address_map_find(map, address, time_ns);
	uint64_t start = 0, end = UINT64_MAX, other;

	address_map_narrow(map, address, time_ns, &start, &end);
	assert_true(start <= address && address < end);
	if (found)
		assert_true(start >= found->start && end <= found->end);
	other = start + (uint64_t)rand_r(seed) % (end - start < 2000 ? end - start : 2000);
	assert_ptr_equal(address_map_find(map, other, time_ns), found);
}

static void many_changes_answer_as_the_definition_does(void **state)
{
	enum { CHANGES = 4000, EVERY = 40 };
	struct address_change *changes = calloc(CHANGES, sizeof(*changes));
	struct address_map map;
	unsigned int seed = 1, i, q;

	(void)state;
	address_map_init(&map);
	for (i = 0; i < CHANGES; i++) {
		changes[i].start = (uint64_t)rand_r(&seed) % 1000;
		changes[i].end = changes[i].start + 1 + (uint64_t)rand_r(&seed) % 100;
		changes[i].time_ns = i + (uint64_t)rand_r(&seed) % 50; /* a little out of order */
		changes[i].file_offset = i;
		changes[i].dso = &dsos[i % 4];
		address_map_add(&map, &changes[i]);
		if (i % (2 * EVERY) == 0) /* unsorted changes are found, too */
			address_map_settle(&map);
		for (q = 0; i % EVERY == 0 && q < 100; q++) {
			uint64_t address = (uint64_t)rand_r(&seed) % 1200;
			uint64_t time_ns = (uint64_t)rand_r(&seed) % (i + 60);
			const struct address_change *expected = find_slowly(changes, i + 1, address, time_ns);
			const struct address_change *found = address_map_find(&map, address, time_ns);

			assert_int_equal(found ? found->file_offset : UINT64_MAX,
					 expected ? expected->file_offset : UINT64_MAX);
			assert_narrowed(&map, address, time_ns, &seed);
		}
	}
	assert_non_null(map.index);
	assert_true(map.indexed_count > CHANGES / 2);
	address_map_fini(&map);
	free(changes);
}

static void count_at_grows_with_the_changes_that_hold(void **state)
{
	struct address_map map;
	unsigned int i;

	(void)state;
	address_map_init(&map);
	for (i = 0; i < 500; i++)
		add(&map, i, i + 1, i, &dsos[0]);
	assert_false(address_map_is_settled(&map));
	assert_int_equal(address_map_count_at(&map, 250), 251);
	address_map_settle(&map);
	assert_true(address_map_is_settled(&map));
	assert_int_equal(address_map_count_at(&map, 0), 1);
	assert_int_equal(address_map_count_at(&map, 250), 251);
	assert_int_equal(address_map_count_at(&map, 499), 500);
	add(&map, 0, 1, 600, &dsos[1]);
	assert_int_equal(address_map_count_at(&map, 599), 500);
	assert_int_equal(address_map_count_at(&map, 600), 501);
	add(&map, 0, 1, 300, &dsos[2]); /* arrives late */
	add(&map, 0, 1, 700, &dsos[0]);
	assert_int_equal(address_map_count_at(&map, 299), 300);
	assert_int_equal(address_map_count_at(&map, 300), 302);
	assert_int_equal(address_map_count_at(&map, 699), 502);
	assert_int_equal(address_map_count_at(&map, 700), 503);
	address_map_fini(&map);
}

/* Moving all earlier additions, for each new one, would take quadratic time. */
static void changes_may_come_latest_first(void **state)
{
	enum { CHANGES = 60000 };
	struct address_map map;

	(void)state;
	address_map_init(&map);
	for (uint64_t time_ns = CHANGES; time_ns > 0; time_ns--)
		add(&map, 0, 1, time_ns, &dsos[time_ns % 2]);
	assert_int_equal(map.count, CHANGES);
	for (uint64_t time_ns = 0; time_ns <= CHANGES; time_ns += 1000)
		assert_int_equal(address_map_count_at(&map, time_ns), time_ns);
	assert_ptr_equal(address_map_find(&map, 0, 777)->dso, &dsos[1]);
	assert_int_equal(address_map_find(&map, 0, 777)->time_ns, 777);
	address_map_fini(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_knows_nothing),
		cmocka_unit_test(a_change_holds_from_its_time_on),
		cmocka_unit_test(a_later_change_hides_only_what_it_covers),
		cmocka_unit_test(an_answer_is_narrowed_to_where_it_holds),
		cmocka_unit_test(changes_may_arrive_out_of_order),
		cmocka_unit_test(of_two_with_one_time_the_one_added_later_wins),
		cmocka_unit_test(mapping_the_same_again_takes_no_memory),
		cmocka_unit_test(empty_and_backward_ranges_are_ignored),
		cmocka_unit_test(split_moves_what_happened_from_a_time_on),
		cmocka_unit_test(many_changes_answer_as_the_definition_does),
		cmocka_unit_test(count_at_grows_with_the_changes_that_hold),
		cmocka_unit_test(changes_may_come_latest_first),
	};

	return cmocka_run_group_tests_name("process/address_map", tests, NULL, NULL);
}
