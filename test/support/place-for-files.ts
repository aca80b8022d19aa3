/**
 * Where the files of a run of tests lie. A run makes and deletes some hundred thousand, of which a disk keeps books: that
 * is a sixth of what the tests of the calls cost. In memory it is next to nothing.
 */
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

/** What runs that were killed have left in memory, which nobody else would give back. */
export function removeLeftRuns(place: string): void {
  for (const name of readdirSync(place)) {
    const [, pid] = /^lectern-tests-(\d+)-/.exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) rmSync(path.join(place, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
