#!/usr/bin/env bash
# test/e2e/script_corpus.t, each file in all ways.
CORPUS_WAYS=all exec "$(dirname "$0")/../e2e/script_corpus.t"
