/*
 * diff_result_init() compares each row (compare_row()), widens its interval by how much runs differ (widen()), adjusts
 * the chances for the number of rows (judge()), and sorts. The mathematics are in profile/compare.h.
 */
#include "report/diff/diff_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

const char *const diff_normalize_names[] = { "share", "time", "work", "samples", "none", NULL };

double diff_design_effect(const struct profile_event *event)
{
	double weight = (double)event->weight;

	return weight > 0 ? (double)event->samples * event->weight_squares / (weight * weight) : 1;
}

static double weight_of(const struct diff_request *request, const struct diff_sums *sums)
{
	return request->normalize == DIFF_SAMPLES ? (double)sums->count : (double)sums->weight;
}

static double computed_of(const struct diff_request *request, const struct comparison *comparison)
{
	return request->compute == DIFF_RATIO ? comparison->ratio : comparison->delta;
}

static struct compare_whole whole_of(const struct diff_result *result, int side)
{
	const struct diff_request *request = &result->request;
	struct diff_sums sums = request->relative ? profile_diff_shown(result->diff, side) :
						    profile_diff_counted(result->diff, side);
	struct compare_whole whole = { .count = sums.count, .divisor = 1, .factor = 1 };
	double effect = request->normalize == DIFF_SAMPLES ? 1 : request->design_effect[side];

	whole.weight = weight_of(request, &sums);
	if (sums.count)
		whole.weight_squares = effect * whole.weight * whole.weight / (double)sums.count;
	if (request->normalize == DIFF_TIME || request->normalize == DIFF_WORK)
		whole.divisor = request->divisor[side];
	if (request->compute == DIFF_WDIFF)
		whole.factor = request->factor[side];
	return whole;
}

static struct comparison compare_sums(const struct diff_result *result,
				      const struct diff_sums sums[COMPARE_SIDES],
				      const struct compare_slices *slices)
{
	const double weight[COMPARE_SIDES] = { weight_of(&result->request, &sums[COMPARE_BEFORE]),
					       weight_of(&result->request, &sums[COMPARE_AFTER]) };

	return compare(&result->scale, weight, slices);
}

/*
 * Without several recordings of each side, the variation between slices of a recording stands in for the variation between
 * recordings. Slices are sums of periods, so they are not used for numbers of samples.
 */
static struct comparison compare_row(const struct diff_result *result, uint32_t row, bool total)
{
	const struct diff_row *sums = profile_diff_row(result->diff, row);
	struct compare_slices slices;

	profile_diff_slices(result->diff, row, total, result->request.relative, &slices);
	return compare_sums(result, total ? sums->total : sums->self, result->knows_slices ? &slices : NULL);
}

/* --- several runs of a side ----------------------------------------------------- */

/* The divisor of a run's sums. */
static double run_divisor(const struct diff_result *result, int side, size_t run)
{
	const struct diff_request *request = &result->request;
	struct diff_sums whole;

	if (request->normalize == DIFF_TIME || request->normalize == DIFF_WORK)
		return request->run_divisors[side][run];
	if (request->normalize != DIFF_SHARE)
		return 1 /
		       (double)profile_diff_run_count(result->diff, side); /* the side's sum is compared */
	whole = request->relative ? profile_diff_run_shown(result->diff, side, run) :
				    profile_diff_run_counted(result->diff, side, run);
	return weight_of(request, &whole);
}

/* The value of a run's row; of the whole run if `row` is DIFF_NONE. */
static double run_value(const struct diff_result *result, int side, size_t run, uint32_t row, bool total)
{
	const struct diff_request *request = &result->request;
	double divisor = run_divisor(result, side, run);
	struct diff_sums sums = row != DIFF_NONE ?
					profile_diff_run_sums(result->diff, side, run, row, total) :
				request->relative ? profile_diff_run_shown(result->diff, side, run) :
						    profile_diff_run_counted(result->diff, side, run);

	return divisor > 0 ? weight_of(request, &sums) / divisor * result->scale.whole[side].factor : 0;
}

static void widen(const struct diff_result *result, struct comparison *comparison, uint32_t row, bool total)
{
	struct compare_runs runs = { 0 };
	double *values[COMPARE_SIDES];

	for (int side = 0; side < COMPARE_SIDES; side++)
		runs.count[side] = profile_diff_run_count(result->diff, side);
	if (runs.count[COMPARE_BEFORE] < 2 || runs.count[COMPARE_AFTER] < 2)
		return;
	for (int side = 0; side < COMPARE_SIDES; side++) {
		values[side] = xmalloc(runs.count[side] * sizeof(*values[side]));
		for (size_t i = 0; i < runs.count[side]; i++)
			values[side][i] = run_value(result, side, i, row, total);
		runs.values[side] = values[side];
	}
	compare_widen(comparison, result->request.confidence, &runs);
	free(values[COMPARE_BEFORE]);
	free(values[COMPARE_AFTER]);
}

/* --- what differs ------------------------------------------------------------- */

static bool is_sampled(const struct comparison *comparison)
{
	return comparison->value[COMPARE_BEFORE] > 0 || comparison->value[COMPARE_AFTER] > 0;
}

static const struct comparison *comparison_of(const struct diff_line *line, bool of_total)
{
	return of_total ? &line->total : &line->self;
}

/* The chance of each line, adjusted for the number of lines that were sampled; 1 for the others. The caller frees them. */
static double *adjusted(const struct diff_result *result, bool of_total, bool of_sampling)
{
	double *chances = xmalloc(((size_t)result->count + 1) * sizeof(*chances));
	double *by_line = xmalloc(((size_t)result->count + 1) * sizeof(*by_line));
	size_t count = 0;

	for (uint32_t i = 0; i < result->count; i++) {
		const struct comparison *comparison = comparison_of(&result->lines[i], of_total);

		if (is_sampled(comparison))
			chances[count++] = of_sampling ? comparison->sampling_chance : comparison->chance;
	}
	compare_adjust(chances, count);
	count = 0;
	for (uint32_t i = 0; i < result->count; i++)
		by_line[i] = is_sampled(comparison_of(&result->lines[i], of_total)) ? chances[count++] : 1;
	free(chances);
	return by_line;
}

/* Judges self or total of all rows: the two are separate questions. */
static void judge(struct diff_result *result, bool of_total)
{
	const double limit = 1 - result->request.confidence;
	double *chances = adjusted(result, of_total, false);
	double *sampling = adjusted(result, of_total, true);

	for (uint32_t i = 0; i < result->count; i++) {
		struct diff_line *line = &result->lines[i];
		enum diff_verdict verdict = sampling[i] < limit ? DIFF_RUNS : DIFF_CHANCE;

		if (chances[i] < limit)
			verdict = result->claims ? DIFF_PROGRAMS : DIFF_RUNS;
		else if (!result->claims)
			verdict = DIFF_CHANCE;
		*(of_total ? &line->total_verdict : &line->self_verdict) = verdict;
		*(of_total ? &line->total_chance : &line->self_chance) = chances[i];
	}
	free(chances);
	free(sampling);
}

enum diff_verdict diff_line_verdict(const struct diff_line *line, bool children)
{
	return children && line->total_verdict > line->self_verdict ? line->total_verdict :
								      line->self_verdict;
}

/* --- order -------------------------------------------------------------------- */

static int compare_numbers(double a, double b)
{
	if (!isfinite(a) || !isfinite(b)) /* a row that was not there before has no ratio: last */
		return !isfinite(a) - !isfinite(b);
	return a > b ? -1 : a < b;
}

static int compare_texts(const struct profile_diff *diff, uint32_t a, uint32_t b)
{
	if (a == b)
		return 0;
	if (a == DIFF_NONE || b == DIFF_NONE)
		return a == DIFF_NONE ? 1 : -1;
	return strcmp(profile_diff_text(diff, a), profile_diff_text(diff, b));
}

/* Rows differ in a key, so this is an order that does not depend on what was sampled first. */
static int compare_keys(const struct profile_diff *diff, const struct diff_row *a, const struct diff_row *b)
{
	static const struct diff_function none = { DIFF_NONE, DIFF_NONE, FRAME_USER };
	const struct diff_function *f =
		a->function == DIFF_NONE ? &none : profile_diff_function(diff, a->function);
	const struct diff_function *g =
		b->function == DIFF_NONE ? &none : profile_diff_function(diff, b->function);
	int difference = compare_texts(diff, a->comm, b->comm);

	if (!difference)
		difference = compare_texts(diff, f->dso, g->dso);
	if (!difference)
		difference = compare_texts(diff, f->symbol, g->symbol);
	if (!difference)
		difference = a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
	return difference;
}

static double key_of(const struct diff_request *request, const struct diff_line *line)
{
	const struct comparison *comparison =
		request->order == DIFF_ORDER_CHILDREN ? &line->total : &line->self;
	double computed = computed_of(request, comparison);

	if (request->order == DIFF_ORDER_BASELINE)
		return line->self.value[COMPARE_BEFORE];
	return request->compute == DIFF_DELTA_ABS ? fabs(computed) : computed;
}

static int compare_lines(const void *one, const void *other, void *context)
{
	const struct diff_result *result = context;
	const struct diff_line *a = one, *b = other;
	int difference = compare_numbers(key_of(&result->request, a), key_of(&result->request, b));

	if (!difference)
		difference = compare_numbers(fabs(a->total.delta), fabs(b->total.delta));
	if (difference)
		return difference;
	return compare_keys(result->diff, profile_diff_row(result->diff, a->row),
			    profile_diff_row(result->diff, b->row));
}

void diff_result_init(struct diff_result *result, const struct profile_diff *diff,
		      const struct diff_request *request)
{
	struct diff_sums whole[COMPARE_SIDES];

	*result = (struct diff_result){ .diff = diff, .request = *request };
	result->knows_runs = profile_diff_run_count(diff, COMPARE_BEFORE) > 1 &&
			     profile_diff_run_count(diff, COMPARE_AFTER) > 1;
	result->knows_slices =
		!result->knows_runs && profile_diff_has_slices(diff) && request->normalize != DIFF_SAMPLES;
	result->claims = result->knows_runs || request->normalize == DIFF_SHARE;
	result->scale = compare_scale_of(request->normalize == DIFF_SHARE ? COMPARE_SHARES : COMPARE_RATES,
					 request->confidence);
	for (int side = 0; side < COMPARE_SIDES; side++) {
		result->scale.whole[side] = whole_of(result, side);
		whole[side] =
			request->relative ? profile_diff_shown(diff, side) : profile_diff_counted(diff, side);
	}
	result->whole = compare_sums(result, whole, NULL);
	widen(result, &result->whole, DIFF_NONE, false);
	result->count = profile_diff_row_count(diff);
	result->lines = xcalloc((size_t)result->count + 1, sizeof(*result->lines));
	for (uint32_t i = 0; i < result->count; i++) {
		struct diff_line *line = &result->lines[i];

		line->row = i;
		line->self = compare_row(result, i, false);
		line->total = compare_row(result, i, true);
		widen(result, &line->self, i, false);
		widen(result, &line->total, i, true);
	}
	judge(result, false);
	judge(result, true);
	qsort_r(result->lines, result->count, sizeof(*result->lines), compare_lines, result);
}

void diff_result_fini(struct diff_result *result)
{
	free(result->lines);
	result->lines = NULL;
	result->count = 0;
}
