#include "report/load/recorded_dsos.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/nameless_profile.h"

static void a_dso_of_the_profile_leads_to_the_one_that_was_recorded(void **state)
{
	struct nameless_profile nameless;
	struct recorded_dsos dsos;
	size_t found = 0;

	(void)state;
	nameless_profile_init(&nameless);
	nameless_profile_add(&nameless, NAMELESS_HOT, NAMELESS_UNKNOWN, 1);
	nameless_profile_add(&nameless, NAMELESS_WARM, 0, 1);
	nameless_profile_load(&nameless, NULL);
	recorded_dsos_init(&dsos, &nameless.loaded);
	for (uint32_t i = 0; i < profile_dso_count(nameless.loaded.profile); i++) {
		const struct profile_dso *wanted = profile_dso_at(nameless.loaded.profile, i);
		const struct dso *dso = recorded_dsos_find(&dsos, i);

		assert_non_null(dso);
		assert_string_equal(dso->path, profile_text(nameless.loaded.profile, wanted->path));
		assert_int_equal(dso->build_id.size, strcmp(dso->path, "/bin/unknown") == 0 ? 0 : 2);
		found++;
	}
	assert_int_equal(found, 3);
	recorded_dsos_fini(&dsos);
	nameless_profile_fini(&nameless);
}

static void what_was_not_recorded_leads_nowhere(void **state)
{
	struct nameless_profile nameless;
	struct recorded_dsos dsos;
	uint32_t other;

	(void)state;
	nameless_profile_init(&nameless);
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 1);
	nameless_profile_load(&nameless, NULL);
	other = profile_dso(nameless.loaded.profile, "hot", "/bin/hot", "ab09");
	recorded_dsos_init(&dsos, &nameless.loaded);
	assert_null(recorded_dsos_find(&dsos, other));
	recorded_dsos_fini(&dsos);
	nameless_profile_fini(&nameless);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dso_of_the_profile_leads_to_the_one_that_was_recorded),
		cmocka_unit_test(what_was_not_recorded_leads_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
