#include "report/profile_namer.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/location_names.h"
#include "report/stack_resolver.h"

/* Nodes whose memory is fetched before the first of them is looked up. */
enum { BATCH_NODES = 32 };

/* What became of a location of the raw profile: up to two final ones. */
struct final_location {
	uint32_t numbers[LOOKUP_COUNT]; /* in the final profile; PROFILE_NONE: not made yet */
	uint32_t inlined[LOOKUP_COUNT]; /* of what is inlined there; likewise, first of several */
};

struct namer {
	const struct profile *raw;
	const struct process_table *processes;
	unsigned int detail; /* enum naming_detail */
	struct profile *profile;
	struct location_names names;
	struct final_location *locations; /* by raw number */
	uint32_t *inlined;                /* locations in the final profile, outermost first */
	size_t inlined_count, inlined_capacity;
	uint32_t *dsos; /* final numbers by the process table's; PROFILE_NONE: not made yet */
};

static void mark_used(struct namer *namer)
{
	uint32_t stacks = profile_stack_count(namer->raw);

	for (uint32_t i = 0; i < stacks; i++) {
		const struct profile_stack *node = profile_stack_at(namer->raw, i);
		const struct profile_location *location = profile_location_at(namer->raw, node->location);

		namer->names.locations[node->location].used[location_names_lookup(location, node)] = true;
	}
}

/* --- objects ----------------------------------------------------------------- */

bool profile_namer_object(const struct dso *dso, struct symbol_object *object)
{
	*object = (struct symbol_object){ .path = dso->path,
					  .build_id = dso->build_id,
					  .code_file_offset = dso->code_file_offset };
	switch (dso->kind) {
	case DSO_FILE:
		object->kind = SYMBOL_OBJECT_ELF;
		dso_mappers(dso, object->pids);
		break;
	case DSO_VDSO: object->kind = SYMBOL_OBJECT_VDSO; break;
	case DSO_KERNEL:
		object->kind = SYMBOL_OBJECT_KERNEL;
		object->relocation_symbol = dso->relocation_symbol;
		object->relocation_address = dso->relocation_address;
		break;
	case DSO_MODULE:
		object->kind = SYMBOL_OBJECT_MODULE;
		object->relocation_address = dso->relocation_address;
		break;
	case DSO_ANON:
		object->kind = SYMBOL_OBJECT_PERF_MAP;
		object->pid = dso->pid;
		break;
	case DSO_JITDUMP:
		object->kind = SYMBOL_OBJECT_JITDUMP;
		object->pid = dso->pid;
		break;
	case DSO_SYMFILE: object->kind = SYMBOL_OBJECT_SYMFILE; break;
	case DSO_UNKNOWN: object->kind = SYMBOL_OBJECT_LISTED; break;
	case DSO_KSYMBOL: return false;
	}
	return true;
}

struct symbol_table *profile_namer_table(struct symbolizer *symbolizer, const struct dso *dso)
{
	struct symbol_object object;

	if (!profile_namer_object(dso, &object))
		return NULL;
	return symbolizer_table(symbolizer, &object);
}

/* --- the final profile ------------------------------------------------------- */

static uint32_t final_dso(struct namer *namer, uint32_t number)
{
	char hex[BUILD_ID_HEX_SIZE];
	const struct dso *dso;

	if (number == PROFILE_NONE)
		return PROFILE_NONE;
	if (namer->dsos[number] == PROFILE_NONE) {
		dso = process_table_dso(namer->processes, number);
		namer->dsos[number] =
			profile_dso(namer->profile, dso->name, dso->path, build_id_hex(&dso->build_id, hex));
	}
	return namer->dsos[number];
}

/* The source frame of the function that was compiled: with inlined functions, where they are called. */
static void set_line(struct namer *namer, uint32_t location, const struct source_frame *frame)
{
	profile_set_line(namer->profile, location,
			 profile_string(namer->profile, frame->file ? frame->file : ""), frame->line);
}

/* Locations for what is inlined, one inside the other. A function that is inlined into itself remains that function. */
static void make_inlined(struct namer *namer, uint32_t raw, enum lookup lookup, uint32_t location)
{
	const struct profile_location base = *profile_location_at(namer->profile, location);
	const struct location_name *symbol = &namer->names.locations[raw].names[lookup];
	const struct location_source *source = &namer->names.sources[raw][lookup];
	uint32_t count = source->frame_count, depth;

	namer->locations[raw].inlined[lookup] = (uint32_t)namer->inlined_count;
	for (depth = 1; depth < count; depth++) {
		const struct source_frame *frame =
			&namer->names.frames[source->first_frame + count - 1 - depth];
		const char *name = frame->function ? frame->function : "[inlined]";
		bool recursive = strcmp(name, symbol->name) == 0;
		uint32_t inlined =
			profile_inlined_location(namer->profile, base.dso, base.address, base.mode, depth);

		profile_set_function(namer->profile, inlined,
				     (recursive ? profile_function : profile_inlined_function)(
					     namer->profile, base.dso, name, symbol->start));
		set_line(namer, inlined, frame);
		namer->inlined = array_grow(namer->inlined, &namer->inlined_capacity,
					    namer->inlined_count + 1, sizeof(*namer->inlined));
		namer->inlined[namer->inlined_count++] = inlined;
	}
}

static void add_source(struct namer *namer, uint32_t raw, enum lookup lookup, uint32_t location)
{
	struct location_source *source = namer->names.sources ? &namer->names.sources[raw][lookup] : NULL;

	if (!source || source->frame_count == 0)
		return;
	if (!(namer->detail & NAMING_INLINES))
		source->frame_count = 1; /* the line of the instruction itself */
	set_line(namer, location, &namer->names.frames[source->first_frame + source->frame_count - 1]);
	make_inlined(namer, raw, lookup, location);
}

static uint32_t final_location(struct namer *namer, const struct profile_stack *node)
{
	const struct profile_location *raw = profile_location_at(namer->raw, node->location);
	const struct named_location *named = &namer->names.locations[node->location];
	enum lookup lookup = location_names_lookup(raw, node);
	uint32_t *final = &namer->locations[node->location].numbers[lookup];
	uint32_t dso, location, function;
	const struct location_name *symbol = &named->names[lookup];

	if (*final != PROFILE_NONE)
		return *final;
	dso = final_dso(namer, named->dso);
	location = profile_location(namer->profile, dso,
				    symbol->name && lookup == LOOKUP_RETURN ? raw->address - 1 : raw->address,
				    raw->mode);
	if (symbol->name) {
		function = profile_function(namer->profile, dso, symbol->name, symbol->start);
		profile_set_function(namer->profile, location, function);
		add_source(namer, node->location, lookup, location);
	}
	*final = location;
	return location;
}

static void copy_threads(struct namer *namer)
{
	uint32_t i;

	for (i = 0; i < profile_thread_count(namer->raw); i++) {
		const struct profile_thread *thread = profile_thread_at(namer->raw, i);

		profile_thread(namer->profile, thread->pid, thread->tid,
			       profile_string(namer->profile, profile_text(namer->raw, thread->comm)));
	}
}

/*
 * What is known of a stack's beginning from its outermost frames. Those that lie in no mapping are skipped: where
 * libc's start-up code keeps no frame pointer, a chain goes on with whatever was in the register.
 */
enum beginning { BEGINNING_UNKNOWN, BEGINNING_ROOT, BEGINNING_UNNAMED, BEGINNING_OTHER };

/* start_thread() and __libc_start_call_main() are local symbols: a stripped library does not have them. */
static bool is_c_library(const struct profile *profile, uint32_t dso)
{
	static const char *const names[] = { "libc.so",  "libc-",   "libpthread",
					     "ld-linux", "ld-musl", "libc.musl" };
	const char *name = profile_text(profile, profile_dso_at(profile, dso)->name);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static enum beginning beginning_of(const struct profile *profile, uint32_t node)
{
	const struct profile_location *location =
		profile_location_at(profile, profile_stack_at(profile, node)->location);

	if (location->dso == PROFILE_NONE)
		return BEGINNING_UNKNOWN;
	if (location->function == PROFILE_NONE)
		return is_c_library(profile, location->dso) ? BEGINNING_UNNAMED : BEGINNING_OTHER;
	return stack_resolver_is_root(profile_text(profile,
						   profile_function_at(profile, location->function)->name),
				      location->mode) ?
		       BEGINNING_ROOT :
		       BEGINNING_OTHER;
}

/* Locations of what is inlined at the location of a node, outermost first; their number. */
static uint32_t inlined_at(const struct namer *namer, const struct profile_stack *raw,
			   const uint32_t **inlined)
{
	enum lookup lookup;
	uint32_t count;

	if (!namer->names.sources)
		return 0;
	lookup = location_names_lookup(profile_location_at(namer->raw, raw->location), raw);
	count = namer->names.sources[raw->location][lookup].frame_count;
	if (count < 2)
		return 0;
	*inlined = namer->inlined + namer->locations[raw->location].inlined[lookup];
	return count - 1;
}

/* Nodes of the raw profile on their way to the final one. */
struct copying {
	uint32_t *nodes;     /* final numbers; of several, where something is inlined, the innermost */
	uint32_t *paths;     /* of these: see profile_stack_path() */
	uint8_t *beginnings; /* enum beginning */
	uint32_t *locations; /* final ones, of a batch */
	uint32_t *own_paths; /* likewise, of the node of the location itself */
};

/* The final locations of a batch, from which follows where memory will be looked at for its nodes. */
static void locate_batch(struct namer *namer, struct copying *copying, uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct profile_stack *raw = profile_stack_at(namer->raw, first + i);
		const enum frame_origin origin = (enum frame_origin)raw->origin;
		uint32_t path = raw->parent == PROFILE_NONE ? STACK_PATH_ROOT : copying->paths[raw->parent];
		const uint32_t *inlined = NULL;
		uint32_t inlined_count;

		copying->locations[i] = final_location(namer, raw);
		path = profile_stack_path(path, copying->locations[i], origin);
		profile_prefetch_stack(namer->profile, path);
		copying->own_paths[i] = path;
		inlined_count = inlined_at(namer, raw, &inlined);
		for (uint32_t k = 0; k < inlined_count; k++)
			path = profile_stack_path(path, inlined[k], origin);
		copying->paths[first + i] = path;
	}
	for (uint32_t i = 0; i < count; i++)
		profile_prefetch_stack_item(namer->profile, copying->own_paths[i]);
}

static void copy_node(struct namer *namer, struct copying *copying, uint32_t number, uint32_t location)
{
	const struct profile_stack *raw = profile_stack_at(namer->raw, number);
	const enum frame_origin origin = (enum frame_origin)raw->origin;
	const bool is_first = raw->parent == PROFILE_NONE;
	const uint32_t *inlined = NULL;
	uint32_t node = profile_stack(namer->profile, is_first ? PROFILE_NONE : copying->nodes[raw->parent],
				      location, origin);
	uint8_t beginning = is_first ? BEGINNING_UNKNOWN : copying->beginnings[raw->parent];
	uint32_t inlined_count = inlined_at(namer, raw, &inlined);

	if (beginning == BEGINNING_UNKNOWN)
		beginning = (uint8_t)beginning_of(namer->profile, node);
	for (uint32_t i = 0; i < inlined_count; i++)
		node = profile_stack(namer->profile, node, inlined[i], origin);
	copying->nodes[number] = node;
	copying->beginnings[number] = beginning;
}

/* Fills in the nodes and the beginnings. */
static void copy_stacks(struct namer *namer, struct copying *copying)
{
	const uint32_t stacks = profile_stack_count(namer->raw);

	for (uint32_t first = 0, count; first < stacks; first += count) {
		count = stacks - first < BATCH_NODES ? stacks - first : BATCH_NODES;
		locate_batch(namer, copying, first, count);
		for (uint32_t i = 0; i < count; i++)
			copy_node(namer, copying, first + i, copying->locations[i]);
	}
}

/* Why a stack ends, now that its outermost function has a name. */
static enum stack_end end_of(enum stack_end end, enum beginning beginning)
{
	switch (end) {
	case STACK_END_CHAIN:
		return beginning == BEGINNING_ROOT    ? STACK_END_ROOT :
		       beginning == BEGINNING_UNNAMED ? STACK_END_UNNAMED :
							end;
	case STACK_END_DEPTH:
	case STACK_END_DUMP:   /* continued by frame pointers */
	case STACK_END_NO_CFI: /* ld.so's first function, and others in assembly, have no unwind information */
		return beginning == BEGINNING_ROOT ? STACK_END_ROOT : end;
	default: return end;
	}
}

static void copy_samples(struct namer *namer, const struct copying *copying, uint32_t *sample_numbers)
{
	uint32_t i, number;

	for (i = 0; i < profile_sample_count(namer->raw); i++) {
		struct profile_sample sample = *profile_sample_at(namer->raw, i);

		sample.end = (uint8_t)end_of((enum stack_end)sample.end,
					     (enum beginning)copying->beginnings[sample.stack]);
		sample.stack = copying->nodes[sample.stack];
		sample.cgroup = profile_string(namer->profile, profile_text(namer->raw, sample.cgroup));
		number = profile_add(namer->profile, &sample);
		if (sample_numbers)
			sample_numbers[i] = number;
	}
	for (i = 0; i < profile_event_count(namer->raw); i++)
		profile_set_weight_squares(namer->profile, i,
					   profile_event_at(namer->raw, i)->weight_squares);
}

void profile_namer_run(const struct profile *raw, const struct process_table *processes,
		       struct symbolizer *symbolizer, unsigned int detail, struct profile *profile,
		       uint32_t *sample_numbers)
{
	struct namer namer = { .raw = raw, .processes = processes, .detail = detail, .profile = profile };
	const size_t dsos = process_table_dso_count(processes), stacks = profile_stack_count(raw),
		     locations = profile_location_count(raw);
	uint32_t batch_locations[BATCH_NODES], batch_paths[BATCH_NODES];
	struct copying copying = { .nodes = xmalloc((stacks + 1) * sizeof(*copying.nodes)),
				   .paths = xmalloc((stacks + 1) * sizeof(*copying.paths)),
				   .beginnings = xmalloc(stacks + 1),
				   .locations = batch_locations,
				   .own_paths = batch_paths };

	location_names_init(&namer.names, raw);
	namer.locations = xmalloc((locations + 1) * sizeof(*namer.locations));
	memset(namer.locations, 0xff, (locations + 1) * sizeof(*namer.locations));
	namer.dsos = xmalloc((dsos + 1) * sizeof(*namer.dsos));
	memset(namer.dsos, 0xff, (dsos + 1) * sizeof(*namer.dsos));
	mark_used(&namer);
	location_names_find(&namer.names, processes, symbolizer, detail != 0);
	copy_threads(&namer);
	profile_reserve_like(profile, raw);
	copy_stacks(&namer, &copying);
	copy_samples(&namer, &copying, sample_numbers);
	free(copying.beginnings);
	free(copying.paths);
	free(copying.nodes);
	free(namer.inlined);
	free(namer.dsos);
	free(namer.locations);
	location_names_fini(&namer.names);
}
