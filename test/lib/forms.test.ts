import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const app = path.resolve(import.meta.dirname, '../../app');
const screens = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => [file, readFileSync(path.join(app, file), 'utf8')] as const);

const withWords = (words: RegExp) => screens.filter(([, text]) => words.test(text)).map(([file]) => file);

it('posts every form as `Form` does', () => {
  expect(withWords(/<form\b[^>]*\bmethod="post"/)).toEqual(['ui/form.tsx']);
});

it('says which button was pressed in one way', () => {
  expect(withWords(/\bname="(?:op|operation|deed|action)"/)).toEqual([]);
});
