// Reads exported profiles with the readers that viewers ship.
//
// usage: export_viewers.js pprof FILE | speedscope FILE
//
// pprof: prints "FUNCTION<tab>SELF<tab>TOTAL" of pprof-format's decoder, as export_readers.py does. speedscope: prints what the
// schema in speedscope's package has to complain of.
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");

function readPprof(file) {
	const { Profile } = require("pprof-format");
	const profile = Profile.decode(zlib.gunzipSync(fs.readFileSync(file)));
	const text = (number) => profile.stringTable.strings[Number(number)];
	const functions = new Map(profile.function.map((f) => [Number(f.id), text(f.name)]));
	const places = new Map(profile.location.map((l) => [
		Number(l.id),
		l.line.length ? l.line.map((line) => functions.get(Number(line.functionId))) : ["[unknown]"],
	]));
	const self = new Map(), total = new Map();
	let sum = 0n;
	for (const sample of profile.sample) {
		const names = sample.locationId.flatMap((id) => places.get(Number(id)));
		const weight = BigInt(sample.value[1]);
		sum += weight;
		for (const name of new Set(names))
			total.set(name, (total.get(name) ?? 0n) + weight);
		self.set(names[0], (self.get(names[0]) ?? 0n) + weight);
	}
	const bytes = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
	const lines = [...total].map(([name, weight]) => `${name}\t${self.get(name) ?? 0}\t${weight}`).sort(bytes);
	return [...lines, `sum ${sum}`].join("\n");
}

function checkSpeedscope(file) {
	const Ajv = require("ajv");
	const folder = path.dirname(require.resolve("speedscope/package.json"));
	const schema = JSON.parse(fs.readFileSync(path.join(folder, "dist/release/file-format-schema.json")));
	const validate = new Ajv().compile(schema);
	return validate(JSON.parse(fs.readFileSync(file))) ? "valid" : JSON.stringify(validate.errors.slice(0, 3));
}

const [what, file] = process.argv.slice(2);
console.log(what === "pprof" ? readPprof(file) : checkSpeedscope(file));
