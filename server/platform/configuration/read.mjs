// Reads all settings from the environment, the configuration file and secret files, and collects their faults.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { isSetting, rules, settingNames, settings } from './settings.mjs';

/** @typedef {import('./settings.mjs').SettingName} SettingName */
/** @typedef {{ value: string, from: string }} Given from: 'environment', 'default', or a file */
/** @typedef {{ values: Record<SettingName, Given>, faults: string[] }} Configuration */

/** Exit code for wrong settings (EX_CONFIG of sysexits.h): a restart does not help. */
export const wrongSettingsExitCode = 78;

/**
 * Reads the settings. An empty value counts as not set. A secret may be given as a file, as containers mount it:
 * DATABASE_URL_FILE.
 *
 * @param {Record<string, string | undefined>} environment
 * @returns {Configuration} faults: one sentence each; none contains a value, which may be secret
 */
export function readConfiguration(environment) {
  /** @type {string[]} */
  const faults = [];
  /**
   * Settings whose secret file could not be read; reported once. The rules over two settings take them as set.
   *
   * @type {Set<SettingName>}
   */
  const unread = new Set();
  const file = environment.CONFIG_FILE;
  const filed = file ? valuesIn(file, faults) : {};
  /** @param {SettingName} name @returns {Given} */
  const given = (name) => {
    for (const [source, from] of /** @type {const} */ ([
      [environment, 'environment'],
      [filed, String(file)],
    ])) {
      const named = source[`${name}_FILE`];
      const said = source[name];
      if (said && named) faults.push(`${name} and ${name}_FILE are both given`);
      // An empty SESSION_SECRET is a mistake, not “not set”.
      if (said || (said === '' && name === 'SESSION_SECRET')) return { value: said, from };
      if (named) {
        const value = contentOf(named, `${name}_FILE`, faults)?.trim();
        if (value) return { value, from: named };
        if (value === '') faults.push(`${name}_FILE names ${named}, which is empty`);
        unread.add(name);
        break;
      }
    }
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
  const explicit = (/** @type {SettingName} */ name) =>
    values[name].from !== 'default' ? values[name].value : unread.has(name) ? 'unread' : '';
  for (const rule of rules) {
    const fault = rule(explicit);
    if (fault) faults.push(fault);
  }
  for (const name of Object.keys(filed)) {
    // Skips malformed names: they were reported with their lines.
    if (/^\w+$/.test(name) && !isSetting(name) && !isSetting(name.replace(/_FILE$/, '')))
      faults.push(`${name} in ${file} is no setting${suggestion(name)}`);
  }
  for (const name of Object.keys(environment)) {
    const bare = name.replace(/_FILE$/, '');
    const like = isSetting(name) || isSetting(bare) ? undefined : findSimilarName(bare);
    if (like) faults.push(`${name} is no setting: ${like} is meant`);
  }
  return { values, faults };
}

/**
 * @param {string} file @param {string[]} faults
 * @returns {Record<string, string | undefined>}
 */
function valuesIn(file, faults) {
  const content = contentOf(file, 'CONFIG_FILE', faults) ?? '';
  faults.push(...lineFaults(content, file));
  return parseEnv(content);
}

/**
 * Reports lines that the parser would silently skip or truncate.
 *
 * @param {string} content @param {string} file
 * @returns {string[]}
 */
function lineFaults(content, file) {
  /** @type {string[]} */
  const faults = [];
  const names = new Set();
  const lines = content.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const where = `line ${at + 1} of ${file}`;
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name, value = ''] = /^\s*(?:export\s+)?([^\s=#:]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (!name) {
      faults.push(`${where} is not NAME=value`);
      continue;
    }
    if (names.has(name)) faults.push(`${where} gives ${name} a second time`);
    names.add(name);
    const quote = /^["'`]/.exec(value)?.[0];
    if (!quote) {
      if (/\S#/.test(value.replace(/\s#.*/, '')))
        faults.push(`${where} has a # in its value, which would be cut off there: put the value in quotes`);
      continue;
    }
    let rest = value.slice(1);
    while (!rest.includes(quote) && at < lines.length - 1) {
      at += 1;
      rest = lines[at] ?? '';
    }
    if (!rest.includes(quote)) faults.push(`${where} begins with a quote that does not end`);
    else if (!/^\s*(?:#|$)/.test(rest.slice(rest.indexOf(quote) + 1)))
      faults.push(`${where} goes on after the quote at its end`);
  }
  return faults;
}

/**
 * @param {string} file @param {string} by the name of the setting @param {string[]} faults
 * @returns {string | undefined} undefined where it cannot be read
 */
function contentOf(file, by, faults) {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    faults.push(`${by} names ${file}, which cannot be read (${/** @type {NodeJS.ErrnoException} */ (error).code})`);
    return undefined;
  }
}

/** @param {string} name */
const suggestion = (name) => {
  const like = findSimilarName(name);
  return like ? `: ${like} is meant` : '';
};

/**
 * Finds the setting that a misspelled name probably means: one or two letters wrong, missing, added or swapped.
 *
 * @param {string} name
 */
function findSimilarName(name) {
  return settingNames.find((one) => one.length > 4 && distance(name.toUpperCase(), one) <= (one.length > 9 ? 2 : 1));
}

/**
 * Edit distance: letters inserted, deleted, replaced or swapped with their neighbour.
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
