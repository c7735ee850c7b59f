/* The basic blocks of a function, as rows of a table. report/flame/flame_blocks.h describes the data. */
'use strict';
const FlameBlocks = (function () {
	/* By function, as `same` numbers frames: its blocks, the most expensive first. */
	function open(data, same) {
		const blocks = new Map();
		for (const [frame, ...block] of data.blocks) {
			if (!blocks.has(same[frame]))
				blocks.set(same[frame], []);
			blocks.get(same[frame]).push(block);
		}
		data.blocks = [];
		return blocks;
	}

	const figure = (number) => (number === null ? '-' : number.toFixed(2));

	/* The cells of a row, as in xprof report --blocks. */
	function cells([offset, bytes, percent, executions, instructions, cycles, ipc, line]) {
		return [percent.toFixed(2) + '%', String(executions), String(instructions), figure(cycles), figure(ipc),
			'+0x' + offset.toString(16) + ' (' + bytes + ' bytes)', line];
	}

	function fill(body, blocks) {
		body.replaceChildren(...blocks.map((block) => {
			const row = document.createElement('tr');
			for (const words of cells(block))
				row.insertCell().textContent = words;
			return row;
		}));
	}

	return { open, cells, fill };
})();
if (typeof module !== 'undefined')
	module.exports = FlameBlocks;
