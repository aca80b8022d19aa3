import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { removeLeftRuns } from './place-for-files.ts';
import { smallDisk } from './small-disk.ts';

it('removes the folder and small disk of a killed run but keeps those of a living process', ({ skip }) => {
  const place = mkdtempSync(path.join(tmpdir(), 'place-'));
  const ended = spawnSync(process.execPath, ['--version']).pid;
  const [left, living] = [ended, process.pid].map((pid) => path.join(place, `lectern-tests-${pid}-x`)) as [
    string,
    string,
  ];
  mkdirSync(left);
  mkdirSync(living);
  const disk = smallDisk(1, left);
  try {
    if ('missing' in disk) return skip(disk.missing);
    writeFileSync(path.join(disk.folder, 'file'), 'x');
    removeLeftRuns(place);
    expect([existsSync(left), existsSync(living)]).toEqual([false, true]);
  } finally {
    if ('folder' in disk && existsSync(left)) disk.remove();
    rmSync(place, { recursive: true });
  }
});
