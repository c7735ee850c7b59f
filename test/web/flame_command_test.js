/* Commands that a page offers. */
'use strict';
const assert = require('assert');
global.FlameModel = require('../../src/report/flame/web/flame_model.js');
const { numbers } = require('./numbers.js');
const command = require('../../src/report/flame/web/flame_command.js');

const names = ['web', 'CPU 3', 'main', 'a;b', 'process 7 web', '/system.slice'], files = ['', '', 'web', 'lib.so', '', ''];
const kinds = [0, 0, 1, 1, 0, 0];
const data = {
	command: [['-s', 'dso,sym'], ['-n'], ['-i', 'it\'s'], ['--event', 'cycles']], events: [['cycles', 0], ['faults', 0]],
	threads: [[7, 8, 0, 4, 0]], cpus: [[0, 9], [3, 1]], cgroups: [5], slot_ns: 20000000, first_slot: 50,
};
/* web (or CPU 3 ...) calls main calls a;b */
const treeOf = (...frames) => global.FlameModel.decode(frames.map((frame, i) =>
	(i + 1 < frames.length ? numbers(0, frame, 0) : numbers(0, frame, 1, 1))).join(''), 1);
const state = { view: 'flame', by: 'comm', event: 0, from: -1, to: -1, zoom: 0, frame: -1 };
const of = (change, tree) => command.of({ data, names, kinds, files, state: { ...state, ...change }, tree: tree || treeOf(0, 2, 3) });
const BEGIN = "xprof report -s dso,sym -n -i 'it'\\''s' --event ";

module.exports = {
	words_mean_nothing_to_the_shell() {
		assert.deepStrictEqual(['a', '', '$(rm)', 'a b', "it's"].map(command.quoted), ['a', "''", "'$(rm)'", "'a b'", "'it'\\''s'"]);
	},
	all_is_what_the_page_was_made_of() {
		assert.strictEqual(of({}), BEGIN + 'cycles');
	},
	another_event_takes_the_place_of_the_first() {
		assert.strictEqual(of({ event: 1 }), BEGIN + 'faults');
	},
	a_span_of_time_ends_before_the_next_slot() {
		assert.strictEqual(of({ from: 0, to: 49 }), BEGIN + 'cycles --time 1.000000000,1.999999999');
	},
	a_span_of_time_stays_within_those_that_were_asked_for() {
		assert.strictEqual(command.timeOption({ ...data, spans: [['0', '1500000000'], ['1600000000', '1700000000'],
			['9000000000', '9000000001']] }, 0, 49), '1.000000000,1.500000000 1.600000000,1.700000000');
	},
	groups_become_options_and_frames_a_pattern() {
		assert.strictEqual(of({ zoom: 1 }), BEGIN + 'cycles --comms web');
		assert.strictEqual(of({ zoom: 3 }), BEGIN + "cycles --comms web --stack 'main@web;a:b@lib.so;...'");
		assert.strictEqual(of({ by: 'cpu,pid', zoom: 2 }, treeOf(1, 4, 2)), BEGIN + 'cycles --cpu 3 --pid 7');
		assert.strictEqual(of({ by: 'cgroup', zoom: 1 }, treeOf(5, 2)), BEGIN + 'cycles --cgroups /system.slice');
	},
	a_sandwich_is_of_all_stacks_through_the_function() {
		assert.strictEqual(of({ view: 'sandwich', frame: 2 }), BEGIN + "cycles --stack '...;main@web;...'");
	},
	reversed_paths_are_ends_of_stacks() {
		assert.strictEqual(of({ view: 'reversed', zoom: 1 }, treeOf(3, 2, 0)), BEGIN + "cycles --stack '...;a:b@lib.so'");
		assert.strictEqual(of({ view: 'reversed', zoom: 3 }, treeOf(3, 2, 0)),
			BEGIN + "cycles --comms web --stack 'main@web;a:b@lib.so'");
	},
};
