import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';
import type { ExportQuestion } from '#server/questions/export/export-question.ts';
import { writeQti21, writeQti30 } from '#server/questions/export/qti.ts';
import { readQuestions } from '#server/questions/import/formats.ts';
import { parseXml } from '#server/questions/import/qti/tree.ts';
import { judgementOptions, type QuestionDraft } from '#server/questions/rules.ts';
import { png } from '../support/office-files.ts';

type Given = Partial<Omit<ExportQuestion, 'ques_item'>> & { ques_item?: Given[] };

const question = (given: Given, number = '1'): ExportQuestion => ({
  id: 1,
  number,
  ques_type: 1,
  ques_stem: '<p>题干</p>',
  ques_option: [],
  right_answer: '',
  ignore_case: 0,
  ques_analysis: '',
  facility_value: 3,
  remark: '',
  ...given,
  ques_item: (given.ques_item ?? []).map((part, index) => question(part, `${number}.${index + 1}`)),
});

const options = (contents: readonly string[], right: readonly number[]): ExportQuestion['ques_option'] =>
  contents.map((content, index) => ({ id: index + 1, content, is_right: right.includes(index + 1) ? 1 : 2 }));

const choice = (type: 1 | 3 | 4, right: readonly number[], given: Given = {}): Given => ({
  ques_type: type,
  ques_option: options(['甲', '<p>乙<sub>2</sub></p>', 'a &lt; b &amp; c'], right),
  right_answer: right.join(','),
  ...given,
});

const formula = (latex: string): string => {
  const written = latex.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<span class="math" data-latex="${written}">${written}</span>`;
};

const draftOf = ({ id: _, number: __, score: ___, ques_item, ...draft }: ExportQuestion): QuestionDraft => ({
  ...draft,
  ques_item: ques_item.map(draftOf),
});

async function readBack(bytes: Uint8Array) {
  let saved = 0;
  const preview = await readQuestions([{ name: 'a.zip', bytes }], {
    savePicture: async () => {
      saved += 1;
      return `/files/pictures/${saved}.png`;
    },
  });
  if ('refused' in preview) throw new Error(preview.refused);
  return preview;
}

const readPicture = async (src: string) => (src.startsWith('/files/pictures/') ? png : undefined);
const exportOptions = { title: '期中 <卷>', variant: 'with-answers' as const, readPicture };

const everyType: ExportQuestion[] = [
  question({
    ...choice(1, [2]),
    score: 2.5,
    facility_value: 5,
    remark: '电路、欧姆定律',
    ques_analysis: '<p>因为 <strong>R</strong></p>',
  }),
  question(choice(1, [1], { ques_option: options(['正确', '错误'], [1]), ques_stem: '选“正确”' })),
  question({ ques_type: 2, ques_option: judgementOptions(2), right_answer: '2', score: 1, facility_value: 1 }),
  question(choice(3, [1, 3], { score: 3, facility_value: 2 })),
  question(choice(4, [1, 2, 3], { facility_value: 4 })),
  question(choice(4, [2])),
  question({
    ques_type: 5,
    right_answer: `<p>答：${formula('\\frac{1}{2}')}</p><ul><li>一</li></ul>`,
    score: 10,
    ques_analysis: '看书',
  }),
  question({
    ques_type: 7,
    ques_stem: '<p>____是红的，____是蓝的，____</p>',
    right_answer: '花@@天 <b>@@A&B',
    ignore_case: 1,
    score: 3,
  }),
  question({ ques_type: 7, ques_stem: '<p>首都是（  ）。</p>', right_answer: 'Beijing', score: 2 }),
  question({ ques_type: 7, ques_stem: '<p>写<u>    </u>和______</p>', right_answer: '一@@二' }),
  question({
    ques_type: 7,
    ques_stem: '<p>看图<img src="/files/pictures/1.png" alt="图" /></p>',
    right_answer: '山@@水',
  }),
  question({
    ques_type: 6,
    ques_stem: '<p>材料</p><p style="text-align:center"><u>标题</u><s>旧</s></p>',
    facility_value: 4,
    remark: '阅读',
    ques_analysis: '<p>总的解析</p>',
    score: 9,
    ques_item: [
      { ...choice(1, [3]), facility_value: 1, ques_analysis: '<p>一的解析</p>', score: 2 },
      { ques_type: 2, ques_option: judgementOptions(1), right_answer: '1', score: 1 },
      { ...choice(4, [1, 2]), score: 2 },
      { ques_type: 5, right_answer: '因为', remark: '小题备注', facility_value: 5, score: 3 },
      { ques_type: 7, ques_stem: '<p>____</p>', right_answer: '山', ignore_case: 1, score: 1 },
    ],
  }),
];

describe.each([
  ['2.1', writeQti21, 'qti21'],
  ['3.0', writeQti30, 'qti30'],
] as const)('QTI %s', (_, write, format) => {
  test('gives back every type with all its fields', async () => {
    const { bytes, losses } = await write(everyType, exportOptions);
    expect(losses).toEqual([]);
    const preview = await readBack(bytes);
    expect([preview.format, preview.errors, preview.leftOut, preview.doubts]).toEqual([format, [], [], []]);
    expect(preview.questions.map(({ draft }) => draft)).toEqual(everyType.map(draftOf));
    expect(preview.questions.map(({ score }) => score)).toEqual(everyType.map(({ score }) => score));
    expect(preview.questions.flatMap((read) => [...read.errors, ...read.losses, ...read.doubts])).toEqual([]);
  });

  test.each([
    ['marks', '<p>a<strong>b</strong><em>c</em><u>d</u><s>e</s>x<sub>1</sub>y<sup>2</sup><br />第二行</p>'],
    [
      'dots under characters',
      '<p><span style="text-emphasis:filled dot;text-emphasis-position:under right">栈</span>桥</p>',
    ],
    ['lists and lines', '<ul><li><p>一</p></li></ul><ol start="3"><li><p>二</p></li></ol><hr /><p></p><p>末</p>'],
    [
      'tables',
      '<table><tbody><tr><th colspan="2">头</th></tr><tr><td rowspan="2" style="text-align:right">甲</td><td>乙</td></tr></tbody></table>',
    ],
    ['program text', '<pre>if (a &lt; b) {\n  x();\n}</pre>'],
    ['formulas', `<p>${formula('a<b')}和${formula('\\displaystyle \\sum_{i=1}^n i')}</p>`],
    ['spaces that do not break', '<p>\u00a0\u00a0首行</p>'],
    ['text without paragraphs', '只有文字 &lt;p&gt;'],
    ['pictures', '<p><img src="/files/pictures/1.png" alt="图 &quot;一&quot;" width="20" height="10" /></p>'],
  ])('keeps %s', async (__, html) => {
    expect(sanitizeRichText(html)).toBe(html);
    const { bytes, losses } = await write(
      [question({ ...choice(1, [1]), ques_stem: html, ques_analysis: html })],
      exportOptions,
    );
    const { questions } = await readBack(bytes);
    expect([losses, questions[0]?.draft.ques_stem, questions[0]?.draft.ques_analysis]).toEqual([[], html, html]);
  });

  test('writes formulas in the text as MathML, which come back as formulas', async () => {
    const { bytes } = await write([question({ ...choice(1, [1]), ques_stem: '<p>$x^2$，价格 $5</p>' })], exportOptions);
    expect(strFromU8(unzipSync(bytes)['items/0001.xml'] as Uint8Array)).toContain(
      '<annotation encoding="application/x-tex">x^2</annotation>',
    );
    const { questions } = await readBack(bytes);
    expect(questions[0]?.draft.ques_stem).toBe(`<p>${formula('x^2')}，价格 $5</p>`);
  });

  test('reports pictures and formulas that it cannot write', async () => {
    const stem = `<p><img src="/files/gone.png" alt="图" />${formula('\\frac{')}</p>`;
    const { bytes, losses } = await write([question({ ...choice(1, [1]), ques_stem: stem }, '3')], exportOptions);
    expect(losses).toEqual([
      { where: '第3题', message: '图片无法读取，没有导出' },
      { where: '第3题', message: '公式无法转换为 MathML，按 LaTeX 文字导出' },
    ]);
    expect((await readBack(bytes)).questions[0]?.draft.ques_stem).toBe(`<p>［图片］${formula('\\frac{')}</p>`);
  });

  test('lists every file in the manifest, and writes well-formed XML', async () => {
    const control = question({ ...choice(1, [1]), ques_stem: '<p>控\u0001制</p>' });
    const files = unzipSync((await write([...everyType, control], exportOptions)).bytes);
    const listed = strFromU8(files['imsmanifest.xml'] as Uint8Array).matchAll(/<file href="([^"]+)"/g);
    expect([...listed].map(([, href]) => href).sort()).toEqual(
      Object.keys(files)
        .filter((name) => name !== 'imsmanifest.xml')
        .sort(),
    );
    for (const [name, bytes] of Object.entries(files)) if (name.endsWith('.xml')) parseXml(bytes);
    expect(Object.keys(files)).toContain('pictures/1.png');
  });

  test('writes the same bytes for the same questions', async () => {
    const [first, second] = [await write(everyType, exportOptions), await write(everyType, exportOptions)];
    expect(Buffer.from(first.bytes).equals(Buffer.from(second.bytes))).toBe(true);
  });
});
