/**
 * Sample OneRoster packages, with the verdicts of an implementation that passes the conformance tests of the standard.
 * The packages are not in the repository.
 */
import { existsSync, readFileSync } from 'node:fs';

interface Expected {
  why: string;
  verdict: 'ok' | 'err';
  diagnostics: { fileName?: string; rowNumber?: number; field?: string }[];
}

/**
 * Samples that this product accepts with a warning, because schools do write such files. Clear mistakes stay errors.
 */
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

/** The samples. Empty if they are missing. */
export const samples = Object.entries(expected).map(([name, { why, verdict, diagnostics }]) => ({
  name,
  why,
  path: `${samplesFolder}/${name}.zip`,
  strictly: verdict,
  tolerantly: tolerant[name] ?? verdict,
  diagnostics,
}));
