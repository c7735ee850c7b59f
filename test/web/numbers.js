/* Numbers as pages have them: src/report/flame/flame_numbers.h. */
'use strict';
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function number(value) {
	let text = '';
	do {
		const digit = value % 32;
		value = Math.floor(value / 32);
		text += DIGITS[digit + (value ? 32 : 0)];
	} while (value);
	return text;
}

module.exports = { number, numbers: (...values) => values.map(number).join('') };
