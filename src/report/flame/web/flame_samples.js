/* The samples behind a page: which are chosen (an event, a span of time), how they are grouped, and the tree that this makes.
 * report/flame/flame_samples.h describes the data. */
'use strict';
const FlameSamples = (function () {
	const KIND_GROUP = 0;

	/* A typed array that grows. */
	function growing(Kind, room) {
		let items = new Kind(room);
		return {
			set(i, value) {
				if (i >= items.length) {
					const larger = new Kind(2 * i + 16);
					larger.set(items);
					items = larger;
				}
				items[i] = value;
			},
			all: () => items,
		};
	}

	function readRows(text, scale) {
		const { more, number } = FlameModel.reader(text), most = Math.floor(text.length / 7);
		const rows = { count: 0, weight: new Float64Array(most), samples: new Float64Array(most) };
		for (const name of ['node', 'thread', 'cpu', 'cgroup', 'event'])
			rows[name] = new Int32Array(most);
		let node = 0;
		while (more()) {
			const i = rows.count++;
			node += number();
			rows.node[i] = node;
			rows.thread[i] = number();
			rows.cpu[i] = number();
			rows.cgroup[i] = number();
			rows.event[i] = number();
			rows.samples[i] = number();
			rows.weight[i] = number() * scale;
		}
		return rows;
	}

	/* Weights are those of all samples, estimated if there is only one of each `every`; `samples` counts those that are there. */
	function readTimes({ times: text, row_scale: scale, usual, every = 1 }) {
		const { more, number } = FlameModel.reader(text), most = Math.floor(text.length / 3);
		const times = {
			count: 0, slot: new Int32Array(most), row: new Int32Array(most),
			samples: new Float64Array(most), weight: new Float64Array(most),
		};
		let slot = 0;
		while (more()) {
			const i = times.count++;
			slot += number();
			times.slot[i] = slot;
			times.row[i] = number();
			const samples = number();
			times.samples[i] = Math.floor(samples / 2);
			times.weight[i] = (samples % 2 ? number() : usual * times.samples[i]) * scale * every;
		}
		times.slots = times.count ? slot + 1 : 0;
		return times;
	}

	/* All samples of each slot, null if they are not written; no less slots than `least`. */
	function readSlotCounts(text, least) {
		const { more, number } = FlameModel.reader(text || ''), counts = growing(Float64Array, least);
		let count = 0;
		while (more())
			counts.set(count++, number());
		return text ? counts.all().subarray(0, Math.max(count, least)) : null;
	}

	/* The stacks of the base tree without its groups: { parent, frame } by number, and the number of each node; 0 for node
	 * 0 and for groups. */
	function withoutGroups(base, isGroup) {
		const bare = new Int32Array(base.count), parent = new Int32Array(base.count), frame = new Int32Array(base.count);
		let count = 1, capacity = 1;
		while (capacity < 2 * base.count)
			capacity *= 2;
		const slots = new Int32Array(capacity), mask = capacity - 1;
		frame[0] = -1;
		for (let i = 1; i < base.count; i++) {
			if (isGroup(base.frame[i]))
				continue;
			const above = bare[base.parent[i]], what = base.frame[i];
			let slot = Math.imul(above, 0x9e3779b1) ^ Math.imul(what + 1, 0x85ebca6b);
			slot = (slot ^ slot >>> 15) & mask;
			while (slots[slot] && (parent[slots[slot]] !== above || frame[slots[slot]] !== what))
				slot = slot + 1 & mask;
			if (!slots[slot]) {
				slots[slot] = count;
				parent[count] = above;
				frame[count++] = what;
			}
			bare[i] = slots[slot];
		}
		return { count, parent, frame, bare };
	}

	/* `kinds` are by frame. */
	function open(data, base, kinds) {
		const rows = readRows(data.rows, data.row_scale), times = readTimes(data);
		const slotCounts = readSlotCounts(data.slot_counts, times.slots);
		const frameOf = {
			comm: (row) => data.threads[rows.thread[row]][2], pid: (row) => data.threads[rows.thread[row]][3],
			tid: (row) => data.threads[rows.thread[row]][4], cpu: (row) => data.cpus[rows.cpu[row]][1],
			cgroup: (row) => data.cgroups[rows.cgroup[row]], event: (row) => data.events[rows.event[row]][1],
		};
		data.rows = data.times = data.slot_counts = '';
		times.slots = slotCounts ? slotCounts.length : times.slots;
		return {
			base, kinds, rows, times, frameOf, slotCounts, slots: times.slots, every: data.every || 1, hasOneEvent: data.events.length < 2,
			stacks: null,
		};
	}

	/* The first entry of a slot, or of one after it. */
	function firstOf(times, slot) {
		let low = 0, high = times.count;
		while (low < high) {
			const middle = low + high >> 1;
			if (times.slot[middle] < slot)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	/* The entries of a span: the numbers of the first, and of the one after the last. */
	function entriesOf(times, { from, to }) {
		return from < 0 ? [0, times.count] : [firstOf(times, from), firstOf(times, to + 1)];
	}

	/* The sums of each row: { samples, weight } by row. `to` is the last slot; `from` -1: the whole time. */
	function sumsOf({ rows, times }, { event, from, to, weigh }) {
		let samples = new Float64Array(rows.count), weight = new Float64Array(rows.count);
		if (from < 0) {
			samples = rows.samples.slice(0, rows.count);
			weight = rows.weight.slice(0, rows.count);
		} else {
			for (let [i, end] = entriesOf(times, { from, to }); i < end; i++) {
				samples[times.row[i]] += times.samples[i];
				weight[times.row[i]] += times.weight[i];
			}
		}
		for (let row = 0; row < rows.count; row++)
			if (event >= 0 && rows.event[row] !== event)
				samples[row] = weight[row] = 0;
		return { samples, weight: weigh === 'samples' ? samples : weight };
	}

	/* Returns a function that gives the node of a row's innermost group; nodes are made at the first row that has them. */
	function groupNodes({ frameOf }, by, nodes) {
		const known = new Map();
		return (row) => {
			let node = 0;
			for (const word of by) {
				const frame = frameOf[word](row), key = node * 0x4000000 + frame;
				let child = known.get(key);
				if (child === undefined) {
					child = nodes.add(node, frame);
					known.set(key, child);
				}
				node = child;
			}
			return node;
		};
	}

	function newNodes() {
		const parent = growing(Int32Array, 1024), frame = growing(Int32Array, 1024);
		const self = growing(Float64Array, 1024), own = growing(Float64Array, 1024);
		const nodes = {
			count: 0,
			add(above, what) {
				const i = nodes.count++;
				parent.set(i, above);
				frame.set(i, what);
				self.set(i, 0);
				own.set(i, 0);
				return i;
			},
			addTo(node, weight, samples) {
				self.all()[node] += weight;
				own.all()[node] += samples;
			},
			arranged: () => FlameModel.arrange({
				count: nodes.count, parent: parent.all(), frame: frame.all(), self: self.all(), own: own.all(),
			}),
		};
		nodes.add(-1, -1);
		return nodes;
	}

	/* Rows with samples, those of one group one after another: { chosen, group: by row }. */
	function chooseRows(set, sums, other, groupOf) {
		const group = new Int32Array(set.rows.count), chosen = [];
		for (let row = 0; row < set.rows.count; row++)
			if (sums.samples[row] || other?.samples[row]) {
				group[row] = groupOf(row);
				chosen.push(row);
			}
		chosen.sort((a, b) => group[a] - group[b] || a - b);
		return { chosen, group };
	}

	/* The tree of a choice: { event: number, -1 for all; from, to: slots; by: words of groups; weigh }. Rows come group by
	 * group, so one number per stack tells whether the group has it already. With `other`, { from, to }, the tree also has
	 * the nodes of that span, as FlameSpans.compare() needs them: tree.leaf by row, tree.other as from sumsOf(). */
	function build(set, choice, other = null) {
		set.stacks = set.stacks || withoutGroups(set.base, (frame) => set.kinds[frame] === KIND_GROUP);
		const { stacks, rows } = set, sums = sumsOf(set, choice), nodes = newNodes();
		const others = other && sumsOf(set, { ...choice, ...other }), leaf = other && new Int32Array(rows.count);
		const { chosen, group } = chooseRows(set, sums, others, groupNodes(set, choice.by, nodes));
		const node = new Int32Array(stacks.count), inGroup = new Int32Array(stacks.count).fill(-1), missing = [];
		for (const row of chosen) {
			let at = stacks.bare[rows.node[row]];
			for (; at && inGroup[at] !== group[row]; at = stacks.parent[at])
				missing.push(at);
			let above = at ? node[at] : group[row];
			while (missing.length) {
				at = missing.pop();
				inGroup[at] = group[row];
				above = node[at] = nodes.add(above, stacks.frame[at]);
			}
			nodes.addTo(above, sums.weight[row], sums.samples[row]);
			if (leaf)
				leaf[row] = above;
		}
		const { tree, place } = nodes.arranged();
		return other ? Object.assign(tree, { leaf: leaf.map((at) => place[at]), other: others }) : tree;
	}

	/* Is the number of samples in each slot an estimate? */
	const isEstimate = ({ every, slotCounts, hasOneEvent }, event, found) =>
		every > 1 && !(slotCounts && !found && (event < 0 || hasOneEvent));

	/* Samples in each slot; of stacks with a frame for which `found` has a 1, unless it is null. */
	function perSlot(set, event, found) {
		const { base, kinds, rows, times, every } = set;
		if (every > 1 && !isEstimate(set, event, found))
			return set.slotCounts;
		const slots = new Float64Array(times.slots), hit = found ? new Uint8Array(base.count) : null;
		for (let i = 1; found && i < base.count; i++)
			hit[i] = hit[base.parent[i]] | (kinds[base.frame[i]] === KIND_GROUP ? 0 : found[base.frame[i]]);
		for (let i = 0; i < times.count; i++) {
			const row = times.row[i];
			if ((event < 0 || rows.event[row] === event) && (!hit || hit[rows.node[row]]))
				slots[times.slot[i]] += times.samples[i] * every;
		}
		return slots;
	}

	return { open, build, perSlot, isEstimate, entriesOf };
})();
if (typeof module !== 'undefined')
	module.exports = FlameSamples;
