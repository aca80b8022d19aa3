/**
 * Where the files of a run of tests lie. A run makes and deletes some hundred thousand, of which a disk keeps books: that
 * is a sixth of what the tests of the calls cost. In memory it is next to nothing.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

/** Linux has it, with half of the memory and more; in a container it is 64 MB unless asked for. */
const inMemory = '/dev/shm';
const gigabyte = 1024 ** 3;
/** What a run has lying there at once is less than half of this. */
const roomNeeded = 4 * gigabyte;
/** With what its processes take. */
const memoryNeeded = 8 * gigabyte;

/** The folder in memory, where there is room and programs may be started from it. */
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

/** Of the folder of a run, with the process that deletes it. */
export const runFolderPrefix = `lectern-tests-${process.pid}-`;

/** Removes what runs that were killed have left in memory, which nobody else would give back. */
export function removeLeftRuns(place: string): void {
  for (const name of readdirSync(place)) {
    const [, pid] = /^lectern-tests-(\d+)-/.exec(name) ?? [];
    if (!pid || isAlive(Number(pid))) continue;
    const folder = path.join(place, name);
    unmountWithin(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A small disk (small-disk.ts) of a killed run can be removed only once it is unmounted; `--lazy`: even where it is in use. */
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
