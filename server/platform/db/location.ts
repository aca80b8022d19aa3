import path from 'node:path';

/** Where everything that a school owns is kept: VAR_DIR, default `var`. */
export const varFolder = () => path.resolve(process.env.VAR_DIR || 'var');

/** As sysexits.h has it: the settings are wrong, starting again does not help. */
const wrongSettings = 78;

/** What is wrong with a DATABASE_URL; undefined where it can be opened. The address itself may hold a password. */
export function databaseAddressFault(address: string): string | undefined {
  const wanted = 'It is to be postgres://USER:PASSWORD@HOST:5432/DATABASE; without it SQLite is used, in VAR_DIR.';
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1];
  if (!scheme || !/^postgres(ql)?$/.test(scheme)) {
    return `DATABASE_URL is no address of a PostgreSQL database${scheme ? ` (${scheme}:)` : ''}. ${wanted}`;
  }
  if (!/^postgres(ql)?:\/\//.test(address) || !URL.canParse(address)) {
    return `DATABASE_URL cannot be read: marks such as # / ? @ in a password are written %23 %2F %3F %40. ${wanted}`;
  }
  return undefined;
}

/** DATABASE_URL, else the SQLite file in the data folder. One that is not understood ends the process. */
export function databaseLocation(): string {
  const address = process.env.DATABASE_URL;
  if (!address) return path.join(varFolder(), 'school.db');
  const fault = databaseAddressFault(address);
  if (fault) endForSettings(fault);
  return address;
}

/** Ends a start, or a command, whose settings are wrong, with a sentence. */
export function endForSettings(fault: string): never {
  console.error(fault);
  process.exit(wrongSettings);
}
