import { expect, it } from 'vitest';
import { elements, sources, type Written } from '../support/elements.ts';

const screens = sources.filter(([file]) => file.endsWith('.tsx'));
const describeElement = ({ file, tag, attributes }: Written) => `${file}: <${tag} name=${attributes.get('name')}>`;

it('only the shared `Form` renders a form that posts', () => {
  const posting = elements.filter(({ tag, attributes }) => tag === 'form' && attributes.get('method') === '"post"');
  expect(posting.map(({ file }) => file)).toEqual(['ui/form.tsx']);
});

it('submit buttons have no name but `intent`', () => {
  /** GET forms use the address's parameter names. */
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
  expect(named.filter((one) => !isIntent(one)).map(describeElement)).toEqual([]);
});

it('`intent` is read in one file', () => {
  const readers = sources.filter(([, text]) => /(?:get|getAll|has)\(\s*['"`]intent|textOf\([^)]*intent/.test(text));
  expect(readers.map(([file]) => file)).toEqual(['lib/form-data.ts']);
});

it('forms without files are read in one file', () => {
  const readers = sources.filter(([, text]) => /\.formData\(/.test(text));
  expect(readers.map(([file]) => file)).toEqual(['shell/form-action.server.ts']);
});

it('screens use form fields bound to a call, never the bare ones of ui/', () => {
  const bare = screens.filter(
    ([file, text]) => !file.startsWith('ui/') && /ui\/(?:form-fields|counted-text)\.tsx'/.test(text),
  );
  expect(bare.map(([file]) => file)).toEqual([]);
});
