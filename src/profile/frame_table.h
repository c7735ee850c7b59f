#ifndef XPROF_PROFILE_FRAME_TABLE_H
#define XPROF_PROFILE_FRAME_TABLE_H

/*
 * Decides which locations are the same function for a view: all locations of one function are one frame; a
 * location without a function is a frame of its own. A function without a name is identified by its start. As
 * in perf, DSOs are identified by their short names, so functions of two builds of one library are one row
 * unless their addresses differ.
 *
 * Frames are numbered by DSO name, then address, so that the numbers do not depend on the order of samples.
 */

#include "profile/profile.h"
#include "profile/stack_node.h"

struct frame {
	uint64_t address; /* start of the function, or the location itself if it has no function; DSO address */
	uint32_t name;    /* string; PROFILE_NONE: no function is known at this address */
	uint32_t dso_name; /* string; PROFILE_NONE: nothing was mapped there */
	uint32_t dso;      /* one of the DSOs with that name; PROFILE_NONE likewise */
	enum frame_mode mode : 8;
	bool no_address; /* only the name is known: `address` is 0 */
	bool nameless;   /* the name only says where the function begins: see struct profile_function */
	bool inlined;    /* into the function at `address` */
	bool jit;        /* code that a JIT compiler made */
	bool guessed;    /* FRAME_GUESSED: another frame than the same function without a guess, and shown
			    with a mark */
};

struct frame_table {
	struct frame *frames;
	uint32_t count;
	uint32_t *by_location;         /* frame number of each of the profile's locations */
	uint32_t *guessed_by_location; /* frame number of each location as a guess; NULL: nothing was guessed */
};

/* Makes a snapshot: later additions and changes of locations have no effect. */
void frame_table_init(struct frame_table *table, const struct profile *profile);
void frame_table_fini(struct frame_table *table);

/* The frame of a node of the profile's stack tree. */
static inline uint32_t frame_table_of_node(const struct frame_table *table, const struct profile_stack *node)
{
	return node->origin == FRAME_GUESSED ? table->guessed_by_location[node->location] :
					       table->by_location[node->location];
}

static inline uint32_t frame_table_of_stack(const struct frame_table *table, const struct profile *profile,
					    uint32_t stack)
{
	return frame_table_of_node(table, profile_stack_at(profile, stack));
}

#endif
