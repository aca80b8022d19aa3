/**
 * Reads every Word file of a folder: `WORD_FIXTURES`, or ../shared/import/fixtures beside the project. Put public
 * documents there, such as test/docx of jgm/pandoc.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openZip } from '#server/platform/files/zip.ts';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';
import { linesToHtml } from '#server/questions/import/rich-line.ts';
import { readWordLines } from '#server/questions/import/word-reader.ts';

const folder = process.env.WORD_FIXTURES ?? fileURLToPath(new URL('../../../shared/import/fixtures', import.meta.url));
const files = existsSync(folder) ? globSync('**/*.docx', { cwd: folder }).sort() : [];
const reason = files.length > 0 ? '' : ` (skipped: no .docx in ${folder})`;

test.skipIf(files.length === 0)(
  `every Word file laid beside the project is read without an error${reason}`,
  async () => {
    const failed: string[] = [];
    for (const file of files) {
      const opened = await openZip(readFileSync(join(folder, file)), 'docx');
      if ('refused' in opened) {
        failed.push(`${file}: ${opened.message}`);
        continue;
      }
      try {
        const html = linesToHtml(await readWordLines(opened.ok, () => {}), new Map());
        if (sanitizeRichText(html) !== html) failed.push(`${file}: the HTML is not clean`);
      } catch (error) {
        failed.push(`${file}: ${String(error)}`);
      } finally {
        await opened.ok.close();
      }
    }
    expect(failed).toEqual([]);
  },
);
