/** What other programs are found by and started with: all that this process was, the settings of others included. */
import path from 'node:path';

/** The folders in which programs lie. */
export const programFolders = (): string[] => (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);

export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
});
