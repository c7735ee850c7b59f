#!/usr/bin/env bash
# test/e2e/script_corpus.t, each file with all options.
CORPUS_WAYS=all exec "$(dirname "$0")/../e2e/script_corpus.t"
