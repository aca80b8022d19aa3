// Imported before everything else by whatever runs (`--import`): what files say stands in the environment from now on, and a
// process whose settings are wrong ends with all that is wrong.

import { readConfiguration, wrongSettings } from './read.mjs';
import { settingNames } from './settings.mjs';

const { values, faults } = readConfiguration(process.env);
if (faults.length > 0) {
  console.error(faults.map((fault) => `${fault}.`).join('\n'));
  process.exit(wrongSettings);
}
for (const name of settingNames) {
  const { value, from } = values[name];
  if (from === 'default') continue;
  process.env[name] = value;
  delete process.env[`${name}_FILE`];
}
