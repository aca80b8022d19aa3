/**
 * OneRoster packages with verdicts of an implementation that passes the standard's conformance tests. They are not in
 * the repository.
 */
import { existsSync, readFileSync } from 'node:fs';

interface Expected {
  why: string;
  verdict: 'ok' | 'err';
  diagnostics: { fileName?: string; rowNumber?: number; field?: string }[];
}

/** Accepted leniently with a warning, since schools do write these; clear mistakes stay errors. */
const tolerant: Record<string, 'warn'> = {
  'err-boolean-TRUE': 'warn',
  'err-bulk-status': 'warn',
  'err-date-slash': 'warn',
  'err-delta-no-date': 'warn',
  'err-header-missing': 'warn',
  'err-unknown-file': 'warn',
  'lenient-1.2.0-users-column': 'warn',
  'warn-end-before-start': 'warn',
};

const beside = ['../shared', '../../shared'].map((shared) => `${shared}/import/oneroster-samples`);
export const samplesFolder = beside.find((one) => existsSync(`${one}/expected.json`)) ?? '../shared';

const expected: Record<string, Expected> = existsSync(`${samplesFolder}/expected.json`)
  ? JSON.parse(readFileSync(`${samplesFolder}/expected.json`, 'utf8'))
  : {};

/** Empty if the samples are missing. */
export const samples = Object.entries(expected).map(([name, { why, verdict, diagnostics }]) => ({
  name,
  why,
  path: `${samplesFolder}/${name}.zip`,
  strictly: verdict,
  tolerantly: tolerant[name] ?? verdict,
  diagnostics,
}));
