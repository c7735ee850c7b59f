#ifndef XPROF_CLI_SUGGEST_H
#define XPROF_CLI_SUGGEST_H

/* "Did you mean": the known word that is nearest to a mistyped one. */

enum { SUGGEST_WORD_SIZE = 64 }; /* no option or command is longer; bounds the table on the stack */

/*
 * Damerau-Levenshtein distance (optimal string alignment): the smallest number of insertions, deletions, replacements and swaps
 * of neighbours that turn one word into the other. Longer words than SUGGEST_WORD_SIZE are compared by their beginnings.
 */
unsigned suggest_distance(const char *one, const char *other);

/* The distance to the nearest prefix of `other`. */
unsigned suggest_prefix_distance(const char *one, const char *other);

/* A search over words that are offered one by one. */
struct suggestion {
	const char *typed;
	char nearest[SUGGEST_WORD_SIZE]; /* "" if no word was near enough so far */
	unsigned rank;                   /* of `nearest`; smaller is nearer */
};

void suggestion_init(struct suggestion *suggestion, const char *typed);

/*
 * Keeps `word` if it is nearer than all words before, and near enough: at most one in three letters differs,
 * or it begins with the typed text, of which one in four letters may be wrong.
 */
void suggestion_offer(struct suggestion *suggestion, const char *word);

#endif
