/* Tells sizes from times by the unit, as perf does: both have one, and M is a size, m a time. */
#include "record/switch/switch_condition.h"

#include <stdlib.h>
#include <string.h>

struct unit {
	char letter;
	uint64_t factor;
};

static const struct unit size_units[] = {
	{ 'B', 1 }, { 'K', 1 << 10 }, { 'M', 1 << 20 }, { 'G', 1 << 30 }, { 0 }
};
static const struct unit time_units[] = {
	{ 's', UINT64_C(1000000000) },
	{ 'm', UINT64_C(60000000000) },
	{ 'h', UINT64_C(3600000000000) },
	{ 'd', UINT64_C(86400000000000) },
	{ 0 },
};

static const struct unit *unit_of(const struct unit *units, char letter)
{
	for (; units->letter; units++)
		if (units->letter == letter)
			return units;
	return NULL;
}

/* The number before the unit. False for 0, which is neither a size nor a time. */
static bool read_value(const char *text, const struct unit *unit, uint64_t *value)
{
	const uint64_t number = strtoull(text, NULL, 10);

	if (!unit || number == 0 || number > UINT64_MAX / 2 / unit->factor)
		return false;
	*value = number * unit->factor;
	return true;
}

int switch_condition_parse(struct switch_condition *condition, const char *text, struct error *err)
{
	const size_t digits = text ? strspn(text, "0123456789") : 0;

	*condition = (struct switch_condition){ .given = true };
	if (!text || strcmp(text, "signal") == 0)
		return 0;
	if (digits > 0 && digits < 20 && text[digits] && !text[digits + 1] &&
	    (read_value(text, unit_of(size_units, text[digits]), &condition->size_bytes) ||
	     read_value(text, unit_of(time_units, text[digits]), &condition->every_ns)))
		return 0;
	return error_set(err,
			 "'%s' is neither a size (B, K, M or G) nor a time (s, m, h or d) nor signal: "
			 "100M, 30s",
			 text);
}
