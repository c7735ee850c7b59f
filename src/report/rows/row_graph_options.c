/*
 * The parser of -g's argument (row_graph.h). A word sets one option, wherever it is; the first number is the threshold, the
 * second the limit.
 */
#include "report/rows/row_graph.h"

#include <stdlib.h>
#include <string.h>

const char *const row_graph_words[] = {
	"graph",   "fractal", "flat",  "folded",   "none",    "caller",  "callee",
	"percent", "period",  "count", "function", "address", "srcline", NULL,
};

static bool set_style(struct row_graph_options *options, const char *word, size_t length)
{
	static const struct {
		const char *word;
		enum row_graph_style style;
	} styles[] = {
		{ "graph", ROW_GRAPH_GRAPH },   { "fractal", ROW_GRAPH_FRACTAL }, { "flat", ROW_GRAPH_FLAT },
		{ "folded", ROW_GRAPH_FOLDED }, { "none", ROW_GRAPH_OFF },
	};
	size_t i;

	for (i = 0; i < sizeof(styles) / sizeof(styles[0]); i++)
		if (strlen(styles[i].word) == length && !memcmp(word, styles[i].word, length)) {
			options->style = styles[i].style;
			return true;
		}
	return false;
}

static bool is_word(const char *word, size_t length, const char *wanted)
{
	return strlen(wanted) == length && !memcmp(word, wanted, length);
}

/* How frames are told apart. */
static bool set_key(struct row_graph_options *options, const char *word, size_t length)
{
	if (is_word(word, length, "function"))
		options->key = ROW_GRAPH_FUNCTION;
	else if (is_word(word, length, "address"))
		options->key = ROW_GRAPH_ADDRESS;
	else if (is_word(word, length, "srcline"))
		options->key = ROW_GRAPH_SRCLINE;
	else
		return false;
	return true;
}

static bool set_word(struct row_graph_options *options, const char *word, size_t length)
{
	if (set_style(options, word, length))
		return true;
	if (is_word(word, length, "caller") || is_word(word, length, "callee")) {
		options->order = word[5] == 'r' ? CALL_ORDER_CALLER : CALL_ORDER_CALLEE;
		options->order_set = true;
		return true;
	}
	if (is_word(word, length, "percent"))
		options->value = ROW_GRAPH_PERCENT;
	else if (is_word(word, length, "period"))
		options->value = ROW_GRAPH_PERIOD;
	else if (is_word(word, length, "count"))
		options->value = ROW_GRAPH_COUNT;
	else
		return set_key(options, word, length);
	return true;
}

/* The first number is the threshold, the second the limit. */
static bool set_number(struct row_graph_options *options, const char *word, size_t length,
		       unsigned *numbers_seen)
{
	char *end;
	double value = strtod(word, &end);

	if (end != word + length || !length || !(value >= 0 && value <= 1e9))
		return false;
	if ((*numbers_seen)++ == 0)
		options->min_percent = value;
	else
		options->print_limit = (unsigned)value;
	return *numbers_seen <= 2;
}

int row_graph_parse(struct row_graph_options *options, const char *text, struct error *err)
{
	unsigned numbers_seen = 0;

	options->style = ROW_GRAPH_GRAPH;
	for (; text && *text; text += *text == ',') {
		size_t length = strcspn(text, ",");

		if (is_word(text, length, "branch"))
			return error_set(err,
					 "'branch': call graphs show no branches; 'perf report' does, of the "
					 "same file");
		if (length && !set_word(options, text, length) &&
		    !set_number(options, text, length, &numbers_seen))
			return error_set(
				err,
				"'%.*s' is not one of graph, fractal, flat, folded, none, caller, callee, "
				"function, address, srcline, percent, period, count, and not a number",
				(int)length, text);
		text += length;
	}
	return 0;
}
