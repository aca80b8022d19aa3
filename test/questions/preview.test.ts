/** @module-tag thorough */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';
import { readExcelQuestions } from '#server/questions/import/excel.ts';
import { previewImport } from '#server/questions/import/preview.ts';
import { previewRefusals } from '#server/questions/import/rules.ts';
import { excelTemplate, wordTemplate } from '#server/questions/import/template.ts';
import { readWordQuestions } from '#server/questions/import/word.ts';
import { checkQuestion } from '#server/questions/rules.ts';
import { goal } from '../support/budget.ts';
import type { PreviewCost } from '../support/measure-preview.ts';
import { excelFile, paragraph, paragraphs, picture, png, row, run, wordFile } from '../support/office-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'preview-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Verbose like WPS: a separate run for every few characters. */
const wordOf = (count: number): Uint8Array => {
  const split = (text: string) => (text.match(/.{1,6}/gsu) ?? []).join('|');
  const question = (index: number) =>
    [
      '【题型】单选题',
      `【题干】第${index}题：下列各组词语中加点字的读音全部正确的一组是哪一项，请仔细阅读以后再作选择，不要看漏。`,
      '【选项】',
      ...['A', 'B', 'C', 'D'].map((letter) => `${letter}. 选项${letter}的内容是第${(index * 7919) % 1009}种说法`),
      '【答案】A',
      `【解析】本题考查的是字音的掌握情况，需要同学们在平时多加积累，见第${(index * 31) % 97}页。`,
      '【难度】3',
      '【备注】第一单元',
      '#####',
    ]
      .map(split)
      .join('\n');
  return wordFile({ body: Array.from({ length: count }, (_, index) => paragraphs(question(index))).join('') });
};

/** Stores its texts as shared strings, as Excel does. */
const excelOf = (count: number): Uint8Array => {
  const titles = ['题干', '选项A', '选项B', '选项C', '选项D', '选项E', '选项F', '答案', '解析', '难度', '备注'];
  const rows = Array.from({ length: count }, (_, i) => [
    `第${i}题：下列各组词语中加点字的读音全部正确的一组是哪一项`,
    `甲${i}`,
    `乙${i}`,
    `丙${i}`,
    `丁${i}`,
    null,
    null,
    'A',
    `本题考查的是字音的掌握情况，见第${i}页`,
    3,
    '备注',
  ]);
  const shared = new Map<string, number>();
  const cell = (value: string | number | null) => {
    if (typeof value !== 'string') return value;
    const place = shared.get(value) ?? shared.size;
    shared.set(value, place);
    return `<c t="s"><v>${place}</v></c>`;
  };
  const sheet = [titles, ...rows].map((cells, index) => row(index + 1, cells.map(cell))).join('');
  const sharedStrings = [...shared.keys()].map((text) => `<si><t>${text}</t></si>`).join('');
  return excelFile({ sheets: { 单选题: sheet }, sharedStrings });
};

async function measure(format: 1 | 2, name: string): Promise<PreviewCost> {
  const script = new URL('../support/measure-preview.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(format), join(folder, name)]);
  return JSON.parse(stdout) as PreviewCost;
}

describe('previewing long files', () => {
  test.each([
    ['a .docx of 500 questions', 1, 500, async () => wordOf(500)],
    ['an .xlsx of 5,000 rows', 2, 5_000, () => excelOf(5_000)],
  ] as const)('reads %s within its time, memory and delay limits', async (name, format, count, make) => {
    writeFileSync(join(folder, String(format)), await make());
    const cost = await measure(format, String(format));
    expect(cost).toMatchObject({ questions: count, faultless: count });
    goal(`preview of ${name}`, cost.milliseconds, 10_000);
    expect(cost.memory).toBeLessThan(400 * 2 ** 20);
    expect(cost.progress).toBeGreaterThan(20);
    goal(`preview of ${name}: longest turn`, cost.hold, 50);
    // On a busy machine every thread waits for its turn, whatever this code does.
    goal(`preview of ${name}: delay of the main loop`, cost.delay, Math.max(50, cost.noise * 5));
  });
});

describe('the preview process', () => {
  test('passes pictures to the caller and writes their addresses into the question', async () => {
    const body =
      paragraphs('【题型】判断题') + paragraph(run('【题干】看') + picture('a')) + paragraphs('【答案】对\n【难度】1');
    const saved: [number, string][] = [];
    const preview = await previewImport([{ name: 'a.docx', bytes: wordFile({ body, media: { 'a.png': png } }) }], {
      savePicture: async (bytes, type) => {
        saved.push([bytes.length, type]);
        return '/files/p/1';
      },
    });
    expect(saved).toEqual([[png.length, 'image/png']]);
    expect('questions' in preview && preview.questions[0]?.draft.ques_stem).toContain('<img src="/files/p/1"');
  });

  test('fails when a picture cannot be stored', async () => {
    const body =
      paragraphs('【题型】判断题') + paragraph(run('【题干】看') + picture('a')) + paragraphs('【答案】对\n【难度】1');
    const failing = previewImport([{ name: 'a.docx', bytes: wordFile({ body, media: { 'a.png': png } }) }], {
      savePicture: async () => {
        throw new Error('disk full');
      },
    });
    await expect(failing).rejects.toThrow('disk full');
  });

  test('reports progress from 0 to 1', async () => {
    const parts: number[] = [];
    await previewImport([{ name: 'a.docx', bytes: wordOf(50) }], { onProgress: (part) => parts.push(part) });
    expect(parts).toEqual([...parts].sort((one, other) => one - other));
    expect(parts.at(-1)).toBe(1);
  });

  test('stops when cancelled and at the time limit', async () => {
    const file = wordOf(500);
    expect(await previewImport([{ name: 'a.docx', bytes: file }], { signal: AbortSignal.timeout(30) })).toEqual({
      refused: previewRefusals.cancelled,
    });
    expect(await previewImport([{ name: 'a.docx', bytes: file }], { signal: AbortSignal.abort() })).toEqual({
      refused: previewRefusals.cancelled,
    });
    expect(await previewImport([{ name: 'a.docx', bytes: file }], { timeLimit: 20 })).toEqual({
      refused: previewRefusals.tooLong,
    });
  });

  test('refuses a file that exceeds its memory and still reads the next one', async () => {
    // Five million paragraphs: small when packed, and within every limit of a zip.
    const noise = Array.from(
      { length: 200_000 },
      (_, i) => `<w:p><w:r><w:t>${(i * 7919) % 1_000_003}</w:t></w:r></w:p>${'<w:p/>'.repeat(20)}`,
    );
    const huge = wordFile({ body: noise.join('') });
    expect(await previewImport([{ name: 'a.docx', bytes: huge }])).toEqual({ refused: previewRefusals.tooMuchMemory });
    expect(await previewImport([{ name: 'a.docx', bytes: wordOf(1) }])).toMatchObject({ questions: [{ errors: [] }] });
  });

  test('answers five concurrent previews, each in its turn', async () => {
    const previews = await Promise.all(
      Array.from({ length: 5 }, () => previewImport([{ name: 'a.docx', bytes: wordOf(20) }])),
    );
    expect(previews.map((preview) => 'questions' in preview && preview.questions.length)).toEqual([20, 20, 20, 20, 20]);
  });

  test('passes on the refusal of an empty or too large file', async () => {
    expect(await previewImport([{ name: 'a.xlsx', bytes: new Uint8Array() }])).toEqual({ refused: '文件内容为空' });
    expect(await previewImport([{ name: 'a.docx', bytes: Buffer.alloc(51 * 2 ** 20) }])).toEqual({
      refused: previewRefusals.tooLarge,
    });
  });
});

describe('previewing damaged files', () => {
  /** The same numbers on every run (mulberry32). */
  function numbers(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
    };
  }

  /** Cut off, with bytes overwritten, or with the XML of one part disturbed. */
  function damage(file: Uint8Array, next: (below: number) => number): Uint8Array {
    const kind = next(4);
    if (kind === 0) return file.slice(0, next(file.length));
    if (kind === 1) {
      const bytes = Uint8Array.from(file);
      for (let count = next(20); count >= 0; count -= 1) bytes[next(bytes.length)] = next(256);
      return bytes;
    }
    const parts = unzipSync(file);
    const names = Object.keys(parts).filter((name) => /\.(?:xml|rels)$/.test(name));
    const name = names[next(names.length)] ?? '';
    let text = strFromU8(parts[name] as Uint8Array);
    const tags = text.match(/<[^>]+>/g) ?? [''];
    const tag = () => tags[next(tags.length)] ?? '';
    for (let count = next(5); count >= 0; count -= 1) {
      const at = next(text.length);
      if (kind === 2) text = text.slice(0, at) + text.slice(at + next(30));
      else text = text.replace(tag(), next(2) ? '' : tag() + tag());
    }
    return zipSync({ ...parts, [name]: strToU8(text) }, { level: 1 });
  }

  test.each([
    ['Word', readWordQuestions, 'libreoffice.docx', wordTemplate],
    ['Excel', readExcelQuestions, 'libreoffice.xlsx', excelTemplate],
  ] as const)('%s: never throws, hangs or accepts an invalid question', async (_, read, fixture, template) => {
    const files = [await template(), readFileSync(new URL(`./fixtures/${fixture}`, import.meta.url))];
    const next = numbers(20);
    for (let round = 0; round < 200; round += 1) {
      const started = performance.now();
      const preview = await read(damage(files[round % 2] as Uint8Array, next), {
        savePicture: async () => '/files/1',
      });
      expect(performance.now() - started).toBeLessThan(5_000);
      if ('refused' in preview) {
        expect(preview.refused).toMatch(/[\u4e00-\u9fff]/);
        continue;
      }
      for (const { draft, errors } of preview.questions) {
        if (errors.length === 0) expect(checkQuestion(draft)).toEqual({});
        expect(sanitizeRichText(draft.ques_stem)).toBe(draft.ques_stem);
      }
    }
  });
});
