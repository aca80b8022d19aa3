/** Lays out the sheet on which a paper is answered by hand: boxes for choices, lines for blanks, room for the rest. */
import {
  AlignmentType,
  HeightRule,
  LeaderType,
  Paragraph,
  Tab,
  Table,
  TableCell,
  TableRow,
  TabStopType,
  TextRun,
  WidthType,
} from 'docx';
import { optionLetter } from '#server/platform/text/rules.ts';
import { blanksOf } from '../rules.ts';
import type { ExportQuestion } from './export-question.ts';
import { fieldsLine, headingLine, textWidth, titleLine } from './word-document.ts';
import type { Block } from './word-html.ts';
import type { Section } from './word-paper.ts';

/** Questions of a column, which is read downwards, as on machine-read sheets. */
const columnLength = 5;

/** Height of the room for a written answer, in twentieths of a point: 6 cm. */
const roomHeight = 3402;

const notes = [
  '答题前请填写姓名、班级和学号。',
  '选择题请用 2B 铅笔涂黑对应的方框；修改时用橡皮擦净。其余各题请用黑色签字笔在各题的答题区域内作答。',
];

export const answerSheet = (title: string, sections: readonly Section[]): Block[] => [
  titleLine(title),
  new Paragraph({
    alignment: AlignmentType.CENTER,
    children: [new TextRun({ text: '答 题 卡', bold: true, size: 28 })],
  }),
  fieldsLine(['姓名', '班级', '学号']),
  ...notes.map(
    (text, index) => new Paragraph({ children: [new TextRun({ text: `${index + 1}. ${text}`, size: 18 })] }),
  ),
  ...sections.flatMap(({ title: heading, questions }) => [
    headingLine(heading),
    ...groupsOf(questions).flatMap(layOut),
  ]),
];

type Kind = 'choices' | 'blanks' | 'room';

interface Group {
  kind: Kind;
  questions: { label: string; question: ExportQuestion }[];
}

/** Groups questions in a row that are answered alike. Parts of a material question stand for it. */
function groupsOf(questions: readonly ExportQuestion[]): Group[] {
  const groups: Group[] = [];
  const add = (question: ExportQuestion, label: string) => {
    const { ques_type } = question;
    const kind = ques_type === 7 ? 'blanks' : ques_type === 5 ? 'room' : 'choices';
    const last = groups.at(-1);
    if (last?.kind === kind) last.questions.push({ label, question });
    else groups.push({ kind, questions: [{ label, question }] });
  };
  for (const question of questions) {
    if (question.ques_type !== 6) add(question, question.number);
    for (const [index, part] of question.ques_item.entries()) add(part, `${question.number}（${index + 1}）`);
  }
  return groups;
}

const layOut = ({ kind, questions }: Group): Block[] =>
  kind === 'choices' ? choiceRows(questions) : kind === 'blanks' ? blankRows(questions) : questions.flatMap(room);

/** `[A]`, or `[√]` and `[×]` for a true/false question. */
const boxesOf = ({ ques_type, ques_option }: ExportQuestion): string =>
  (ques_type === 2 ? ['√', '×'] : ques_option.map((_, index) => optionLetter(index)))
    .map((letter) => `[${letter}]`)
    .join(' ');

function choiceRows(questions: Group['questions']): Block[] {
  const longest = Math.max(...questions.map(({ question }) => question.ques_option.length));
  const columns = longest <= 4 ? 4 : longest <= 6 ? 3 : longest <= 9 ? 2 : 1;
  const perBlock = columns * columnLength;
  const rows: Block[] = [];
  for (let from = 0; from < questions.length; from += perBlock) {
    const block = questions.slice(from, from + perBlock);
    for (let row = 0; row < Math.min(columnLength, block.length); row += 1) {
      const cells = block.filter((_, index) => index % columnLength === row);
      const texts = cells.map(({ label, question }) => `${label}  ${boxesOf(question)}`);
      rows.push(tabbed(texts, columns));
    }
    // A gap between blocks, whose columns begin again.
    if (from + perBlock < questions.length) rows.push(new Paragraph({ spacing: { line: 120 } }));
  }
  return rows;
}

const stopsOf = (columns: number): number[] =>
  Array.from({ length: columns }, (_, index) => Math.round((index * textWidth) / columns));

function tabbed(texts: readonly string[], columns: number): Paragraph {
  const [, ...stops] = stopsOf(columns);
  return new Paragraph({
    tabStops: stops.map((position) => ({ type: TabStopType.LEFT, position })),
    children: [new TextRun({ children: texts.flatMap((text, index) => (index === 0 ? [text] : [new Tab(), text])) })],
  });
}

const gap = 300;

/** A line for each blank, two in a row. */
function blankRows(questions: Group['questions']): Block[] {
  const labels = questions.flatMap(({ label, question }) => {
    const { length } = blanksOf(question.right_answer);
    return length === 1 ? [label] : Array.from({ length }, (_, index) => `${label}（${index + 1}）`);
  });
  const half = Math.round(textWidth / 2);
  const tabStops = [
    { type: TabStopType.LEFT, position: half - gap, leader: LeaderType.UNDERSCORE },
    { type: TabStopType.LEFT, position: half },
    { type: TabStopType.LEFT, position: textWidth, leader: LeaderType.UNDERSCORE },
  ];
  return Array.from({ length: Math.ceil(labels.length / 2) }, (_, row) => {
    const [left = '', right] = labels.slice(row * 2, row * 2 + 2);
    const rest = right === undefined ? [] : [new Tab(), right, new Tab()];
    return new Paragraph({
      tabStops,
      spacing: { before: 120 },
      children: [new TextRun({ children: [left, new Tab(), ...rest] })],
    });
  });
}

/** A frame to write in. The paragraph behind it keeps two frames apart. */
function room({ label, question: { score } }: Group['questions'][number]): Block[] {
  const text = `${label}${score === undefined ? '' : `（${score}分）`}`;
  const cell = new TableCell({ children: [new Paragraph({ text })] });
  return [
    new Table({
      width: { size: textWidth, type: WidthType.DXA },
      columnWidths: [textWidth],
      rows: [
        new TableRow({ cantSplit: true, height: { value: roomHeight, rule: HeightRule.ATLEAST }, children: [cell] }),
      ],
    }),
    new Paragraph({ spacing: { line: 120 } }),
  ];
}
