#include "report/flame_html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/web_assets.h"
#include "report/web_text.h"

struct drawing {
	const struct flame_page *page;
	const struct call_tree *tree;
	struct strbuf *out;
	struct str_pool *dsos; /* 0 is "": none */
	uint32_t *frame_of;    /* by key: its number on the page; UINT32_MAX: none yet */
	uint32_t frames;
	uint64_t scale;
};

static void add_string(struct strbuf *out, const char *text)
{
	struct strbuf clean;

	strbuf_init(&clean);
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
		struct strbuf line;

		strbuf_init(&line);
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

/* Numbered as they are met, so that the most frequent tend to have the shortest numbers. */
static void number_frames(struct drawing *drawing)
{
	const struct flame_graph *graph = drawing->page->graph;
	size_t keys = (size_t)str_pool_count(graph->texts) * FLAME_KIND_COUNT, i;
	uint32_t node;

	drawing->frame_of = xmalloc((keys + 1) * sizeof(*drawing->frame_of));
	for (i = 0; i < keys; i++)
		drawing->frame_of[i] = UINT32_MAX;
	for (node = call_tree_first(drawing->tree); node != CALL_TREE_NONE;
	     node = flame_graph_next(graph, node, true)) {
		uint32_t *frame = &drawing->frame_of[call_tree_at(drawing->tree, node)->key];

		if (*frame == UINT32_MAX)
			*frame = drawing->frames++;
	}
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
	const struct flame_graph *graph = drawing->page->graph;
	uint32_t node, next = 0, i;

	strbuf_adds(drawing->out, "\"frames\":[");
	for (node = call_tree_first(drawing->tree); node != CALL_TREE_NONE;
	     node = flame_graph_next(graph, node, true)) {
		uint32_t key = call_tree_at(drawing->tree, node)->key;

		if (drawing->frame_of[key] != next)
			continue;
		strbuf_adds(drawing->out, next++ ? ",\n" : "\n");
		add_frame(drawing, key);
	}
	strbuf_adds(drawing->out, "],\n\"dsos\":[");
	for (i = 0; i < str_pool_count(drawing->dsos); i++) {
		strbuf_adds(drawing->out, i ? "," : "");
		web_text_add_json(drawing->out, str_pool_text(drawing->dsos, i));
	}
	strbuf_adds(drawing->out, "],\n");
}

/* --- nodes ------------------------------------------------------------------------------------------- */

static void add_number(struct strbuf *out, uint64_t number)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

	do {
		unsigned digit = number & 31;

		number >>= 5;
		strbuf_addc(out, digits[digit | (number ? 32 : 0)]);
	} while (number);
}

/* Periods are multiples of one as a rule, and numbers short without it. */
static uint64_t common_factor(const struct call_tree *tree)
{
	uint32_t count = call_tree_node_count(tree), node;
	uint64_t factor = 0;

	for (node = 0; node < count && factor != 1; node++) {
		uint64_t a = call_tree_at(tree, node)->self_weight, b = factor;

		while (b) {
			uint64_t rest = a % b;

			a = b;
			b = rest;
		}
		factor = a;
	}
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
		add_number(drawing->out, up);
		add_number(drawing->out, drawing->frame_of[at->key]);
		add_number(drawing->out, at->self_count);
		if (at->self_count)
			add_number(drawing->out, at->self_weight / drawing->scale);
		before = node;
	}
	strbuf_addc(drawing->out, '"');
}

/* What each node's path weighed before, in the order of "nodes". */
static void add_before(struct drawing *drawing)
{
	const struct flame_diff *diff = drawing->page->diff;
	uint32_t node;

	strbuf_addf(drawing->out, ",\n\"before_total\":%" PRIu64 ",\"before\":\"", diff->before_total);
	for (node = call_tree_first(drawing->tree); node != CALL_TREE_NONE;
	     node = flame_graph_next(drawing->page->graph, node, true))
		add_number(drawing->out, diff->before[node]);
	strbuf_addc(drawing->out, '"');
}

static void add_data(struct drawing *drawing)
{
	static const char *const palettes[] = {
		[FLAME_COLORS_KIND] = "kind", [FLAME_COLORS_HOT] = "hot", [FLAME_COLORS_GRAY] = "gray"
	};
	struct strbuf *out = drawing->out;
	unsigned kind;

	strbuf_adds(out, "{\"title\":");
	add_string(out, drawing->page->title);
	strbuf_adds(out, ",\"unit\":");
	add_string(out, drawing->page->unit);
	strbuf_adds(out, ",\"command\":");
	add_string(out, drawing->page->command);
	strbuf_addf(out, ",\"inverted\":%s,\"palette\":\"%s\",\"letters\":\"%s\",\n\"kinds\":[",
		    drawing->page->inverted ? "true" : "false", palettes[drawing->page->colors],
		    flame_kind_letters);
	for (kind = 0; kind < FLAME_KIND_COUNT; kind++)
		strbuf_addf(out, "%s\"%s\"", kind ? "," : "", flame_kind_names[kind]);
	strbuf_adds(out, "],\n\"about\":");
	add_lines(out, drawing->page->about);
	strbuf_adds(out, ",\n");
	add_frames(drawing);
	add_nodes(drawing);
	if (drawing->page->diff)
		add_before(drawing);
	strbuf_addc(out, '}');
}

/* The policy lets the page's own script and style run and nothing be fetched, whatever a name managed to become. */
static void add_head(struct strbuf *out, const char *title)
{
	struct strbuf clean;

	strbuf_init(&clean);
	web_text_clean(&clean, title);
	strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
			 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
			 "script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; "
			 "form-action 'none'\">\n<title>");
	web_text_add_xml(out, clean.bytes);
	strbuf_addf(out, "</title>\n<style>\n%s%s</style>\n</head>\n", web_flame_css, web_flame_html_css);
	strbuf_fini(&clean);
}

void flame_html_render(const struct flame_page *page, struct strbuf *out)
{
	struct drawing drawing = { .page = page, .tree = page->graph->tree, .out = out };

	drawing.dsos = str_pool_create();
	drawing.scale = common_factor(drawing.tree);
	number_frames(&drawing);
	add_head(out, page->title);
	strbuf_adds(out, web_flame_html_html);
	strbuf_adds(out, "<script type=\"application/json\" id=\"data\">");
	add_data(&drawing);
	strbuf_addf(out, "</script>\n<script>\n%s%s</script>\n</body>\n</html>\n", web_flame_model_js,
		    web_flame_html_js);
	free(drawing.frame_of);
	str_pool_destroy(drawing.dsos);
}
