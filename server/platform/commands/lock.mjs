import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const heartbeat = 2_000;
const silence = 60_000;

/**
 * File lock between processes: runs a task while no other process holds the same lock; waits as long as the holder
 * lives.
 *
 * The lock is a folder with one file, named after its holder and touched every two seconds (heartbeat). A prepared
 * folder is renamed into place, which the file system refuses while the holder's file exists. The lock of a dead holder
 * is broken by removing its file. So two processes that break it at once cannot remove each other's new lock.
 *
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} task
 * @param {(message: string) => void} [say] called once if the task has to wait
 * @returns {Promise<T>}
 */
export async function withLock(folder, task, say = console.log) {
  const holder = `${process.pid}@${hostname()}@${randomUUID()}`;
  let hasPrinted = false;
  while (!takeLock(folder, holder)) {
    const other = readHolder(folder);
    if (other === undefined) continue;
    if (isHolderGone(folder, other)) {
      rmSync(join(folder, other), { force: true });
      continue;
    }
    if (!hasPrinted) say('Waiting for another command that is setting up the project.');
    hasPrinted = true;
    await wait(200);
  }
  const file = join(folder, holder);
  const release = () => {
    rmSync(file, { force: true });
    try {
      rmdirSync(folder);
    } catch {
      // Removing fails if the next holder has taken the folder already.
    }
  };
  const beat = setInterval(() => existsSync(file) && utimesSync(file, new Date(), new Date()), heartbeat);
  process.once('exit', release);
  try {
    return await task();
  } finally {
    clearInterval(beat);
    process.removeListener('exit', release);
    release();
  }
}

/** @param {string} folder @param {string} holder */
function takeLock(folder, holder) {
  const prepared = `${folder}.${randomUUID()}`;
  mkdirSync(prepared, { recursive: true });
  writeFileSync(join(prepared, holder), '');
  try {
    renameSync(prepared, folder);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(String(codeOf(error)))) return false;
    throw error;
  }
}

/** @param {string} folder */
function readHolder(folder) {
  try {
    return readdirSync(folder)[0];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * True if the holder's process is gone, or its heartbeat stopped for a minute. The process id alone is not enough: it
 * may be reused, or belong to another machine or container that shares the folder.
 *
 * @param {string} folder
 * @param {string} holder
 */
function isHolderGone(folder, holder) {
  const [pid, host] = holder.split('@');
  const touched = statSync(join(folder, holder), { throwIfNoEntry: false })?.mtimeMs;
  if (touched === undefined || Date.now() - touched > silence) return true;
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
