import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { KeypadInput, type KeypadInputProps } from '../../app/ui/client/keypad.tsx';

const render = (props: KeypadInputProps) => renderToString(createElement(KeypadInput, props));

test('keypad without client JS is an ordinary input', () => {
  const html = render({ name: 'score', defaultValue: '7.5', max: 10, required: true });
  expect(html).toMatch(/<input[^>]* name="score"/);
  expect(html).toMatch(/<input[^>]* value="7.5"/);
  expect(html).toMatch(/<input[^>]* inputMode="decimal"/i);
  expect(html).toMatch(/<input[^>]* required=""/);
});

test('keypad shows nothing that needs JS', () => {
  expect(render({ name: 'score' })).not.toContain('<button');
});

test.each([
  [2, ['7', '7.5', '７．５', '10.25'], ['7.255', 'x', '-1', '1.2.3']],
  [1, ['7', '7.5', '7，5'], ['7.55']],
  [0, ['7', '７'], ['7.5']],
])('keypad lets the browser refuse more than %i decimals', (decimals, accepted, refused) => {
  const pattern = render({ name: 'score', decimals }).match(/pattern="([^"]+)"/)?.[1];
  const matches = (text: string) => new RegExp(`^(?:${pattern})$`, 'v').test(text);
  expect(accepted.filter(matches)).toEqual(accepted);
  expect(refused.filter(matches)).toEqual([]);
});
