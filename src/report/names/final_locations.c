/*
 * Works in batches: places and hashes first, so that memory is prefetched, then the locations. A return address becomes the
 * address before it where a function is known. DSOs and functions are made at their first use, and found by number afterwards.
 */
#include "report/names/final_locations.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/names/jit_paths.h"

/* State while final locations are made. */
struct making {
	const struct location_names *names;
	const struct process_table *processes;
	struct profile *profile;
	struct final_locations *locations;
	uint32_t *functions; /* by number of a name; PROFILE_NONE: not made yet */
	uint32_t *dsos;      /* by number in the process table; PROFILE_NONE: not made yet */
	uint8_t *made;       /* by final location: a bit for each lookup of raw locations that became it */
	size_t made_count, made_capacity;
};

static uint32_t final_dso(const struct making *making, uint32_t number)
{
	char hex[BUILD_ID_HEX_SIZE];
	const struct dso *dso;

	if (number == PROFILE_NONE)
		return PROFILE_NONE;
	if (making->dsos[number] == PROFILE_NONE) {
		dso = process_table_dso(making->processes, number);
		making->dsos[number] =
			profile_dso(making->profile, dso->name, dso->path, build_id_hex(&dso->build_id, hex));
		if (jit_paths_contain(dso->path))
			profile_set_dso_jit(making->profile, making->dsos[number]);
	}
	return making->dsos[number];
}

static uint32_t name_of(const struct making *making, struct location_use use)
{
	return location_names_of(making->names, use.location)->names[use.lookup];
}

/* Adds a function to the profile once for all locations that are known to be in it. */
static uint32_t final_function(const struct making *making, uint32_t dso, uint32_t name)
{
	const struct location_name *symbol = location_names_at(making->names, name);
	uint32_t *function = &making->functions[name];

	if (*function == PROFILE_NONE)
		*function = symbol->name ?
				    profile_function(making->profile, dso, symbol->name, symbol->start) :
				    profile_nameless_function(making->profile, dso, symbol->start);
	return *function;
}

/* --- source ------------------------------------------------------------------ */

static void set_line(struct profile *profile, uint32_t location, const struct source_frame *frame)
{
	profile_set_line(profile, location, profile_string(profile, frame->file ? frame->file : ""),
			 frame->line);
}

/*
 * The final location of a frame inlined at a location. A function that is inlined into itself remains that
 * function.
 */
static uint32_t inlined_location(struct profile *profile, const struct profile_location *base, uint32_t depth,
				 const struct location_name *symbol, const struct source_frame *frame)
{
	const char *name = frame->function ? frame->function : "[inlined]";
	const bool recursive = strcmp(name, symbol->name) == 0;
	const uint32_t location =
		profile_inlined_location(profile, base->dso, base->address, base->mode, depth);

	profile_set_function(profile, location,
			     (recursive ? profile_function : profile_inlined_function)(profile, base->dso,
										       name, symbol->start));
	set_line(profile, location, frame);
	return location;
}

/* Adds locations for inlined functions, one inside the other. */
static void add_inlined(const struct making *making, struct location_use use, uint32_t location)
{
	struct final_locations *locations = making->locations;
	const struct profile_location base = *profile_location_at(making->profile, location);
	const struct location_name *symbol = location_names_at(making->names, name_of(making, use));
	const struct location_source *source =
		&location_names_of(making->names, use.location)->sources[use.lookup];
	const struct source_frame *outermost =
		&making->names->frames[source->first_frame + source->frame_count - 1];

	locations->ranges[use.location][use.lookup] =
		(struct inlined_range){ (uint32_t)locations->inlined_count, source->frame_count - 1 };
	for (uint32_t depth = 1; depth < source->frame_count; depth++) {
		*ARRAY_ADD(locations->inlined, locations->inlined_count, locations->inlined_capacity) =
			inlined_location(making->profile, &base, depth, symbol, outermost - depth);
	}
}

/* If inlined functions are wanted, the compiled function gets the line at which it calls the outermost of them. */
static void add_source(const struct making *making, struct location_use use, uint32_t location)
{
	const struct location_source *source;
	const struct source_frame *frames;

	source = &location_names_of(making->names, use.location)->sources[use.lookup];
	if (source->frame_count == 0)
		return;
	frames = &making->names->frames[source->first_frame];
	if (!making->locations->ranges) {
		set_line(making->profile, location, &frames[0]); /* line of the instruction itself */
		return;
	}
	set_line(making->profile, location, &frames[source->frame_count - 1]);
	add_inlined(making, use, location);
}

/* --- locations --------------------------------------------------------------- */

/* The identity of a final location. */
struct place {
	uint32_t dso;
	uint64_t address;
	enum frame_mode mode;
};

/* A return address becomes the address before it, inside the call, unless the address itself will be printed. */
static struct place place_of(const struct making *making, struct location_use use)
{
	const struct raw_location *raw = raw_profile_location_at(making->names->raw, use.location);
	const struct named_location *named = location_names_of(making->names, use.location);
	const bool is_call = use.lookup == LOOKUP_RETURN && named->names[use.lookup];

	return (struct place){ final_dso(making, named->dso), is_call ? raw->address - 1 : raw->address,
			       raw->mode };
}

/* An instruction and a return address may share a location: the origins of their nodes tell the two apart. */
static void note_made(struct making *making, uint32_t location, enum lookup lookup)
{
	const size_t count = making->made_count;

	if (location >= count) {
		making->made = array_grow(making->made, &making->made_capacity, (size_t)location + 1,
					  sizeof(*making->made));
		making->made_count = (size_t)location + 1;
		memset(making->made + count, 0, making->made_count - count);
	}
	if (making->made[location] & 1U << lookup)
		making->locations->merged = true;
	making->made[location] |= (uint8_t)(1U << lookup);
}

static void make_location(struct making *making, struct location_use use, const struct place *place)
{
	const uint32_t name = name_of(making, use);
	const uint32_t location = profile_location(making->profile, place->dso, place->address, place->mode);

	note_made(making, location, use.lookup);
	making->locations->numbers[use.location][use.lookup] = location;
	if (!name)
		return;
	profile_set_function(making->profile, location, final_function(making, place->dso, name));
	if (location_names_at(making->names, name)->name)
		add_source(making, use, location);
}

static void make_batch(struct making *making, const struct location_use *uses, size_t count)
{
	struct place places[PROFILE_BATCH];

	for (size_t i = 0; i < count; i++) {
		places[i] = place_of(making, uses[i]);
		profile_prefetch_location(making->profile,
					  profile_location_hash(places[i].dso, places[i].address,
								places[i].mode));
	}
	for (size_t i = 0; i < count; i++)
		make_location(making, uses[i], &places[i]);
}

static void *no_numbers(size_t count, size_t size_bytes)
{
	void *numbers = xmalloc((count + 1) * size_bytes);

	memset(numbers, 0xff, (count + 1) * size_bytes); /* PROFILE_NONE */
	return numbers;
}

void final_locations_make(struct final_locations *locations, const struct location_names *names,
			  const struct process_table *processes, bool inlines, struct profile *profile)
{
	const uint32_t count = raw_profile_location_count(names->raw);
	struct making making = { .names = names,
				 .processes = processes,
				 .profile = profile,
				 .locations = locations,
				 .functions = no_numbers(names->name_count, sizeof(*making.functions)),
				 .dsos = no_numbers(process_table_dso_count(processes),
						    sizeof(*making.dsos)) };

	*locations = (struct final_locations){
		.raw = names->raw,
		.numbers = no_numbers(count, sizeof(*locations->numbers)),
		.ranges = inlines ? xcalloc((size_t)count + 1, sizeof(*locations->ranges)) : NULL
	};
	profile_reserve_locations(profile, (uint32_t)names->use_count);
	for (size_t first = 0, batch; first < names->use_count; first += batch) {
		batch = names->use_count - first < PROFILE_BATCH ? names->use_count - first : PROFILE_BATCH;
		make_batch(&making, names->uses + first, batch);
	}
	free(making.functions);
	free(making.dsos);
	free(making.made);
}

void final_locations_fini(struct final_locations *locations)
{
	free(locations->numbers);
	free(locations->ranges);
	free(locations->inlined);
}
