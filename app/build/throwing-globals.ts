/**
 * The bundler drops calls whose result is unused, even if they are made because they may throw, as in `try {
 * decodeURIComponent(path); return true; }`. Upstream fixed this only for literal arguments
 * (https://github.com/oxc-project/oxc/pull/23917). This plugin writes `globalThis.` before these functions: such calls
 * are kept.
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
  return { name: 'throwing-globals', config: () => ({ define }) };
}
