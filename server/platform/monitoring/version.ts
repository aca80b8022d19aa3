import { readFileSync } from 'node:fs';

let known: string | undefined;

/** Returns the version noted by the build (platform/commands/version.mjs), else that of package.json. */
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
