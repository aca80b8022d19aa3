/**
 * The grid (app/ui/grid-table.tsx) uses its table library for choosing, ordering, pinning and resizing columns. The
 * library also imports what its filters, its editing, its paging and its long lists need, two fifths of all its code,
 * and no bundler can see that these are switched off: here they are left out of the browser's build.
 */
import type { Plugin } from 'vite';

const library = /\/mantine-react-table\/dist\//;

/** By package, the names that are left out. One that is used after all says so instead of showing nothing. */
const leftOut: Record<string, string[]> = {
  '@mantine/core': [
    'Autocomplete',
    'MultiSelect',
    'Select',
    'TextInput',
    'RangeSlider',
    'Highlight',
    'CopyButton',
    'Indicator',
    'Modal',
    'Pagination',
    'Checkbox',
    'Radio',
    'Skeleton',
    'Popover',
  ],
  '@mantine/dates': ['DateInput'],
  '@tanstack/match-sorter-utils': ['compareItems', 'rankItem', 'rankings'],
  '@tanstack/react-virtual': ['defaultRangeExtractor', 'useVirtualizer'],
};

export function slimGrid(): Plugin {
  const prefix = '\0grid-parts:';
  return {
    name: 'slim-grid',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: (source, importer) =>
      source in leftOut && importer && library.test(importer) ? prefix + source : undefined,
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const source = id.slice(prefix.length);
      const missing = (leftOut[source] ?? []).map((name) => `export const ${name} = () => leftOut('${name}');`);
      return [
        // Names that are exported here win over those of the package.
        `export * from '${source}';`,
        `const leftOut = (name) => { throw new Error(name + ' is left out of the grid'); };`,
        ...missing,
      ].join('\n');
    },
  };
}
