#include "report/export/export_texts.h"

#include <stdlib.h>

#include "support/cmocka.h"

static void a_text_is_made_once(void **state)
{
	struct export_texts texts;
	bool is_new;

	(void)state;
	export_texts_init(&texts);
	strbuf_adds(export_texts_at(&texts, 7, &is_new), "seven");
	assert_true(is_new);
	strbuf_adds(export_texts_at(&texts, 0, &is_new), "none");
	assert_true(is_new);
	assert_string_equal(export_texts_at(&texts, 7, &is_new)->bytes, "seven");
	assert_false(is_new);
	assert_string_equal(export_texts_at(&texts, 0, &is_new)->bytes, "none");
	assert_false(is_new);
	export_texts_fini(&texts);
}

static void a_text_is_never_that_of_another_number(void **state)
{
	enum { NUMBERS = 200000 }; /* more than there are slots */
	struct export_texts texts;
	bool is_new;

	(void)state;
	export_texts_init(&texts);
	for (uint32_t i = 0; i < 2 * NUMBERS; i++) {
		struct strbuf *text = export_texts_at(&texts, i % NUMBERS, &is_new);

		if (is_new) {
			assert_int_equal(text->size, 0);
			strbuf_add_decimal(text, i % NUMBERS, 0);
		}
		assert_int_equal(strtoul(text->bytes, NULL, 10), i % NUMBERS);
	}
	export_texts_fini(&texts);
}

static void long_texts_do_not_stay_for_ever(void **state)
{
	enum { LONG = 1 << 20, MANY = 40 };
	struct export_texts texts;
	size_t kept = 0;
	bool is_new;

	(void)state;
	export_texts_init(&texts);
	for (uint32_t i = 0; i < MANY; i++)
		strbuf_add_zeros(export_texts_at(&texts, i, &is_new), LONG);
	for (uint32_t i = MANY; i-- > 0;) {
		(void)export_texts_at(&texts, i, &is_new);
		kept += !is_new;
	}
	assert_in_range(kept, 1, MANY / 2);
	export_texts_fini(&texts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_made_once),
		cmocka_unit_test(a_text_is_never_that_of_another_number),
		cmocka_unit_test(long_texts_do_not_stay_for_ever),
	};

	return cmocka_run_group_tests_name("report/export/export_texts", tests, NULL, NULL);
}
