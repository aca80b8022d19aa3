import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { wrongSettingsExitCode } from '#server/platform/configuration/read.mjs';
import { setting } from '#server/platform/configuration/setting.ts';

/** Folder of all data of the school: VAR_DIR, default `var`. */
export const varFolder = () => path.resolve(setting('VAR_DIR'));

/** Returns DATABASE_URL, or else the path of the SQLite file in the data folder. */
export const databaseLocation = (): string => setting('DATABASE_URL') || path.join(varFolder(), 'school.db');

/** Ends a server start or a command because of wrong settings. */
export function exitForWrongSettings(fault: string): never {
  console.error(fault);
  process.exit(wrongSettingsExitCode);
}

/** Creates the data folder if it is missing; ends the process if it is not writable. */
export function makeVarFolder(): void {
  try {
    mkdirSync(varFolder(), { recursive: true });
    accessSync(varFolder(), constants.W_OK);
  } catch (error) {
    exitForWrongSettings(
      `VAR_DIR names ${varFolder()}, which is no folder that can be written (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}
