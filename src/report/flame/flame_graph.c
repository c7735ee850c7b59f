/*
 * Two readers fill one call_tree, from a profile and from folded text. From the root to the leaf both reuse nodes of
 * callers that stacks share: the profile's by stack_places.h, the text's by comparing a line with the one before. A
 * reversed graph gets each stack key by key.
 */
#include "report/flame/flame_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "profile/stack_places.h"
#include "report/rows/frame_text.h"
#include "text/folded_line.h"
#include "text/web_text.h"

void flame_graph_init(struct flame_graph *graph, bool reversed)
{
	*graph = (struct flame_graph){ .texts = str_pool_create(),
				       .tree = call_tree_create(),
				       .reversed = reversed };
}

void flame_graph_fini(struct flame_graph *graph)
{
	call_tree_destroy(graph->tree);
	str_pool_destroy(graph->texts);
}

void flame_graph_sort(struct flame_graph *graph)
{
	call_tree_sort(graph->tree);
}

struct flame_frame flame_graph_frame(const struct flame_graph *graph, uint32_t key)
{
	const char *name = str_pool_text(graph->texts, key / FLAME_KIND_COUNT);

	return (struct flame_frame){
		.name = name,
		.dso = *name ? name + strlen(name) + 1 : "",
		.kind = (enum flame_kind)(key % FLAME_KIND_COUNT),
	};
}

uint32_t flame_graph_add_key(struct flame_graph *graph, const char *name, const char *dso,
			     enum flame_kind kind)
{
	struct strbuf text = STRBUF_INIT;
	uint32_t number;

	strbuf_adds(&text, name);
	strbuf_addc(&text, '\0');
	strbuf_adds(&text, dso);
	number = str_pool_add_n(graph->texts, text.bytes, text.size);
	strbuf_fini(&text);
	return flame_graph_key(number, kind);
}

uint32_t flame_graph_next(const struct flame_graph *graph, uint32_t node, bool down)
{
	const struct call_node *at = call_tree_at(graph->tree, node);

	if (down && at->first_child != CALL_TREE_NONE)
		return at->first_child;
	while (at->next_sibling == CALL_TREE_NONE && at->parent != CALL_TREE_NONE)
		at = call_tree_at(graph->tree, at->parent);
	return at->next_sibling;
}

/* A path that is being added to the tree: keys or nodes, one per frame. */
struct keys {
	uint32_t *items;
	size_t count, capacity;
};

static void push(struct keys *keys, uint32_t key)
{
	*ARRAY_ADD(keys->items, keys->count, keys->capacity) = key;
}

/* --- from a profile ---------------------------------------------------------------------------------- */

/* Each frame and thread is made into text once. */
struct drawing {
	struct flame_graph *graph;
	const struct view_input *input;
	const struct flame_recipe *recipe;
	uint32_t *text_of; /* by frame */
	struct flame_groups groups;
	struct strbuf scratch;
	struct stack_places *places;
};

static uint32_t add_text(struct drawing *drawing)
{
	return str_pool_add_n(drawing->graph->texts, drawing->scratch.bytes, drawing->scratch.size);
}

/* In the order of the frame table, so that keys do not depend on which frame was sampled first. */
static void make_texts(struct drawing *drawing)
{
	const struct profile *profile = drawing->input->profile;
	const struct frame_table *frames = drawing->input->frames;
	struct strbuf plain = STRBUF_INIT;
	uint32_t i;

	drawing->text_of = xmalloc(((size_t)frames->count + 1) * sizeof(*drawing->text_of));
	for (i = 0; i < frames->count; i++) {
		const struct frame *frame = &frames->frames[i];

		strbuf_reset(&plain);
		strbuf_reset(&drawing->scratch);
		frame_text_add(&plain, profile, frame, false);
		web_text_clean(&drawing->scratch, plain.bytes);
		strbuf_addc(&drawing->scratch, '\0');
		if (frame->dso_name != PROFILE_NONE)
			web_text_clean(&drawing->scratch, profile_text(profile, frame->dso_name));
		drawing->text_of[i] = add_text(drawing);
	}
	strbuf_fini(&plain);
}

static enum flame_kind kind_of(const struct profile_stack *node, const struct frame *frame)
{
	if (node->origin == FRAME_GUESSED)
		return FLAME_GUESSED;
	if (frame->name == PROFILE_NONE || frame->nameless)
		return FLAME_UNKNOWN;
	if (frame->mode == FRAME_KERNEL || frame->mode == FRAME_GUEST_KERNEL)
		return FLAME_KERNEL;
	if (frame->jit)
		return FLAME_JIT;
	return frame->inlined ? FLAME_INLINED : FLAME_USER;
}

static uint32_t key_of_stack(void *context, uint32_t stack)
{
	const struct drawing *drawing = context;
	const struct profile *profile = drawing->input->profile;
	const struct frame_table *frames = drawing->input->frames;
	const uint32_t frame = frame_table_of_stack(frames, profile, stack);

	return flame_graph_key(drawing->text_of[frame],
			       kind_of(profile_stack_at(profile, stack), &frames->frames[frame]));
}

static uint32_t key_of_group(struct drawing *drawing, const struct profile_sample *sample, size_t group)
{
	return flame_graph_key(flame_groups_text(&drawing->groups, sample, drawing->recipe->by[group],
						 drawing->graph->texts),
			       FLAME_GROUP);
}

static uint32_t node_from_root(struct drawing *drawing, const struct profile_sample *sample)
{
	struct stack_start start = { .above = CALL_TREE_NONE, .top = PROFILE_NONE };

	for (size_t i = 0; i < drawing->recipe->by_count; i++)
		start.above =
			call_tree_child(drawing->graph->tree, start.above, key_of_group(drawing, sample, i));
	start.number = start.above + 2; /* 1 for CALL_TREE_NONE */
	return stack_places_node(drawing->places, drawing->graph->tree, start, sample->stack);
}

static uint32_t node_from_leaf(struct drawing *drawing, const struct profile_sample *sample)
{
	const struct profile *profile = drawing->input->profile;
	uint32_t node = CALL_TREE_NONE, stack;

	for (size_t i = 0; i < drawing->recipe->by_count; i++)
		node = call_tree_child(drawing->graph->tree, node, key_of_group(drawing, sample, i));
	for (stack = sample->stack; stack != PROFILE_NONE; stack = profile_stack_at(profile, stack)->parent)
		node = call_tree_child(drawing->graph->tree, node, key_of_stack(drawing, stack));
	return node;
}

/* Returns the node at which the sample ends. Without `counts`, only makes sure that its nodes exist. */
static uint32_t add_sample(struct drawing *drawing, const struct profile_sample *sample, bool counts)
{
	const uint32_t node =
		drawing->graph->reversed ? node_from_leaf(drawing, sample) : node_from_root(drawing, sample);

	if (counts)
		call_tree_add(drawing->graph->tree, node, sample->count,
			      drawing->recipe->weight == STACK_WEIGHT_SAMPLES ? sample->count :
										sample->weight);
	return node;
}

void flame_graph_add_profile(struct flame_graph *graph, const struct view_input *input,
			     const struct flame_recipe *recipe, uint32_t *leaves)
{
	struct drawing drawing = { .graph = graph, .input = input, .recipe = recipe, .scratch = STRBUF_INIT };
	uint32_t count = profile_sample_count(input->profile), leaf, i;

	flame_groups_init(&drawing.groups, input);
	make_texts(&drawing);
	drawing.places = stack_places_create(input->profile, key_of_stack, &drawing);
	for (i = 0; i < count; i++) {
		const struct profile_sample *sample = profile_sample_at(input->profile, i);
		bool counts = selection_has_event(input, sample->event);

		leaf = CALL_TREE_NONE;
		if ((counts || recipe->other_events) &&
		    filter_passes(&input->selection->filter, input->profile, sample))
			leaf = add_sample(&drawing, sample, counts);
		if (leaves)
			leaves[i] = leaf;
	}
	call_tree_sum_up(graph->tree);
	stack_places_destroy(drawing.places);
	free(drawing.text_of);
	flame_groups_fini(&drawing.groups);
	strbuf_fini(&drawing.scratch);
}

/* --- from folded text -------------------------------------------------------------------------------- */

static const struct {
	const char *text;
	enum flame_kind kind;
} annotations[] = { { "_[k]", FLAME_KERNEL }, { "_[j]", FLAME_JIT }, { "_[i]", FLAME_INLINED } };

static enum flame_kind take_annotation(char *name, size_t *length)
{
	size_t i;

	for (i = 0; i < sizeof(annotations) / sizeof(annotations[0]); i++) {
		if (*length > 4 && !memcmp(name + *length - 4, annotations[i].text, 4)) {
			*length -= 4;
			name[*length] = '\0';
			return annotations[i].kind;
		}
	}
	return *length > 1 && name[0] == '[' && name[*length - 1] == ']' ? FLAME_UNKNOWN : FLAME_USER;
}

/* Names repeat, so the key of each is made once. */
struct folded_names {
	struct str_pool *seen;
	uint32_t *keys; /* by number in seen */
	size_t capacity;
	uint32_t count; /* of keys that are known */
	struct strbuf raw, clean;
};

static uint32_t make_key(struct flame_graph *graph, struct folded_names *names, const char *name,
			 size_t length)
{
	enum flame_kind kind;

	strbuf_reset(&names->raw);
	strbuf_add(&names->raw, name, length);
	kind = take_annotation(names->raw.bytes, &length);
	strbuf_reset(&names->clean);
	web_text_clean(&names->clean, names->raw.bytes);
	strbuf_addc(&names->clean, '\0');
	return str_pool_add_n(graph->texts, names->clean.bytes, names->clean.size) * FLAME_KIND_COUNT +
	       (uint32_t)kind;
}

static uint32_t key_of_name(struct flame_graph *graph, struct folded_names *names, const char *name,
			    size_t length)
{
	uint32_t number = str_pool_add_n(names->seen, name, length);

	names->keys = array_grow(names->keys, &names->capacity, (size_t)number + 1, sizeof(*names->keys));
	for (; names->count <= number; names->count++)
		names->keys[names->count] = UINT32_MAX;
	if (names->keys[number] == UINT32_MAX)
		names->keys[number] = make_key(graph, names, name, length);
	return names->keys[number];
}

/* The previous line. Most tools write sorted text, in which a line begins like the one before. */
struct folded_path {
	struct strbuf text;
	struct keys nodes; /* of the tree, one per frame */
	uint32_t *ends;    /* by frame: where it ends in the text, at ';' or the text's end */
	size_t capacity;
};

/* Number of equal frames at the beginning of both stacks. */
static size_t common_frames(const struct folded_path *path, const char *stack, size_t length)
{
	size_t same = 0, frames = 0;

	while (same < path->text.size && same < length && path->text.bytes[same] == stack[same])
		same++;
	while (frames < path->nodes.count &&
	       (path->ends[frames] < same ||
		(path->ends[frames] == same && (same == length || stack[same] == ';'))))
		frames++;
	return frames;
}

static void add_frame_of_line(struct folded_path *path, uint32_t node, size_t end)
{
	path->ends = array_grow(path->ends, &path->capacity, path->nodes.count + 1, sizeof(*path->ends));
	path->ends[path->nodes.count] = (uint32_t)end;
	push(&path->nodes, node);
}

static void add_line_from_root(struct flame_graph *graph, struct folded_names *names,
			       struct folded_path *path, const char *stack, uint64_t weight)
{
	size_t length = strlen(stack), at;
	uint32_t node;

	path->nodes.count = common_frames(path, stack, length);
	node = path->nodes.count ? path->nodes.items[path->nodes.count - 1] : CALL_TREE_NONE;
	at = path->nodes.count ? path->ends[path->nodes.count - 1] + 1 : 0;
	for (; at <= length; at++) {
		size_t frame = strcspn(stack + at, ";");

		node = call_tree_child(graph->tree, node, key_of_name(graph, names, stack + at, frame));
		at += frame;
		add_frame_of_line(path, node, at);
	}
	strbuf_reset(&path->text);
	strbuf_add(&path->text, stack, length);
	call_tree_add(graph->tree, node, weight, weight);
}

static void add_line_from_leaf(struct flame_graph *graph, struct folded_names *names, struct keys *keys,
			       const char *stack, uint64_t weight)
{
	uint32_t node = CALL_TREE_NONE;

	keys->count = 0;
	for (;; stack++) {
		size_t length = strcspn(stack, ";");

		push(keys, key_of_name(graph, names, stack, length));
		stack += length;
		if (!*stack)
			break;
	}
	while (keys->count)
		node = call_tree_child(graph->tree, node, keys->items[--keys->count]);
	call_tree_add(graph->tree, node, weight, weight);
}

uint64_t flame_graph_add_folded(struct flame_graph *graph, FILE *text)
{
	struct folded_names names = { .seen = str_pool_create(), .raw = STRBUF_INIT, .clean = STRBUF_INIT };
	struct folded_path path = { .text = STRBUF_INIT };
	char *line = NULL;
	size_t capacity = 0;
	uint64_t left_out = 0, weight;

	while (getline(&line, &capacity, text) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		if (!folded_line_take_weight(line, &weight))
			left_out++;
		else if (graph->reversed)
			add_line_from_leaf(graph, &names, &path.nodes, line, weight);
		else
			add_line_from_root(graph, &names, &path, line, weight);
	}
	call_tree_sum_up(graph->tree);
	free(line);
	free(path.nodes.items);
	free(path.ends);
	strbuf_fini(&path.text);
	free(names.keys);
	strbuf_fini(&names.raw);
	strbuf_fini(&names.clean);
	str_pool_destroy(names.seen);
	return left_out;
}
