#include "symbol/dwarf/source_workers.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "support/cmocka.h"
#include "support/compiled_units.h"
#include "support/dwarf_builder.h"
#include "support/opened_dwarf.h"

struct fixture {
	struct opened_dwarf dwarf;
	struct strbuf text; /* lines of "0x1000: outer /build/unit.c:5\n", in any order of units */
	size_t taken, places;
	uint64_t sum; /* of answered addresses */
};

static void open_fixture(struct fixture *fixture, struct elf_file *elf)
{
	*fixture = (struct fixture){ .taken = 0 };
	opened_dwarf_open(&fixture->dwarf, elf);
	strbuf_init(&fixture->text);
}

static void open_made(struct fixture *fixture)
{
	const struct dwarf_recipe recipe = { .version = 5, .offset_size = 4 };

	open_fixture(fixture, dwarf_builder_open(&recipe));
}

static void close_fixture(struct fixture *fixture)
{
	strbuf_fini(&fixture->text);
	opened_dwarf_close(&fixture->dwarf);
}

static void take(void *taker, const struct source_answers *answers)
{
	struct fixture *fixture = taker;

	fixture->taken++;
	for (size_t i = 0; i < answers->place_count; i++) {
		const struct source_place *place = &answers->places[i];

		fixture->places++;
		fixture->sum += place->vaddr;
		strbuf_addf(&fixture->text, "0x%zx:", (size_t)place->vaddr);
		for (uint32_t j = 0; j < place->frame_count; j++) {
			const struct unit_frame *frame = &answers->frames[place->first_frame + j];

			strbuf_addf(&fixture->text, " %s %s:%u",
				    str_pool_text(answers->texts, frame->function),
				    str_pool_text(answers->texts, frame->file), frame->line);
		}
		strbuf_adds(&fixture->text, "\n");
	}
}

static void addresses_of_a_unit_are_answered_together_by_rising_address(void **state)
{
	struct source_question questions[] = { { 0x100e, 0 }, { 0x1004, 0 }, { 0x1000, 0 } };
	struct fixture fixture;

	(void)state;
	open_made(&fixture);
	source_workers_ask(&fixture.dwarf.context, questions, 3, take, &fixture);
	assert_string_equal(fixture.text.bytes, "0x1000: outer /build/unit.c:5\n"
						"0x1004: inner /build/inc/unit.h:2 outer /build/unit.c:7\n"
						"0x100e: outer /build/unit.c:9\n");
	close_fixture(&fixture);
}

static void equal_questions_have_one_answer(void **state)
{
	struct source_question questions[] = { { 0x1000, 0 }, { 0x1008, 0 }, { 0x1000, 0 } };
	struct fixture fixture;

	(void)state;
	open_made(&fixture);
	source_workers_ask(&fixture.dwarf.context, questions, 3, take, &fixture);
	assert_string_equal(fixture.text.bytes,
			    "0x1000: outer /build/unit.c:5\n0x1008: outer /build/unit.c:6\n");
	close_fixture(&fixture);
}

static void what_a_unit_does_not_know_is_answered_too(void **state)
{
	struct source_question question = { 0x5000, 0 };
	struct fixture fixture;

	(void)state;
	open_made(&fixture);
	source_workers_ask(&fixture.dwarf.context, &question, 1, take, &fixture);
	assert_string_equal(fixture.text.bytes, "0x5000:\n");
	close_fixture(&fixture);
}

/* More units than there ever are threads. */
static void units_are_shared_out_and_none_is_forgotten(void **state)
{
	enum { UNITS = 500, ADDRESSES = 3 };
	struct compiled_unit *units = xcalloc(UNITS, sizeof(*units));
	struct source_question *questions = xcalloc((size_t)UNITS * ADDRESSES, sizeof(*questions));
	struct fixture fixture;
	uint64_t sum = 0;
	size_t count = 0;

	(void)state;
	for (uint32_t i = 0; i < UNITS; i++) {
		units[i] = (struct compiled_unit){ 0x1000 * (i + 1), 0x1000 * (i + 2) };
		for (uint32_t j = 0; j < ADDRESSES; j++) {
			questions[count++] = (struct source_question){ units[i].low + j, i };
			sum += units[i].low + j;
		}
	}
	open_fixture(&fixture, compiled_units_open(units, UNITS));
	assert_int_equal(dwarf_file_unit_count(fixture.dwarf.file), UNITS);
	source_workers_ask(&fixture.dwarf.context, questions, count, take, &fixture);
	assert_int_equal(fixture.places, count);
	assert_int_equal(fixture.sum, sum);
	close_fixture(&fixture);
	free(questions);
	free(units);
}

static void without_questions_nothing_is_taken(void **state)
{
	struct fixture fixture;

	(void)state;
	open_made(&fixture);
	source_workers_ask(&fixture.dwarf.context, NULL, 0, take, &fixture);
	assert_int_equal(fixture.taken, 0);
	close_fixture(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_a_unit_are_answered_together_by_rising_address),
		cmocka_unit_test(equal_questions_have_one_answer),
		cmocka_unit_test(what_a_unit_does_not_know_is_answered_too),
		cmocka_unit_test(units_are_shared_out_and_none_is_forgotten),
		cmocka_unit_test(without_questions_nothing_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
