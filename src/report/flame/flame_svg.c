/*
 * add_frames() walks the sorted tree, callers first, and writes an element for each frame that is wide enough to see. At the
 * first that is not, add_rest() draws one frame for it and its later siblings, which are no wider.
 */
#include "report/flame/flame_svg.h"

#include <inttypes.h>
#include <string.h>

#include "report/flame/web_assets.h"
#include "text/safe_text.h"
#include "text/web_text.h"

/* Pixels. Widths of frames are percentages, so that the picture fits a window of any width. */
enum {
	WIDTH = 1200,
	MARGIN = 10,
	FRAMES_WIDTH = WIDTH - 2 * MARGIN,
	ROW = 16,
	TOP = 72,
	BOTTOM = 56,
	TEXT_X = 3,
	TEXT_Y = 12,
	MIN_CHARACTERS = 3,
};
#define CHARACTER 7.25 /* width in pixels, in 12 px monospace fonts */

enum { MAX_ROWS = 2000 };         /* a picture 32,000 pixels high is of no use, and browsers draw none */
enum { MAX_NAME_COLUMNS = 1000 }; /* of a tooltip; names of C++ templates can be of any length */

struct drawing {
	const struct flame_page *page;
	const struct call_tree *tree;
	struct flame_layout layout;
	struct strbuf *out;
	struct strbuf name;
	uint64_t total;
	uint32_t rows;
};

/* A rectangle with its text and tooltip. */
struct box {
	const char *class_name;
	uint64_t start, weight;
	uint32_t depth;
	const char *name; /* cleaned and cut */
};

static double percent(const struct drawing *drawing, uint64_t weight)
{
	return drawing->total ? 100.0 * (double)weight / (double)drawing->total : 0;
}

static double pixels(const struct drawing *drawing, uint64_t weight)
{
	return percent(drawing, weight) / 100 * FRAMES_WIDTH;
}

static void add_clean(struct strbuf *out, const char *text)
{
	struct strbuf clean = STRBUF_INIT;

	web_text_clean(&clean, text);
	web_text_add_xml(out, clean.bytes);
	strbuf_fini(&clean);
}

/* Lines of `text`, without the "# " that they begin with on a terminal. */
static void add_lines(struct strbuf *out, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		struct strbuf line = STRBUF_INIT;

		strbuf_add(&line, text, length);
		add_clean(out, line.bytes + (strncmp(line.bytes, "# ", 2) ? 0 : 2));
		strbuf_addc(out, '\n');
		strbuf_fini(&line);
		text += length + (text[length] == '\n');
	}
}

static unsigned y_of(const struct drawing *drawing, uint32_t depth)
{
	return (drawing->page->inverted ? depth : drawing->rows - 1 - depth) * ROW;
}

static void add_label(const struct drawing *drawing, const struct box *box, double x, unsigned y)
{
	double room = (pixels(drawing, box->weight) - 2 * TEXT_X) / CHARACTER;
	struct strbuf text = STRBUF_INIT;

	if (room < MIN_CHARACTERS)
		return;
	safe_text_add_function(&text, box->name, (size_t)room);
	strbuf_addf(drawing->out, "<text dx=\"%d\" x=\"%.4f%%\" y=\"%u\">", TEXT_X, x, y + TEXT_Y);
	web_text_add_xml(drawing->out, text.bytes);
	strbuf_adds(drawing->out, "</text>");
	strbuf_fini(&text);
}

/* The first line of the tooltip is the name, which the script reads there; `facts` follow. */
static void add_box(const struct drawing *drawing, const struct box *box, const char *facts)
{
	double x = percent(drawing, box->start);
	unsigned y = y_of(drawing, box->depth);

	strbuf_addf(drawing->out,
		    "<g class=\"%s\" data-d=\"%" PRIu32 "\" data-v=\"%" PRIu64 " %" PRIu64 "\"><title>",
		    box->class_name, box->depth, box->start, box->weight);
	web_text_add_xml(drawing->out, box->name);
	strbuf_adds(drawing->out, "\n");
	web_text_add_xml(drawing->out, facts);
	strbuf_addf(drawing->out, "</title><rect x=\"%.4f%%\" y=\"%u\" width=\"%.4f%%\" height=\"%d\"/>", x,
		    y, drawing->total ? percent(drawing, box->weight) : 100.0, ROW - 1);
	add_label(drawing, box, x, y);
	strbuf_adds(drawing->out, "</g>\n");
}

static void add_share(const struct drawing *drawing, struct strbuf *facts, uint64_t weight, uint64_t count)
{
	const char *measure = drawing->page->measure;

	strbuf_addf(facts, "%.2f%%", percent(drawing, weight));
	/* An import of weights alone has no samples to show. */
	if (weight != count || !measure)
		strbuf_addf(facts, ", %" PRIu64 " sample%s", count, count == 1 ? "" : "s");
	if (weight != count || measure) {
		struct strbuf amount = STRBUF_INIT;

		flame_amount_add(&amount, weight, measure ? measure : drawing->page->unit);
		strbuf_adds(facts, ", ");
		web_text_clean(facts, amount.bytes);
		strbuf_fini(&amount);
	}
}

static void add_everything(struct drawing *drawing)
{
	struct strbuf facts = STRBUF_INIT;

	add_share(drawing, &facts, drawing->total, call_tree_count(drawing->tree));
	add_box(drawing, &(struct box){ .class_name = "g0", .weight = drawing->total, .name = "all" },
		facts.bytes);
	strbuf_fini(&facts);
}

static double points_of(const struct drawing *drawing, uint32_t number)
{
	return flame_diff_points(drawing->page->diff, number);
}

static void add_change(const struct drawing *drawing, struct strbuf *facts, uint32_t number)
{
	const struct flame_change *change = &drawing->page->diff->changes[number];

	strbuf_addf(facts, "; before %.2f%%, %+.2f points (%+.2f .. %+.2f)%s",
		    flame_diff_before(drawing->page->diff, number), points_of(drawing, number),
		    100 * change->low, 100 * change->high, change->differs ? "" : ", may be chance");
}

static void add_frame(struct drawing *drawing, uint32_t number)
{
	const struct call_node *node = call_tree_at(drawing->tree, number);
	const uint64_t self = flame_self_weight(drawing->tree, number);
	struct flame_frame frame = flame_graph_frame(drawing->page->graph, node->key);
	char class_name[3];
	struct strbuf facts = STRBUF_INIT;

	if (*frame.dso)
		strbuf_addf(&facts, "%s, ", frame.dso);
	if (frame.kind != FLAME_GROUP)
		strbuf_addf(&facts, "%s\n", flame_kind_names[frame.kind]);
	add_share(drawing, &facts, node->total_weight, node->total_count);
	if (self && self != node->total_weight)
		strbuf_addf(&facts, "; self %.2f%%", percent(drawing, self));
	if (drawing->page->diff)
		add_change(drawing, &facts, number);
	strbuf_reset(&drawing->name);
	safe_text_add_function(&drawing->name, frame.name, MAX_NAME_COLUMNS);
	if (drawing->page->diff)
		flame_diff_class(class_name, points_of(drawing, number),
				 drawing->page->diff->changes[number].differs);
	else
		flame_color_class(class_name, &frame);
	add_box(drawing,
		&(struct box){ .class_name = class_name,
			       .start = drawing->layout.start[number],
			       .weight = node->total_weight,
			       .depth = drawing->layout.depth[number],
			       .name = drawing->name.bytes },
		facts.bytes);
	strbuf_fini(&facts);
}

/* Draws one frame for the first that cannot be seen and its later siblings, which are no wider; its width is their sum. */
static void add_rest(struct drawing *drawing, uint32_t first)
{
	struct box box = { .class_name = "r",
			   .start = drawing->layout.start[first],
			   .depth = drawing->layout.depth[first] };
	uint64_t count = 0, frames = 0;
	struct strbuf facts = STRBUF_INIT;
	uint32_t number;

	for (number = first; number != CALL_TREE_NONE;) {
		const struct call_node *node = call_tree_at(drawing->tree, number);

		box.weight += node->total_weight;
		count += node->total_count;
		frames += drawing->layout.frames[number];
		number = node->next_sibling;
	}
	if (pixels(drawing, box.weight) < drawing->page->min_width_px || !box.weight)
		return;
	add_share(drawing, &facts, box.weight, count);
	strbuf_reset(&drawing->name);
	strbuf_addf(&drawing->name, "%" PRIu64 " frame%s", frames, frames == 1 ? "" : "s");
	box.name = drawing->name.bytes;
	add_box(drawing, &box, facts.bytes);
	strbuf_fini(&facts);
}

static bool is_shown(const struct drawing *drawing, uint32_t number)
{
	uint64_t weight = call_tree_at(drawing->tree, number)->total_weight;

	return weight && pixels(drawing, weight) >= drawing->page->min_width_px &&
	       drawing->layout.depth[number] + 1 < drawing->rows;
}

static void add_frames(struct drawing *drawing)
{
	const struct flame_graph *graph = drawing->page->graph;
	uint32_t number = call_tree_first(drawing->tree);

	add_everything(drawing);
	while (number != CALL_TREE_NONE) {
		uint32_t parent = call_tree_at(drawing->tree, number)->parent;

		if (is_shown(drawing, number)) {
			add_frame(drawing, number);
			number = flame_graph_next(graph, number, true);
		} else {
			add_rest(drawing, number);
			number = parent == CALL_TREE_NONE ? CALL_TREE_NONE :
							    flame_graph_next(graph, parent, false);
		}
	}
}

/* Rows of the shown frames, of everything, and of frames that are drawn as one (add_rest()); at most MAX_ROWS. */
static uint32_t count_rows(const struct drawing *drawing)
{
	uint32_t count = call_tree_node_count(drawing->tree), highest = 0, number;

	for (number = 0; number < count; number++) {
		uint64_t weight = call_tree_at(drawing->tree, number)->total_weight;

		if (drawing->layout.depth[number] > highest && weight &&
		    pixels(drawing, weight) >= drawing->page->min_width_px)
			highest = drawing->layout.depth[number];
	}
	return highest + 2 < MAX_ROWS ? highest + 2 : MAX_ROWS;
}

/* The legend with the controls and the line that describes a frame are at the callers' end, where reading begins. */
static unsigned bar_y(const struct drawing *drawing, unsigned height)
{
	return drawing->page->inverted ? TOP - 32 : height - 20;
}

static unsigned details_y(const struct drawing *drawing, unsigned height)
{
	return drawing->page->inverted ? TOP - 4 : height - 30;
}

static void add_legend_item(const struct drawing *drawing, const char *class_name, const char *text,
			    unsigned item, unsigned y)
{
	unsigned x = MARGIN + item * 76;

	strbuf_addf(drawing->out,
		    "<g class=\"%s\"><rect x=\"%u\" y=\"%u\" width=\"70\" height=\"%d\"/>"
		    "<text x=\"%u\" y=\"%u\">%s</text></g>",
		    class_name, x, y, ROW - 1, x + TEXT_X, y + TEXT_Y, text);
}

static void add_kinds(const struct drawing *drawing, unsigned y)
{
	bool present[FLAME_KIND_COUNT] = { false };
	uint32_t count = call_tree_node_count(drawing->tree), number;
	unsigned kind, items = 0;

	for (number = 0; number < count; number++)
		present[call_tree_at(drawing->tree, number)->key % FLAME_KIND_COUNT] = true;
	for (kind = FLAME_USER; kind < FLAME_KIND_COUNT; kind++)
		if (present[kind])
			add_legend_item(drawing, (const char[]){ flame_kind_letters[kind], '0', '\0' },
					flame_kind_names[kind], items++, y);
}

static void add_legend(const struct drawing *drawing, unsigned y)
{
	strbuf_adds(drawing->out, "<g id=\"legend\">");
	if (drawing->page->diff) {
		add_legend_item(drawing, "p3", "more", 0, y);
		add_legend_item(drawing, "m3", "less", 1, y);
		add_legend_item(drawing, "z0", "chance", 2, y);
	} else {
		add_kinds(drawing, y);
	}
	strbuf_adds(drawing->out, "</g>\n");
}

static void add_head(const struct drawing *drawing, unsigned height)
{
	struct strbuf *out = drawing->out;

	strbuf_addf(out,
		    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
		    "<svg version=\"1.1\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
		    "viewBox=\"0 0 %d %u\" class=\"%s\"%s aria-labelledby=\"title\">\n",
		    WIDTH, height, WIDTH, height, flame_color_names[drawing->page->colors],
		    drawing->page->inverted ? " data-inverted=\"1\"" : "");
	strbuf_adds(out, "<desc>");
	add_lines(out, drawing->page->about);
	strbuf_addf(out, "</desc>\n<style><![CDATA[\n%s%s]]></style>\n", web_flame_css, web_flame_svg_css);
	strbuf_adds(out, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n"
			 "<text id=\"title\" class=\"out\" x=\"50%\" y=\"24\">");
	add_clean(out, drawing->page->title);
	strbuf_adds(out, "<title>");
	add_lines(out, drawing->page->about);
	strbuf_adds(out, "</title></text>\n");
}

/* Hidden until the script shows them. */
static void add_controls(const struct drawing *drawing, unsigned height)
{
	unsigned y = bar_y(drawing, height) + TEXT_Y;

	strbuf_addf(
		drawing->out,
		"<text id=\"search\" class=\"button out end hide\" role=\"button\" tabindex=\"0\" x=\"100%%\" "
		"dx=\"-%d\" y=\"%u\">Search</text>\n"
		"<text id=\"reset\" class=\"button out end hide\" role=\"button\" tabindex=\"0\" x=\"100%%\" "
		"dx=\"-%d\" y=\"%u\">Reset zoom</text>\n"
		"<text id=\"matched\" class=\"out end\" role=\"status\" x=\"100%%\" dx=\"-%d\" "
		"y=\"%u\"> </text>\n"
		"<text id=\"details\" class=\"out\" role=\"status\" x=\"%d\" y=\"%u\"> </text>\n",
		MARGIN, y, MARGIN + 110, y, MARGIN + 210, y, MARGIN, details_y(drawing, height));
}

void flame_svg_render(const struct flame_page *page, struct strbuf *out)
{
	struct drawing drawing = { .page = page, .tree = page->graph->tree, .out = out };
	unsigned height;

	drawing.total = call_tree_weight(drawing.tree);
	flame_layout_init(&drawing.layout, page->graph);
	drawing.rows = count_rows(&drawing);
	height = TOP + drawing.rows * ROW + BOTTOM;
	strbuf_init(&drawing.name);
	add_head(&drawing, height);
	add_controls(&drawing, height);
	add_legend(&drawing, bar_y(&drawing, height));
	strbuf_addf(out, "<svg id=\"frames\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%u\">\n", MARGIN, TOP,
		    FRAMES_WIDTH, drawing.rows * ROW);
	add_frames(&drawing);
	strbuf_addf(out, "</svg>\n<script><![CDATA[\n%s%s%s]]></script>\n</svg>\n", web_flame_search_js,
		    web_flame_names_js, web_flame_svg_js);
	strbuf_fini(&drawing.name);
	flame_layout_fini(&drawing.layout);
}
