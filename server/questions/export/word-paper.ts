/** Builds the Word document of a paper, laid out so that our import reads it again. Runs in a worker thread. */
import { Paragraph, Tab, TabStopType, TextRun } from 'docx';
import { inspectPicture, pngOf } from '#server/platform/files/image.ts';
import { lowerPriority } from '#server/platform/jobs/priority.ts';
import { escapeHtml } from '#server/platform/text/render-math.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import type { ExportVariant } from '../export.rules.ts';
import { chineseCount } from '../import/word-numbering.ts';
import type { ImportNote } from '../import.contract.ts';
import { blankSeparator, type QuestionType, questionTypeNames } from '../rules.ts';
import { type ExportedQuestions, type ExportQuestion, placeOf } from './export-question.ts';
import { exportLosses, fieldLosses } from './losses.ts';
import { plainLines } from './portable-html.ts';
import { answerSheet } from './word-answer-sheet.ts';
import { answerLine, fieldsLine, headingLine, packDocument, textWidth, titleLine } from './word-document.ts';
import { type Block, type PlacedPicture, wordBlocks } from './word-html.ts';

interface PaperOrder {
  title: string;
  variant: ExportVariant;
  reportOnly: boolean;
  questions: readonly ExportQuestion[];
  /** The pictures by their `src`. Their bytes are empty for a report. */
  pictures: ReadonlyMap<string, { bytes: Uint8Array; contentType: string }>;
}

/** Lines to write an answer on, for each short-answer question of a paper without answers. */
const answerLines = 5;

/** Maximum characters of each option in a row of four, and of two. */
const shortOption = { four: 8, two: 18 } as const;

export async function writePaper(order: PaperOrder): Promise<ExportedQuestions> {
  lowerPriority();
  const writer = new PaperWriter(order, await placePictures(order));
  const sections = sectionsOf(order.questions);
  const blocks = order.variant === 'answer-sheet' ? answerSheet(order.title, sections) : writer.paper(sections);
  const bytes = order.reportOnly ? new Uint8Array() : await packDocument(order.title, blocks);
  return { bytes, losses: writer.losses };
}

export interface Section {
  /** Such as 一、单选题（共5题，每题2分）. */
  title: string;
  questions: ExportQuestion[];
  /** Points of each question; undefined if they differ or are unknown. */
  each: number | undefined;
}

/** Consecutive questions of a type form a section, whose heading says their type and points. */
function sectionsOf(questions: readonly ExportQuestion[]): Section[] {
  const groups: { type: QuestionType; questions: ExportQuestion[] }[] = [];
  for (const question of questions) {
    const last = groups.at(-1);
    if (last?.type === question.ques_type) last.questions.push(question);
    else groups.push({ type: question.ques_type, questions: [question] });
  }
  return groups.map(({ type, questions }, index) => {
    const scores = questions.map(({ score }) => score);
    const [first] = scores;
    const each = scores.every((score) => score === first) ? first : undefined;
    const points = each === undefined ? '' : `，每题${each}分`;
    const title = `${chineseCount(index + 1)}、${questionTypeNames[type]}（共${questions.length}题${points}）`;
    return { title, questions, each };
  });
}

/** Reads the sizes of the pictures. Word does not show WebP. */
async function placePictures({ pictures }: PaperOrder): Promise<Map<string, PlacedPicture>> {
  const placed = new Map<string, PlacedPicture>();
  for (const [src, { bytes, contentType }] of pictures) {
    // A report asks only whether the picture is there.
    const picture = bytes.length === 0 ? placeholder : await placePicture(bytes, contentType);
    if (picture) placed.set(src, picture);
  }
  return placed;
}

const placeholder: PlacedPicture = { data: new Uint8Array(), type: 'png', width: 1, height: 1 };

async function placePicture(bytes: Uint8Array, contentType: string): Promise<PlacedPicture | undefined> {
  const inspected = await inspectPicture(bytes);
  if (!('ok' in inspected)) return undefined;
  const data = contentType === 'image/webp' ? await pngOf(bytes) : bytes;
  const { format, width, height } = inspected.ok;
  const type = format === 'jpeg' ? 'jpg' : format === 'gif' ? 'gif' : 'png';
  return data && { data, type, width, height };
}

type WriteHtml = (html: string, prefix: string) => Block[];

/** Writes questions, and collects the losses. */
class PaperWriter {
  readonly losses: ImportNote[] = [];
  private readonly order: PaperOrder;
  private readonly placed: ReadonlyMap<string, PlacedPicture>;

  constructor(order: PaperOrder, placed: ReadonlyMap<string, PlacedPicture>) {
    this.order = order;
    this.placed = placed;
  }

  paper(sections: readonly Section[]): Block[] {
    const { title, variant, questions } = this.order;
    return [
      titleLine(title),
      ...(variant === 'with-answers' ? [] : [fieldsLine(['姓名', '班级', '得分'])]),
      ...sections.flatMap((section) => [
        headingLine(section.title),
        ...section.questions.flatMap((question) =>
          this.question(question, `${question.number}. `, section.each === undefined),
        ),
      ]),
      ...(variant === 'answers-at-end'
        ? [headingLine('参考答案与解析', true), ...questions.flatMap((question) => this.key(question))]
        : []),
    ];
  }

  /** Returns the blocks of a question. `label`: its number. */
  private question(question: ExportQuestion, label: string, saysScore: boolean, tag = ''): Block[] {
    const write = this.htmlWriter(question);
    const score = saysScore && question.score !== undefined ? `（${question.score}分）` : '';
    const { variant } = this.order;
    const hasLines = variant !== 'with-answers' && question.ques_type === 5;
    const blocks = [
      ...write(question.ques_stem, `${label}${tag}${score}`),
      ...optionsOf(question, write),
      ...(variant === 'with-answers' ? answersOf(question, write) : []),
      ...(hasLines ? Array.from({ length: answerLines }, () => new Paragraph({ style: answerLine })) : []),
    ];
    this.losses.push(...fieldLosses(question, ['remark', 'tags', 'case']));
    const parts = question.ques_item.flatMap((part, index) =>
      this.question(part, partLabel(index), true, `【${questionTypeNames[part.ques_type]}】`),
    );
    return [...blocks, ...parts];
  }

  /** Returns the answer of a question for the end of the paper. */
  private key(question: ExportQuestion): Block[] {
    const parts = question.ques_item;
    for (const part of parts) this.losses.push(...fieldLosses(part, ['difficulty']));
    return answersOf(question, this.htmlWriter(question), { label: `${question.number}. `, parts });
  }

  private htmlWriter(question: ExportQuestion): WriteHtml {
    const lost = new Set<string>();
    return (html, prefix) =>
      wordBlocks(html, {
        prefix,
        picture: (src) => this.placed.get(src),
        lose: (what) => {
          const message = exportLosses[lossOf[what]];
          if (!lost.has(message)) this.losses.push({ where: placeOf(question), message });
          lost.add(message);
        },
      });
  }
}

const partLabel = (index: number): string => `（${index + 1}）`;

const lossOf = { formula: 'formula', picture: 'picture', list: 'list', rule: 'marks' } as const;

function optionsOf({ ques_type, ques_option }: ExportQuestion, write: WriteHtml): Block[] {
  // A true/false question always has the same options.
  if (ques_type === 2) return [];
  const labels = ques_option.map((_, index) => `${optionLetter(index)}. `);
  const columns = columnsFor(ques_option.map(({ content }) => content));
  if (columns === 1) return ques_option.flatMap(({ content }, index) => write(content, labels[index] ?? ''));
  const tabStops = Array.from({ length: columns - 1 }, (_, index) => ({
    type: TabStopType.LEFT,
    position: Math.round(((index + 1) * textWidth) / columns),
  }));
  const texts = ques_option.map(({ content }, index) => `${labels[index] ?? ''}${plainLines(content).text}`);
  return Array.from({ length: Math.ceil(texts.length / columns) }, (_, row) => {
    const cells = texts.slice(row * columns, (row + 1) * columns);
    const children = cells.flatMap((text, index) => (index === 0 ? [text] : [new Tab(), text]));
    return new Paragraph({ tabStops, children: [new TextRun({ children })] });
  });
}

/** How many options stand in a row: only short ones without formatting share one. */
function columnsFor(contents: readonly string[]): number {
  const isPlain = contents.every(
    (content) => !/<(?!\/?p>)|\$|\\\(|&nbsp;|\u00a0/.test(content) && !/<\/p>\s*<p>/.test(content),
  );
  if (!isPlain) return 1;
  const texts = contents.map((content) => plainLines(content).text);
  const longest = Math.max(...texts.map((text) => text.length));
  // A letter in the text of an option could be taken for the label of the next one.
  if (texts.some((text) => /[A-Za-z]\s*[.．、)）]|\s{2}/.test(text) || text === '')) return 1;
  if (contents.length === 4 && longest <= shortOption.four) return 4;
  return contents.length % 2 === 0 && longest <= shortOption.two ? 2 : 1;
}

type Text = { label: string; html: string };

const ownText = (html: string | undefined): Text[] => (html ? [{ label: '', html }] : []);

const textsOfParts = (
  parts: readonly ExportQuestion[],
  htmlOf: (part: ExportQuestion) => string | undefined,
): Text[] =>
  parts.some(htmlOf) ? parts.map((part, index) => ({ label: partLabel(index), html: htmlOf(part) ?? '' })) : [];

/**
 * Returns 【答案】, 【解析】, 【知识点】 and 【难度】. `label`: text in front of them. `parts`: those whose answers are gathered in
 * one field, as the import reads an answer key: 【答案】（1）B （2）C.
 */
function answersOf(
  question: ExportQuestion,
  write: WriteHtml,
  { label = '', parts = [] }: { label?: string; parts?: readonly ExportQuestion[] } = {},
): Block[] {
  const fields = {
    '【答案】': [...ownText(answerHtml(question)), ...textsOfParts(parts, answerHtml)],
    '【解析】': [...ownText(question.ques_analysis), ...textsOfParts(parts, (part) => part.ques_analysis)],
    '【知识点】': question.point ? ownText(escapeHtml(question.point)) : [],
    '【难度】': question.facility_value > 0 ? ownText(String(question.facility_value)) : [],
  };
  const texts = Object.entries(fields).flatMap(([name, some]) =>
    some.map((text, index) => ({ ...text, label: `${index === 0 ? name : ''}${text.label}` })),
  );
  return texts.flatMap((text, index) => write(text.html, `${index === 0 ? label : ''}${text.label}`));
}

function answerHtml({ ques_type, ques_option, right_answer }: ExportQuestion): string | undefined {
  if (ques_type === 6 || right_answer === '') return undefined;
  if (ques_type === 5) return right_answer;
  if (ques_type === 7) return escapeHtml(writtenBlanks(right_answer.split(blankSeparator)));
  if (ques_type === 2) return right_answer === '1' ? '正确' : '错误';
  return ques_option.map(({ is_right }, index) => (is_right === 1 ? optionLetter(index) : '')).join('');
}

/** Blanks with `；` between them; those that hold such a sign keep the separator of the product. */
const writtenBlanks = (blanks: readonly string[]): string =>
  blanks.some((blank) => /[;；\n]/.test(blank))
    ? `${blanks.join(blankSeparator)}${blanks.length === 1 ? blankSeparator : ''}`
    : blanks.join('；');
