/* How each thread spent its time: one lane per thread, time from left to right. The sample of a wait is taken when the wait is
 * over and says how long it was, so it is drawn to the left of its slot's end; later samples are placed first. */
'use strict';
const FlameLanes = (function () {
	const MOST = 50, HEIGHT = 16, COLUMN = 2; /* lanes; pixels */
	const RUN = 0, READY = 1, OTHER = 5;

	/* From the bottom of a lane up: its class of style, words. */
	const STATES = [
		['run', 'running'], ['ready', 'waiting for a CPU'], ['disk', 'in disk sleep'], ['sleep', 'asleep'], ['stop', 'stopped'],
		['other', 'blocked'],
	];
	const STATE_OF = { preempted: READY, runqueue: READY, disk: 2, sleeping: 3, stopped: 4 };

	/* Events whose weight is nanoseconds in which a thread ran. */
	const isClock = (name) => /^(?:cpu|task|wall)-clock(?![\w-])/.test(name);

	/* The event that says when threads ran: a clock, or else the one with most samples; -1: there is none. */
	function runningEvent(rows, states, events) {
		const samples = new Float64Array(events.length);
		for (let row = 0; row < rows.count; row++)
			if (states[row] === RUN)
				samples[rows.event[row]] += rows.samples[row];
		const clock = events.findIndex(([name], event) => samples[event] && isClock(name));
		const most = samples.indexOf(Math.max(...samples));
		return clock >= 0 ? clock : samples[most] ? most : -1;
	}

	function readStates(data, count) {
		const { number } = FlameModel.reader(data.row_states), states = new Uint8Array(count);
		for (let row = 0; row < count; row++) {
			const state = number();
			states[row] = state ? STATE_OF[data.states[state - 1]] || OTHER : RUN;
		}
		return states;
	}

	/* Lanes of the rows' threads, and by row the number of its lane; -1: the row's event says nothing here. */
	function makeLanes(rows, states, data, event) {
		const lanes = [], laneOf = new Int32Array(rows.count).fill(-1), known = new Map();
		for (let row = 0; row < rows.count; row++) {
			const frame = data.threads[rows.thread[row]][4];
			if (states[row] === RUN && rows.event[row] !== event)
				continue;
			if (!known.has(frame)) {
				known.set(frame, lanes.length);
				lanes.push({ frame, events: new Set(), from: [], to: [], state: [] });
			}
			laneOf[row] = known.get(frame);
			lanes[laneOf[row]].events.add(rows.event[row]);
		}
		return { lanes, laneOf };
	}

	/* Entries of time lane by lane, each in order of time: the first of lane i is order[first[i]]. */
	function sortByLane(times, laneOf, count) {
		const first = new Int32Array(count + 1), order = new Int32Array(times.count);
		for (let i = 0; i < times.count; i++)
			if (laneOf[times.row[i]] >= 0)
				first[laneOf[times.row[i]] + 1]++;
		for (let lane = 0; lane < count; lane++)
			first[lane + 1] += first[lane];
		const next = first.slice();
		for (let i = 0; i < times.count; i++)
			if (laneOf[times.row[i]] >= 0)
				order[next[laneOf[times.row[i]]]++] = i;
		return { first, order };
	}

	/* Places what one slot has of each state, from its end to the left: a thread that is back from a wait runs. If running
	 * has no length of its own, it takes what the waits leave of the slot. Returns where the next earlier piece has to end. */
	function layDown(lane, slot, sums, slotNs, isLoose, latest) {
		let end = Math.min((slot + 1) * slotNs, latest);
		for (let state = 0; state < STATES.length; state++) {
			const isWhole = isLoose && state === RUN;
			if (!sums[state])
				continue;
			lane.from.push(isWhole ? slot * slotNs : end - sums[state]);
			lane.to.push(isWhole ? (slot + 1) * slotNs : end);
			lane.state.push(state);
			end -= isWhole ? 0 : sums[state];
		}
		return end;
	}

	/* Pieces of one lane, the last first; in nanoseconds since the first slot began. */
	function fill(lane, entries, { times }, states, slotNs, isLoose) {
		const sums = new Float64Array(STATES.length);
		let latest = Infinity;
		for (let i = entries.length - 1; i >= 0;) {
			const slot = times.slot[entries[i]];
			sums.fill(0);
			for (; i >= 0 && times.slot[entries[i]] === slot; i--)
				sums[states[times.row[entries[i]]]] += times.weight[entries[i]];
			latest = layDown(lane, slot, sums, slotNs, isLoose, latest);
		}
	}

	/* `set` comes from FlameSamples.open(). */
	function open(set, data) {
		const states = readStates(data, set.rows.count), event = runningEvent(set.rows, states, data.events);
		const isLoose = event >= 0 && !isClock(data.events[event][0]);
		const { lanes, laneOf } = makeLanes(set.rows, states, data, event);
		const { first, order } = sortByLane(set.times, laneOf, lanes.length);
		lanes.forEach((lane, i) => fill(lane, order.subarray(first[i], first[i + 1]), set, states, data.slot_ns, isLoose));
		data.row_states = '';
		return { lanes, isLoose, slots: set.slots, slotNs: data.slot_ns, shift: data.first_slot % data.slots };
	}

	/* Nanoseconds of each state in `count` columns from `from` on, `width` nanoseconds each: column * 6 + state. */
	function columnsOf(lane, isLoose, from, width, count) {
		const sums = new Float64Array(count * STATES.length), size = STATES.length;
		for (let i = 0; i < lane.state.length; i++) {
			const begin = Math.max(lane.from[i], from), end = Math.min(lane.to[i], from + count * width);
			for (let column = Math.floor((begin - from) / width); column < count && from + column * width < end; column++)
				sums[column * size + lane.state[i]] += Math.max(0,
					Math.min(end, from + (column + 1) * width) - Math.max(begin, from + column * width));
		}
		for (let at = 0; isLoose && at < sums.length; at += size)
			sums[at] = Math.min(sums[at], Math.max(0, width - sums.subarray(at + 1, at + size).reduce((a, b) => a + b)));
		return sums;
	}

	/* The one with most time first; if times differ by less than 2% of the span, the one that ran more. */
	function ranked(opened, from, to) {
		const all = opened.lanes.map((lane) => {
			const sums = columnsOf(lane, opened.isLoose, from, to - from, 1);
			return { lane, sums, total: sums.reduce((a, b) => a + b) };
		}).filter((one) => one.total > 0);
		const step = (one) => Math.round(one.total * 50 / (to - from));
		return all.sort((a, b) => step(b) - step(a) || b.sums[RUN] - a.sums[RUN] || a.lane.frame - b.lane.frame);
	}

	/* The outline of each state as the path of an SVG; equal columns side by side are one rectangle. */
	function outlines(columns, width) {
		const size = STATES.length, paths = STATES.map(() => ''), begun = STATES.map(() => null);
		const close = (state) => {
			const { x, end, top, tall } = begun[state];
			paths[state] += 'M' + x + ' ' + top + 'h' + (end - x) + 'v' + tall + 'h' + (x - end) + 'z';
			begun[state] = null;
		};
		for (let column = 0; column < columns.length / size; column++)
			for (let state = 0, share = 0; state < size; state++) {
				const below = Math.round(share * HEIGHT * 2) / 2, x = column * COLUMN, part = begun[state];
				share = Math.min(1, share + columns[column * size + state] / width);
				const above = Math.round(share * HEIGHT * 2) / 2, top = HEIGHT - above, tall = above - below;
				if (part && part.end === x && part.top === top && part.tall === tall) {
					part.end = x + COLUMN;
					continue;
				}
				if (part)
					close(state);
				begun[state] = tall ? { x, end: x + COLUMN, top, tall } : null;
			}
		begun.forEach((part, state) => part && close(state));
		return paths;
	}

	/* "12.5% running, 87.5% asleep" */
	function words(sums, length) {
		return STATES.map(([, name], state) => [sums[state] * 100 / length, name]).filter(([share]) => share >= 0.05)
			.map(([share, name]) => share.toFixed(1) + '% ' + name).join(', ');
	}

	/* --- on the page ------------------------------------------------------------------------------------------- */

	function element(name, className, text) {
		const made = document.createElement(name);
		made.className = className;
		made.textContent = text || '';
		return made;
	}

	function picture(width, paths) {
		const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
		svg.setAttribute('viewBox', '0 0 ' + width + ' ' + HEIGHT);
		svg.setAttribute('preserveAspectRatio', 'none');
		svg.setAttribute('aria-hidden', 'true');
		paths.forEach((outline, state) => {
			const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
			path.setAttribute('class', 'lane-' + STATES[state][0]);
			path.setAttribute('d', outline);
			if (outline)
				svg.append(path);
		});
		return svg;
	}

	function makeRow(view, one, from, to, count) {
		const { lane, sums } = one, row = element('div', 'lane'), width = (to - from) / count;
		const columns = columnsOf(lane, view.opened.isLoose, from, width, count), said = words(sums, to - from);
		row.setAttribute('role', 'option');
		row.title = view.names[lane.frame] + ': ' + said;
		row.append(element('span', 'lane-name', view.names[lane.frame]), picture(count * COLUMN, outlines(columns, width)),
			element('span', 'lane-words', said));
		row.addEventListener('click', () => view.on.choose(lane));
		row.addEventListener('focus', () => moveTo(view, view.shown.indexOf(lane), false));
		view.rows.append(row);
	}

	/* One lane is in the order of Tab, arrow keys lead to the others. */
	function moveTo(view, number, focuses) {
		const rows = [...view.rows.children];
		view.at = Math.max(0, Math.min(number, rows.length - 1));
		rows.forEach((row, i) => { row.tabIndex = i === view.at ? 0 : -1; });
		if (focuses && rows.length)
			rows[view.at].focus();
	}

	function key(view, event) {
		const to = { ArrowDown: view.at + 1, ArrowUp: view.at - 1, Home: 0, End: view.shown.length - 1 }[event.key];
		if (event.altKey || event.ctrlKey || event.metaKey)
			return;
		if (to !== undefined)
			moveTo(view, to, true);
		else if (event.key === 'Enter' || event.key === ' ')
			view.on.choose(view.shown[view.at]);
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	}

	function fillLegend(list) {
		for (const [name, text] of STATES) {
			const item = document.createElement('li');
			item.append(picture(22, STATES.map(([other]) => (other === name ? 'M0 0h22v' + HEIGHT + 'h-22z' : ''))), text);
			list.append(item);
		}
	}

	/* `section` has an element for each class used here; `on.choose(lane)` is called for a click and for Enter. */
	function create(section, opened, names, on) {
		const part = (name) => section.querySelector('.' + name);
		const view = {
			section, opened, names, on, rows: part('lane-rows'), title: part('lane-title'), axis: part('lane-axis'), shown: [], at: 0,
		};
		fillLegend(part('lane-legend'));
		view.rows.addEventListener('keydown', (event) => key(view, event));
		return view;
	}

	function titleOf(all, count) {
		const sum = (some) => some.reduce((total, one) => total + one.total, 0), rest = all.slice(count);
		if (!rest.length)
			return 'Time of ' + count + (count === 1 ? ' thread' : ' threads');
		return 'Time of the ' + count + ' threads that have most; ' + (sum(rest) * 100 / sum(all)).toFixed(1) + '% is of ' + rest.length +
			(rest.length === 1 ? ' other' : ' others');
	}

	/* Makes the lanes of slots `from` to `to`; from -1: of the whole time. */
	function draw(view, from, to) {
		const { opened } = view, first = from < 0 ? 0 : from, last = from < 0 ? opened.slots - 1 : to;
		const start = first * opened.slotNs, stop = (last + 1) * opened.slotNs, all = ranked(opened, start, stop), top = all.slice(0, MOST);
		const had = view.rows.contains(document.activeElement) ? view.shown[view.at] : null;
		const count = Math.max(50, Math.min(600, Math.floor(view.rows.clientWidth * 0.52 / COLUMN)));
		view.shown = top.map((one) => one.lane);
		view.rows.replaceChildren();
		top.forEach((one) => makeRow(view, one, start, stop, count));
		view.title.textContent = titleOf(all, top.length);
		view.axis.replaceChildren(...[first, last + 1].map((slot) => element('span', '', FlameHeat.timeText(opened, slot))));
		moveTo(view, had ? view.shown.indexOf(had) : 0, Boolean(had));
	}

	/* Draws unless it is drawn already. `selected`: the frame of the chosen thread; -1: none. */
	function show(view, { from, to, selected }) {
		const drawn = [from, to, view.rows.clientWidth].join();
		if (view.drawn !== drawn) {
			view.drawn = drawn;
			draw(view, from, to);
		}
		view.shown.forEach((lane, i) => view.rows.children[i].setAttribute('aria-selected', String(lane.frame === selected)));
	}

	const focus = (view) => moveTo(view, view.at, true);

	return { open, columnsOf, ranked, outlines, words, create, show, focus };
})();
if (typeof module !== 'undefined')
	module.exports = FlameLanes;
