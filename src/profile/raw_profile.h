#ifndef XPROF_PROFILE_RAW_PROFILE_H
#define XPROF_PROFILE_RAW_PROFILE_H

/*
 * The profile to which samples are added while a recording is read: stacks of addresses, still without names.
 * After the last sample, each address is looked up once, and the stacks and samples move to a struct profile.
 * It has a type of its own, so that no view can be made from addresses, and no sample added to a profile with
 * names.
 *
 *	location = raw_profile_location(raw, dso, address, FRAME_USER);
 *	stack = raw_profile_stack(raw, caller, location, FRAME_CFI);
 *	raw_profile_add(raw, &(struct profile_sample){ .stack = stack, .count = 1, ... });
 *
 * Numbers and names are as in profile.h.
 */

#include "profile/intern_table.h"
#include "profile/profile.h"

struct raw_location {     /* one (dso, address, mode) */
	uint64_t address; /* DSO address (file offset; runtime address for kernel, JIT and unmapped) */
	uint32_t dso;     /* the caller's number for the DSO; PROFILE_NONE: nothing was mapped there */
	enum frame_mode mode;
};

struct raw_profile {
	struct intern_table locations; /* struct raw_location */
	struct profile *rest;          /* strings, stacks, threads, events and samples: it has no locations */
};

struct raw_profile *raw_profile_create(void);
void raw_profile_destroy(struct raw_profile *raw);

/* Call after the last addition: it can then only be read, by numbers. */
void raw_profile_finish(struct raw_profile *raw);

/* --- locations ------------------------------------------------------------------ */

uint32_t raw_profile_location(struct raw_profile *raw, uint32_t dso, uint64_t address, enum frame_mode mode);

/*
 * A location that stands for a text, not for code: it has no DSO and mode FRAME_USER. Its address is one where nothing can be
 * mapped: bits 59 to 57 are set, and user space has at most 57 bits.
 */
uint32_t raw_profile_label(struct raw_profile *raw, const char *text);

/* The text of such a location, valid as long as the profile; NULL for other locations. */
const char *raw_profile_label_text(const struct raw_profile *raw, const struct raw_location *location);

/* Prefetch hints, by profile_location_hash(). */
static inline void raw_profile_prefetch_location(const struct raw_profile *raw, uint64_t hash)
{
	intern_table_prefetch(&raw->locations, hash);
}

static inline void raw_profile_prefetch_location_item(const struct raw_profile *raw, uint64_t hash)
{
	intern_table_prefetch_item(&raw->locations, hash);
}

static inline uint32_t raw_profile_location_count(const struct raw_profile *raw)
{
	return (uint32_t)raw->locations.count;
}

static inline const struct raw_location *raw_profile_location_at(const struct raw_profile *raw,
								 uint32_t number)
{
	return (const struct raw_location *)raw->locations.items + number;
}

/* --- as in profile.h ------------------------------------------------------------- */

static inline uint32_t raw_profile_string(struct raw_profile *raw, const char *text)
{
	return profile_string(raw->rest, text);
}

static inline const char *raw_profile_text(const struct raw_profile *raw, uint32_t string)
{
	return profile_text(raw->rest, string);
}

/* The caller uses a number as the name until the event's name is known. */
static inline uint32_t raw_profile_event(struct raw_profile *raw, const char *name)
{
	return profile_event(raw->rest, name, false, 0);
}

static inline uint32_t raw_profile_event_count(const struct raw_profile *raw)
{
	return profile_event_count(raw->rest);
}

static inline const struct profile_event *raw_profile_event_at(const struct raw_profile *raw, uint32_t number)
{
	return profile_event_at(raw->rest, number);
}

static inline uint32_t raw_profile_thread(struct raw_profile *raw, uint32_t pid, uint32_t tid, uint32_t comm)
{
	return profile_thread(raw->rest, pid, tid, comm);
}

static inline uint32_t raw_profile_thread_count(const struct raw_profile *raw)
{
	return profile_thread_count(raw->rest);
}

static inline const struct profile_thread *raw_profile_thread_at(const struct raw_profile *raw,
								 uint32_t number)
{
	return profile_thread_at(raw->rest, number);
}

static inline uint32_t raw_profile_stack(struct raw_profile *raw, uint32_t parent, uint32_t location,
					 enum frame_origin origin)
{
	return profile_stack(raw->rest, parent, location, origin);
}

static inline void raw_profile_prefetch_stack(const struct raw_profile *raw, uint32_t path)
{
	profile_prefetch_stack(raw->rest, path);
}

static inline void raw_profile_prefetch_stack_item(const struct raw_profile *raw, uint32_t path)
{
	profile_prefetch_stack_item(raw->rest, path);
}

static inline uint32_t raw_profile_stack_count(const struct raw_profile *raw)
{
	return profile_stack_count(raw->rest);
}

static inline const struct profile_stack *raw_profile_stack_at(const struct raw_profile *raw, uint32_t number)
{
	return profile_stack_at(raw->rest, number);
}

static inline uint32_t raw_profile_add(struct raw_profile *raw, const struct profile_sample *sample)
{
	return profile_add(raw->rest, sample);
}

static inline void raw_profile_prefetch(const struct raw_profile *raw, const struct profile_sample *sample)
{
	profile_prefetch(raw->rest, sample);
}

static inline void raw_profile_prefetch_sum(const struct raw_profile *raw,
					    const struct profile_sample *sample)
{
	profile_prefetch_sum(raw->rest, sample);
}

static inline uint32_t raw_profile_sample_count(const struct raw_profile *raw)
{
	return profile_sample_count(raw->rest);
}

static inline const struct profile_sample *raw_profile_sample_at(const struct raw_profile *raw,
								 uint32_t number)
{
	return profile_sample_at(raw->rest, number);
}

/* --- conversion to the final profile ------------------------------------------------ */

/*
 * profile_take_stacks() and profile_take_samples(). The stacks or samples must not be accessed through `raw`
 * afterwards.
 */
static inline void raw_profile_give_stacks(struct raw_profile *raw, struct profile *profile)
{
	profile_take_stacks(profile, raw->rest);
}

static inline void raw_profile_give_samples(struct raw_profile *raw, struct profile *profile)
{
	profile_take_samples(profile, raw->rest);
}

/* Allocate memory in `profile` for as many stacks or samples at once. */
static inline void raw_profile_reserve_stacks(const struct raw_profile *raw, struct profile *profile)
{
	profile_reserve_stacks_like(profile, raw->rest);
}

static inline void raw_profile_reserve_samples(const struct raw_profile *raw, struct profile *profile)
{
	profile_reserve_samples_like(profile, raw->rest);
}

#endif
