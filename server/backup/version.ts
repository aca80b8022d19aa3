import { readFileSync } from 'node:fs';

/** Of the product, as package.json has it. */
export const productVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
