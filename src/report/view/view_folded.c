/*
 * Samples are added up in a call tree whose keys are the texts of frames, so that stacks which read alike become one
 * line. write_lines() then walks the tree with an explicit stack of items and sorts siblings level by level, so that
 * lines come out in byte order.
 */
#include "report/view/view_folded.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/str_pool.h"
#include "base/xalloc.h"
#include "profile/stack_places.h"
#include "report/rows/frame_text.h"
#include "text/safe_text.h"

/* Frames are turned into texts once. */
struct folding {
	const struct view_input *input;
	const struct folded_options *options;
	struct str_pool *texts;
	uint32_t *text_of;        /* by frame; PROFILE_NONE: not made yet */
	uint32_t *node_of_thread; /* by thread: the tree's node of its comm; PROFILE_NONE: not made yet */
	struct call_tree *tree;
	struct stack_places *places;
	struct strbuf scratch;
};

/* Semicolons separate frames, so stackcollapse-perf.pl writes colons for those in names. */
static void replace(struct strbuf *buf, size_t from, char what, char with)
{
	for (; from < buf->size; from++)
		if (buf->bytes[from] == what)
			buf->bytes[from] = with;
}

static uint32_t make_frame_text(struct folding *folding, const struct frame *frame)
{
	struct strbuf *text = &folding->scratch;
	bool kernel = frame->mode == FRAME_KERNEL || frame->mode == FRAME_GUEST_KERNEL;

	strbuf_reset(text);
	frame_text_add(text, folding->input->profile, frame, folding->options->addresses);
	replace(text, 0, ';', ':');
	if (folding->options->annotate && kernel)
		strbuf_adds(text, "_[k]");
	else if (folding->options->annotate && frame->jit)
		strbuf_adds(text, "_[j]");
	else if (folding->options->annotate && frame->inlined)
		strbuf_adds(text, "_[i]");
	return str_pool_add_n(folding->texts, text->bytes, text->size);
}

static uint32_t text_of_frame(void *context, uint32_t stack)
{
	struct folding *folding = context;
	uint32_t number = frame_table_of_stack(folding->input->frames, folding->input->profile, stack);
	const struct frame *frame = &folding->input->frames->frames[number];
	uint32_t *text = &folding->text_of[number];

	if (*text == PROFILE_NONE)
		*text = make_frame_text(folding, frame);
	return *text;
}

static uint32_t comm_text(struct folding *folding, uint32_t thread)
{
	const struct profile *profile = folding->input->profile;
	const struct profile_thread *of = profile_thread_at(profile, thread);

	strbuf_reset(&folding->scratch);
	safe_text_add(&folding->scratch, profile_text(profile, of->comm));
	replace(&folding->scratch, 0, ';', ':');
	replace(&folding->scratch, 0, ' ', '_');
	if (folding->options->start == FOLDED_BY_PROCESS)
		strbuf_addf(&folding->scratch, "-%" PRId32, (int32_t)of->pid);
	else if (folding->options->start == FOLDED_BY_THREAD)
		strbuf_addf(&folding->scratch, "-%" PRId32 "/%" PRId32, (int32_t)of->pid, (int32_t)of->tid);
	return str_pool_add_n(folding->texts, folding->scratch.bytes, folding->scratch.size);
}

static uint32_t node_of_thread(struct folding *folding, uint32_t thread)
{
	uint32_t *node = &folding->node_of_thread[thread];

	if (*node == PROFILE_NONE)
		*node = call_tree_child(folding->tree, CALL_TREE_NONE, comm_text(folding, thread));
	return *node;
}

/* PROFILE_NONE if the command is unknown: profiles of other tools may not have it. */
static uint32_t node_of_comm(struct folding *folding, uint32_t thread)
{
	const struct profile_thread *at = profile_thread_at(folding->input->profile, thread);

	return *profile_text(folding->input->profile, at->comm) ? node_of_thread(folding, thread) :
								  PROFILE_NONE;
}

static uint32_t node_of_cpu(struct folding *folding, const struct profile_sample *sample)
{
	struct strbuf *text = &folding->scratch;
	uint32_t node;

	strbuf_reset(text);
	if (sample->cpu == PROFILE_NONE)
		strbuf_adds(text, "CPU unknown");
	else
		strbuf_addf(text, "CPU %" PRIu32, sample->cpu);
	node = call_tree_child(folding->tree, CALL_TREE_NONE,
			       str_pool_add_n(folding->texts, text->bytes, text->size));
	return call_tree_child(folding->tree, node, comm_text(folding, sample->thread));
}

static void add_sample(struct folding *folding, const struct profile_sample *sample)
{
	const uint32_t comm = folding->options->start == FOLDED_BY_CPU ?
				      node_of_cpu(folding, sample) :
				      node_of_comm(folding, sample->thread);
	const struct stack_start start =
		comm == PROFILE_NONE ? (struct stack_start){ UINT32_MAX, CALL_TREE_NONE, PROFILE_NONE } :
				       (struct stack_start){ comm + 1, comm, PROFILE_NONE };

	call_tree_add(folding->tree, stack_places_node(folding->places, folding->tree, start, sample->stack),
		      sample->count, sample->weight);
}

static void add_samples(struct folding *folding)
{
	const struct profile *profile = folding->input->profile;
	const struct selection *selection = folding->input->selection;
	struct sample_walk walk;

	sample_walk_init(&walk, profile, folding->options->sums);
	while (sample_walk_next(&walk))
		if (selection_has_event(folding->input, walk.sample.event) &&
		    filter_passes(&selection->filter, profile, &walk.sample))
			add_sample(folding, &walk.sample);
}

/* --- lines in byte order ----------------------------------------------------------------------------- */

/*
 * A node has two items: the line of the stack that ends in it, and the lines of those that go on. In byte order the former sorts
 * as "name", the latter as "name;", and siblings may come between ("name-2" does).
 */
struct item {
	uint32_t node;
	bool goes_on;
	size_t prefix; /* bytes of the path to keep */
};

struct items {
	struct item *list;
	size_t count, capacity;
	const struct folding *folding;
};

static const char *text_of_node(const struct folding *folding, uint32_t node)
{
	return str_pool_text(folding->texts, call_tree_at(folding->tree, node)->key);
}

/* Descending, because a stack of items is written from its end. */
static int later_first(const void *one, const void *other, void *context)
{
	const struct item *a = one, *b = other;
	const char *x = text_of_node(context, a->node), *y = text_of_node(context, b->node);

	while (*x && *x == *y)
		x++, y++;
	return (int)(unsigned char)(*y         ? *y :
				    b->goes_on ? ';' :
						 0) -
	       (int)(unsigned char)(*x         ? *x :
				    a->goes_on ? ';' :
						 0);
}

static void push_level(struct items *items, uint32_t first, size_t prefix)
{
	const struct call_tree *tree = items->folding->tree;
	size_t before = items->count;
	uint32_t node;

	for (node = first; node != CALL_TREE_NONE; node = call_tree_at(tree, node)->next_sibling) {
		items->list =
			array_grow(items->list, &items->capacity, items->count + 2, sizeof(*items->list));
		if (call_tree_at(tree, node)->self_count)
			items->list[items->count++] = (struct item){ node, false, prefix };
		if (call_tree_at(tree, node)->first_child != CALL_TREE_NONE)
			items->list[items->count++] = (struct item){ node, true, prefix };
	}
	if (items->count == before)
		return; /* nothing to sort, and perhaps no list */
	qsort_r(items->list + before, items->count - before, sizeof(*items->list), later_first,
		(void *)items->folding);
}

static void cut_to(struct strbuf *buf, size_t size)
{
	if (buf->size > size)
		buf->bytes[buf->size = size] = '\0';
}

static void write_lines(const struct folding *folding, struct strbuf *out)
{
	struct items items = { .folding = folding };
	struct strbuf path = STRBUF_INIT;

	push_level(&items, call_tree_first(folding->tree), 0);
	while (items.count) {
		struct item item = items.list[--items.count];
		const struct call_node *node = call_tree_at(folding->tree, item.node);
		uint64_t weight = folding->options->weight == STACK_WEIGHT_SAMPLES ? node->self_count :
										     node->self_weight;

		cut_to(&path, item.prefix);
		strbuf_adds(&path, text_of_node(folding, item.node));
		if (item.goes_on) {
			strbuf_addc(&path, ';');
			push_level(&items, node->first_child, path.size);
		} else if (weight) {
			strbuf_add(out, path.bytes, path.size);
			strbuf_addf(out, " %" PRIu64 "\n", weight);
			if (folding->options->flow)
				folding->options->flow(folding->options->context);
		}
	}
	free(items.list);
	strbuf_fini(&path);
}

static uint32_t *none_yet(uint32_t count)
{
	uint32_t *numbers = xmalloc(((size_t)count + 1) * sizeof(*numbers)), i;

	for (i = 0; i < count; i++)
		numbers[i] = PROFILE_NONE;
	return numbers;
}

static void render(const struct view_input *input, const void *options, struct strbuf *out)
{
	struct folding folding = { .input = input, .options = options };

	folding.texts = str_pool_create();
	folding.tree = call_tree_create();
	folding.places = stack_places_create(input->profile, text_of_frame, &folding);
	folding.node_of_thread = none_yet(profile_thread_count(input->profile));
	folding.text_of = none_yet(input->frames->count);
	strbuf_init(&folding.scratch);

	add_samples(&folding);
	write_lines(&folding, out);

	strbuf_fini(&folding.scratch);
	free(folding.text_of);
	free(folding.node_of_thread);
	stack_places_destroy(folding.places);
	call_tree_destroy(folding.tree);
	str_pool_destroy(folding.texts);
}

const struct view view_folded = { .name = "folded", .render = render };
