/* Keeps locations as addresses. Stacks, threads, events and samples are in a struct profile without locations. */
#include "profile/raw_profile.h"

#include <stdlib.h>

#include "base/xalloc.h"

static bool location_equal(const void *items, uint32_t item, const void *key)
{
	const struct raw_location *a = (const struct raw_location *)items + item, *b = key;

	return a->address == b->address && a->dso == b->dso && a->mode == b->mode;
}

struct raw_profile *raw_profile_create(void)
{
	struct raw_profile *raw = xcalloc(1, sizeof(*raw));

	intern_table_init(&raw->locations, sizeof(struct raw_location), location_equal);
	raw->rest = profile_create();
	return raw;
}

void raw_profile_destroy(struct raw_profile *raw)
{
	if (!raw)
		return;
	intern_table_fini(&raw->locations);
	profile_destroy(raw->rest);
	free(raw);
}

void raw_profile_finish(struct raw_profile *raw)
{
	intern_table_drop_index(&raw->locations);
	profile_finish(raw->rest);
}

uint32_t raw_profile_location(struct raw_profile *raw, uint32_t dso, uint64_t address, enum frame_mode mode)
{
	const struct raw_location location = { .address = address, .dso = dso, .mode = mode };

	return intern_table_add(&raw->locations, profile_location_hash(dso, address, mode), &location);
}

/* --- labels ------------------------------------------------------------------- */

enum { LABEL_SHIFT = 32 };

static const uint64_t LABEL_MARK = 0xe1abe10; /* "e label", which no address begins with */

uint32_t raw_profile_label(struct raw_profile *raw, const char *text)
{
	const uint64_t address = LABEL_MARK << LABEL_SHIFT | profile_string(raw->rest, text);

	return raw_profile_location(raw, PROFILE_NONE, address, FRAME_USER);
}

/* A damaged call chain may contain any address, so the number is checked. */
const char *raw_profile_label_text(const struct raw_profile *raw, const struct raw_location *location)
{
	const uint32_t string = (uint32_t)location->address;

	return location->dso == PROFILE_NONE && location->mode == FRAME_USER &&
			       location->address >> LABEL_SHIFT == LABEL_MARK &&
			       string < profile_string_count(raw->rest) ?
		       profile_text(raw->rest, string) :
		       NULL;
}
