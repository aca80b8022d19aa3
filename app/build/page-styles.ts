/**
 * Vite plugin that reduces the browser bundle of each route to its style sheets. No page is hydrated as a whole, yet
 * the router bundles each route for the browser and learns from that bundle which sheets to link.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Plugin, parseSync } from 'vite';

/** Suffix that the router adds to a route file to make it an entry of the browser build. */
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
  // Runs after the router rewrites route entries, and after Vite turns sheets into modules.
  enforce: 'post',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    // Keeps a sheet even if no script reads its class names.
    if (id.endsWith('.module.css')) return { code, map: null, moduleSideEffects: 'no-treeshake' };
    if (!id.endsWith(entry)) return undefined;
    const sheets = sheetsOf(id.slice(0, -entry.length)).map((sheet) => `import ${JSON.stringify(sheet)};\n`);
    return { code: sheets.join(''), map: { mappings: '' } };
  },
});
