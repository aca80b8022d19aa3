// Types of settings: how a text is parsed, and why it is refused. Plain JavaScript, like settings.mjs.
import { isIP } from 'node:net';
import { addressesOf, serversFault } from './addresses.mjs';

/**
 * @template T
 * @typedef {object} Setting
 * @property {string} fallback default; '' is none
 * @property {string} [instead] the default in the documentation, if it is no value
 * @property {string} means text of the documentation, as Markdown
 * @property {boolean} [isSecret] never shown
 * @property {(text: string) => T} read converts a text without fault
 * @property {(text: string) => string | undefined} fault says what a wrong text should be; undefined if it is right
 */

/** @typedef {Omit<Setting<unknown>, 'read' | 'fault'>} Words */

/** @param {Words & { fault?: (text: string) => string | undefined }} words @returns {Setting<string>} */
export const text = (words) => ({ fault: () => undefined, ...words, read: (value) => value.trim() });

/** @param {Words} words @param {{ from: number, to: number }} range @returns {Setting<number>} */
export const wholeNumber = (words, { from, to }) => ({
  ...words,
  read: Number,
  fault: (value) =>
    /^\d+$/.test(value) && Number(value) >= from && Number(value) <= to
      ? undefined
      : `is to be a whole number from ${from} to ${to}`,
});

/** @param {Words} words @returns {Setting<boolean>} */
export const flag = (words) => ({
  ...words,
  read: (value) => value === '1',
  fault: (value) => (value === '0' || value === '1' ? undefined : 'is to be 0 or 1'),
});

/** @param {Words} words @param {readonly string[]} values @returns {Setting<string>} */
export const oneOf = (words, values) =>
  text({ ...words, fault: (value) => (values.includes(value) ? undefined : `is to be one of ${values.join(', ')}`) });

/** @param {Words} words @returns {Setting<string>} */
export const address = (words) =>
  text({
    ...words,
    fault: (value) =>
      /^https?:\/\//i.test(value) && URL.canParse(value) ? undefined : 'is to be an address with http:// or https://',
  });

/**
 * Placeholders in braces are filled in; the host must not contain one.
 *
 * @param {Words} words @returns {Setting<string>}
 */
export const addressTemplate = (words) =>
  text({
    ...words,
    fault: (value) =>
      /^https?:\/\/[^/?#{}\s]+(?=[/?#]|$)/i.test(value)
        ? undefined
        : 'is to be an address whose scheme (http or https) and host are written out',
  });

/** Minimum characters; shorter secrets can be guessed. */
export const shortestSecret = 32;

/** Minimum characters of the passphrase of a backup: somebody with a stolen backup can try without limit. */
export const shortestPassphrase = 16;

/**
 * The first secret signs, all of them verify, so a secret can be rotated without signing everybody out.
 *
 * @param {string} value
 */
export const secretsIn = (value) => value.split(/\s+/).filter(Boolean);

/** @param {string} value */
export const wordsOf = (value) => value.split(/[\s,]+/).filter(Boolean);

/**
 * True for an IP address or a network such as 10.0.0.0/8.
 *
 * @param {string} value
 */
export function isNetwork(value) {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
}

/**
 * Normalises a host with URL. Uses the scheme ftp, so that the ports 80 and 443 are kept.
 *
 * @param {string} value
 */
export const hostOf = (value) => new URL(`ftp://${value}`).host;

/**
 * Checks host names or addresses, with or without a port.
 *
 * @param {string} value
 */
export function hostsFault(value) {
  const wrong = wordsOf(value).find((word) => !URL.canParse(`http://${word}`) || /[/?#@\\]/.test(word));
  return wrong === undefined
    ? undefined
    : `is to be names or addresses of hosts, as sms.lan or 10.0.0.5:8080, parted by blanks: ${wrong} is none`;
}

/** @param {string} value */
export function databaseFault(value) {
  const wanted = 'it is to be postgres://USER:PASSWORD@HOST:5432/DATABASE; without it SQLite is used, in VAR_DIR';
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(value)?.[1];
  if (!scheme || !/^postgres(ql)?$/.test(scheme)) {
    return `is no address of a PostgreSQL database${scheme ? ` (${scheme}:)` : ''}; ${wanted}`;
  }
  if (!/^postgres(ql)?:\/\//.test(value) || !addressesOf(value).every((one) => URL.canParse(one))) {
    return `cannot be read: marks such as # / ? @ in a password are written %23 %2F %3F %40; ${wanted}`;
  }
  return serversFault(value);
}

/** @param {string} value */
export function replicaFault(value) {
  if (addressesOf(value).length > 1) return 'names several servers: it is to be one replica, or a proxy before several';
  return databaseFault(value);
}
