import { expect, it } from 'vitest';
import { elements, sources, type Written } from '../support/elements.ts';

const screens = sources.filter(([file]) => file.endsWith('.tsx'));
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
  const isIntent = ({ attributes }: Written) => attributes.get('name') === '"intent"';
  expect(named.filter((one) => !isIntent(one)).map(shown)).toEqual([]);
});

it('reads `intent` in one place', () => {
  const readers = sources.filter(([, text]) => /(?:get|getAll|has)\(\s*['"`]intent|textOf\([^)]*intent/.test(text));
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
