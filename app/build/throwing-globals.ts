/**
 * The bundler drops a call of these whose value nobody uses, even in `try { decodeURIComponent(path); return true; }`. It was
 * mended for literal arguments alone (https://github.com/oxc-project/oxc/pull/23917); `globalThis.…` is kept.
 */
import type { Plugin } from 'vite';

const throwing = ['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'String.fromCodePoint'];

export function throwingGlobals(): Plugin {
  const define = Object.fromEntries(throwing.map((name) => [name, `globalThis.${name}`]));
  return { name: 'kept-checks', config: () => ({ define }) };
}
