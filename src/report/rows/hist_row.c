/* The keys of a row are numbers, in the order of the layout; texts of sample keys stand in a table of their own. */
#include "report/rows/hist_row.h"

uint32_t hist_row_key(const struct hist *hist, const struct hist_row *row, enum column column)
{
	const struct column_list *keys = &hist->options.layout->keys;
	size_t i;

	for (i = 0; i < keys->count; i++)
		if (keys->items[i] == column)
			return row->keys[i];
	return PROFILE_NONE;
}

const char *hist_row_text(const struct hist *hist, const struct hist_row *row, enum column column)
{
	const uint32_t set = hist->options.keys ? hist_row_key(hist, row, COLUMN_KEY_SET) : 0;

	return set == PROFILE_NONE ? "" :
				     sample_keys_text(hist->options.keys, set, column_sample_key(column));
}
