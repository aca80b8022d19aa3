import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const app = path.resolve(import.meta.dirname, '../../app');
const sources = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => [file, readFileSync(path.join(app, file), 'utf8')] as const);
const screens = sources.filter(([file]) => file.endsWith('.tsx'));

/** An element as it is written: its tag, its attributes, and the tags that it stands in. */
interface Written {
  file: string;
  tag: string;
  /** Their text; that of `name="x"` with its quotes. */
  attributes: Map<string, string>;
  within: string[];
}

function elementsOf(file: string, text: string): Written[] {
  const found: Written[] = [];
  const visit = (value: unknown, within: string[]): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, within);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    let around = within;
    if (value.type === 'JSXOpeningElement') return;
    if (value.type === 'JSXElement') {
      const { name, attributes } = (value as unknown as { openingElement: OpeningElement }).openingElement;
      const textOf = ({ start, end }: Span) => text.slice(start, end);
      found.push({
        file,
        tag: textOf(name),
        attributes: new Map(
          attributes.flatMap((one) => (one.name ? [[textOf(one.name), one.value ? textOf(one.value) : '']] : [])),
        ),
        within,
      });
      around = [...within, textOf(name)];
      for (const { value: held } of attributes) visit(held, around);
    }
    for (const part of Object.values(value)) visit(part, around);
  };
  visit(parseSync(file, text).program, []);
  return found;
}

interface Span {
  start: number;
  end: number;
}
interface OpeningElement {
  name: Span;
  attributes: { name?: Span; value?: Span | null }[];
}

const elements = screens.flatMap(([file, text]) => elementsOf(file, text));
const shown = ({ file, tag, attributes }: Written) => `${file}: <${tag} name=${attributes.get('name')}>`;

it('posts every form as `Form` does', () => {
  const posting = elements.filter(({ tag, attributes }) => tag === 'form' && attributes.get('method') === '"post"');
  expect(posting.map(({ file }) => file)).toEqual(['ui/form.tsx']);
});

it('says which button was pressed in `intent` alone', () => {
  /** What a GET form says is its address, and has the names of that. */
  const leading = ['form', 'AddressForm', 'FilterForm', 'PickerForm'];
  const named = elements.filter(
    ({ file, attributes, within }) =>
      !file.startsWith('ui/') &&
      attributes.get('type') === '"submit"' &&
      attributes.has('name') &&
      !within.some((tag) => leading.includes(tag)),
  );
  expect(named.length).toBeGreaterThan(5);
  const isIntent = ({ attributes }: Written) =>
    /^(?:"intent"|\{`\$\{prefix\}intent`\})$/.test(attributes.get('name') ?? '');
  expect(named.filter((one) => !isIntent(one)).map(shown)).toEqual([]);
});

it('reads `intent` in one place', () => {
  const readers = sources.filter(([, text]) =>
    /(?:get|getAll|has)\(\s*['"`](?:\$\{prefix\})?intent|textOf\([^)]*intent/.test(text),
  );
  expect(readers.map(([file]) => file)).toEqual(['lib/form-data.ts']);
});

it('reads forms without files in one place', () => {
  const readers = sources.filter(([, text]) => /\.formData\(/.test(text));
  expect(readers.map(([file]) => file)).toEqual(['shell/form-action.server.ts']);
});

it('has no fields but those of a call', () => {
  const bare = screens.filter(
    ([file, text]) => !file.startsWith('ui/') && /ui\/(?:form-fields|counted-text)\.tsx'/.test(text),
  );
  expect(bare.map(([file]) => file)).toEqual([]);
});
