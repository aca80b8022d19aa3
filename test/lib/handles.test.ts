import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const app = path.resolve(import.meta.dirname, '../../app');

it('route handles are typed, so an unread name is a type error', () => {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
  const untyped = files.filter((file) =>
    /^export const handle\b(?!: ScreenHandle\b)/m.test(readFileSync(path.join(app, file), 'utf8')),
  );
  expect(untyped).toEqual([]);
});
