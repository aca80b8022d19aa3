/** Loaded first by a process: shifts its clock by the seconds in CLOCK_FILE, reread on SIGUSR2. */
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_FILE ?? '';
let ahead = 0;

const Real = Date;
const now = () => Real.now() + ahead * 1_000;
globalThis.Date = new Proxy(Real, {
  construct: (_, words, target) => Reflect.construct(Real, words.length > 0 ? words : [now()], target),
  apply: () => new Real(now()).toString(),
  get: (_, name) => (name === 'now' ? now : Reflect.get(Real, name)),
});

process.on('SIGUSR2', () => {
  ahead = Number(readFileSync(file, 'utf8'));
});
