/**
 * Runs in the threads that make PDFs. Converts a paper to plain data, which Typst sets with the templates of this
 * folder.
 */
import { blocksFromHtml } from '#server/platform/pdf/html.ts';
import { type Box, compile, Gallery, type PlacedBlock, type PlacedInline } from '#server/platform/pdf/typeset.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import type { LabelledText, Paper, PaperMatching, PaperQuestion, PaperSection } from './paper.ts';

const template = (name: string) => new URL(`./${name}`, import.meta.url);

export async function typesetPaper(paper: Paper): Promise<Uint8Array> {
  const gallery = new Gallery(paper.pictures ?? {});
  const isSheet = paper.variant === 'answer-sheet';
  const job = isSheet ? answerSheet(paper) : await paperJob(paper, gallery);
  return compile(template(isSheet ? 'answer-sheet.typ' : 'paper.typ'), job, gallery);
}

const stemRoom: Box = { width: 440, height: 320 };
const optionRoom: Box = { width: 200, height: 150 };
/** Maximum size of each matching column in points; the rest of the width is for the lines. */
const columnRoom: Box = { width: 160, height: 100 };
/** From this estimated height in points a question is measured before it is kept on one page, which has 714 points. */
const longFrom = 560;

interface QuestionJob {
  /** Width in em of the margin that holds the question's number. */
  width: number;
  stem: PlacedBlock[];
  options: PlacedBlock[][];
  matching: { left: PlacedBlock[][]; right: PlacedBlock[][]; lines: number[][] } | null;
  blanks: number;
  space: number;
  answer: PlacedBlock[];
  analysis: PlacedBlock[];
  long: boolean;
  questions: QuestionJob[];
}

async function paperJob(paper: Paper, gallery: Gallery) {
  const withAnswers = paper.variant === 'with-answers';

  async function blocks(html: string | undefined, room: Box): Promise<PlacedBlock[]> {
    return html ? gallery.place(blocksFromHtml(withFormulas(html)), room) : [];
  }

  async function question(source: PaperQuestion, marks: SectionMarks, width: number): Promise<QuestionJob> {
    const parts = source.questions ?? [];
    const partsWidth = widestNumber(parts);
    const stem = await blocks(source.stem, stemRoom);
    const mark = markOf(source, marks);
    const labelled = (texts: readonly LabelledText[] = [], room = optionRoom) =>
      Promise.all(
        texts.map(async (one) =>
          insertBefore(one.label ? [label(one.label, optionWidth)] : [], await blocks(one.content, room)),
        ),
      );
    const { matching } = source;
    const [answer, analysis] = withAnswers
      ? await Promise.all([blocks(source.answer, stemRoom), blocks(source.analysis, stemRoom)])
      : [[], []];
    const job = {
      width,
      stem: insertBefore(
        mark ? [label(source.number, width, width - halfBracket), remark(mark)] : [label(source.number, width)],
        stem,
      ),
      options: await labelled(source.options),
      matching: matching
        ? {
            left: await labelled(matching.left, columnRoom),
            right: await labelled(matching.right, columnRoom),
            lines: withAnswers ? toShares(matching) : [],
          }
        : null,
      blanks: withAnswers || source.options?.length || leavesRoom(stem) ? 0 : (source.blanks ?? 0),
      space: withAnswers ? 0 : (source.space ?? 0),
      answer,
      analysis,
      questions: await Promise.all(parts.map((part) => question(part, marksOf(parts), partsWidth))),
    };
    return { ...job, long: heightOf(job) > longFrom };
  }

  return {
    title: paper.title,
    subtitle: withAnswers ? '参考答案与解析' : '',
    facts: paper.facts,
    named: !withAnswers,
    introduce: await blocks(paper.introduce, stemRoom),
    sections: await Promise.all(
      paper.sections.map(async (section) => ({
        name: section.name,
        note: noteOf(section),
        introduce: await blocks(section.introduce, stemRoom),
        questions: await Promise.all(
          section.questions.map((one) => question(one, marksOf(section.questions), widestNumber(section.questions))),
        ),
      })),
    ),
  };
}

/** Renders formulas written as `$…$` in text, as screens do. */
const withFormulas = (html: string): string => (/\$|\\[([]/.test(html) ? renderMath(html) : html);

/** Converts x to a share of the space between the columns, and y to rows. */
const toShares = ({ lines, room }: PaperMatching): number[][] =>
  lines.map((curve) => curve.map((value, index) => value / (index % 2 === 0 ? room.width : room.row)));

/** Width in em of the margin that fits all numbers of a list. */
function widestNumber(questions: PaperQuestion[]): number {
  return Math.max(1.7, ...questions.map((one) => Math.min(8, one.number.length * 0.57 + 0.75)));
}

const optionWidth = 1.35;

/** Adds a full stop to `3` and `A`. Numbers with signs of their own, such as `3.1` or `（1）`, stay unchanged. */
function withPoint(text: string): string {
  return /^(?:\d+|[A-Z])$/.test(text) ? `${text}.` : text.slice(0, 12);
}

function label(text: string, left: number, width = left): PlacedInline {
  return { k: 'label', t: withPoint(text), left, width };
}

/** Em by which a text moves left if it begins with a full-width bracket, whose left half is empty. */
const halfBracket = 0.45;

function remark(text: string): PlacedInline {
  return { k: 'mark', t: text };
}

/** Inserts inlines at the beginning of the first line, on its baseline, however tall that line is. */
function insertBefore(inlines: PlacedInline[], blocks: PlacedBlock[]): PlacedBlock[] {
  const [first, ...rest] = blocks;
  if (first?.k === 'p' && !first.align) return [{ ...first, c: [...inlines, ...first.c] }, ...rest];
  return [{ k: 'p', c: inlines }, ...blocks];
}

/** Data that each question of a section must show, because the questions differ in it. */
interface SectionMarks {
  type: boolean;
  score: boolean;
}

function marksOf(questions: PaperQuestion[]): SectionMarks {
  const differ = (values: unknown[]) => new Set(values).size > 1;
  const scores = questions.map((one) => one.score);
  return { type: differ(questions.map((one) => one.type)), score: differ(scores) };
}

function markOf(question: PaperQuestion, marks: SectionMarks): string {
  const says = [
    marks.type && question.type ? question.type : '',
    marks.score && question.score !== undefined ? `${formatScore(question.score)} 分` : '',
  ];
  const text = says.filter(Boolean).join('，');
  return text ? `（${text}）` : '';
}

/** Note about a section, such as （共 10 题，每题 3 分，共 30 分） */
function noteOf({ questions }: PaperSection): string {
  if (questions.length === 0) return '';
  const scores = questions.map((one) => one.score);
  const says = [`共 ${questions.length} 题`];
  if (scores.every((score) => score !== undefined)) {
    const tenths = scores.reduce((sum, score) => sum + Math.round(score * 10), 0);
    if (questions.length > 1 && new Set(scores).size === 1) says.push(`每题 ${formatScore(scores[0] ?? 0)} 分`);
    says.push(`共 ${formatScore(tenths / 10)} 分`);
  }
  return `（${says.join('，')}）`;
}

function leavesRoom(stem: PlacedBlock[]): boolean {
  return JSON.stringify(stem).includes('"k":"blank"');
}

/** Estimated height in points of each element, without its text. */
const heights: Record<string, number> = {
  p: 17,
  br: 17,
  h: 32,
  list: 10,
  table: 12,
  quote: 10,
  pre: 24,
  equation: 34,
  rule: 14,
  // Formulas, and elements that stack others within formulas.
  formula: 12,
  fraction: 14,
  stack: 14,
  attach: 6,
  line: 4,
  arrow: 10,
};

/**
 * Estimates an upper bound of a question's height in points, which decides whether it is measured. Assumes 42
 * characters per line of 17 points, and fewer in columns of tables.
 */
function heightOf(job: Omit<QuestionJob, 'long'>): number {
  let height = job.space * 2.9 + job.blanks * 10;
  const visit = (value: unknown, columns: number): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as { k?: string; t?: unknown; height?: number; rows?: unknown; columns?: number };
    height += heights[node.k ?? ''] ?? 0;
    if (node.k === 'picture') height += node.height ?? 0;
    if (Array.isArray(node.rows)) height += node.rows.length * 26;
    if (typeof node.t === 'string') {
      height += (node.t.length / 42) * 17 * columns + (node.t.split('\n').length - 1) * 15;
    }
    const within = node.k === 'table' ? columns * (node.columns ?? 1) : columns;
    for (const child of Object.values(node)) visit(child, within);
  };
  visit({ ...job, questions: [] }, 1);
  return height;
}

/** Builds the answer sheet, for which it only matters how each question is answered. */
function answerSheet(paper: Paper) {
  const flat = (questions: PaperQuestion[]): PaperQuestion[] =>
    questions.flatMap((one) => (one.questions?.length ? flat(one.questions) : [one]));

  const sections = paper.sections.map((section) => {
    const questions = flat(section.questions);
    const marks = { type: false, score: true };
    const groups: { k: 'choices' | 'lines' | 'room'; questions: unknown[] }[] = [];
    for (const one of questions) {
      // A matching question gets a line for each item of its left column.
      const blanks = one.matching ? one.matching.left.length : (one.blanks ?? 0);
      const k = one.options?.length ? 'choices' : blanks > 0 ? 'lines' : 'room';
      const job = {
        number: k === 'choices' || blanks > 1 ? one.number : withPoint(one.number),
        mark: markOf(one, marks),
        options: (one.options ?? []).map(({ label, content }) => ({ label: label || plainText(content) })),
        blanks,
        // Limited, because a space taller than a page cannot be kept in one piece.
        space: Math.min(230, Math.max(30, one.space ?? 55)),
      };
      const last = groups.at(-1);
      if (last?.k === k) last.questions.push(job);
      else groups.push({ k, questions: [job] });
    }
    return { name: section.name, note: noteOf(section), groups };
  });
  return { title: paper.title, sections };
}
