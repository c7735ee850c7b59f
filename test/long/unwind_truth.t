#!/usr/bin/env bash
# test/e2e/unwind_truth.t with all programs.
TRUTH_PROGRAMS=long TRUTH_SECONDS=3600 TRUTH_DIFFERENCES=8 exec "$(dirname "$0")/../e2e/unwind_truth.t"
