import { readFileSync } from 'node:fs';

let known: string | undefined;

/** Returns the version that the build recorded (platform/commands/version.mjs), else the version in package.json. */
export function productVersion(): string {
  known ??= read('../../../build/version') ?? packageVersion();
  return known;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(new URL(file, import.meta.url), 'utf8').trim();
  } catch {
    return undefined;
  }
}

const packageVersion = () => (JSON.parse(read('../../../package.json') ?? '{}') as { version?: string }).version ?? '';
