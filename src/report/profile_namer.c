#include "report/profile_namer.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/stack_resolver.h"

/* A location of the raw profile, as an instruction's address and as a return address: up to two final ones. */
enum lookup { LOOKUP_PC, LOOKUP_RETURN, LOOKUP_COUNT };

struct named_location {
	bool used[LOOKUP_COUNT];
	bool found[LOOKUP_COUNT];
	struct symbol symbols[LOOKUP_COUNT];
	uint32_t first_frame[LOOKUP_COUNT], frame_count[LOOKUP_COUNT]; /* source, innermost first */
	uint32_t final[LOOKUP_COUNT];   /* numbers in the final profile; PROFILE_NONE: not made yet */
	uint32_t inlined[LOOKUP_COUNT]; /* of what is inlined there; likewise, first of several */
	uint32_t dso;                   /* the process table's number; PROFILE_NONE: none */
};

struct namer {
	const struct profile *raw;
	const struct process_table *processes;
	struct symbolizer *symbolizer;
	unsigned int detail; /* enum naming_detail */
	struct profile *profile;
	struct named_location *locations; /* by raw number */
	struct source_frame *frames;
	size_t frame_count, frame_capacity;
	uint32_t *inlined; /* locations in the final profile, outermost first */
	size_t inlined_count, inlined_capacity;
	uint32_t *dsos; /* final numbers by the process table's; PROFILE_NONE: not made yet */
};

static enum lookup lookup_of(const struct profile_location *location, const struct profile_stack *node)
{
	bool is_user = location->mode == FRAME_USER || location->mode == FRAME_GUEST_USER;

	switch (node->origin) {
	case FRAME_KERNEL_CHAIN:
	case FRAME_POINTER:
	case FRAME_CFI:
	case FRAME_JOINED:
	case FRAME_CODE:
	case FRAME_GUESSED: return is_user ? LOOKUP_RETURN : LOOKUP_PC;
	default: return LOOKUP_PC;
	}
}

static void mark_used(struct namer *namer)
{
	uint32_t i, stacks = profile_stack_count(namer->raw), locations = profile_location_count(namer->raw);

	for (i = 0; i < locations; i++) {
		namer->locations[i].final[LOOKUP_PC] = namer->locations[i].final[LOOKUP_RETURN] =
			PROFILE_NONE;
		namer->locations[i].dso = profile_location_at(namer->raw, i)->dso;
	}
	for (i = 0; i < stacks; i++) {
		const struct profile_stack *node = profile_stack_at(namer->raw, i);
		const struct profile_location *location = profile_location_at(namer->raw, node->location);

		namer->locations[node->location].used[lookup_of(location, node)] = true;
	}
}

/* --- functions --------------------------------------------------------------- */

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

static void look_up_source(struct namer *namer, struct symbol_table *table, uint64_t address,
			   struct named_location *named, int lookup)
{
	const struct source_frame *frames;
	size_t count = symbol_table_find_source(table, address, &frames);

	namer->frames = array_grow(namer->frames, &namer->frame_capacity, namer->frame_count + count + 1,
				   sizeof(*namer->frames));
	if (count)
		memcpy(namer->frames + namer->frame_count, frames, count * sizeof(*frames));
	named->first_frame[lookup] = (uint32_t)namer->frame_count;
	named->frame_count[lookup] = (uint32_t)count;
	namer->frame_count += count;
}

static void look_up(struct namer *namer, const struct dso *dso, struct symbol_table *table, uint32_t number)
{
	struct named_location *named = &namer->locations[number];
	uint64_t address = profile_location_at(namer->raw, number)->address;
	int lookup;

	for (lookup = 0; lookup < LOOKUP_COUNT; lookup++) {
		if (!named->used[lookup])
			continue;
		if (dso->kind == DSO_KSYMBOL) {
			named->symbols[lookup].name = dso->path;
			named->found[lookup] = true;
		} else if (table) {
			uint64_t inside = lookup == LOOKUP_RETURN ? address - 1 : address;

			named->found[lookup] = symbol_table_find(table, inside, &named->symbols[lookup]) == 1;
			if (namer->detail && named->found[lookup])
				look_up_source(namer, table, inside, named, lookup);
		}
	}
}

typedef void prepare_table(struct symbol_table *table, const uint64_t *addresses, size_t count);

struct sortable {
	uint32_t dso, number;
	uint64_t address;
};

static int compare(const void *a, const void *b)
{
	const struct sortable *left = a, *right = b;

	if (left->dso != right->dso)
		return left->dso < right->dso ? -1 : 1;
	return left->address < right->address ? -1 : left->address > right->address;
}

/* Symbols and debug information are read faster when it is known what will be asked for: all locations of one DSO. */
static void prepare(const struct namer *namer, struct symbol_table *table, const struct sortable *order,
		    size_t count, prepare_table *say)
{
	uint64_t *addresses = xmalloc((2 * count + 1) * sizeof(*addresses));
	size_t wanted = 0;

	for (size_t i = 0; i < count; i++) {
		const struct named_location *named = &namer->locations[order[i].number];

		if (named->used[LOOKUP_PC])
			addresses[wanted++] = order[i].address;
		if (named->used[LOOKUP_RETURN])
			addresses[wanted++] = order[i].address - 1;
	}
	say(table, addresses, wanted);
	free(addresses);
}

/* In no mapping, but the kernel's symbols may have it: see process_table_kernel(). */
static void look_up_in_kernel(struct namer *namer, uint32_t number)
{
	struct named_location *named = &namer->locations[number];
	struct mapping kernel;

	if (profile_location_at(namer->raw, number)->mode != FRAME_KERNEL ||
	    process_table_kernel(namer->processes, &kernel) != 1)
		return;
	look_up(namer, kernel.dso, profile_namer_table(namer->symbolizer, kernel.dso), number);
	if (named->found[LOOKUP_PC]) /* the kernel has no other */
		named->dso = kernel.dso->number;
}

static size_t same_dso(const struct sortable *order, size_t count)
{
	size_t i = 1;

	while (i < count && order[i].dso == order[0].dso)
		i++;
	return i;
}

/* Of all DSOs before the first is looked up in: several may be the same file. */
static void want_all(const struct namer *namer, const struct sortable *order, size_t count)
{
	for (size_t i = 0, same; i < count && order[i].dso != PROFILE_NONE; i += same) {
		const struct dso *dso = process_table_dso(namer->processes, order[i].dso);
		struct symbol_table *table = profile_namer_table(namer->symbolizer, dso);

		same = same_dso(order + i, count - i);
		if (table)
			prepare(namer, table, order + i, same, symbol_table_want);
	}
}

/* DSO by DSO and in order of address: each symbol table is used while it is in the cache. */
static void look_up_all(struct namer *namer)
{
	uint32_t count = profile_location_count(namer->raw), dso = PROFILE_NONE, i;
	struct sortable *order = xmalloc(count * sizeof(*order) + 1);
	struct symbol_table *table = NULL;

	for (i = 0; i < count; i++) {
		const struct profile_location *location = profile_location_at(namer->raw, i);

		order[i] = (struct sortable){ location->dso, i, location->address };
	}
	qsort(order, count, sizeof(*order), compare);
	want_all(namer, order, count);
	for (i = 0; i < count && order[i].dso != PROFILE_NONE; i++) {
		const struct dso *current = process_table_dso(namer->processes, order[i].dso);

		if (order[i].dso != dso) {
			table = profile_namer_table(namer->symbolizer, current);
			if (table && namer->detail)
				prepare(namer, table, order + i, same_dso(order + i, count - i),
					symbol_table_prepare_source);
		}
		dso = order[i].dso;
		look_up(namer, current, table, order[i].number);
	}
	for (; i < count; i++)
		look_up_in_kernel(namer, order[i].number);
	free(order);
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
static void make_inlined(struct namer *namer, struct named_location *named, enum lookup lookup,
			 uint32_t location)
{
	const struct profile_location base = *profile_location_at(namer->profile, location);
	const struct symbol *symbol = &named->symbols[lookup];
	uint32_t count = named->frame_count[lookup], depth;

	named->inlined[lookup] = (uint32_t)namer->inlined_count;
	for (depth = 1; depth < count; depth++) {
		const struct source_frame *frame =
			&namer->frames[named->first_frame[lookup] + count - 1 - depth];
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

static void add_source(struct namer *namer, struct named_location *named, enum lookup lookup,
		       uint32_t location)
{
	const struct source_frame *frames;

	if (!namer->frames || named->frame_count[lookup] == 0)
		return;
	frames = namer->frames + named->first_frame[lookup];
	if (!(namer->detail & NAMING_INLINES))
		named->frame_count[lookup] = 1; /* the line of the instruction itself */
	set_line(namer, location, &frames[named->frame_count[lookup] - 1]);
	make_inlined(namer, named, lookup, location);
}

static uint32_t final_location(struct namer *namer, const struct profile_stack *node)
{
	const struct profile_location *raw = profile_location_at(namer->raw, node->location);
	struct named_location *named = &namer->locations[node->location];
	enum lookup lookup = lookup_of(raw, node);
	uint32_t dso, location, function;
	bool found = named->found[lookup];

	if (named->final[lookup] != PROFILE_NONE)
		return named->final[lookup];
	dso = final_dso(namer, named->dso);
	location = profile_location(namer->profile, dso,
				    found && lookup == LOOKUP_RETURN ? raw->address - 1 : raw->address,
				    raw->mode);
	if (found) {
		function = profile_function(namer->profile, dso, named->symbols[lookup].name,
					    named->symbols[lookup].start);
		profile_set_function(namer->profile, location, function);
		add_source(namer, named, lookup, location);
	}
	named->final[lookup] = location;
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

/* The node of a location, and on it those of what is inlined there: the innermost. */
static uint32_t add_inlined(struct namer *namer, const struct profile_stack *raw, uint32_t node)
{
	const struct named_location *named = &namer->locations[raw->location];
	enum lookup lookup = lookup_of(profile_location_at(namer->raw, raw->location), raw);

	for (uint32_t i = 0; i + 1 < named->frame_count[lookup]; i++)
		node = profile_stack(namer->profile, node, namer->inlined[named->inlined[lookup] + i],
				     (enum frame_origin)raw->origin);
	return node;
}

/* Fills nodes[] with the final numbers of the raw profile's nodes, and beginnings[] with how their stacks begin. */
static void copy_stacks(struct namer *namer, uint32_t *nodes, uint8_t *beginnings)
{
	uint32_t i;

	for (i = 0; i < profile_stack_count(namer->raw); i++) {
		const struct profile_stack *node = profile_stack_at(namer->raw, i);
		uint32_t parent = node->parent == PROFILE_NONE ? PROFILE_NONE : nodes[node->parent];

		nodes[i] = profile_stack(namer->profile, parent, final_location(namer, node),
					 (enum frame_origin)node->origin);
		beginnings[i] = node->parent == PROFILE_NONE ? BEGINNING_UNKNOWN : beginnings[node->parent];
		if (beginnings[i] == BEGINNING_UNKNOWN)
			beginnings[i] = (uint8_t)beginning_of(namer->profile, nodes[i]);
		nodes[i] = add_inlined(namer, node, nodes[i]);
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

static void copy_samples(struct namer *namer, const uint32_t *nodes, const uint8_t *beginnings,
			 uint32_t *sample_numbers)
{
	uint32_t i, number;

	for (i = 0; i < profile_sample_count(namer->raw); i++) {
		struct profile_sample sample = *profile_sample_at(namer->raw, i);

		sample.end =
			(uint8_t)end_of((enum stack_end)sample.end, (enum beginning)beginnings[sample.stack]);
		sample.stack = nodes[sample.stack];
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
	struct namer namer = { .raw = raw,
			       .processes = processes,
			       .symbolizer = symbolizer,
			       .detail = detail,
			       .profile = profile };
	size_t dsos = process_table_dso_count(processes);
	uint32_t stacks = profile_stack_count(raw), *nodes;
	uint8_t *beginnings;

	namer.locations = xcalloc((size_t)profile_location_count(raw) + 1, sizeof(*namer.locations));
	namer.dsos = xmalloc((dsos + 1) * sizeof(*namer.dsos));
	memset(namer.dsos, 0xff, (dsos + 1) * sizeof(*namer.dsos));
	nodes = xmalloc(((size_t)stacks + 1) * sizeof(*nodes));
	beginnings = xmalloc((size_t)stacks + 1);
	mark_used(&namer);
	look_up_all(&namer);
	copy_threads(&namer);
	copy_stacks(&namer, nodes, beginnings);
	copy_samples(&namer, nodes, beginnings, sample_numbers);
	free(beginnings);
	free(nodes);
	free(namer.frames);
	free(namer.inlined);
	free(namer.dsos);
	free(namer.locations);
}
