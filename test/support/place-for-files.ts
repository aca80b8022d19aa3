/**
 * Places the files of a test run in memory. A run creates and deletes some hundred thousand files; on a disk that takes
 * a sixth of the time of the API tests.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

/** A file system in memory. Linux limits it to half of the memory, containers to 64 MB unless configured. */
const inMemory = '/dev/shm';
const gigabyte = 1024 ** 3;
/** Space in bytes that must be free. The files of a run take less than half of it. */
const roomNeeded = 4 * gigabyte;
/** Memory in bytes that the machine must have. It includes the memory of the test processes. */
const memoryNeeded = 8 * gigabyte;

/** Returns the folder in memory if it has enough space and programs in it can be executed. */
export function placeInMemory(): string | undefined {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    if (bavail * bsize < roomNeeded || process.availableMemory() < memoryNeeded) return undefined;
    const [, options = 'noexec'] = / \/dev\/shm tmpfs (\S+)/.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    return options.split(',').includes('noexec') ? undefined : inMemory;
  } catch {
    return undefined;
  }
}

/** Prefix of the folder of a run. It contains the id of the process that deletes the folder. */
export const runFolderPrefix = `lectern-tests-${process.pid}-`;

/** Removes files in memory that runs have left when they were killed. */
export function removeLeftRuns(place: string): void {
  for (const name of readdirSync(place)) {
    const [, pid] = /^lectern-tests-(\d+)-/.exec(name) ?? [];
    if (!pid || isAlive(Number(pid))) continue;
    const folder = path.join(place, name);
    unmountWithin(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Unmounts the small disks (small-disk.ts) of a killed run, so that its folder can be removed. `--lazy`: even while in
 * use.
 */
function unmountWithin(folder: string): void {
  const mounted = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((point) => point.startsWith(`${folder}/`));
  for (const point of mounted.reverse()) execFileSync('umount', ['--lazy', point]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
