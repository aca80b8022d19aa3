/** Every address of the screens, as it is declared. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const app = path.resolve(import.meta.dirname, '../../app');
const subjects = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('/screens.ts'))
  .sort();

interface Declared {
  id?: string;
  path: string;
  search?: object;
}
const isDeclared = (value: unknown): value is Declared =>
  typeof value === 'object' && value !== null && typeof (value as Declared).path === 'string';

it('are the same as before', async () => {
  const lines: string[] = [];
  for (const file of subjects) {
    lines.push(`${file}`);
    const declared = (await import(path.join(app, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(declared).sort()) {
      if (!isDeclared(value)) continue;
      const params = Object.keys(value.search ?? {}).join('&');
      lines.push(`  ${name}: ${value.path}${params ? `?${params}` : ''}${value.id ? ` (${value.id})` : ''}`);
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('addresses.txt');
});

it('are spelled nowhere else', () => {
  const first = new Set(
    readFileSync(path.join(import.meta.dirname, 'addresses.txt'), 'utf8')
      .split('\n')
      .flatMap((line) => /: \/([a-z]+)/.exec(line)?.[1] ?? []),
  );
  const literal = new RegExp(`['"\`]/(?:${[...first].join('|')})(?:[/?#][^'"\`]*)?['"\`]`);
  const found = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('screens.ts'))
    .flatMap((file) => {
      const lines = readFileSync(path.join(app, file), 'utf8').split('\n');
      return lines.filter((line) => literal.test(line)).map((line) => `${file}: ${line.trim()}`);
    });
  expect(found).toEqual([]);
});
