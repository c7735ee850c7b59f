/* The values of options, in the order of the enums of view.h. */
#include "report/view/view.h"

const char *const percentage_names[] = { "relative", "absolute", NULL };
const char *const stack_weight_names[] = { "period", "samples", NULL };
