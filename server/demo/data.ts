import { readFileSync } from 'node:fs';

export function readData<Data>(file: string): Data {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}
