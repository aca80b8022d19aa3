/** The law of every format: what was written is read again as it was, and what is not held is named. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import type { ExportOptions, ExportQuestion } from '#server/questions/export/export-question.ts';
import { questionWriters } from '#server/questions/export/writers.ts';
import type { ExportFormat } from '#server/questions/export.rules.ts';
import { readQuestions } from '#server/questions/import/formats.ts';
import type { ImportPreview } from '#server/questions/import/imported-question.ts';
import { judgementOptions, normaliseDraft, type QuestionDraft } from '#server/questions/rules.ts';
import { png } from '../support/office-files.ts';

const formula = '<span class="math" data-latex="x_{1}^2 &lt; 3">x_{1}^2 &lt; 3</span>';
const picture = '<img src="/files/2026/01/abc.png" alt="图" width="20" />';

const base = {
  ques_option: [],
  right_answer: '',
  ignore_case: 0,
  ques_analysis: '',
  facility_value: 4,
  remark: '期中',
  ques_item: [],
} as const;

const options = (right: readonly number[], contents: readonly string[]) =>
  contents.map((content, index) => ({
    id: index + 1,
    content,
    is_right: right.includes(index + 1) ? (1 as const) : (2 as const),
  }));

const draft = (fields: Partial<QuestionDraft> & Pick<QuestionDraft, 'ques_type' | 'ques_stem'>): QuestionDraft =>
  normaliseDraft({ ...structuredClone(base), ...fields } as QuestionDraft);

/** One question of each type, with what is hard to write in some format. */
const single = draft({
  ques_type: 1,
  ques_stem: `<p>下列哪个 {集合} = ~ # : \\ “是”？${formula}</p><p>第二段<strong>粗</strong>${picture}</p>`,
  ques_option: options([2], ['a = b', `${formula}，真`, '<em>c</em> &amp; d', picture]),
  ques_analysis: '<p>因为 1 &lt; 2，所以选 B。</p>',
  tags: '函数、难度:4、区分大小写、标签:甲、[重]"<&>\\',
});
const judgement = draft({ ques_type: 2, ques_stem: '<p>地球是圆的</p>', ques_option: judgementOptions(2) });
const multiple = draft({
  ques_type: 3,
  ques_stem: '<p>多选</p>',
  ques_option: options([1, 2, 4], ['甲', '乙', '丙', '丁']),
  tags: '备注:一、期中',
});
const indefinite = draft({ ques_type: 4, ques_stem: '<p>不定项</p>', ques_option: options([3], ['甲', '乙', '丙']) });
const essay = draft({
  ques_type: 5,
  ques_stem: '<p>简述</p>',
  right_answer: `<p>要点一：${formula}</p><p>要点二</p>`,
  ques_analysis: '<p>见课本</p>',
});
const blank = draft({
  ques_type: 7,
  ques_stem: '<p>水的化学式是____。</p>',
  right_answer: 'H2O = {水}',
  ignore_case: 1,
});
const blanks = draft({ ques_type: 7, ques_stem: '<p>____和____</p>', right_answer: 'a/b#c@@“乙” ~ }' });
const material = draft({
  ques_type: 6,
  ques_stem: `<p>阅读材料 ${formula}</p>`,
  tags: '阅读',
  ques_item: [judgement, { ...essay, ques_analysis: '' }, { ...blank, facility_value: 2 }].map((part) => ({
    ...part,
    remark: '',
  })),
});
const everyType = [single, judgement, multiple, indefinite, essay, blank, blanks, material];

const exported = (one: QuestionDraft, number: string): ExportQuestion => ({
  ...one,
  id: 1,
  number,
  ques_item: one.ques_item.map((part, index) => exported(part, `${number}.${index + 1}`)),
});

const writing: ExportOptions = { title: '测验', variant: 'with-answers', readPicture: async () => png };

const write = (format: ExportFormat, drafts: readonly QuestionDraft[]) =>
  writeQuestions(
    format,
    drafts.map((one, index) => exported(one, String(index + 1))),
  );

async function writeQuestions(format: ExportFormat, questions: readonly ExportQuestion[]) {
  const written = await questionWriters[format].write(questions, writing);
  if (isRefusal(written)) throw new Error(written.msg);
  return written;
}

async function read(format: ExportFormat, bytes: Uint8Array): Promise<ImportPreview> {
  const name = `题目.${questionWriters[format].ending}`;
  const preview = await readQuestions([{ name, bytes }], { savePicture: async () => '/files/2026/01/abc.png' });
  if ('refused' in preview) throw new Error(preview.refused);
  return preview;
}

const draftsOf = ({ questions }: ImportPreview): QuestionDraft[] => questions.map((question) => question.draft);

/** The questions that each format holds whole. */
const held: Partial<Record<ExportFormat, readonly QuestionDraft[]>> = {
  'moodle-xml': everyType,
  gift: everyType.filter((one) => one !== blanks),
};

describe.each(Object.entries(held) as [ExportFormat, readonly QuestionDraft[]][])('%s', (format, drafts) => {
  test('reads what was written as it was, without a loss', async () => {
    const { bytes, losses } = await write(format, drafts);
    const preview = await read(format, bytes);
    expect(preview.format).toBe(format);
    expect(draftsOf(preview)).toEqual(drafts);
    expect([losses, preview.errors, preview.leftOut]).toEqual([[], [], []]);
    expect(preview.questions.flatMap(({ errors, losses, doubts }) => [errors, losses, doubts].flat())).toEqual([]);
  });

  test('keeps any text', async () => {
    const text = fc
      .string({ unit: fc.constantFrom(...'a1 {}~=#:\\/%-><&"\'[]()|@$*`。，？“’_字'), minLength: 1, maxLength: 24 })
      .map((written) => `字${written.replaceAll('@@', '@').replace(/_{2,}/g, '_').trim()}字`)
      .filter((written) => !/\$|\\[()[\]]/.test(written));
    await fc.assert(
      fc.asyncProperty(text, text, async (stem, answer) => {
        const html = (written: string) =>
          written.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(/\s+/g, ' ');
        const one = draft({
          ques_type: 1,
          ques_stem: `<p>${html(stem)}</p>`,
          ques_option: options([1], [html(answer), '另一个']),
          ques_analysis: `<p>${html(answer)}</p>`,
        });
        const other = draft({ ...blank, right_answer: answer.replace(/\s+/g, ' ') });
        const { bytes } = await write(format, [one, other]);
        expect(draftsOf(await read(format, bytes))).toEqual([one, other]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('Excel', () => {
  test('holds every type in plain text with formulas, and names what is more', async () => {
    const plain = everyType
      .filter((one) => one !== single)
      .map((one) => draft({ ...one, ques_item: one.ques_item.map((part) => ({ ...part })) }));
    const oneLine = plain.map((one) =>
      one.ques_type === 5 ? { ...one, right_answer: `<p>要点一：${formula}<br />要点二</p>` } : one,
    );
    const whole = oneLine.map((one) => ({
      ...one,
      ques_item: one.ques_item.map((part) =>
        part.ques_type === 5 ? { ...part, right_answer: `<p>要点一：${formula}<br />要点二</p>` } : part,
      ),
    }));
    const { bytes, losses } = await write('xlsx', whole);
    const preview = await read('xlsx', bytes);
    expect(draftsOf(preview)).toEqual(whole);
    expect([losses, preview.errors, preview.leftOut, preview.doubts]).toEqual([[], [], [], []]);
    expect(preview.questions.flatMap(({ errors, losses, doubts }) => [errors, losses, doubts].flat())).toEqual([]);
    expect((await write('xlsx', [single])).losses.map(({ message }) => message)).toEqual([
      '文字格式（加粗、上下标、列表等）没有保留',
      '图片没有导出',
    ]);
  });

  test('keeps scores, and text that looks like a formula of a spreadsheet', async () => {
    const one = draft({ ques_type: 7, ques_stem: '<p>=SUM(A1) 是____</p>', right_answer: '-1@2', ignore_case: 1 });
    const questions = [{ ...exported(one, '1'), score: 2.5 }];
    const { bytes } = await writeQuestions('xlsx', questions);
    const preview = await read('xlsx', bytes);
    expect(draftsOf(preview)).toEqual([one]);
    expect(preview.questions[0]).toMatchObject({ score: 2.5, number: '1' });
  });
});

describe('tags', () => {
  test.each(['qti21', 'qti30', 'docx', 'aiken'] as const)('are named as missing from %s', async (format) => {
    const tagged = draft({ ques_type: 2, ques_stem: '一', ques_option: judgementOptions(1), remark: '', tags: '期中' });
    const { losses } = await write(format, [tagged]);
    expect(losses.map(({ message }) => message)).toContainEqual(expect.stringContaining('标签没有导出'));
  });
});

describe('GIFT', () => {
  test('names a question with several blanks, which it does not hold', async () => {
    const { losses, count } = await write('gift', [blanks, single]);
    expect(losses).toEqual([{ where: '第1题', message: '填空题有多个空，这种格式不支持，没有导出' }]);
    expect(count).toBe(1);
  });
});

describe('Aiken', () => {
  test('holds single choice and true/false in plain text, and names the rest', async () => {
    const plain = draft({
      ques_type: 1,
      ques_stem: `哪个对${formula}`,
      ques_option: options([2], ['甲', '乙']),
      facility_value: 3,
      remark: '',
    });
    const round = { ...judgement, ques_stem: '地球是圆的', facility_value: 3, remark: '' };
    const { bytes } = await write('aiken', [plain, round]);
    expect(draftsOf(await read('aiken', bytes))).toEqual([plain, round]);
    const { losses, count } = await write('aiken', everyType);
    expect(count).toBe(2);
    expect(losses.map(({ where, message }) => `${where}：${message}`)).toEqual([
      '第1题：文字格式（加粗、上下标、列表等）没有保留',
      '第1题：图片没有导出',
      '第1题：分段合成一行',
      '第1题：解析、难度、备注、标签没有导出',
      '第2题：难度、备注没有导出',
      '第3题：多选题，这种格式不支持，没有导出',
      '第4题：不定项选择题，这种格式不支持，没有导出',
      '第5题：简答题，这种格式不支持，没有导出',
      '第6题：填空题，这种格式不支持，没有导出',
      '第7题：填空题，这种格式不支持，没有导出',
      '第8题：材料题，这种格式不支持，没有导出',
    ]);
  });
});
