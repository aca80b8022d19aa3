/** Renders questions as Word papers in the habits of different authors and programs. */
import { paragraph, run, wordFile, xml } from '../../support/office-files.ts';
import type { PaperQuestion, PaperType } from './subjects.ts';

/** A paper's habits. Texts that it lacks are left out. */
export interface Habits {
  name: string;
  /** The number of a question, from 1; `auto`: Word's automatic numbering, which is in no text. */
  number: ((n: number) => string) | 'auto';
  /** True if numbers begin again in each section. */
  restarts?: boolean;
  heading?: (section: { type: PaperType; index: number; count: number; score: number }) => string;
  /** Text before the stem. */
  prefix?: (type: PaperType) => string;
  options: 'lines' | 'tabs' | 'spaces' | 'pairs' | 'table' | 'auto' | 'glued' | 'breaks';
  optionLabel?: (letter: string) => string;
  /** How a true/false question is written: with two options, or with a bracket after the statement. */
  judgement: 'options' | 'bracket' | 'plain';
  /** Place of the answers. `stem`: choices in the brackets of the stem, other answers after the question. */
  answers: 'after' | 'stem' | 'end' | 'ranges' | 'table' | 'file' | 'none';
  answer?: (text: string, analysis: string) => string[];
  judged?: readonly [right: string, wrong: string];
  /** True if the stem ends with its score. */
  scores?: boolean;
  /** `shared`: the parts of a material question have numbers of their own, after “阅读材料，回答12～13题”. */
  material?: 'parts' | 'shared';
  cover?: readonly string[];
  /** Text lines of one paragraph with line breaks, and runs as the program writes them. */
  program?: 'word' | 'wps' | 'libreoffice';
}

const names: Readonly<Record<PaperType, string>> = {
  1: '单项选择题',
  2: '判断题',
  3: '多项选择题',
  5: '简答题',
  6: '材料分析题',
  7: '填空题',
};
const scoreOf: Readonly<Record<PaperType, number>> = { 1: 3, 2: 1, 3: 4, 5: 6, 6: 10, 7: 2 };
const chinese = ['一', '二', '三', '四', '五', '六'];

/** A question as it must be read. */
export interface ExpectedQuestion extends Omit<PaperQuestion, 'parts'> {
  score: number | undefined;
  parts: ExpectedQuestion[];
}

export interface Paper {
  name: string;
  file: Uint8Array;
  answerFile?: Uint8Array;
  expected: ExpectedQuestion[];
}

/** Splits a text into runs, as programs do after edits. */
function runsOf(text: string, program: Habits['program']): string {
  const step = program === 'word' ? 7 : program === 'wps' ? 19 : Number.POSITIVE_INFINITY;
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += step) pieces.push(text.slice(at, at + step));
  if (pieces.length === 0) pieces.push('');
  return pieces
    .map((piece) =>
      piece
        .split('\t')
        .map((part) =>
          program === 'libreoffice'
            ? `<w:r><w:rPr></w:rPr><w:t xml:space="preserve">${xml(part)}</w:t></w:r>`
            : run(part),
        )
        .join('<w:r><w:tab/></w:r>'),
    )
    .join(program === 'word' ? '<w:proofErr w:type="spellStart"/>' : '');
}

const table = (rows: string[][], program: Habits['program']): string =>
  `<w:tbl><w:tblPr/><w:tblGrid/>${rows
    .map(
      (cells) =>
        `<w:tr>${cells.map((cell) => `<w:tc><w:tcPr/>${paragraph(runsOf(cell, program))}</w:tc>`).join('')}</w:tr>`,
    )
    .join('')}</w:tbl>`;

const listOf = (id: number) => `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${id}"/></w:numPr>`;

/** The body of a document and its automatic lists. */
class Document {
  readonly blocks: string[] = [];
  private lists = 0;
  private readonly program: Habits['program'];
  private readonly kinds: ('decimal' | 'upperLetter')[] = [];

  constructor(program: Habits['program']) {
    this.program = program;
  }

  text(text: string, properties = ''): void {
    for (const line of text.split('\n')) this.blocks.push(paragraph(runsOf(line, this.program), properties));
  }

  /** One paragraph whose lines are separated by Shift+Enter. */
  breaks(lines: readonly string[]): void {
    const [first = '', ...others] = lines.map((line) => runsOf(line, this.program));
    this.blocks.push(paragraph(first + others.map((line) => `<w:r><w:br/></w:r>${line}`).join('')));
  }

  table(rows: string[][]): void {
    this.blocks.push(table(rows, this.program));
  }

  newList(kind: 'decimal' | 'upperLetter'): number {
    this.kinds.push(kind);
    this.lists += 1;
    return this.lists;
  }

  file(): Uint8Array {
    const abstract = this.kinds.map(
      (kind, index) =>
        `<w:abstractNum w:abstractNumId="${index}"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${kind}"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>`,
    );
    const numbers = this.kinds.map(
      (_, index) => `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="${index}"/></w:num>`,
    );
    return wordFile({ body: this.blocks.join(''), numbering: abstract.join('') + numbers.join('') });
  }
}

const letters = ['A', 'B', 'C', 'D', 'E', 'F'];

/** Writes a paper with the habits; sections are in the order of the types. */
export function writePaper(subject: string, questions: readonly PaperQuestion[], habits: Habits): Paper {
  const document = new Document(habits.program);
  const key = new Document(habits.program);
  const target = habits.answers === 'file' ? key : document;
  const late: (() => void)[] = [];
  const expected: ExpectedQuestion[] = [];
  for (const line of habits.cover ?? []) document.text(line.replace('学科', subject));
  let number = 0;
  let list = 0;
  const order: PaperType[] = [1, 3, 2, 7, 5, 6];
  const sections = order.filter((type) => questions.some((question) => question.type === type));
  for (const [index, type] of sections.entries()) {
    const ofType = questions.filter((question) => question.type === type);
    const score = scoreOf[type];
    const heading = habits.heading?.({ type, index, count: ofType.length, score });
    if (heading) document.text(heading);
    if (habits.restarts) number = 0;
    if (habits.number === 'auto' && (habits.restarts || list === 0)) list = document.newList('decimal');
    const sectionKeys: { number: number; answer: string; analysis: string }[] = [];
    for (const question of ofType) {
      expected.push(
        expectedOf(question, {
          hasScore: habits.scores === true || (heading?.includes(`${score}分`) ?? false),
          score,
          habits,
        }),
      );
      if (type === 6) {
        number = writeMaterial(document, question, { habits, number, list, keys: sectionKeys });
        continue;
      }
      number += 1;
      writeQuestion(document, question, { habits, number, list, label: undefined });
      sectionKeys.push({ number, answer: spelled(question, habits), analysis: question.analysis });
    }
    late.push(() => writeKeys(target, sectionKeys, { habits, type, heading: `${chinese[index]}、${names[type]}` }));
  }
  if (['end', 'ranges', 'table', 'file'].includes(habits.answers)) {
    target.text(habits.answers === 'file' ? `${subject}试卷参考答案` : '参考答案');
    for (const write of late) write();
  }
  return {
    name: `${subject} ${habits.name}`,
    file: document.file(),
    ...(habits.answers === 'file' && { answerFile: key.file() }),
    expected,
  };
}

function expectedOf(
  question: PaperQuestion,
  { hasScore, score, habits }: { hasScore: boolean; score: number; habits: Habits },
): ExpectedQuestion {
  const none = habits.answers === 'none';
  // Parts with numbers of their own are questions of the section: each gets its points, and a blank is written freely.
  const isShared = habits.material === 'shared' && question.type === 6;
  return {
    ...question,
    answer: none ? '' : question.answer,
    analysis: habits.answers === 'after' || habits.answers === 'stem' ? question.analysis : '',
    score: hasScore ? score * (isShared ? question.parts.length : 1) : undefined,
    parts: question.parts.map((part) => ({
      ...expectedOf(part, { hasScore: false, score: 0, habits }),
      ...(isShared && part.type === 7 && { type: 5 as const }),
    })),
  };
}

/** The answer as this paper spells it. */
function spelled({ type, answer }: PaperQuestion, { judged = ['正确', '错误'], judgement }: Habits): string {
  if (type !== 2) return answer;
  if (judgement === 'options') return answer === '对' ? 'A' : 'B';
  return answer === '对' ? judged[0] : judged[1];
}

interface Place {
  habits: Habits;
  number: number;
  list: number;
  /** The label of a part. */
  label: string | undefined;
}

function writeQuestion(document: Document, question: PaperQuestion, { habits, number, list, label }: Place): void {
  const { type } = question;
  const isAuto = habits.number === 'auto' && label === undefined;
  const shown = label ?? (typeof habits.number === 'function' ? habits.number(number) : '');
  let stem = question.stem;
  const answer = spelled(question, habits);
  if (type === 2 && habits.judgement === 'bracket') stem += '（　　）';
  const isInStem = habits.answers === 'stem' && [1, 2, 3].includes(type) && stem.includes('（　　）');
  if (isInStem) stem = stem.replace('（　　）', `（ ${answer} ）`);
  const score = habits.scores && label === undefined ? `（${scoreOf[type]}分）` : '';
  document.text(`${shown}${habits.prefix?.(type) ?? ''}${stem}${score}`, isAuto ? listOf(list) : '');
  writeOptions(document, type === 2 && habits.judgement === 'options' ? ['正确', '错误'] : question.options, habits);
  if (habits.answers === 'after' || (habits.answers === 'stem' && !isInStem)) {
    const write = habits.answer ?? ((text, analysis) => [`答案：${text}`, ...(analysis ? [`解析：${analysis}`] : [])]);
    document.text(write(answer, question.analysis).join('\n'));
  } else if (isInStem && question.analysis) document.text(`解析：${question.analysis}`);
}

function writeOptions(document: Document, options: readonly string[], habits: Habits): void {
  if (options.length === 0) return;
  const label = habits.optionLabel ?? ((letter: string) => `${letter}. `);
  const labelled = options.map((option, index) => `${label(letters[index] as string)}${option}`);
  const pairs: string[][] = [];
  for (let at = 0; at < labelled.length; at += 2) pairs.push(labelled.slice(at, at + 2));
  if (habits.options === 'table') document.table(pairs);
  else if (habits.options === 'pairs') for (const pair of pairs) document.text(pair.join('\t\t'));
  else if (habits.options === 'breaks') document.breaks(labelled);
  else if (habits.options === 'auto') {
    const id = document.newList('upperLetter');
    for (const option of options) document.text(option, listOf(id));
  } else document.text(labelled.join(optionSeparators[habits.options]));
}

const optionSeparators = { lines: '\n', tabs: '\t', spaces: '     ', glued: ' ' } as const;

function writeMaterial(
  document: Document,
  question: PaperQuestion,
  {
    habits,
    number,
    list,
    keys,
  }: Omit<Place, 'label'> & { keys: { number: number; answer: string; analysis: string }[] },
): number {
  const count = question.parts.length;
  if (habits.material === 'shared') {
    document.text(`阅读下列材料，回答${number + 1}～${number + count}题。\n${question.stem}`);
    for (const [index, part] of question.parts.entries()) {
      writeQuestion(document, part, { habits, number: number + index + 1, list, label: undefined });
      keys.push({ number: number + index + 1, answer: spelled(part, habits), analysis: part.analysis });
    }
    return number + count;
  }
  const isAuto = habits.number === 'auto';
  const shown = typeof habits.number === 'function' ? habits.number(number + 1) : '';
  const score = habits.scores ? `（${scoreOf[6]}分）` : '';
  const [first = '', ...others] = question.stem.split('\n');
  document.text(`${shown}${habits.prefix?.(6) ?? ''}${first}${score}`, isAuto ? listOf(list) : '');
  if (others.length > 0) document.text(others.join('\n'));
  for (const [index, part] of question.parts.entries())
    writeQuestion(document, part, { habits, number: number + 1, list, label: `（${index + 1}）` });
  keys.push({
    number: number + 1,
    answer: question.parts.map((part, index) => `（${index + 1}）${spelled(part, habits)}`).join('　'),
    analysis: '',
  });
  return number + 1;
}

/** Writes the answers of a section, at the end or in a file of its own. */
function writeKeys(
  document: Document,
  keys: readonly { number: number; answer: string; analysis: string }[],
  { habits, type, heading }: { habits: Habits; type: PaperType; heading: string },
): void {
  const label = typeof habits.number === 'function' ? habits.number : (n: number) => `${n}．`;
  document.text(heading);
  const isShort = [1, 3].includes(type) || (type === 2 && habits.judgement !== 'bracket');
  if (habits.answers === 'ranges' && type === 1) {
    document.text(`${keys[0]?.number}-${keys.at(-1)?.number} ${keys.map(({ answer }) => answer).join('')}`);
  } else if (habits.answers === 'table' && [1, 2, 3].includes(type)) {
    document.table([
      ['题号', ...keys.map(({ number }) => String(number))],
      ['答案', ...keys.map(({ answer }) => answer)],
    ]);
  } else if (isShort) {
    document.text(keys.map(({ number, answer }) => `${label(number)}${answer}`).join('　　'));
  } else document.text(keys.map(({ number, answer }) => `${label(number)}${answer}`).join('\n'));
}

const exam = [
  '绝密★启用前',
  '2025—2026学年度第一学期期末考试',
  '高一学科试卷',
  '（考试时间：90分钟　满分：100分）',
  '学校：__________　姓名：__________　班级：__________',
  '注意事项：',
  '1．答题前，考生务必将自己的姓名、准考证号填写在答题卡上。',
  '2．回答选择题时，选出每小题答案后，用铅笔把答题卡上对应题目的答案标号涂黑。',
  '3．考试结束后，将本试卷和答题卡一并交回。',
];

export const habits: readonly Habits[] = [
  {
    name: '期末试卷，答案在卷末',
    cover: exam,
    number: (n) => `${n}．`,
    heading: ({ type, index, count, score }) =>
      `${chinese[index]}、${names[type]}（本大题共${count}小题，每小题${score}分，共${count * score}分）`,
    options: 'tabs',
    optionLabel: (letter) => `${letter}．`,
    judgement: 'bracket',
    judged: ['√', '×'],
    answers: 'end',
    program: 'word',
  },
  {
    name: '练习册，答案在题后',
    cover: ['学科课后练习'],
    number: (n) => `${n}、`,
    heading: ({ type, index }) => `${chinese[index]}、${names[type]}`,
    options: 'lines',
    optionLabel: (letter) => `${letter}、`,
    judgement: 'plain',
    judged: ['对', '错'],
    answers: 'after',
    program: 'wps',
  },
  {
    name: '题库导出，题型在题干前',
    number: (n) => `${n}.`,
    prefix: (type) => `【${{ ...names, 1: '单选题', 3: '多选题' }[type]}】`,
    options: 'lines',
    judgement: 'options',
    answers: 'after',
    answer: (text, analysis) => [
      `正确答案：${text}`,
      ...(analysis ? [`答案解析：${analysis}`] : []),
      '难度：中等',
      '知识点：基础知识',
    ],
    program: 'word',
  },
  {
    name: '答案写在题干括号里',
    cover: ['学科知识竞赛题库'],
    number: (n) => `${n}. `,
    heading: ({ type, index, score }) => `${chinese[index]}、${names[type]}（每题${score}分）`,
    options: 'pairs',
    judgement: 'bracket',
    judged: ['√', '×'],
    answers: 'stem',
    program: 'wps',
  },
  {
    name: '自动编号，选项自动编字母',
    cover: ['学科单元测试'],
    number: 'auto',
    heading: ({ type, index, score }) => `${chinese[index]}、${names[type]}（每小题${score}分）`,
    options: 'auto',
    judgement: 'plain',
    answers: 'after',
    answer: (text, analysis) => [`【答案】${text}`, ...(analysis ? [`【解析】${analysis}`] : [])],
    program: 'word',
  },
  {
    name: '各部分重新编号，答案连写',
    cover: ['学科期中测验', '班级________ 姓名________ 得分________'],
    number: (n) => `${n}.`,
    restarts: true,
    heading: ({ type, index, score, count }) =>
      `（${chinese[index]}）${names[type]}（每小题${score}分，共${count * score}分）`,
    options: 'spaces',
    judgement: 'bracket',
    judged: ['对', '错'],
    answers: 'ranges',
    program: 'libreoffice',
  },
  {
    name: '答案在表格里',
    number: (n) => `${n})`,
    heading: ({ type, index, count, score }) => `${chinese[index]}．${names[type]}(共${count}题，每题${score}分)`,
    options: 'tabs',
    optionLabel: (letter) => `(${letter})`,
    judgement: 'bracket',
    judged: ['T', 'F'],
    answers: 'table',
    program: 'wps',
  },
  {
    name: '答案在另一个文件',
    cover: exam,
    number: (n) => `${n}．`,
    heading: ({ type, index, count, score }) =>
      `${chinese[index]}、${names[type]}：本题共${count}小题，每小题${score}分，共${count * score}分。`,
    options: 'lines',
    optionLabel: (letter) => `${letter}．`,
    judgement: 'bracket',
    answers: 'file',
    material: 'shared',
    program: 'word',
  },
  {
    name: '原卷，没有答案',
    cover: exam,
    number: (n) => `${n}. `,
    heading: ({ type, index, count, score }) =>
      `${chinese[index]}、${names[type]}（本题包括${count}小题，每小题${score}分，共${count * score}分）`,
    options: 'pairs',
    optionLabel: (letter) => `${letter}．`,
    judgement: 'bracket',
    answers: 'none',
    program: 'word',
  },
  {
    name: '选项在表格里，第N题',
    number: (n) => `第${n}题 `,
    heading: ({ type }) => names[type],
    options: 'table',
    judgement: 'plain',
    judged: ['正确', '错误'],
    answers: 'after',
    answer: (text, analysis) => [`参考答案:${text}`, ...(analysis ? [`解析:${analysis}`] : [])],
    program: 'wps',
  },
  {
    name: '编号写法混杂，选项挤在一行',
    cover: ['学科复习题'],
    number: (n) => [`${n}、`, `${n}.`, `${n}．`][n % 3] as string,
    heading: ({ type }) => names[type],
    options: 'glued',
    optionLabel: (letter) => `${letter}.`,
    judgement: 'bracket',
    judged: ['√', '×'],
    answers: 'end',
    material: 'shared',
    program: 'libreoffice',
  },
  {
    name: '分值在题干后，详解',
    cover: exam.slice(1, 4),
    number: (n) => `${n}．`,
    heading: ({ type, index }) =>
      (index === 0 ? '第Ⅰ卷（选择题）\n' : index === 2 ? '第Ⅱ卷（非选择题）\n' : '') +
      `${chinese[index]}、${names[type]}`,
    options: 'breaks',
    optionLabel: (letter) => `${letter}．`,
    judgement: 'plain',
    judged: ['正确', '错误'],
    answers: 'after',
    answer: (text, analysis) => [`【答案】${text}`, ...(analysis ? [`【详解】${analysis}`] : [])],
    scores: true,
    program: 'word',
  },
  {
    name: '没有大题标题，题型只能从答案看出',
    number: (n) => `${n}、`,
    options: 'lines',
    optionLabel: (letter) => `${letter}.`,
    judgement: 'options',
    answers: 'after',
    answer: (text, analysis) => [`标准答案：${text}`, ...(analysis ? [`试题解析：${analysis}`] : [])],
    program: 'word',
  },
];
