#ifndef XPROF_REPORT_VIEW_LIST_OPTION_H
#define XPROF_REPORT_VIEW_LIST_OPTION_H

/* Lists in the syntax of perf's filters: -c bash,make and -C 0-3,8. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/option.h"

struct text_list {
	char *text;         /* copy of the argument, which items point into */
	const char **items; /* NULL-terminated; NULL: no list was given */
	size_t count, capacity;
};

/* Replaces the list. Blank items are left out. */
void text_list_parse(struct text_list *list, const char *text);
void text_list_fini(struct text_list *list);
bool text_list_has(const struct text_list *list, const char *text);

struct number_list {
	uint32_t *items;
	size_t count, capacity;
};

/*
 * Parses numbers and ranges with commas between them. Returns 0, or -1 with err, which quotes the wrong part.
 */
int number_list_parse(struct number_list *list, const char *text, struct error *err);
void number_list_fini(struct number_list *list);
bool number_list_has(const struct number_list *list, uint32_t number);

/* Options that fill such a list: { OPTION_TEXT_LIST(struct my_options, comms), .name = "comms", ... }. */
#define OPTION_TEXT_LIST(type, name_) \
	OPTION_CALLBACK(text_list_set), .member = OPTION_MEMBER(type, name_, struct text_list)
#define OPTION_NUMBER_LIST(type, name_) \
	OPTION_CALLBACK(number_list_set), .member = OPTION_MEMBER(type, name_, struct number_list)
option_set text_list_set, number_list_set;

#endif
