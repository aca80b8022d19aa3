/**
 * The build of the screens serves the first school that it meets, and a test wants one for each of its schools. Imported
 * anew under another name it is read and changed by vite each time, which took two seconds of two megabytes; here it is a
 * function, which makes it as often as it is called.
 */
import type { Plugin } from 'vite';

/** To be imported with: `{ make(): Promise<what the build exports> }`. */
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
