/** What the demo school's people write and ask stands in files of its own, read when the school is filled. */
import { readFileSync } from 'node:fs';

export function readData<Data>(file: string): Data {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}
