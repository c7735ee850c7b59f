/* The words of --unwind and --unwinder; their order is that of the enums in unwind_choice.h. */
#include "report/view/unwind_options.h"

const char *const unwind_choice_names[] = { "auto", "fp", "dwarf", NULL };
const char *const unwind_engine_names[] = { "xprof", "libunwind", NULL };
