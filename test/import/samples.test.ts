/** Packages whose verdicts an implementation gave that passes the standard's own cases. They are no part of the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { read } from '#server/import/doors/read.ts';
import { verdict } from '#server/import/doors/verdict.ts';

const beside = ['../shared', '../../shared'].map((shared) => `${shared}/import/oneroster-samples`);
const folder = beside.find((one) => existsSync(`${one}/expected.json`)) ?? beside[0];

interface Expected {
  why: string;
  verdict: 'ok' | 'err';
  diagnostics: { fileName?: string; rowNumber?: number; field?: string }[];
}

/** Read tolerantly: forgiven is what schools do write, and what is told to be a mistake stays one. */
const tolerant: Record<string, 'ok' | 'warn' | 'err'> = {
  'err-boolean-TRUE': 'warn',
  'err-bulk-status': 'warn',
  'err-date-slash': 'warn',
  'err-delta-no-date': 'warn',
  'err-header-missing': 'warn',
  'err-unknown-file': 'warn',
  'lenient-1.2.0-users-column': 'warn',
  'warn-end-before-start': 'warn',
};

describe.skipIf(!existsSync(`${folder}/expected.json`))(`the packages of ${folder}, where they are`, () => {
  const expected: Record<string, Expected> = existsSync(`${folder}/expected.json`)
    ? JSON.parse(readFileSync(`${folder}/expected.json`, 'utf8'))
    : {};
  for (const [name, { why, verdict: given, diagnostics }] of Object.entries(expected)) {
    it(`${name}: ${why}`, async () => {
      const file = { name: `${name}.zip`, path: `${folder}/${name}.zip` };
      const strict = verdict(await read(file, { strict: true }));
      const places = strict.faults.map(({ file: at, row, field }) => `${at} ${row} ${field}`).sort();
      // Of a file that does not belong there, they do not say which.
      const wanted = diagnostics.map(
        (one) => `${one.fileName ?? 'extra.csv'} ${one.rowNumber ?? 0} ${one.field ?? ''}`,
      );
      expect([strict.verdict, places]).toEqual([given, wanted.sort()]);
      expect(verdict(await read(file)).verdict).toBe(tolerant[name] ?? given);
    });
  }
});
