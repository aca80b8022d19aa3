/** Packages with verdicts, each read strictly and tolerantly. */
import { describe, expect, it } from 'vitest';
import { readUploadedFile } from '#server/import/formats/read.ts';
import { summariseReading } from '#server/import/formats/reading-summary.ts';
import { samples, samplesFolder } from '../support/roster-samples.ts';

describe.skipIf(samples.length === 0)(`the packages of ${samplesFolder}, where they are`, () => {
  for (const { name, why, path, strictly, tolerantly, diagnostics } of samples) {
    it(`${name}: ${why}`, async () => {
      const file = { name: `${name}.zip`, path };
      const strict = summariseReading(await readUploadedFile(file, { strict: true }));
      const places = strict.faults.map(({ file: at, row, field }) => `${at} ${row} ${field}`).sort();
      // The samples do not name a misplaced file.
      const wanted = diagnostics.map(
        (one) => `${one.fileName ?? 'extra.csv'} ${one.rowNumber ?? 0} ${one.field ?? ''}`,
      );
      expect([strict.verdict, places]).toEqual([strictly, wanted.sort()]);
      expect(summariseReading(await readUploadedFile(file)).verdict).toBe(tolerantly);
      // Counts only rows that were read.
      for (const { message } of strict.faults) expect(message).not.toMatch(/已|没有读取/);
    });
  }
});
