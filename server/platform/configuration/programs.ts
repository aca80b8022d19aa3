/** Environment for child processes: the environment of this process, which may contain settings for other programs. */
import path from 'node:path';

/** Folders on the PATH. */
export const programFolders = (): string[] => (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);

export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
});
