#!/usr/bin/env bash
# test/e2e/source_lines.t with 10,000 addresses a program.
SOURCE_ADDRESSES=10000 exec "$(dirname "$0")/../e2e/source_lines.t"
