// Loads the configuration before everything else (`--import`): copies values from files into the environment, and ends
// the process if settings are wrong, with a message for each.

import { readConfiguration, wrongSettingsExitCode } from './read.mjs';
import { settingNames } from './settings.mjs';

const { values, faults } = readConfiguration(process.env);
if (faults.length > 0) {
  console.error(faults.map((fault) => `${fault}.`).join('\n'));
  process.exit(wrongSettingsExitCode);
}
for (const name of settingNames) {
  const { value, from } = values[name];
  if (from === 'default') continue;
  process.env[name] = value;
  delete process.env[`${name}_FILE`];
}
