/* Cleans names like those of the page's frames, because the page looks the words up by them. */
#include "report/flame/flame_measures.h"

#include "profile/event_unit.h"
#include "text/web_text.h"

void flame_measures_init(struct flame_measures *measures)
{
	strbuf_init(&measures->json);
	strbuf_init(&measures->own);
}

void flame_measures_fini(struct flame_measures *measures)
{
	strbuf_fini(&measures->json);
	strbuf_fini(&measures->own);
}

void flame_measures_find(struct flame_measures *measures, const struct profile *profile, uint32_t event)
{
	struct strbuf words = STRBUF_INIT;

	strbuf_reset(&measures->json);
	strbuf_reset(&measures->own);
	for (uint32_t i = 0; i < profile_event_count(profile); i++) {
		if (!event_unit_is_imported(profile, i))
			continue;
		strbuf_reset(&words);
		event_unit_add_words(&words, profile, i);
		strbuf_addc(&measures->json, measures->json.size ? ',' : '{');
		web_text_add_clean_json(&measures->json,
					profile_text(profile, profile_event_at(profile, i)->name));
		strbuf_addc(&measures->json, ':');
		web_text_add_clean_json(&measures->json, words.bytes);
		if (i == event)
			strbuf_add(&measures->own, words.bytes, words.size);
	}
	if (measures->json.size)
		strbuf_addc(&measures->json, '}');
	strbuf_fini(&words);
}
