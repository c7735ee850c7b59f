#include "symbol/source_answers.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void source_answers_init(struct source_answers *answers)
{
	*answers = (struct source_answers){ .texts = str_pool_create() };
}

void source_answers_fini(struct source_answers *answers)
{
	free(answers->places);
	free(answers->frames);
	str_pool_destroy(answers->texts);
}

void source_answers_add(struct source_answers *answers, uint64_t vaddr, const struct unit_frame *frames,
			size_t count)
{
	answers->places = array_grow(answers->places, &answers->place_capacity, answers->place_count + 1,
				     sizeof(*answers->places));
	answers->places[answers->place_count++] =
		(struct source_place){ vaddr, (uint32_t)answers->frame_count, (uint32_t)count };
	if (!count)
		return;
	answers->frames = array_grow(answers->frames, &answers->frame_capacity, answers->frame_count + count,
				     sizeof(*answers->frames));
	memcpy(answers->frames + answers->frame_count, frames, count * sizeof(*frames));
	answers->frame_count += count;
}
