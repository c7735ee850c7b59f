/*
 * Start at flame_html_render(). number_frames() walks the tree once and gives numbers to frames and nodes; nodes, changes and
 * samples are then written with these numbers. The body of the page, styles and scripts come from web_assets.
 */
#include "report/flame/flame_html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/flame/flame_numbers.h"
#include "report/flame/flame_parts.h"
#include "report/flame/web_assets.h"
#include "text/web_text.h"

struct drawing {
	const struct flame_page *page;
	const struct call_tree *tree;
	struct strbuf *out;
	struct str_pool *dsos; /* 0 is "": none */
	uint32_t *frame_of;    /* by key: its number on the page; UINT32_MAX: none yet */
	uint32_t *keys;        /* by number */
	uint32_t *places;      /* by node: its number on the page, from 1 */
	uint32_t frames;
	uint64_t scale;
};

static void add_string(struct strbuf *out, const char *text)
{
	struct strbuf clean = STRBUF_INIT;

	web_text_clean(&clean, text);
	web_text_add_json(out, clean.bytes);
	strbuf_fini(&clean);
}

/* Lines of `text`, without the "# " that they begin with on a terminal. */
static void add_lines(struct strbuf *out, const char *text)
{
	bool first = true;

	strbuf_addc(out, '[');
	while (*text) {
		size_t length = strcspn(text, "\n");
		struct strbuf line = STRBUF_INIT;

		strbuf_add(&line, text, length);
		strbuf_adds(out, first ? "" : ",\n");
		add_string(out, line.bytes + (strncmp(line.bytes, "# ", 2) ? 0 : 2));
		strbuf_fini(&line);
		text += length + (text[length] == '\n');
		first = false;
	}
	strbuf_addc(out, ']');
}

/* --- frames ------------------------------------------------------------------------------------------ */

static void number_frame(struct drawing *drawing, uint32_t key)
{
	if (drawing->frame_of[key] != UINT32_MAX)
		return;
	drawing->keys[drawing->frames] = key;
	drawing->frame_of[key] = drawing->frames++;
}

/* Numbers the frames of groups that the page can form itself. */
static void number_groups(struct drawing *drawing, const struct flame_samples *samples)
{
	size_t i, j;

	for (i = 0; i < samples->thread_count; i++)
		for (j = 0; j < sizeof(samples->threads[i].keys) / sizeof(*samples->threads[i].keys); j++)
			number_frame(drawing, samples->threads[i].keys[j]);
	for (i = 0; i < samples->cpu_count; i++)
		number_frame(drawing, samples->cpu_keys[i]);
	for (i = 0; i < samples->cgroup_count; i++)
		number_frame(drawing, samples->cgroup_keys[i]);
	for (i = 0; i < samples->event_count; i++)
		number_frame(drawing, samples->event_keys[i]);
}

/* Numbers frames in the order of the walk: the most frequent tend to get the shortest numbers. */
static void number_frames(struct drawing *drawing)
{
	const struct flame_graph *graph = drawing->page->graph;
	size_t keys = (size_t)str_pool_count(graph->texts) * FLAME_KIND_COUNT, i;
	uint32_t node, place = 1;

	drawing->frame_of = xmalloc((keys + 1) * sizeof(*drawing->frame_of));
	drawing->keys = xmalloc((keys + 1) * sizeof(*drawing->keys));
	drawing->places =
		xmalloc(((size_t)call_tree_node_count(drawing->tree) + 1) * sizeof(*drawing->places));
	for (i = 0; i < keys; i++)
		drawing->frame_of[i] = UINT32_MAX;
	for (node = call_tree_first(drawing->tree); node != CALL_TREE_NONE;
	     node = flame_graph_next(graph, node, true)) {
		number_frame(drawing, call_tree_at(drawing->tree, node)->key);
		drawing->places[node] = place++;
	}
	if (drawing->page->samples)
		number_groups(drawing, drawing->page->samples);
	if (drawing->page->diff)
		for (i = 0; i < drawing->page->diff->function_count; i++)
			number_frame(drawing, drawing->page->diff->functions[i].key);
}

static void add_frame(struct drawing *drawing, uint32_t key)
{
	struct flame_frame frame = flame_graph_frame(drawing->page->graph, key);
	char class_name[3];

	flame_color_class(class_name, &frame);
	strbuf_addc(drawing->out, '[');
	web_text_add_json(drawing->out, frame.name);
	strbuf_addf(drawing->out, ",%" PRIu32 ",%d]", str_pool_add(drawing->dsos, frame.dso),
		    (int)frame.kind * 4 + (class_name[1] - '0'));
}

static void add_frames(struct drawing *drawing)
{
	uint32_t i;

	strbuf_adds(drawing->out, "\"frames\":[");
	for (i = 0; i < drawing->frames; i++) {
		strbuf_adds(drawing->out, i ? ",\n" : "\n");
		add_frame(drawing, drawing->keys[i]);
	}
	strbuf_adds(drawing->out, "],\n\"dsos\":[");
	for (i = 0; i < str_pool_count(drawing->dsos); i++) {
		strbuf_adds(drawing->out, i ? "," : "");
		web_text_add_json(drawing->out, str_pool_text(drawing->dsos, i));
	}
	strbuf_adds(drawing->out, "],\n");
}

/* --- nodes ------------------------------------------------------------------------------------------- */

/* Weights are usually multiples of one number, and numbers are shorter without this factor. */
static uint64_t common_factor(const struct call_tree *tree)
{
	uint32_t count = call_tree_node_count(tree), node;
	uint64_t factor = 0;

	for (node = 0; node < count && factor != 1; node++)
		factor = flame_common_factor(factor, call_tree_at(tree, node)->self_weight);
	return factor ? factor : 1;
}

static void add_nodes(struct drawing *drawing)
{
	const struct flame_graph *graph = drawing->page->graph;
	uint32_t node, before = CALL_TREE_NONE, up;

	strbuf_addf(drawing->out, "\"scale\":%" PRIu64 ",\n\"nodes\":\"", drawing->scale);
	for (node = call_tree_first(drawing->tree); node != CALL_TREE_NONE;
	     node = flame_graph_next(graph, node, true)) {
		const struct call_node *at = call_tree_at(drawing->tree, node);

		for (up = 0; before != at->parent; up++)
			before = call_tree_at(drawing->tree, before)->parent;
		flame_number_add(drawing->out, up);
		flame_number_add(drawing->out, drawing->frame_of[at->key]);
		flame_number_add(drawing->out, at->self_count);
		if (at->self_count)
			flame_number_add(drawing->out, at->self_weight / drawing->scale);
		before = node;
	}
	strbuf_addc(drawing->out, '"');
}

/* Writes the earlier share in percent, the difference and its interval in points, and whether it is more than chance. */
static void add_change(struct strbuf *out, const struct flame_change *change)
{
	strbuf_addf(out, "[%.4g,%.4g,%.4g,%.4g,%d]", 100 * change->before, 100 * change->delta,
		    100 * change->low, 100 * change->high, change->differs);
}

/* Writes the changes that are more than chance, by their places in "nodes", counted from 1. */
static void add_path_changes(struct drawing *drawing)
{
	const struct flame_diff *diff = drawing->page->diff;
	bool first = true;
	uint32_t node;

	for (node = call_tree_first(drawing->tree); node != CALL_TREE_NONE;
	     node = flame_graph_next(drawing->page->graph, node, true)) {
		if (!diff->changes[node].differs)
			continue;
		strbuf_addf(drawing->out, "%s[%" PRIu32 ",%.4g,%.4g]", first ? "" : ",",
			    drawing->places[node], 100 * diff->changes[node].low,
			    100 * diff->changes[node].high);
		first = false;
	}
}

/* Writes for each function on the page: its frame, the change of itself, the change with its callees. */
static void add_function_changes(struct drawing *drawing)
{
	const struct flame_diff *diff = drawing->page->diff;
	bool first = true;
	size_t i;

	for (i = 0; i < diff->function_count; i++) {
		const struct flame_function_change *function = &diff->functions[i];

		if (drawing->frame_of[function->key] == UINT32_MAX)
			continue;
		strbuf_addf(drawing->out, "%s[%" PRIu32 ",", first ? "" : ",\n",
			    drawing->frame_of[function->key]);
		add_change(drawing->out, &function->self);
		strbuf_addc(drawing->out, ',');
		add_change(drawing->out, &function->total);
		strbuf_addc(drawing->out, ']');
		first = false;
	}
}

/* Writes the earlier weight of each node's path, in the order of "nodes"; then how certain each is. */
static void add_before(struct drawing *drawing)
{
	const struct flame_diff *diff = drawing->page->diff;
	uint32_t node;

	strbuf_addf(drawing->out, ",\n\"before_total\":%" PRIu64 ",\"before\":\"", diff->before_total);
	for (node = call_tree_first(drawing->tree); node != CALL_TREE_NONE;
	     node = flame_graph_next(drawing->page->graph, node, true))
		flame_number_add(drawing->out, diff->before[node]);
	strbuf_adds(drawing->out, "\",\n\"changes\":[");
	add_path_changes(drawing);
	strbuf_adds(drawing->out, "],\n\"function_changes\":[");
	add_function_changes(drawing);
	strbuf_addc(drawing->out, ']');
}

static void add_trust(struct strbuf *out, const struct flame_trust *trust)
{
	strbuf_addf(out,
		    ",\n\"trust\":{\"samples\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"throttled\":%" PRIu64
		    ",\"truncated\":%" PRIu64 ",\"unresolved\":%" PRIu64 "}",
		    trust->samples, trust->lost, trust->throttled, trust->truncated, trust->unresolved);
}

static void add_groups(struct strbuf *out, const struct flame_page *page)
{
	size_t i;

	strbuf_adds(out, "],\"by\":[");
	for (i = 0; i < page->by_count; i++)
		strbuf_addf(out, "%s\"%s\"", i ? "," : "", flame_group_words[page->by[i]]);
	strbuf_addc(out, ']');
}

static void add_data(struct drawing *drawing)
{
	struct strbuf *out = drawing->out;
	unsigned kind;

	strbuf_adds(out, "{\"title\":");
	add_string(out, drawing->page->title);
	strbuf_adds(out, ",\"unit\":");
	add_string(out, drawing->page->unit);
	if (drawing->page->measures)
		strbuf_addf(out, ",\"measures\":%s", drawing->page->measures);
	strbuf_addf(out, ",\"command\":%s,\"inverted\":%s,\"reversed\":%s,\"weigh\":\"%s\"",
		    drawing->page->command, drawing->page->inverted ? "true" : "false",
		    drawing->page->reversed ? "true" : "false", stack_weight_names[drawing->page->weight]);
	add_trust(out, &drawing->page->trust);
	strbuf_addf(out, ",\"palette\":\"%s\",\"letters\":\"%s\",\n\"kinds\":[",
		    flame_color_names[drawing->page->colors], flame_kind_letters);
	for (kind = 0; kind < FLAME_KIND_COUNT; kind++)
		strbuf_addf(out, "%s\"%s\"", kind ? "," : "", flame_kind_names[kind]);
	add_groups(out, drawing->page);
	strbuf_adds(out, ",\n\"about\":");
	add_lines(out, drawing->page->about);
	strbuf_adds(out, ",\n");
	add_frames(drawing);
	add_nodes(drawing);
	if (drawing->page->diff)
		add_before(drawing);
	if (drawing->page->samples)
		flame_samples_add_json(out, drawing->page->samples, drawing->page->graph, drawing->places,
				       drawing->frame_of);
	if (drawing->page->blocks)
		flame_blocks_add_json(out, drawing->page->blocks, drawing->frame_of);
	strbuf_addc(out, '}');
}

/* The policy allows the page's own script and style, and fetches nothing, even if a name got past the cleaning. */
static void add_head(struct strbuf *out, const char *title, unsigned int parts)
{
	struct strbuf clean = STRBUF_INIT;

	web_text_clean(&clean, title);
	strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
			 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
			 "script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; "
			 "form-action 'none'\">\n<title>");
	web_text_add_xml(out, clean.bytes);
	strbuf_addf(out, "</title>\n<style>\n%s", web_flame_css);
	flame_parts_add(out, web_flame_html_css, parts);
	strbuf_adds(out, "</style>\n</head>\n");
	strbuf_fini(&clean);
}

/* All in one element, each after the scripts that it uses. */
static void add_scripts(struct strbuf *out, unsigned int parts)
{
	static const struct {
		const char *text;
		unsigned int of; /* 0: in every page */
	} scripts[] = {
		{ web_flame_model_js, 0 },
		{ web_flame_samples_js, 0 },
		{ web_flame_spans_js, 0 },
		{ web_flame_command_js, 0 },
		{ web_flame_search_js, 0 },
		{ web_flame_names_js, 0 },
		{ web_flame_paint_js, 0 },
		{ web_flame_pane_js, 0 },
		{ web_flame_scale_js, 0 },
		{ web_flame_heat_js, 0 },
		{ web_flame_lanes_js, FLAME_PART_LANES },
		{ web_flame_blocks_js, FLAME_PART_BLOCKS },
		{ web_flame_table_js, 0 },
		{ web_flame_html_js, 0 },
	};
	size_t i;

	strbuf_adds(out, "<script>\n");
	for (i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
		if ((scripts[i].of & ~parts) == 0)
			flame_parts_add(out, scripts[i].text, parts);
	strbuf_adds(out, "</script>\n");
}

static unsigned int parts_of(const struct flame_page *page)
{
	unsigned int parts = page->blocks ? FLAME_PART_BLOCKS : 0;

	if (page->samples && flame_samples_have_waits(page->samples))
		parts |= FLAME_PART_LANES;
	return parts;
}

void flame_html_render(const struct flame_page *page, struct strbuf *out)
{
	struct drawing drawing = { .page = page, .tree = page->graph->tree, .out = out };
	const unsigned int parts = parts_of(page);

	drawing.dsos = str_pool_create();
	drawing.scale = common_factor(drawing.tree);
	number_frames(&drawing);
	add_head(out, page->title, parts);
	flame_parts_add(out, web_flame_html_html, parts);
	strbuf_adds(out, "<script type=\"application/json\" id=\"data\">");
	add_data(&drawing);
	strbuf_adds(out, "</script>\n");
	add_scripts(out, parts);
	strbuf_adds(out, "</body>\n</html>\n");
	free(drawing.frame_of);
	free(drawing.keys);
	free(drawing.places);
	str_pool_destroy(drawing.dsos);
}
