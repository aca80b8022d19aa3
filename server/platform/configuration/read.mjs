// What the environment, the files that it names and the configuration file say together, and all that is wrong with it.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { isSetting, rules, settingNames, settings } from './declared.mjs';

/** @typedef {import('./declared.mjs').SettingName} SettingName */
/** @typedef {{ value: string, from: string }} Given from: 'environment', 'default', or a file */
/** @typedef {{ values: Record<SettingName, Given>, faults: string[] }} Configuration */

/** As sysexits.h has it: the settings are wrong, starting again does not help. */
export const wrongSettings = 78;

/**
 * An empty value is none. A secret may be named as a file instead: DATABASE_URL_FILE, as containers mount them.
 *
 * @param {Record<string, string | undefined>} environment
 * @returns {Configuration} faults: all of them, a sentence each; none holds a value, which may be secret
 */
export function readConfiguration(environment) {
  /** @type {string[]} */
  const faults = [];
  const file = environment.CONFIG_FILE;
  const filed = file ? valuesIn(file, faults) : {};
  /** @param {SettingName} name @returns {Given} */
  const given = (name) => {
    const named = environment[`${name}_FILE`];
    const said = environment[name];
    // An empty secret is none that was wanted.
    if (said && named) faults.push(`${name} and ${name}_FILE are both given`);
    if (said || (said === '' && name === 'SESSION_SECRET')) return { value: said, from: 'environment' };
    if (named) return { value: contentOf(named, `${name}_FILE`, faults), from: named };
    const kept = filed[name];
    if (kept) return { value: kept, from: String(file) };
    return { value: settings[name].fallback, from: 'default' };
  };
  const values = /** @type {Record<SettingName, Given>} */ (
    Object.fromEntries(settingNames.map((name) => [name, given(name)]))
  );
  for (const name of settingNames) {
    const { value, from } = values[name];
    const fault = from === 'default' ? undefined : settings[name].fault(value);
    if (fault) faults.push(`${name} ${fault}`);
  }
  const explicit = (/** @type {SettingName} */ name) => (values[name].from === 'default' ? '' : values[name].value);
  for (const rule of rules) {
    const fault = rule(explicit);
    if (fault) faults.push(fault);
  }
  for (const name of Object.keys(filed)) {
    if (!isSetting(name)) faults.push(`${name} in ${file} is no setting${meant(name)}`);
  }
  for (const name of Object.keys(environment)) {
    const bare = name.replace(/_FILE$/, '');
    const like = isSetting(name) || isSetting(bare) ? undefined : likeOurs(bare);
    if (like) faults.push(`${name} is no setting: ${like} is meant`);
  }
  return { values, faults };
}

/**
 * @param {string} file @param {string[]} faults
 * @returns {Record<string, string | undefined>}
 */
function valuesIn(file, faults) {
  return parseEnv(contentOf(file, 'CONFIG_FILE', faults));
}

/** @param {string} file @param {string} by the name of the setting @param {string[]} faults */
function contentOf(file, by, faults) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    faults.push(`${by} names ${file}, which cannot be read (${/** @type {NodeJS.ErrnoException} */ (error).code})`);
    return '';
  }
}

/** @param {string} name */
const meant = (name) => {
  const like = likeOurs(name);
  return like ? `: ${like} is meant` : '';
};

/** The setting of which a name is a misspelling: a letter or two wrong, missing, too many or exchanged. @param {string} name */
function likeOurs(name) {
  return settingNames.find((one) => one.length > 4 && distance(name.toUpperCase(), one) <= (one.length > 9 ? 2 : 1));
}

/**
 * How many letters are to be put in, taken away, replaced or exchanged with their neighbour.
 *
 * @param {string} one @param {string} other
 */
function distance(one, other) {
  if (Math.abs(one.length - other.length) > 2) return 3;
  /** @type {number[][]} */
  const rows = [];
  const at = (/** @type {number} */ i, /** @type {number} */ j) => rows[i]?.[j] ?? 0;
  for (let i = 0; i <= one.length; i += 1) {
    rows[i] = [];
    for (let j = 0; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = i && j ? Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same) : i + j;
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, at(i - 2, j - 2) + 1);
      /** @type {number[]} */ (rows[i])[j] = least;
    }
  }
  return at(one.length, other.length);
}
