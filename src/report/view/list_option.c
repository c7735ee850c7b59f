/*
 * A text list keeps one copy of the argument, cut apart in place, and pointers into it. A number list expands its ranges;
 * MAX_RANGE bounds the memory that a slip such as 0-4000000000 can take.
 */
#include "report/view/list_option.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { MAX_RANGE = 1 << 16 }; /* more than the CPUs or tids in any range: a slip, which would cost memory */

static void add_text(struct text_list *list, const char *item)
{
	list->items = array_grow(list->items, &list->capacity, list->count + 2, sizeof(*list->items));
	list->items[list->count++] = item;
	list->items[list->count] = NULL;
}

void text_list_parse(struct text_list *list, const char *text)
{
	struct text_list parsed = { .text = xstrdup(text) };
	char *state = NULL, *item;

	for (item = strtok_r(parsed.text, ",", &state); item; item = strtok_r(NULL, ",", &state))
		add_text(&parsed, item);
	if (!parsed.items) { /* an empty list is a list: nothing passes */
		parsed.items = array_grow(NULL, &parsed.capacity, 1, sizeof(*parsed.items));
		parsed.items[0] = NULL;
	}
	text_list_fini(list);
	*list = parsed;
}

int text_list_set(void *list, const char *argument, struct error *err)
{
	(void)err;
	text_list_parse(list, argument);
	return 0;
}

void text_list_fini(struct text_list *list)
{
	free(list->text);
	free(list->items);
	*list = (struct text_list){ 0 };
}

bool text_list_has(const struct text_list *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i], text) == 0)
			return true;
	return false;
}

/* Decimal digits only; *end is set to the text after them. */
static int parse_number(const char *text, const char **end, uint32_t *number)
{
	unsigned long value;
	char *after;

	if (!isdigit((unsigned char)*text))
		return -1;
	errno = 0;
	value = strtoul(text, &after, 10);
	if (errno || value > UINT32_MAX)
		return -1;
	*end = after;
	*number = (uint32_t)value;
	return 0;
}

static int add_range(struct number_list *list, const char *item, struct error *err)
{
	uint32_t first, last;
	const char *end;

	if (parse_number(item, &end, &first))
		return error_set(err, "'%s' is not a list of numbers", item);
	last = first;
	if (*end == '-' && parse_number(end + 1, &end, &last))
		return error_set(err, "'%s' is not a range of numbers", item);
	if (*end && *end != ',')
		return error_set(err, "'%s' is not a list of numbers", item);
	if (last < first || last - first >= MAX_RANGE)
		return error_set(err, "the range in '%s' is empty or too large", item);
	list->items = array_grow(list->items, &list->capacity, list->count + (last - first) + 1,
				 sizeof(*list->items));
	for (; first <= last; first++) {
		list->items[list->count++] = first;
		if (first == UINT32_MAX)
			break;
	}
	return 0;
}

int number_list_parse(struct number_list *list, const char *text, struct error *err)
{
	const char *item = text;

	number_list_fini(list);
	for (;;) {
		if (add_range(list, item, err))
			return -1;
		item = strchr(item, ',');
		if (!item)
			return 0;
		item++;
	}
}

int number_list_set(void *list, const char *argument, struct error *err)
{
	return number_list_parse(list, argument, err);
}

void number_list_fini(struct number_list *list)
{
	free(list->items);
	*list = (struct number_list){ 0 };
}

bool number_list_has(const struct number_list *list, uint32_t number)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i] == number)
			return true;
	return false;
}
