/* Samples over time: columns from left to right, cells of a column upwards, the darker the more samples. A span of time is
 * chosen by dragging, by clicks (a column; with Shift up to there) or by keys. Long recordings have several scales. */
'use strict';
const FlameHeat = (function () {
	const LEFT = 52, BOTTOM = 16, TOP = 4, WIDEST = 72, LABEL = 56, SHADES = 32; /* pixels; shades of colour */

	const S = 1e9, MINUTE = 60 * S, HOUR = 60 * MINUTE; /* nanoseconds */

	/* Three digits: "20 ms", "1.28 s", "90 s". From two minutes on: "3 min 4 s", "2 h 5 min". */
	function lengthText(ns) {
		const rounded = (number, unit) => Number(number.toPrecision(3)) + ' ' + unit;
		const both = (large, largeUnit, small, smallUnit) => large + ' ' + largeUnit + (small ? ' ' + small + ' ' + smallUnit : '');
		if (!ns)
			return '0';
		if (ns < S)
			return rounded(ns / 1e6, 'ms');
		if (ns < 2 * MINUTE)
			return rounded(ns / S, 's');
		const seconds = Math.round(ns / S), minutes = Math.round(ns / MINUTE);
		return ns < 2 * HOUR ? both(Math.floor(seconds / 60), 'min', seconds % 60, 's') :
			both(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
	}

	const two = (number) => String(number).padStart(2, '0');

	/* Time since the column of the recording's first slot began. */
	function timeText(heat, slot) {
		const ns = (slot + heat.shift) * heat.slotNs, digits = heat.slotNs < 1e7 ? 3 : heat.slotNs < S ? 2 : 0;
		const minutes = Math.floor(ns / MINUTE), seconds = (ns - minutes * MINUTE) / S;
		if (ns < MINUTE)
			return seconds.toFixed(digits) + ' s';
		return (minutes < 60 ? '' : Math.floor(minutes / 60) + ' h ') + minutes % 60 + ' min ' + seconds.toFixed(digits) + ' s';
	}

	/* Steps that people count time in, in nanoseconds. */
	const STEPS_OF_TIME = [
		...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((ms) => ms * 1e6), ...[1, 2, 5, 10, 15, 30].map((s) => s * S),
		...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE), ...[1, 2, 3, 6, 12, 24, 48, 168].map((hours) => hours * HOUR),
	];

	/* At most `most` labels of a time axis of that length, which begins at `startNs`: { unit, ticks: [{ ns, text }] }. The
	 * unit is that of the whole axis: seconds beyond a minute are "1:05" of "min:s". */
	function axisOf(lengthNs, most, startNs = 0) {
		const step = STEPS_OF_TIME.find((ns) => lengthNs / ns <= most) || Math.ceil(lengthNs / most / HOUR) * HOUR;
		const endNs = startNs + lengthNs;
		const unit = endNs > 2 * HOUR ? step < MINUTE ? 'h:min:s' : 'h:min' : endNs > 2 * MINUTE ? 'min:s' : step < S && endNs <= S ? 'ms' : 's';
		const textOf = (ns) => {
			switch (unit) {
			case 'h:min:s': return Math.floor(ns / HOUR) + ':' + two(Math.floor(ns % HOUR / MINUTE)) + ':' + two(Math.round(ns % MINUTE / S));
			case 'h:min': return Math.floor(ns / HOUR) + ':' + two(Math.round(ns % HOUR / MINUTE));
			case 'min:s': return Math.floor(ns / MINUTE) + ':' + two(Math.round(ns % MINUTE / S));
			case 's': return String(Math.round(ns / 1e6) / 1000);
			default: return String(Math.round(ns / 1e6));
			}
		};
		const ticks = [];
		for (let ns = Math.max(0, Math.ceil(startNs / step)) * step; ns <= endNs; ns += step)
			ticks.push({ ns, text: textOf(ns) });
		return { unit, ticks };
	}

	/* How dark each value is, 0 to 1: the share of slots that have less, so that a system that is always busy still shows
	 * where it was busier. Slots without samples do not count. */
	function darknessOf(values) {
		const counts = new Map(), darkness = new Map();
		let all = 0, below = 0;
		for (const value of values)
			if (value) {
				counts.set(value, (counts.get(value) || 0) + 1);
				all++;
			}
		for (const value of [...counts.keys()].sort((a, b) => a - b)) {
			const count = counts.get(value);
			darkness.set(value, (below + count / 2) / all);
			below += count;
		}
		return darkness;
	}

	/* `on.choose(from, to)` gets slots (-1, -1: all), `on.describe(text)` what is below the pointer. */
	function create(canvas, data, slotCount, on) {
		const heat = {
			canvas, on, slots: data.slots, slotNs: data.slot_ns, shift: data.first_slot % data.slots, count: slotCount,
			values: new Float64Array(slotCount), from: -1, to: -1, other: null, cursor: 0, anchor: -1, colors: null,
			scale: FlameScale.whole(data.first_slot, slotCount, data.slot_ns, data.slots), cells: [], darkness: new Map(),
		};
		canvas.addEventListener('pointerdown', (event) => press(heat, event));
		canvas.addEventListener('pointermove', (event) => move(heat, event));
		canvas.addEventListener('pointerup', (event) => release(heat, event));
		canvas.addEventListener('pointerleave', () => on.describe(''));
		canvas.addEventListener('keydown', (event) => key(heat, event));
		canvas.addEventListener('focus', () => draw(heat));
		canvas.addEventListener('blur', () => draw(heat));
		return heat;
	}

	function sizes(heat) {
		const width = heat.canvas.parentNode.clientWidth, height = heat.canvas.parentNode.clientHeight;
		const across = Math.min(WIDEST, (width - LEFT - 8) / heat.scale.columns);
		return { width, height, across, up: (height - TOP - BOTTOM) / heat.slots };
	}

	/* The place of a cell, by its number among the shown ones. */
	function placeOf(heat, cell, { height, across, up }) {
		return { x: LEFT + Math.floor(cell / heat.slots) * across, y: height - BOTTOM - (cell % heat.slots + 1) * up };
	}

	/* The shown cell of a slot; negative or too large if it is not shown. */
	const shownCell = (heat, slot) => FlameScale.cellOf(heat.scale, slot) - heat.scale.begin * heat.slots;

	function slotAt(heat, event) {
		const bounds = heat.canvas.getBoundingClientRect(), { height, across, up } = sizes(heat), { scale } = heat;
		const column = Math.floor((event.clientX - bounds.left - LEFT) / across);
		const row = Math.floor((height - BOTTOM - (event.clientY - bounds.top)) / up);
		const clamp = (value, most) => Math.max(0, Math.min(value, most));
		return FlameScale.firstSlot(scale, (scale.begin + clamp(column, scale.columns - 1)) * heat.slots + clamp(row, heat.slots - 1));
	}

	function describe(heat, slot) {
		const samples = heat.cells[shownCell(heat, slot)] || 0;
		return timeText(heat, slot) + (heat.isEstimate ? ': about ' : ': ') + samples.toLocaleString('en-US') + ' samples in ' + lengthText(FlameScale.cellNs(heat.scale));
	}

	function press(heat, event) {
		const slot = slotAt(heat, event);
		if (event.button !== 0)
			return;
		try {
			heat.canvas.setPointerCapture(event.pointerId);
		} catch (error) {
			/* The pointer may be gone already. */
		}
		heat.dragged = false;
		heat.cursor = slot;
		heat.anchor = event.shiftKey && heat.from >= 0 ? heat.from : slot;
		heat.dragging = true;
	}

	function move(heat, event) {
		const slot = slotAt(heat, event);
		heat.on.describe(describe(heat, slot));
		if (!heat.dragging || slot === heat.cursor)
			return;
		heat.dragged = true;
		heat.cursor = slot;
		[heat.from, heat.to] = FlameScale.span(heat.scale, heat.anchor, slot);
		draw(heat);
	}

	function release(heat, event) {
		if (!heat.dragging)
			return;
		const slot = slotAt(heat, event);
		heat.dragging = false;
		if (heat.dragged || event.shiftKey)
			heat.on.choose(...FlameScale.span(heat.scale, heat.anchor, slot));
		else
			heat.on.choose(...FlameScale.columnSpan(heat.scale, slot));
	}

	/* Shows the time at another scale, or another part of it. */
	function setScale(heat, scale) {
		if (scale === heat.scale)
			return;
		heat.scale = scale;
		sumUp(heat);
		heat.on.scaled();
		draw(heat);
	}

	/* Zooms around the chosen span, or else around the cursor. */
	function zoom(heat, closer) {
		const slot = heat.from < 0 ? heat.cursor : Math.floor((heat.from + heat.to) / 2);
		setScale(heat, FlameScale.zoomed(heat.scale, slot, closer));
	}

	/* Number of cells that an arrow key moves by; 0 for other keys. */
	function stepOf(heat, name) {
		return { ArrowUp: 1, ArrowDown: -1, ArrowRight: heat.slots, ArrowLeft: -heat.slots }[name] || 0;
	}

	/* Page up and down move by half of the shown time, plus and minus change the scale. */
	function keyOfScale(heat, name) {
		const pages = { PageDown: 1, PageUp: -1 }[name], closer = { '+': 1, '=': 1, '-': -1 }[name];
		if (!FlameScale.canZoom(heat.scale) || !(pages || closer))
			return false;
		if (closer)
			zoom(heat, closer);
		else
			setScale(heat, FlameScale.moved(heat.scale, pages * Math.ceil(heat.scale.columns / 2)));
		return true;
	}

	function key(heat, event) {
		const step = stepOf(heat, event.key) * heat.scale.factor;
		if (event.altKey || event.ctrlKey || event.metaKey)
			return;
		if (step) {
			const before = heat.cursor;
			heat.cursor = Math.max(0, Math.min(heat.cursor + step, heat.count - 1));
			if (event.shiftKey) {
				heat.anchor = heat.anchor < 0 ? before : heat.anchor;
				heat.on.choose(...FlameScale.span(heat.scale, heat.anchor, heat.cursor));
			} else {
				heat.anchor = -1;
			}
			setScale(heat, FlameScale.showing(heat.scale, heat.cursor));
			heat.on.describe(describe(heat, heat.cursor));
			draw(heat);
		} else if (event.key === 'Enter' || event.key === ' ') {
			heat.on.choose(...FlameScale.columnSpan(heat.scale, heat.cursor));
		} else if (event.key === 'Escape' && heat.from >= 0) {
			heat.on.choose(-1, -1);
		} else if (!keyOfScale(heat, event.key)) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}

	function sumUp(heat) {
		heat.cells = FlameScale.sums(heat.scale, heat.values);
		heat.darkness = darknessOf(heat.cells.map((value) => Math.max(0, value)));
	}

	function setValues(heat, values, isEstimate = false) {
		heat.values = values;
		heat.isEstimate = isEstimate;
		sumUp(heat);
	}

	/* If the map does not show the whole time: "1 h 2 min 0 s to 2 h 2 min 0 s, columns of 10 s". */
	function scaleText(heat) {
		const { scale } = heat, [from] = FlameScale.columnSpan(scale, FlameScale.firstSlot(scale, scale.begin * heat.slots));
		const to = FlameScale.firstSlot(scale, (scale.begin + scale.columns) * heat.slots - 1) + scale.factor;
		return 'shown: ' + timeText(heat, from) + ' to ' + timeText(heat, Math.min(to, heat.count)) + ', columns of ' +
			lengthText(FlameScale.cellNs(scale) * heat.slots);
	}

	/* Axes: 0 and a whole column upwards; times along the bottom as far apart as they need, with their unit at the left. */
	function drawAxes(heat, context, size) {
		const { height, across, width } = size, { scale } = heat;
		const length = heat.slots * FlameScale.cellNs(scale), start = FlameScale.beginNs(scale);
		context.fillStyle = heat.colors.soft;
		context.font = '11px system-ui, sans-serif';
		context.textAlign = 'right';
		context.textBaseline = 'middle';
		context.fillText(lengthText(length), LEFT - 5, TOP + 6);
		context.fillText('0', LEFT - 5, height - BOTTOM - 4);
		context.textAlign = 'left';
		const { unit, ticks } = axisOf(scale.columns * length, scale.columns * across / LABEL, start), y = height - BOTTOM / 2 + 1;
		for (const { ns, text } of ticks) {
			const x = LEFT + (ns - start) / length * across;
			if (x < width - LABEL / 2)
				context.fillText(text, x + 1, y);
		}
		context.textAlign = 'right';
		context.fillText(unit, LEFT - 5, y);
		context.textAlign = 'left';
	}

	/* Dashed: the span that the chosen one is compared with. */
	function drawRange(heat, context, size, { from, to }, isDashed) {
		const { slots, cells } = heat, first = Math.max(0, shownCell(heat, from)), last = Math.min(cells.length - 1, shownCell(heat, to));
		context.setLineDash(isDashed ? [3, 3] : []);
		context.strokeStyle = isDashed ? heat.colors.ink : heat.colors.focus;
		context.lineWidth = 2;
		for (let column = Math.floor(first / slots); column <= Math.floor(last / slots); column++) {
			const low = Math.max(first, column * slots), high = Math.min(last, column * slots + slots - 1);
			const x = LEFT + column * size.across, y = size.height - BOTTOM - (high % slots + 1) * size.up;
			const tall = (high - low + 1) * size.up;
			context.globalAlpha = 0.18;
			context.fillStyle = heat.colors.focus;
			context.fillRect(x, y, size.across, tall);
			context.globalAlpha = 1;
			context.beginPath(); /* no edge next to another chosen cell */
			if (column === Math.floor(first / slots) || low > first)
				context.rect(x, y, 0.01, tall);
			context.moveTo(x, y);
			context.lineTo(x + size.across, y);
			context.moveTo(x, y + tall);
			context.lineTo(x + size.across, y + tall);
			if (column === Math.floor(last / slots))
				context.rect(x + size.across, y, 0.01, tall);
			context.stroke();
		}
		context.setLineDash([]);
		context.lineWidth = 1;
	}

	function draw(heat) {
		const size = sizes(heat), { width, height, across, up } = size;
		if (!heat.colors || width <= 0)
			return;
		const context = FlamePaint.pen(heat.canvas, width, height);
		context.fillStyle = heat.colors.panel;
		context.fillRect(0, 0, width, height);
		const shades = Array.from({ length: SHADES + 1 }, (_, i) =>
			FlamePaint.between(heat.colors['heat-low'], heat.colors['heat-high'], i / SHADES));
		for (let cell = 0; cell < heat.cells.length; cell++) {
			const { x, y } = placeOf(heat, cell, size), value = heat.cells[cell];
			if (value < 0)
				continue;
			context.fillStyle = value ? shades[Math.round(SHADES * heat.darkness.get(value))] : heat.colors.page;
			context.fillRect(x, y, across > 4 ? across - 1 : across + 0.3, up + 0.3);
		}
		drawAxes(heat, context, size);
		if (heat.other)
			drawRange(heat, context, size, heat.other, true);
		if (heat.from >= 0)
			drawRange(heat, context, size, heat, false);
		const cursor = shownCell(heat, heat.cursor);
		if (document.activeElement === heat.canvas && cursor >= 0 && cursor < heat.cells.length) {
			const { x, y } = placeOf(heat, cursor, size);
			context.strokeStyle = heat.colors.ink;
			context.strokeRect(x - 1, y - 1, Math.max(across, 3) + 1, Math.max(up, 2) + 2);
		}
	}

	return { create, draw, setValues, setScale, zoom, scaleText, timeText, lengthText, axisOf, darknessOf };
})();
if (typeof module !== 'undefined')
	module.exports = FlameHeat;
