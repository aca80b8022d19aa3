/**
 * Some of the language's own functions throw at a text that they cannot read, yet the bundler counts them as free of
 * effects: `try { decodeURIComponent(path); return true; }` loses its call, since nobody asks for the value, and is true for
 * every path. Called as a property of the global object they are functions like any other, and the call stays.
 */
import type { Plugin } from 'vite';

const throwing = ['decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'String.fromCodePoint'];

export function keptChecks(): Plugin {
  const define = Object.fromEntries(throwing.map((name) => [name, `globalThis.${name}`]));
  return { name: 'kept-checks', config: () => ({ define }) };
}
