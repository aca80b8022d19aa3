/** Secret that signs the session cookie: SESSION_SECRET, else one generated once and stored in the data folder. */
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setting } from '#server/platform/configuration/setting.ts';
import { shortestSecret } from '#server/platform/configuration/setting-types.mjs';
import { exitForWrongSettings, varFolder } from '#server/platform/db/location.ts';

/** Returns the secrets: the first signs, the others still verify (key rotation). */
export function sessionSecrets(): [string, ...string[]] {
  const [first, ...others] = setting('SESSION_SECRET');
  return first === undefined ? [keptSecret()] : [first, ...others];
}

/** Returns the secrets that exist; an empty list if there is none. Unlike `sessionSecrets` it never generates one. */
export function readSecrets(): string[] {
  const given = setting('SESSION_SECRET');
  if (given.length > 0) return given;
  const kept = readSecret(secretFile());
  return kept ? [kept] : [];
}

/** Stores the secret that a backup contains. */
export function restoreSecret(secret: string): void {
  mkdirSync(varFolder(), { recursive: true });
  writeFileSync(secretFile(), secret, { mode: 0o600, flush: true });
}

const secretFile = () => path.join(varFolder(), 'session-secret');

function keptSecret(): string {
  const file = secretFile();
  const kept = readSecret(file);
  // An empty file is left by a crash or a full disk. An empty secret has never signed anything, so it is replaced.
  if (kept === '') rmSync(file, { force: true });
  const secret = kept || makeSecret(file);
  if (secret.length < shortestSecret) {
    exitForWrongSettings(
      `${file} is too short for a secret (${shortestSecret} characters at least). Delete it, and a new one is made; everybody has to sign in again then.`,
    );
  }
  chmodSync(file, 0o600);
  return secret;
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the file atomically. If several processes do so at once, all use the first one's. */
function makeSecret(file: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
