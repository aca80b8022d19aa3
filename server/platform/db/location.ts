import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { wrongSettings } from '#server/platform/configuration/read.mjs';
import { setting } from '#server/platform/configuration/setting.ts';

/** Where everything that a school owns is kept: VAR_DIR, default `var`. */
export const varFolder = () => path.resolve(setting('VAR_DIR'));

/** DATABASE_URL, else the SQLite file in the data folder. */
export const databaseLocation = (): string => setting('DATABASE_URL') || path.join(varFolder(), 'school.db');

/** Ends a start, or a command, whose settings are wrong, with a sentence. */
export function endForSettings(fault: string): never {
  console.error(fault);
  process.exit(wrongSettings);
}

/** The data folder, made where it is not there; a process that cannot write into it ends with a sentence. */
export function makeVarFolder(): void {
  try {
    mkdirSync(varFolder(), { recursive: true });
    accessSync(varFolder(), constants.W_OK);
  } catch (error) {
    endForSettings(
      `VAR_DIR names ${varFolder()}, which is no folder that can be written (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}
