/** Loads every screen and dialog that a subject declares in its `screens.ts`. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Addressable } from '#app/lib/address.ts';

const app = path.resolve(import.meta.dirname, '../../app');

export interface Declared extends Addressable {
  name: string;
  search: Record<string, { fallback?: unknown }>;
  at(url: URL): unknown;
  /** For a dialog, the screen below it. */
  over?: Addressable;
  behind?(url: URL): string;
}

export async function declarations(): Promise<Declared[]> {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).sort();
  const found = await Promise.all(
    files
      .filter((file) => file.endsWith('screens.ts'))
      .map(async (file) => {
        const declared: Record<string, unknown> = await import(path.join(app, file));
        return Object.entries(declared).flatMap(([name, one]) =>
          isDeclared(one) ? [{ ...one, name: `${path.dirname(file)}: ${name}` }] : [],
        );
      }),
  );
  return found.flat();
}
const isDeclared = (one: unknown): one is Declared =>
  typeof one === 'object' && one !== null && 'places' in one && !('of' in one);
