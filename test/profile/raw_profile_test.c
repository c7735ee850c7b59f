#include "profile/raw_profile.h"

#include "support/cmocka.h"

static void a_label_is_a_location_with_a_text(void **state)
{
	struct raw_profile *raw = raw_profile_create();
	const uint32_t timer = raw_profile_label(raw, "[timer]"), other = raw_profile_label(raw, "--");

	(void)state;
	assert_int_equal(raw_profile_label(raw, "[timer]"), timer);
	assert_int_not_equal(other, timer);
	assert_string_equal(raw_profile_label_text(raw, raw_profile_location_at(raw, timer)), "[timer]");
	assert_string_equal(raw_profile_label_text(raw, raw_profile_location_at(raw, other)), "--");
	raw_profile_destroy(raw);
}

/* Call chains of damaged files may contain any address. */
static void addresses_are_no_labels(void **state)
{
	struct raw_profile *raw = raw_profile_create();
	const uint64_t label = raw_profile_location_at(raw, raw_profile_label(raw, "text"))->address;
	const struct raw_location others[] = {
		{ .address = 0x400100, .dso = PROFILE_NONE, .mode = FRAME_USER },
		{ .address = label, .dso = PROFILE_NONE, .mode = FRAME_KERNEL },
		{ .address = label, .dso = 0, .mode = FRAME_USER },
		{ .address = label + 1, .dso = PROFILE_NONE, .mode = FRAME_USER }, /* no string's */
		{ .address = label | UINT32_MAX, .dso = PROFILE_NONE, .mode = FRAME_USER },
		{ .address = (uint32_t)label, .dso = PROFILE_NONE, .mode = FRAME_USER },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_null(raw_profile_label_text(raw, &others[i]));
	raw_profile_destroy(raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_label_is_a_location_with_a_text),
		cmocka_unit_test(addresses_are_no_labels),
	};

	return cmocka_run_group_tests_name("profile/raw_profile", tests, NULL, NULL);
}
