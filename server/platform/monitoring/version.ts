import { readFileSync } from 'node:fs';

let known: string | undefined;

/** As it was noted when it was built (platform/commands/version.mjs), or as package.json has it. */
export function productVersion(): string {
  known ??= read('../../../build/version') ?? declared();
  return known;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(new URL(file, import.meta.url), 'utf8').trim();
  } catch {
    return undefined;
  }
}

const declared = () => (JSON.parse(read('../../../package.json') ?? '{}') as { version?: string }).version ?? '';
