#ifndef XPROF_TEST_SUPPORT_CMOCKA_H
#define XPROF_TEST_SUPPORT_CMOCKA_H

/* cmocka.h with the headers that must precede it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
