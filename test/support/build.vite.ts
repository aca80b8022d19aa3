/**
 * Vite plugin that wraps the build of the screens in a factory function. A build stays bound to the first school that
 * it serves, but tests need one per school. Importing the build again under another name would make Vite transform 2 MB
 * each time (2 s).
 */
import type { Plugin } from 'vite';

/** Suffix for the import. The module then exports `{ make(): Promise<exports of the build> }`. */
export const asFunction = '?as-function';

export function buildAsFunction(): Plugin {
  return {
    name: 'build-as-function',
    enforce: 'pre',
    transform: {
      filter: { id: /\/build\/server\/index\.js\?as-function$/ },
      handler(code) {
        const [imports = ''] = /^(?:import .*;\n)+/.exec(code) ?? [];
        const [exports = '', named] = /^export \{ (.*) \};\s*$/m.exec(code) ?? [];
        if (!imports || !named) throw new Error('the build does not begin with its imports and end with its exports');
        const body = code.slice(imports.length, -exports.length);
        const answered = named.split(', ').map((one) => {
          const [own = '', exported = own] = one.split(' as ');
          return `${exported}: ${own}`;
        });
        return {
          code: `${imports}export async function make() {\n${body}\nreturn { ${answered.join()} };\n}\n`,
          map: null,
        };
      },
    },
  };
}
