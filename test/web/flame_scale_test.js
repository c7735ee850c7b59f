/* Scales of the map over time. */
'use strict';
const assert = require('assert');
const scales = require('../../src/report/flame/web/flame_scale.js');

const is = assert.deepStrictEqual;
const MS = 1e6, DAY = 86400 * 50; /* slots of 20 ms */
const day = (first = 0) => scales.whole(first, DAY, 20 * MS, 50);
/* "cells' milliseconds, first column + columns" */
const said = (scale) => scales.cellNs(scale) / MS + ', ' + scale.begin + ' + ' + scale.columns;

module.exports = {
	a_short_recording_has_one_scale() {
		const scale = scales.whole(7, 1000, 20 * MS, 50);
		is([said(scale), scales.canZoom(scale), scale.isWhole, scales.written(scale)], ['20, 0 + 21', false, true, '']);
		is([scales.zoomed(scale, 5, 1), scales.zoomed(scale, 5, -1)], [scale, scale]);
	},
	a_day_begins_with_columns_of_ten_minutes() {
		is([said(day()), scales.canZoom(day())], ['12000, 0 + 144', true]);
	},
	steps_lead_to_hours_and_seconds_and_back() {
		const noon = DAY / 2, seen = [];
		let scale = day();
		for (const closer of [1, 1, 1, 1, -1, -1, -1, -1]) {
			scale = scales.zoomed(scale, noon, closer);
			seen.push(said(scale));
		}
		is(seen.slice(0, 4), ['1200, 540 + 360', '200, 4140 + 360', '20, 43020 + 360', '20, 43020 + 360']);
		is(seen.slice(4), ['200, 4140 + 360', '1200, 540 + 360', '12000, 0 + 144', '12000, 0 + 144']);
	},
	at_the_edges_as_much_is_shown() {
		const near = scales.zoomed(day(), 0, 1), far = scales.zoomed(day(), DAY - 1, 1);
		is([said(near), said(far)], ['1200, 0 + 360', '1200, 1080 + 360']);
		is([said(scales.moved(near, 180)), said(scales.moved(near, -5)), said(scales.moved(far, 5))],
			['1200, 180 + 360', '1200, 0 + 360', '1200, 1080 + 360']);
		is([said(scales.showing(near, 100)), said(scales.showing(near, DAY / 2))], ['1200, 0 + 360', '1200, 540 + 360']);
	},
	spans_have_all_slots_of_their_cells() {
		const scale = scales.zoomed(scales.zoomed(day(), 0, 1), 0, 1); /* cells of 10 slots, columns of 500 */
		is([scales.span(scale, 25, 12), scales.span(scale, 25, 41), scales.columnSpan(scale, 777)], [[10, 29], [20, 49], [500, 999]]);
	},
	cells_begin_where_the_clock_has_round_times() {
		const scale = scales.zoomed(day(1003), 0, -1); /* 1003 * 20 ms; a cell has 600 slots, and the first one begins with slot 600 */
		is([scales.cellOf(scale, 0), scales.cellOf(scale, 196), scales.cellOf(scale, 197)], [1, 1, 2]);
		is(scales.span(scale, 0, 0), [0, 196]);
		is(scales.columnSpan(scale, DAY - 1)[1], DAY - 1);
	},
	sums_are_of_what_is_shown() {
		const values = new Float64Array(DAY).fill(1), whole = scales.sums(day(1003), values);
		is([whole.length, whole[0], whole[1], whole[2]], [145 * 50, -1, 197, 600]);
		is(whole.reduce((sum, value) => sum + Math.max(0, value), 0), DAY);
		is([...new Set(scales.sums(scales.zoomed(day(), DAY / 2, 1), values))], [60]);
	},
	the_address_keeps_a_scale() {
		const scale = scales.zoomed(day(), DAY / 2, 1);
		is([scales.written(scale), said(scales.read(day(), '60,540')), said(scales.read(day(), '60,99999'))],
			['60,540', '1200, 540 + 360', '1200, 1080 + 360']);
		is(['61,0', '3600,0', '60,-1', '60', 'x,y'].map((text) => scales.read(day(), text)), [null, null, null, null, null]);
	},
	a_part_begins_at_a_time_of_the_recording() {
		is([scales.beginNs(day()), scales.beginNs(scales.zoomed(day(), DAY / 2, 1))], [0, 540 * 60e9]);
		is(scales.beginNs(day(1003)), (3 - 1003) * 20 * MS); /* the column of ten minutes began before that of a second */
	},
	weeks_are_shown_in_hours() {
		const week = scales.whole(0, 7 * DAY / 60, 1200 * MS, 50);
		is(said(week), '12000, 0 + 1008');
	},
};
