/** Shared components of app/ui give all screens one look. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const app = path.resolve(import.meta.dirname, '../../app');
const textOf = new Map(
  readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|css)$/.test(file))
    .map((file) => [file, readFileSync(path.join(app, file), 'utf8')] as const),
);
const screens = [...textOf].filter(([file]) => file.endsWith('.tsx'));

it("no subject imports another's styles", () => {
  const taken = [...textOf].flatMap(([file, text]) =>
    [...text.matchAll(/from '(\.[^']+\.module\.css)'/g)]
      .map(([, name = '']) => path.join(path.dirname(file), name))
      .filter((styles) => !styles.startsWith('ui/') && styles.split('/')[0] !== file.split('/')[0])
      .map((styles) => `${file} imports ${styles}`),
  );
  expect(taken).toEqual([]);
});

it('a style sheet of ui/ is used through its component only', () => {
  const taken = [...textOf].flatMap(([file, text]) =>
    [...text.matchAll(/from '(\.[^']+\.css)'/g)]
      .map(([, name = '']) => path.join(path.dirname(file), name))
      .filter((styles) => styles.startsWith('ui/') && !file.startsWith('ui/'))
      .map((styles) => `${file} imports ${styles}`),
  );
  expect(taken).toEqual([]);
});

it('class names in components and style sheets match both ways', () => {
  const named = new Map<string, Set<string>>();
  const wrong: string[] = [];
  for (const [file, text] of textOf) {
    if (file.endsWith('.css')) continue;
    for (const [, name, from = ''] of text.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)) {
      const styles = path.join(path.dirname(file), from);
      const known = classesOf(textOf.get(styles) ?? '');
      const uses = named.get(styles) ?? new Set();
      for (const [, one = ''] of text.matchAll(new RegExp(`\\b${name}\\.(\\w+)\\b(?!\\.(?:module\\.)?css)`, 'g'))) {
        uses.add(one);
        if (!known.has(one)) wrong.push(`${file} names .${one}, which ${styles} does not have`);
      }
      // A class named by a variable may be any of the file.
      if (text.includes(`${name}[`)) for (const one of known) uses.add(one);
      named.set(styles, uses);
    }
  }
  for (const [file, text] of textOf) {
    if (!file.endsWith('.module.css')) continue;
    for (const one of classesOf(text)) if (!named.get(file)?.has(one)) wrong.push(`${file} has .${one} for nobody`);
  }
  expect(wrong).toEqual([]);
});

it('every screen is inside `Screen`, so dialogs make it inert', () => {
  const own = screens.filter(([, text]) => /<main\b/.test(text)).map(([file]) => file);
  expect(own.filter((file) => !/^grading\/desk\/|^homework\/publish\//.test(file))).toEqual(['ui/screen.tsx']);
});

it('only the shared list renders a pager', () => {
  const paged = screens.filter(([, text]) => /<Pager\b/.test(text)).map(([file]) => file);
  expect(paged).toEqual(['ui/list.tsx']);
});

/** Mantine imports: components, and props of wrappers. */
const takenFrom = (text: string): string[] =>
  [...text.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => name.trim() || []),
  );

it('every Mantine component in use has its style sheet', () => {
  const sheets = [...textOf].flatMap(([file, text]) =>
    file.endsWith('.css') ? [...text.matchAll(/"@mantine\/core\/styles\/(\w+)\.css"/g)].map(([, name]) => name) : [],
  );
  const without = ['MantineProvider', 'createTheme'];
  const fields = ['TextInput', 'Textarea', 'NativeSelect'];
  const shown = screens
    .flatMap(([, text]) => takenFrom(text))
    .filter((name) => !name.startsWith('type ') && !without.includes(name))
    .map((name) => (fields.includes(name) ? 'Input' : name));
  expect(shown.length).toBeGreaterThan(30);
  expect(shown.filter((name) => !sheets.includes(name))).toEqual([]);
});

function classesOf(css: string): Set<string> {
  const rules = css.replace(/\/\*.*?\*\//gs, '').replace(/:global\([^)]*\)/g, '');
  const selectors = [...rules.matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector);
  return new Set(
    selectors.filter((one) => !one.includes('@')).flatMap((one) => one.match(/(?<=\.)[A-Za-z]\w*/g) ?? []),
  );
}
