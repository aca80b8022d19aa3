import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import type { ExportOptions, ExportQuestion } from '#server/questions/export/export-question.ts';
import { writeWord } from '#server/questions/export/word.ts';
import { readQuestions } from '#server/questions/import/formats.ts';
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

const options = (contents: readonly string[], right: readonly number[]) => ({
  ques_option: contents.map((content, index) => ({
    id: index + 1,
    content,
    is_right: right.includes(index + 1) ? (1 as const) : (2 as const),
  })),
  right_answer: right.join(','),
});

const formula = (latex: string): string => {
  const written = latex.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<span class="math" data-latex="${written}">${written}</span>`;
};
const picture = '<img src="/files/pictures/1.png" alt="示意图" width="96" height="48" />';
const dot = '<span style="text-emphasis:filled dot;text-emphasis-position:under right">着</span>';

const draftOf = ({ id: _, number: __, score: ___, ques_item, ...draft }: ExportQuestion): QuestionDraft => ({
  ...draft,
  ques_item: ques_item.map(draftOf),
});

async function write(questions: readonly ExportQuestion[], options: Partial<ExportOptions> = {}) {
  const all: ExportOptions = { title: '期中测验', variant: 'with-answers', readPicture: async () => png, ...options };
  const written = await writeWord(questions, all);
  if (isRefusal(written)) throw new Error(written.msg);
  return written;
}

const documentOf = (bytes: Uint8Array): string => strFromU8(unzipSync(bytes)['word/document.xml'] as Uint8Array);

/** Text of a document: paragraphs with `|` between them. */
const textOf = (xml: string): string =>
  [...xml.matchAll(/<w:p>(.*?)<\/w:p>/g)]
    .map(([, content = '']) => content.replaceAll('<w:tab/>', '\t').replace(/<[^>]*>/g, ''))
    .join('|');

async function readBack(bytes: Uint8Array) {
  const preview = await readQuestions([{ name: '试卷.docx', bytes }], {
    savePicture: async () => '/files/pictures/1.png',
  });
  if ('refused' in preview) throw new Error(preview.refused);
  return preview;
}

const everyType: Given[] = [
  {
    ques_type: 1,
    ques_stem: `<p>已知${formula('f(x)=\\begin{cases}x^{2}, & x≥0 \\\\ -x, & x<0\\end{cases}')}，<strong>求</strong>H<sub>2</sub>O与x<sup>2</sup>，${dot}${picture}</p><p>${formula('\\displaystyle ∑_{i=1}^{n}i=\\frac{n(n+1)}{2}')}</p>`,
    ...options([formula('\\frac{1}{2}'), `<em>c</em> &amp; d`, picture, '一般'], [2]),
    ques_analysis: '<p>第一行<br />第二行</p><p>a &lt; b</p>',
    facility_value: 2,
    score: 3,
  },
  { ques_type: 1, ques_stem: '<p>短选项</p>', ...options(['甲', '乙', '丙', '丁'], [4]), score: 3 },
  { ques_type: 2, ques_stem: '<p>地球是圆的。</p>', right_answer: '2', ques_option: judgementOptions(2) },
  { ques_type: 3, ques_stem: '<p>多选</p>', ...options(['苹果是一种水果', '梨', '白菜'], [1, 2]), score: 4.5 },
  { ques_type: 4, ques_stem: '<p>不定项</p>', ...options(['甲', '乙', '丙'], [3]) },
  { ques_type: 7, ques_stem: '<p>____是首都，水是____。</p>', right_answer: '北京@@H2O' },
  {
    ques_type: 5,
    ques_stem:
      '<p>读表</p><table><tbody><tr><td colspan="2">上</td></tr><tr><td rowspan="2">左</td><td>右</td></tr><tr><td>下</td></tr></tbody></table>',
    right_answer: `<p>要点一：${formula('\\sqrt{3}')}</p><p>要点二</p>`,
    score: 10,
  },
  {
    ques_type: 6,
    ques_stem: '<p>阅读材料，回答问题。水是生命之源。</p>',
    facility_value: 4,
    ques_item: [
      { ques_type: 1, ques_stem: '<p>第一小题</p>', ...options(['甲', '乙'], [2]), score: 2 },
      { ques_type: 7, ques_stem: '<p>水可以____。</p>', right_answer: '饮用', score: 3 },
      { ques_type: 5, ques_stem: '<p>谈谈看法</p>', right_answer: '<p>节约</p>', score: 5 },
    ],
  },
];
const exported = everyType.map((given, index) => question(given, String(index + 1)));

describe('questions written as a Word paper', () => {
  test('are read again as they were, with their points', async () => {
    const { bytes, losses } = await write(exported);
    const preview = await readBack(bytes);
    expect(preview.errors).toEqual([]);
    expect(preview.questions.map(({ draft }) => draft)).toEqual(exported.map(draftOf));
    expect(preview.questions.map(({ errors, losses, doubts }) => [errors, losses, doubts])).toEqual(
      exported.map(() => [[], [], []]),
    );
    expect(preview.questions.map(({ score }) => score)).toEqual(exported.map(({ score }) => score));
    expect(losses.filter(({ message }) => !message.startsWith('区分大小写'))).toEqual([]);
  });

  test('have no answers, analyses and difficulties if they are for students, but lines to write on', async () => {
    const { bytes } = await write(exported, { variant: 'paper' });
    const xml = documentOf(bytes);
    expect(xml).not.toMatch(/答案|解析|难度|要点|饮用/);
    expect(xml).toContain('姓名：');
    expect(xml.match(/AnswerLine/g)).toHaveLength(10);
  });

  test('have their answers at the end, where the import finds them', async () => {
    const { bytes, losses } = await write(exported, { variant: 'answers-at-end' });
    const xml = documentOf(bytes);
    expect(xml.indexOf('要点一')).toBeGreaterThan(xml.indexOf('参考答案与解析'));
    expect(xml.match(/AnswerLine/g)).toHaveLength(10);
    expect(losses.filter(({ message }) => message.includes('难度')).map(({ where }) => where)).toEqual([
      '第8.1题',
      '第8.2题',
      '第8.3题',
    ]);
    const preview = await readBack(bytes);
    expect(preview.errors).toEqual([]);
    // The parts of a material have its difficulty there.
    const expected = exported.map((one) => ({
      ...draftOf(one),
      ques_item: one.ques_item.map((part) => ({ ...draftOf(part), facility_value: one.facility_value })),
    }));
    expect(preview.questions.map(({ draft }) => draft)).toEqual(expected);
  });

  test('have an answer sheet with boxes, lines and frames, which shows neither texts nor answers', async () => {
    const { bytes, losses } = await write(exported, { variant: 'answer-sheet', readPicture: () => Promise.reject() });
    const text = textOf(documentOf(bytes));
    expect(losses).toEqual([]);
    expect(text).toContain('答 题 卡|姓名：');
    expect(text).toContain('1  [A] [B] [C] [D]|2  [A] [B] [C] [D]');
    expect(text).toContain('3  [√] [×]');
    expect(text).toContain('6（1）\t\t6（2）\t');
    expect(text).toContain('7（10分）');
    expect(text).toContain('8（1）  [A] [B]|8（2）\t|8（3）（5分）');
    expect(text).not.toMatch(/题干|首都|要点|北京|第一小题/);
  });

  test('keep the line breaks of preformatted text', async () => {
    const code = '<pre>if x:\n  y &lt; 1</pre>';
    const { bytes } = await write([
      question({ ques_type: 5, ques_stem: `<p>读</p>${code}`, right_answer: '<p>略</p>' }),
    ]);
    expect(documentOf(bytes)).toContain(
      'if x:</w:t></w:r><w:r><w:br/></w:r><w:r><w:t xml:space="preserve">  y &lt; 1<',
    );
  });

  test('refer to each picture by ids of its own, and store its bytes once', async () => {
    const { bytes } = await write([
      question({ ques_type: 5, ques_stem: `<p>${picture}${picture}</p>`, right_answer: `<p>${picture}</p>` }),
    ]);
    const ids = [...documentOf(bytes).matchAll(/<wp:docPr id="(\d+)"/g)].map(([, id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
    expect(Object.keys(unzipSync(bytes)).filter((name) => name.startsWith('word/media/'))).toHaveLength(1);
  });

  test('are refused while many others wait', async () => {
    const papers = Array.from({ length: 30 }, () =>
      writeWord([], { title: '测验', variant: 'paper', readPicture: async () => undefined }),
    );
    const refused = (await Promise.all(papers)).filter((outcome) => isRefusal(outcome));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(({ kind, msg }) => kind === 'away' && msg === '导出的人较多，请稍后再试')).toBe(true);
  });

  test('name what Word cannot hold', async () => {
    const { losses } = await write(
      [
        question({
          ques_stem: `<p>题${formula('\\unknown')}<img src="/files/gone.png" alt="" /></p><ul><li>甲</li></ul>`,
          ...options(['甲', '乙'], [1]),
          remark: '期中',
        }),
      ],
      { readPicture: async () => undefined },
    );
    expect(losses.map(({ where, message }) => `${where}：${message}`)).toEqual([
      '第1题：公式无法写成 Word 公式，按 LaTeX 源码导出',
      '第1题：图片无法读取，没有导出',
      '第1题：列表按文字导出',
      '第1题：备注没有导出',
    ]);
  });

  test('have pictures that Word shows, no wider than the page', async () => {
    const wide = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: 'red' } })
      .webp()
      .toBuffer();
    const { bytes } = await write(
      [
        question({
          ques_type: 5,
          ques_stem: '<p>图<img src="/files/a.webp" alt="图片" /></p>',
          right_answer: '<p>略</p>',
        }),
      ],
      { readPicture: async () => wide },
    );
    const parts = unzipSync(bytes);
    expect(strFromU8(parts['word/document.xml'] as Uint8Array)).toContain('<wp:extent cx="6115050" cy="3057525"/>');
    expect((await sharp(parts['word/media/image1.png']).metadata()).format).toBe('png');
  });
});
