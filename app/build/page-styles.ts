/**
 * Leaves a page's stylesheets, and nothing else of it, in the browser's build: no page is hydrated, yet the router bundles
 * each route for the browser and learns from that bundle which sheets the page links.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Plugin, parseSync } from 'vite';

/** Suffix that the router gives a route's file as an entry of the browser's build. */
const entry = '?__react-router-build-client-route';

/** Lists the sheets of a file and its imports, in the order in which they apply. */
function sheetsOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  if (file.endsWith('.css')) return [file];
  if (!/(?<!\.server)\.tsx?$/.test(file)) return [];
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  return module.staticImports.flatMap(({ moduleRequest: { value }, entries }) => {
    const isTyped = entries.length > 0 && entries.every(({ isType }) => isType);
    return value.startsWith('.') && !isTyped ? sheetsOf(path.join(path.dirname(file), value), seen) : [];
  });
}

export const pageStyles = (): Plugin => ({
  name: 'page-styles',
  apply: 'build',
  // After the router, which writes the entry of a route anew, and after Vite has made scripts of sheets.
  enforce: 'post',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    // A sheet stays also where no script reads its class names.
    if (id.endsWith('.module.css')) return { code, map: null, moduleSideEffects: 'no-treeshake' };
    if (!id.endsWith(entry)) return undefined;
    const sheets = sheetsOf(id.slice(0, -entry.length)).map((sheet) => `import ${JSON.stringify(sheet)};\n`);
    return { code: sheets.join(''), map: { mappings: '' } };
  },
});
