// The work of the PDF threads: a paper or page becomes plain data, and Typst sets it by the templates beside this file.
// The compiler sees the templates' folder, the data of the job and nothing else.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeCompiler, type NodeError, type NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler';
import { inspectPicture, tidyPicture } from '#server/platform/files/image.ts';
import { renderMath } from '#server/platform/text/rich-text.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { type Block, blocksFromHtml, type Inline } from './html.ts';
import type {
  HtmlDocument,
  LabelledText,
  Paper,
  PaperMatching,
  PaperQuestion,
  PaperSection,
  Pictures,
} from './paper.ts';

const templates = fileURLToPath(new URL('./templates/', import.meta.url));
const require = createRequire(import.meta.url);
const fonts = ['400Regular/NotoSansSC_400Regular.ttf', '700Bold/NotoSansSC_700Bold.ttf'];

let compiler: NodeCompiler | undefined;

function typst(): NodeCompiler {
  compiler ??= NodeCompiler.create({
    workspace: templates,
    fontArgs: [
      { fontPaths: fonts.map((font) => join(require.resolve(`@expo-google-fonts/noto-sans-sc/${font}`), '..')) },
    ],
  });
  return compiler;
}

export async function typesetPaper(paper: Paper): Promise<Uint8Array> {
  const gallery = new Gallery(paper.pictures ?? {});
  const isSheet = paper.variant === 'answer-sheet';
  const job = isSheet ? answerSheet(paper) : await paperJob(paper, gallery);
  return compile(isSheet ? 'answer-sheet.typ' : 'paper.typ', job, gallery);
}

export async function typesetHtml({ html, title, pictures }: HtmlDocument): Promise<Uint8Array> {
  const gallery = new Gallery(pictures ?? {});
  const blocks = await gallery.place(blocksFromHtml(html), { width: 480, height: 560 });
  return compile('document.typ', { title: title ?? '', blocks }, gallery);
}

async function compile(template: string, job: unknown, gallery: Gallery): Promise<Uint8Array> {
  const engine = typst();
  const attempt = (): NodeTypstDocument | NodeError => {
    engine.resetShadow();
    engine.mapShadow(
      join(templates, 'job.json'),
      Buffer.from(JSON.stringify(job, (_, value) => gallery.orMissing(readable(value)))),
    );
    for (const [path, bytes] of gallery.files) engine.mapShadow(join(templates, path), bytes);
    const outcome = engine.compile({ mainFilePath: join(templates, template), resetRead: true });
    const error = outcome.takeError();
    if (error) return error;
    if (!outcome.result) throw new Error('Typst gave neither a document nor an error');
    return outcome.result;
  };
  try {
    let document = attempt();
    if ('kind' in document && gallery.files.size > 0) {
      // A picture whose head is in order may still be broken further on: only then is each of them unpacked here.
      await gallery.repair();
      document = attempt();
    }
    if ('kind' in document) throw new Error(`Typst: ${JSON.stringify(engine.fetchDiagnostics(document))}`);
    return new Uint8Array(engine.pdf(document));
  } finally {
    engine.resetShadow();
    // Keeps what the templates share from paper to paper, and lets go of what is no longer asked for.
    engine.evictCache(0);
  }
}

/** Text without halves of characters and control characters, which neither JSON nor a font has a place for. */
function readable(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Cs}|(?![\n\t])\p{Cc}/gu, '') : value;
}

/** Points, at 96 pixels to the inch. */
interface Box {
  width: number;
  height: number;
}

type PlacedInline =
  | Exclude<Inline, { k: 'picture' }>
  | { k: 'picture'; path: string; width: number; height: number }
  | { k: 'missing' }
  /** A remark of the paper itself before a stem: （3 分）. */
  | { k: 'mark'; t: string }
  /** A number or letter that stands in the margin of its paragraph: so many em to the left, and so many em wide. */
  | { k: 'label'; t: string; left: number; width: number };
type PlacedBlock =
  | Extract<Block, { k: 'pre' | 'equation' | 'rule' }>
  | { k: 'p'; c: PlacedInline[]; align?: 'center' | 'right' }
  | { k: 'h'; level: number; c: PlacedInline[] }
  | { k: 'list'; ordered: boolean; start: number; items: PlacedBlock[][] }
  | { k: 'table'; columns: number; cells: { c: PlacedBlock[] }[] }
  | { k: 'quote'; c: PlacedBlock[] };

const mostPictures = 500;
const mostPictureBytes = 20 * 1024 * 1024;
/** Beyond, a picture is made smaller: 17 cm in 300 dots to the inch need 2,000 pixels. */
const tidyBeyond = { bytes: 1_500_000, pixels: 2000 };

/** The pictures of one job, each checked and placed once under a name that only we choose. */
class Gallery {
  readonly files = new Map<string, Buffer>();
  private readonly given: Pictures;
  private readonly known = new Map<string, Promise<{ path: string; width: number; height: number } | null>>();

  constructor(given: Pictures) {
    this.given = given;
  }

  private picture(source: string) {
    let found = this.known.get(source);
    if (!found) {
      found = this.known.size < mostPictures ? this.load(source) : Promise.resolve(null);
      this.known.set(source, found);
    }
    return found;
  }

  private async load(source: string) {
    let bytes = Object.hasOwn(this.given, source) ? this.given[source] : dataUrl(source);
    if (!bytes || bytes.byteLength > mostPictureBytes) return null;
    const inspected = await inspectPicture(bytes);
    if (!('ok' in inspected)) return null;
    const { format, width, height, turned } = inspected.ok;
    if (turned || bytes.byteLength > tidyBeyond.bytes || Math.max(width, height) > tidyBeyond.pixels) {
      const tidied = await tidyPicture(bytes, tidyBeyond.pixels);
      if (!('ok' in tidied)) return null;
      bytes = tidied.ok;
    }
    const path = `picture-${this.known.size}-${this.files.size}.${format === 'jpeg' ? 'jpg' : format}`;
    this.files.set(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return { path, width, height };
  }

  /** In the place of a picture that turned out broken, a word about it. */
  orMissing(value: unknown): unknown {
    const { k, path } = (value ?? {}) as { k?: string; path?: string };
    return k === 'picture' && path && !this.files.has(path) ? { k: 'missing' } : value;
  }

  /** Unpacks every picture and packs it again; what cannot be unpacked is taken out. */
  async repair(): Promise<void> {
    for (const [path, bytes] of this.files) {
      const tidied = await tidyPicture(bytes, tidyBeyond.pixels);
      if ('ok' in tidied) this.files.set(path, Buffer.from(tidied.ok));
      else this.files.delete(path);
    }
  }

  async place(blocks: Block[], room: Box): Promise<PlacedBlock[]> {
    return Promise.all(blocks.map((block) => this.placeBlock(block, room)));
  }

  private async placeBlock(block: Block, room: Box): Promise<PlacedBlock> {
    switch (block.k) {
      case 'p':
      case 'h':
        return { ...block, c: await Promise.all(block.c.map((inline) => this.placeInline(inline, room))) };
      case 'quote':
        return { ...block, c: await this.place(block.c, room) };
      case 'list':
        return { ...block, items: await Promise.all(block.items.map((item) => this.place(item, room))) };
      case 'table': {
        const narrow = { width: Math.max(40, (room.width - 20) / block.columns - 12), height: room.height };
        const cells = block.cells.map(async (cell) => ({ ...cell, c: await this.place(cell.c, narrow) }));
        return { ...block, cells: await Promise.all(cells) };
      }
      default:
        return block;
    }
  }

  private async placeInline(inline: Inline, room: Box): Promise<PlacedInline> {
    if (inline.k === 't') return { ...inline, t: breakable(inline.t) };
    if (inline.k !== 'picture') return inline;
    const found = await this.picture(inline.source);
    if (!found) return { k: 'missing' };
    const ratio = found.height / found.width;
    const width = inline.width ?? (inline.height ? inline.height / ratio : found.width);
    const wished = { width: width * 0.75, height: (inline.height ?? width * ratio) * 0.75 };
    const scale = Math.min(1, room.width / wished.width, room.height / wished.height);
    return { k: 'picture', path: found.path, width: wished.width * scale, height: wished.height * scale };
  }
}

function dataUrl(source: string): Uint8Array | undefined {
  const encoded = /^data:image\/(?:png|jpe?g|gif|webp);base64,([\s\S]*)$/i.exec(source)?.[1];
  return encoded ? Buffer.from(encoded, 'base64') : undefined;
}

/** A word longer than half a line may break anywhere, or it would run out of the page. */
function breakable(text: string): string {
  return text.replace(/[!-~\u00a1-\u024f]{30}/g, '$&\u200b');
}

const stemRoom: Box = { width: 440, height: 320 };
const optionRoom: Box = { width: 200, height: 150 };
/** Of a matching question; the template leaves the rest of the width to its lines. */
const columnRoom: Box = { width: 160, height: 100 };
/** A page that a question may fill holds 714 points; from here on it is measured before it is kept together. */
const longFrom = 560;

interface QuestionJob {
  /** Of the margin in which the number stands, in em. */
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
      Promise.all(texts.map(async (one) => before([label(one.label, optionWidth)], await blocks(one.content, room))));
    const { matching } = source;
    const [answer, analysis] = withAnswers
      ? await Promise.all([blocks(source.answer, stemRoom), blocks(source.analysis, stemRoom)])
      : [[], []];
    const job = {
      width,
      stem: before(
        mark ? [label(source.number, width, width - halfBracket), remark(mark)] : [label(source.number, width)],
        stem,
      ),
      options: await labelled(source.options),
      matching: matching
        ? {
            left: await labelled(matching.left, columnRoom),
            right: await labelled(matching.right, columnRoom),
            lines: withAnswers ? asShares(matching) : [],
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

/** Formulas that are written in the text, as `$…$`, are read by the rule of the screens. */
const withFormulas = (html: string): string => (/\$|\\[([]/.test(html) ? renderMath(html) : html);

/** x as a share of the room between the columns, y in rows. */
const asShares = ({ lines, room }: PaperMatching): number[][] =>
  lines.map((curve) => curve.map((value, index) => value / (index % 2 === 0 ? room.width : room.row)));

/** Em. The numbers of a list stand in one margin. */
function widestNumber(questions: PaperQuestion[]): number {
  return Math.max(1.7, ...questions.map((one) => Math.min(8, one.number.length * 0.57 + 0.75)));
}

const optionWidth = 1.35;

/** `3.` and `A.`; numbers that bring their own signs, such as `3.1` or `（1）`, stay as they are. */
function withPoint(text: string): string {
  return /^(?:\d+|[A-Z])$/.test(text) ? `${text}.` : text.slice(0, 12);
}

function label(text: string, left: number, width = left): PlacedInline {
  return { k: 'label', t: withPoint(text), left, width };
}

/** A full-width bracket is blank in its left half: what begins with one starts that much further left. */
const halfBracket = 0.45;

function remark(text: string): PlacedInline {
  return { k: 'mark', t: text };
}

/** Puts these before the first line, on which they then stand, however tall it is. */
function before(inlines: PlacedInline[], blocks: PlacedBlock[]): PlacedBlock[] {
  const [first, ...rest] = blocks;
  if (first?.k === 'p' && !first.align) return [{ ...first, c: [...inlines, ...first.c] }, ...rest];
  return [{ k: 'p', c: inlines }, ...blocks];
}

/** What each question of a list must say about itself, because not all of the list are alike in it. */
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
    marks.score && question.score !== undefined ? `${shownScore(question.score)} 分` : '',
  ];
  const text = says.filter(Boolean).join('，');
  return text ? `（${text}）` : '';
}

/** （共 10 题，每题 3 分，共 30 分） */
function noteOf({ questions }: PaperSection): string {
  if (questions.length === 0) return '';
  const scores = questions.map((one) => one.score);
  const says = [`共 ${questions.length} 题`];
  if (scores.every((score) => score !== undefined)) {
    const tenths = scores.reduce((sum, score) => sum + Math.round(score * 10), 0);
    if (questions.length > 1 && new Set(scores).size === 1) says.push(`每题 ${shownScore(scores[0] ?? 0)} 分`);
    says.push(`共 ${shownScore(tenths / 10)} 分`);
  }
  return `（${says.join('，')}）`;
}

function leavesRoom(stem: PlacedBlock[]): boolean {
  return JSON.stringify(stem).includes('"k":"blank"');
}

/** Points that one of these takes in height, apart from its text. */
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
  // Within formulas: what stacks.
  formula: 12,
  fraction: 14,
  stack: 14,
  attach: 6,
  line: 4,
  arrow: 10,
};

/**
 * A height in points that the question hardly exceeds, for deciding what is worth measuring: 42 characters to a line
 * of 17 points, fewer in the columns of a table.
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

/** The answer sheet knows of each question only how it is answered. */
function answerSheet(paper: Paper) {
  const flat = (questions: PaperQuestion[]): PaperQuestion[] =>
    questions.flatMap((one) => (one.questions?.length ? flat(one.questions) : [one]));

  const sections = paper.sections.map((section) => {
    const questions = flat(section.questions);
    const marks = { type: false, score: true };
    const groups: { k: 'choices' | 'lines' | 'room'; questions: unknown[] }[] = [];
    for (const one of questions) {
      // Of a matching question, a line for the partner of each in the left column.
      const blanks = one.matching ? one.matching.left.length : (one.blanks ?? 0);
      const k = one.options?.length ? 'choices' : blanks > 0 ? 'lines' : 'room';
      const job = {
        number: k === 'choices' || blanks > 1 ? one.number : withPoint(one.number),
        mark: markOf(one, marks),
        options: (one.options ?? []).map(({ label }) => ({ label })),
        blanks,
        // What is taller than a page could not be kept in one piece.
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
