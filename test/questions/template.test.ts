import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { plainText } from '#server/platform/text/plain-text.ts';
import { readExcelQuestions } from '#server/questions/import/excel.ts';
import type { ImportPreview } from '#server/questions/import/imported-question.ts';
import { maxImportedOptions } from '#server/questions/import/rules.ts';
import { excelTemplate, wordTemplate } from '#server/questions/import/template.ts';
import { readWordQuestions } from '#server/questions/import/word.ts';
import { questionTypeNames } from '#server/questions/rules.ts';

const understood = (preview: ImportPreview | { refused: string }) => {
  if ('refused' in preview) throw new Error(preview.refused);
  expect(preview.errors).toEqual([]);
  expect(preview.questions.flatMap((question) => [...question.errors, ...question.losses])).toEqual([]);
  return preview.questions.map(({ draft }) => ({
    type: draft.ques_type,
    stem: plainText(draft.ques_stem),
    options: draft.ques_option.map((option) => option.content),
    answer: plainText(draft.right_answer),
    analysis: plainText(draft.ques_analysis),
    difficulty: draft.facility_value,
    remark: draft.remark,
    items: draft.ques_item.map((item) => [item.ques_type, plainText(item.ques_stem), plainText(item.right_answer)]),
  }));
};

test('both templates parse to the same questions of each type', async () => {
  const word = understood(await readWordQuestions(await wordTemplate()));
  const excel = understood(await readExcelQuestions(await excelTemplate()));
  expect(word.map((question) => question.type)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(excel).toEqual(word);
  expect(word[5]?.items).toHaveLength(2);
  expect(word[6]?.answer).toBe('北京@@京');
});

test('both templates explain types and option limits', async () => {
  const word = strFromU8(unzipSync(await wordTemplate())['word/document.xml'] ?? new Uint8Array());
  expect(word).toContain(Object.values(questionTypeNames).join('、'));
  expect(word).toContain(`最多${maxImportedOptions}个`);
  const parts = unzipSync(await excelTemplate());
  const excel = Object.keys(parts).map((name) => strFromU8(parts[name] ?? new Uint8Array()));
  for (const name of [...Object.values(questionTypeNames), `最多${maxImportedOptions}个选项`]) {
    expect(excel.some((part) => part.includes(name))).toBe(true);
  }
});

test('Word template is byte-identical for caching', async () => {
  expect(await wordTemplate()).toEqual(await wordTemplate());
});

test('Excel template cells are text, so 1-2 stays no date', async () => {
  const parts = unzipSync(await excelTemplate());
  const text = (name: string) => Buffer.from(parts[name] ?? []).toString();
  const style = /<c r="B50" s="(\d+)"/.exec(text('xl/worksheets/sheet2.xml'))?.[1];
  const formats = /<cellXfs[^>]*>([\s\S]*)<\/cellXfs>/.exec(text('xl/styles.xml'))?.[1]?.match(/<xf [^>]*>/g) ?? [];
  const format = /numFmtId="(\d+)"/.exec(formats[Number(style)] ?? '')?.[1];
  expect(text('xl/styles.xml')).toMatch(new RegExp(`<numFmt [^>]*numFmtId="${format}"[^>]*formatCode="@"`));
});
