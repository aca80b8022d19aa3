/** Reads GIFT, Aiken and Moodle XML as teachers have them, broken files included. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readQuestions } from '#server/questions/import/formats.ts';
import type { ImportedQuestion, ImportNote, ImportPreview } from '#server/questions/import/imported-question.ts';

async function readFile(name: string, text: string | Uint8Array): Promise<ImportPreview> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const preview = await readQuestions([{ name, bytes }], { savePicture: async () => '/files/2026/01/kept.png' });
  if ('refused' in preview) throw new Error(preview.refused);
  return preview;
}

const said = (notes: readonly ImportNote[]) => notes.map(({ where, message }) => `${where}：${message}`);

/** Type, stem, right options or answer of each question. */
const shortOf = ({ draft }: ImportedQuestion) => [draft.ques_type, draft.ques_stem, draft.right_answer];

const noDifficulty = '文件：文件中没有难度，题目按3星导入，请核对';

describe('GIFT', () => {
  test('reads every kind of question that Moodle reads', async () => {
    const { questions, errors, leftOut, doubts, format } = await readFile(
      'bank.txt',
      String.raw`// 注释
$CATEGORY: $course$/第一章

::单选::谁葬在这里？{~甲 =乙#对了 ~%50%丙}

中国的首都是{=北京 =Beijing}。

天是蓝的{T}

哪两个？{
  ~%50%甲
  ~%50%乙

  ~丙}

圆周率{#3.14:0.01}

范围{#1..3}

谈谈{####【提示】}

说明文字

配对{=中国 -> 北京 =日本 -> 东京}

[html]<b>转义</b> \{a\=b\}\: \~{=1 \# 2}

Markdown [markdown]**不是**格式{F}
`,
    );
    expect(format).toBe('gift');
    expect(questions.map(shortOf)).toEqual([
      [1, '谁葬在这里？', '2'],
      [7, '中国的首都是____。', '北京'],
      [2, '天是蓝的', '1'],
      [3, '哪两个？', '1,2'],
      [7, '圆周率 ____', '3.14'],
      [7, '范围 ____', '2'],
      [5, '谈谈', ''],
      [6, '配对', ''],
      [7, '<strong>转义</strong> {a=b}: ~ ____', '1 # 2'],
      [2, 'Markdown [markdown]**不是**格式', '2'],
    ]);
    expect(questions[0]?.draft).toMatchObject({ ques_analysis: '<p>B：对了</p>', remark: '第一章', facility_value: 3 });
    expect(questions[7]?.draft.ques_item.map(({ ques_stem, right_answer }) => [ques_stem, right_answer])).toEqual([
      ['中国', '1'],
      ['日本', '2'],
    ]);
    expect(questions.flatMap(({ errors: of }) => said(of))).toEqual(['第20行：缺少答案']);
    expect(questions.flatMap(({ losses }) => said(losses))).toEqual([
      '第4行：选项C可得50%的分，没有保留',
      '第6行：“Beijing”也算对，没有保留',
      '第16行：答案允许误差±0.01，没有保留',
      '第18行：答案允许误差（1到3），没有保留',
    ]);
    expect(said(errors)).toEqual([]);
    expect(said(leftOut)).toEqual(['第22行：说明文字没有导入：“说明文字”']);
    expect(said(doubts)).toEqual([noDifficulty]);
  });

  test('names the line of each broken brace, and reads the questions around it', async () => {
    const { questions, errors } = await readFile(
      'bank.gift',
      '一{T}\n\n二{=a ~b\n\n三 =a}\n\n\n四{=a}{=b}\n\n五{F}\n\n六{~a}',
    );
    expect(questions.map(({ draft }) => draft.ques_stem)).toEqual(['一', '五']);
    expect(said(errors)).toEqual([
      '第3行：大括号 { 没有对应的 }',
      '第5行：大括号 } 没有对应的 {',
      '第8行：一道题只能有一对大括号',
      '第12行：答案不足',
    ]);
  });

  test('reads Moodle’s embedded answers: blanks as fill-in, choices as parts of a material', async () => {
    const { questions } = await readFile(
      'cloze.txt',
      '水是{1:SHORTANSWER_C:=H2O#对~%50%h2o}，{2:NUMERICAL:=100:1}度沸腾。\n\n选{1:MULTICHOICE:甲~=乙}和{1:MULTIRESPONSE:=甲~=乙~丙}',
    );
    expect(questions.map(shortOf)).toEqual([
      [7, '水是____，____度沸腾。', 'H2O@@100'],
      [6, '选（1）____和（2）____', ''],
    ]);
    expect(questions[1]?.draft.ques_item.map((part) => [part.ques_type, part.right_answer])).toEqual([
      [1, '2'],
      [3, '1,2'],
    ]);
    expect(said(questions[0]?.losses ?? [])).toEqual([
      '第1行：第1空：“h2o”也算对（50%），没有保留',
      '第1行：第2空：答案允许误差±1，没有保留',
    ]);
  });
});

test('takes no text for a table that only has commas and a line 题目', async () => {
  const text = '题目\nRed, green, or blue?\nA) red\nB) green\nANSWER: B';
  expect((await readFile('quiz.txt', text)).format).toBe('aiken');
  expect((await readFile('quiz', text)).format).toBe('aiken');
});

describe('Aiken', () => {
  test('reads the strict form and what people write instead', async () => {
    const { questions, errors, format } = await readFile(
      'quiz.txt',
      '题目一\r\nA) 甲\r\nB) 乙\r\nANSWER: B\r\n\r\n题目二，\r\n有两行 $x^2$\r\nＡ．甲\r\nb、乙\r\nC.丙\r\n答案：A、C\r\n\r\n对吗？\r\nA. 对\r\nB. 错\r\nANSWER: A',
    );
    expect(format).toBe('aiken');
    expect(said(errors)).toEqual([]);
    expect(questions.map(shortOf)).toEqual([
      [1, '题目一', '2'],
      [3, '题目二，<br />有两行 <span class="math" data-latex="x^2">x^2</span>', '1,3'],
      [2, '对吗？', '1'],
    ]);
  });

  test('names faults by line, and reads the questions around them', async () => {
    const { questions, errors } = await readFile(
      'quiz.aiken',
      '没有答案\nA. 甲\nB. 乙\n\n好题\nA. 甲\nB. 乙\nANSWER: B\nANSWER: A\n\n超出\nA. 甲\nB. 乙\nANSWER: D\n\n没有选项\nANSWER: A',
    );
    expect(questions.map(({ draft, errors: of }) => [draft.ques_stem, said(of)])).toEqual([
      ['好题', []],
      ['超出', ['第14行：答案D没有对应的选项']],
    ]);
    expect(said(errors)).toEqual([
      '第1行：“没有答案”没有答案，没有导入',
      '第9行：选项或答案前没有题干',
      '第17行：“没有选项”没有选项，没有导入',
    ]);
  });
});

const quiz = (...questions: string[]) => `<?xml version="1.0" encoding="UTF-8"?>\n<quiz>${questions.join('\n')}</quiz>`;
const question = (type: string, body: string, stem = '题干') =>
  `<question type="${type}"><name><text>名</text></name><questiontext format="html"><text><![CDATA[${stem}]]></text></questiontext>${body}</question>`;
const answer = (fraction: number, text: string, more = '') =>
  `<answer fraction="${fraction}"><text>${text}</text>${more}</answer>`;
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('Moodle XML', () => {
  test('keeps formulas, pictures of the file, scores, categories and tags', async () => {
    const { questions, leftOut } = await readFile(
      'bank.xml',
      quiz(
        '<question type="category"><category><text>$course$/Top/力学</text></category></question>',
        `<question type="multichoice"><name><text>一</text></name><questiontext format="html"><text><![CDATA[<p>\\(a &lt; b\\) $$x$$ 价格$5到$8<img src="@@PLUGINFILE@@/a%20b.png"><script>x()</script><a href="http://x">链接</a></p>]]></text><file name="a b.png" path="/" encoding="base64">${dot}</file></questiontext><defaultgrade>2.5</defaultgrade><single>true</single>${answer(100, '甲', '<feedback><text>好</text></feedback>')}${answer(0, '乙')}<tags><tag><text>重点 难点</text></tag></tags></question>`,
        question('essay', '<graderinfo><text>要点</text></graderinfo><defaultgrade>1.2</defaultgrade>'),
        question('ddmarker', '', '拖动'),
      ),
    );
    expect(questions[0]?.draft).toMatchObject({
      ques_stem:
        '<p><span class="math" data-latex="a &lt; b">a &lt; b</span> <span class="math" data-latex="\\displaystyle x">\\displaystyle x</span> 价格$5到$8<img src="/files/2026/01/kept.png" alt="图片" />链接</p>',
      ques_analysis: '<p>A：好</p>',
      remark: '力学',
      tags: '重点-难点',
    });
    expect(questions.map(({ score }) => score)).toEqual([2.5, undefined]);
    expect(questions.map(({ losses }) => said(losses))).toEqual([
      ['第1题“一”：链接没有保留，只保留了文字'],
      ['第2题“名”：分值1.2不是0.5的倍数，没有保留'],
    ]);
    expect(said(leftOut)).toEqual(['第3题“名”：题型“ddmarker”无法导入：“拖动”']);
  });

  test('reads short answers, numbers and choices of several with what they lose', async () => {
    const { questions } = await readFile(
      'bank.xml',
      quiz(
        question('shortanswer', `<usecase>1</usecase>${answer(100, 'a &lt; b')}${answer(50, 'b')}`),
        question('numerical', answer(100, '3.14', '<tolerance>0.01</tolerance>'), '圆周率是____'),
        question('multichoice', `<single>false</single>${answer(100, '甲')}${answer(-50, '乙')}`),
        question('multichoice', `<single>true</single>${answer(50, '甲')}${answer(0, '乙')}`),
        question('truefalse', answer(0, 'true') + answer(100, 'false')),
        question('matching', ''),
      ),
    );
    expect(questions.map(shortOf)).toEqual([
      [7, '题干 ____', 'a < b'],
      [7, '圆周率是____', '3.14'],
      [4, '题干', '1'],
      [1, '题干', ''],
      [2, '题干', '2'],
    ]);
    expect(questions[0]?.draft.ignore_case).toBe(0);
    expect(questions[3]?.errors).toEqual([{ where: '第4题“名”', message: '缺少答案' }]);
    expect(said(questions[2]?.doubts ?? [])).toEqual(['第3题“名”：多选题只有一个正确选项，按不定项选择题导入，请核对']);
  });

  test('refuses entities, and reads what stands before damage', async () => {
    const bomb =
      '<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><quiz>&a;</quiz>';
    const refused = await readQuestions([{ name: 'bomb.xml', bytes: Buffer.from(bomb) }]);
    expect(refused).toEqual({ refused: '文件含有实体声明（DOCTYPE），不安全，已拒绝' });
    const { questions, errors } = await readFile(
      'cut.xml',
      quiz(question('truefalse', answer(100, 'true')), question('truefalse', answer(100, 'true'))).slice(0, -60),
    );
    expect(questions).toHaveLength(1);
    expect(said(errors)).toEqual(['文件：第1题“名”之后的内容已损坏，没有读取']);
  });

  test('is no success without a question', async () => {
    const { questions, errors } = await readFile('empty.xml', quiz());
    expect([questions, said(errors)]).toEqual([[], ['文件：没有识别到题目']]);
  });
});

/**
 * Moodle's own fixtures, with the counts of its tests: `question/format/<name>/tests/fixtures` of moodle/moodle, laid
 * beside the project as `shared/import/moodle/<name>`, or where MOODLE_FIXTURES says. They are GPL and not part of the project.
 */
const folder = process.env.MOODLE_FIXTURES ?? path.resolve('../shared/import/moodle');
const moodleFiles: readonly (readonly [file: string, questions: number, others: number])[] = [
  // Three as in aikenformat_test.php: the question with one option is shown with its error.
  ['aiken/aiken_errors.txt', 3, 3],
  ['aiken/questions.aiken.txt', 2, 0],
  ['gift/questions.gift.txt', 9, 0],
  ['multianswer/questions.multianswer.txt', 1, 0],
  ['multianswer/broken_multianswer_2.txt', 0, 1],
  ['multianswer/broken_multianswer_3.txt', 0, 1],
  ['xml/broken_cloze_questions.xml', 0, 6],
  ['xml/error_invalid_grades.xml', 1, 0],
  ['xml/nested_categories_with_questions.xml', 5, 0],
  ['xml/old_format_file.xml', 2, 0],
];

const laid = moodleFiles.filter(([file]) => existsSync(path.join(folder, file)));
if (laid.length < moodleFiles.length) {
  const missing = moodleFiles.length - laid.length;
  process.stderr.write(`${missing} of Moodle's files are not in ${folder}, so they are not read.\n`);
}

describe.skipIf(laid.length === 0)('Moodle’s own files', () => {
  test.each(laid.length > 0 ? laid : moodleFiles)(
    '%s gives %i questions and %i other notes',
    async (file, count, others) => {
      const { questions, errors, leftOut } = await readFile(file, readFileSync(path.join(folder, file)));
      expect([questions.length, errors.length + leftOut.length]).toEqual([count, others]);
    },
  );
});
