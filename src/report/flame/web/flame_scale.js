/* The scale of the map over time: how many slots make a cell, and which columns are shown. Slots are numbered from the
 * recording's first on; cells and columns begin at multiples of their length in the recording's clock. */
'use strict';
const FlameScale = (function () {
	const LENGTHS_MS = [2, 20, 200, 1200, 12000, 72000, 1728000]; /* of cells, as in profile/timeline.c */
	const MOST = 1200, CLOSER = 360; /* columns: of the whole time, and of a part of it */

	const shiftOf = (time, factor) => time.first % (time.rows * factor);
	const columnsOf = (time, factor) => Math.ceil((time.count + shiftOf(time, factor)) / (time.rows * factor));

	function make(time, factor, begin) {
		const all = columnsOf(time, factor), isWhole = factor === time.widest, columns = isWhole ? all : Math.min(all, CLOSER);
		return {
			time, factor, shift: shiftOf(time, factor), columns, isWhole,
			begin: Math.max(0, Math.min(Math.floor(begin), all - columns)),
		};
	}

	/* The scale of a whole recording. `first`: the number of its first slot in its clock; `rows`: cells in a column. */
	function whole(first, count, slotNs, rows) {
		const time = { first, count, slotNs, rows, factors: [] };
		time.factors = LENGTHS_MS.map((ms) => ms * 1e6 / slotNs).filter((factor) => factor >= 1);
		time.widest = time.factors.find((factor) => columnsOf(time, factor) <= MOST) || time.factors[time.factors.length - 1] || 1;
		return make(time, time.widest, 0);
	}

	const all = (scale) => make(scale.time, scale.time.widest, 0);

	/* Cells are numbered from the bottom of the first column on, shown or not. */
	const cellOf = (scale, slot) => Math.floor((slot + scale.shift) / scale.factor);
	const columnOf = (scale, slot) => Math.floor(cellOf(scale, slot) / scale.time.rows);
	const clamp = (scale, slot) => Math.max(0, Math.min(slot, scale.time.count - 1));
	const firstSlot = (scale, cell) => clamp(scale, cell * scale.factor - scale.shift);
	const lastSlot = (scale, cell) => clamp(scale, (cell + 1) * scale.factor - scale.shift - 1);

	/* The slots of all cells from that of one slot to that of another, in either order. */
	function span(scale, one, other) {
		return [firstSlot(scale, cellOf(scale, Math.min(one, other))), lastSlot(scale, cellOf(scale, Math.max(one, other)))];
	}

	/* The slots of the column that a slot is in. */
	function columnSpan(scale, slot) {
		const cell = columnOf(scale, slot) * scale.time.rows;
		return [firstSlot(scale, cell), lastSlot(scale, cell + scale.time.rows - 1)];
	}

	/* One step closer (1) or farther (-1), with the slot in the middle; the same scale if there is no such step. */
	function zoomed(scale, slot, closer) {
		const { time } = scale, factor = time.factors[time.factors.indexOf(scale.factor) - closer];
		if (!factor || factor > time.widest)
			return scale;
		const next = make(time, factor, 0);
		return make(time, factor, columnOf(next, slot) - next.columns / 2);
	}

	/* The scale, moved so far that a slot is shown. */
	function showing(scale, slot) {
		const column = columnOf(scale, slot), { begin, columns } = scale;
		return column >= begin && column < begin + columns ? scale : make(scale.time, scale.factor, column - columns / 2);
	}

	const moved = (scale, columns) => make(scale.time, scale.factor, scale.begin + columns);

	/* Reads a scale from "cells' factor,first column"; null: there is no such scale. */
	function read(scale, text) {
		const [factor, begin] = text.split(',').map(Number), { time } = scale;
		return time.factors.includes(factor) && factor <= time.widest && begin >= 0 ? make(time, factor, begin) : null;
	}
	const written = (scale) => (scale.isWhole ? '' : scale.factor + ',' + scale.begin);

	const canZoom = (scale) => scale.time.widest > 1;

	/* Sums of what slots have, by shown cell; -1: the recording has no slot there. */
	function sums(scale, values) {
		const { time, factor, shift } = scale, cells = new Float64Array(scale.columns * time.rows).fill(-1);
		for (let i = 0; i < cells.length; i++) {
			const from = (scale.begin * time.rows + i) * factor - shift;
			for (let slot = Math.max(0, from); slot < from + factor && slot < time.count; slot++)
				cells[i] = (cells[i] < 0 ? 0 : cells[i]) + values[slot];
		}
		return cells;
	}

	/* Nanoseconds from the beginning of the first slot's column to that of the first shown one. */
	const beginNs = (scale) => (scale.begin * scale.time.rows * scale.factor - scale.shift + shiftOf(scale.time, 1)) * scale.time.slotNs;

	const cellNs = (scale) => scale.factor * scale.time.slotNs;

	return {
		whole, all, zoomed, showing, moved, read, written, canZoom, sums, span, columnSpan, cellOf, columnOf, firstSlot, beginNs, cellNs,
	};
})();
if (typeof module !== 'undefined')
	module.exports = FlameScale;
