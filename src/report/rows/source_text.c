/* Makes the texts of all locations at once, as strings of the profile: rows then compare them by number. */
#include "report/rows/source_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

static const char *shown_file(const struct profile *profile, const struct profile_location *location,
			      bool full_path)
{
	const char *path = profile_text(profile, location->file);

	return full_path ? path : basename(path);
}

static void add_place(struct strbuf *text, const struct profile *profile,
		      const struct profile_location *location)
{
	const struct profile_function *function;

	if (profile_location_is_named(profile, location)) {
		function = profile_function_at(profile, location->function);
		strbuf_adds(text, profile_text(profile, function->name));
		if (!location->no_address)
			strbuf_addf(text, "+%" PRIu64, location->address - function->start);
	} else if (location->dso != PROFILE_NONE) {
		strbuf_addf(text, "%s[%" PRIx64 "]",
			    profile_text(profile, profile_dso_at(profile, location->dso)->name),
			    location->address);
	} else {
		strbuf_addf(text, "[%" PRIx64 "]", location->address);
	}
}

void source_texts_init(struct source_texts *texts, struct profile *profile, bool full_path)
{
	uint32_t count = profile_location_count(profile);
	struct strbuf text = STRBUF_INIT;

	texts->lines = xmalloc(((size_t)count + 1) * sizeof(*texts->lines));
	texts->files = xmalloc(((size_t)count + 1) * sizeof(*texts->files));
	for (uint32_t i = 0; i < count; i++) {
		struct profile_location location = *profile_location_at(profile, i);
		const char *file = shown_file(profile, &location, full_path);

		strbuf_reset(&text);
		if (*file)
			strbuf_addf(&text, "%s:%" PRIu32, file, location.line);
		else
			add_place(&text, profile, &location);
		texts->files[i] = profile_string(profile, file);
		texts->lines[i] = profile_string(profile, text.bytes);
	}
	strbuf_fini(&text);
}

void source_texts_fini(struct source_texts *texts)
{
	free(texts->lines);
	free(texts->files);
	*texts = (struct source_texts){ 0 };
}
