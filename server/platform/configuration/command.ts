/** `npm run config`: prints the settings in force and their sources. */

import { noCommand, parseArguments, runCommandLine } from './command-line.ts';
import { readConfiguration, wrongSettingsExitCode } from './read.mjs';
import { settingNames, settings } from './settings.mjs';

const usage = `Usage: npm run config [-- --table]

Prints every setting that is in force, and where it comes from; secrets are masked. Ends with 78 where anything is wrong.

  --table  the settings as the table of the documentation`;

/** Pads the columns of a table for the terminal. */
const alignColumns = (rows: string[][]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

/** Output of `npm run config` for an environment. */
export function shownConfiguration(environment: Record<string, string | undefined>): {
  lines: string[];
  faults: string[];
} {
  const { values, faults } = readConfiguration(environment);
  const rows = settingNames.map((name) => {
    const { value, from } = values[name];
    const { isSecret, instead = '' } = settings[name];
    const shown = isSecret && value ? '********' : value || (from === 'default' ? `(${instead})` : '');
    return [name, shown, from];
  });
  return { lines: alignColumns(rows), faults };
}

/** Returns the Markdown table of settings for the documentation. */
export function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const { fallback, instead = `\`${fallback}\``, means } = settings[name];
    return `| \`${name}\` | ${instead} | ${means} |`;
  });
  return ['| name | default | means |', '|---|---|---|', ...rows].join('\n');
}

if (import.meta.main) {
  const options = { table: { type: 'boolean', default: false } } as const;
  const command = parseArguments(process.argv.slice(2), options, ({ table }, [word]) =>
    word === undefined ? { table } : noCommand(word),
  );
  process.exitCode = await runCommandLine(command, usage, async ({ table }) => {
    if (table) {
      console.log(settingsTable());
      return 0;
    }
    const { lines, faults } = shownConfiguration(process.env);
    for (const line of lines) console.log(line);
    for (const fault of faults) console.error(`${fault}.`);
    return faults.length > 0 ? wrongSettingsExitCode : 0;
  });
}
