/**
 * The bundler drops unused calls of these even where they are called to throw, as in `try { decodeURIComponent(path);
 * return true; }`. Fixed upstream only for literal arguments (https://github.com/oxc-project/oxc/pull/23917);
 * `globalThis.…` is kept.
 */
import type { Plugin } from 'vite';

const throwingFunctions = [
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'String.fromCodePoint',
];

export function throwingGlobals(): Plugin {
  const define = Object.fromEntries(throwingFunctions.map((name) => [name, `globalThis.${name}`]));
  return { name: 'kept-checks', config: () => ({ define }) };
}
