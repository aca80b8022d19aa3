// Papers and posted pages as PDF, by Typst in worker threads: a paper of 60 questions takes a fifth
// of a second, none of it on the request loop.

import { availableParallelism } from 'node:os';
import { createPool, type JobFailure, type Pool } from '#server/platform/jobs/pool.ts';
import type { typesetHtml, typesetPaper } from './typeset.ts';

/** HTML in these types is a stem as the bank keeps it; what is not text, layout, formula or picture is left out. */
export type Html = string;

export interface PaperQuestion {
  /** As shown: `3`, or `3.1` for a part of a material question. */
  number: string;
  /** 单选题 and so on; shown where a section mixes types. */
  type?: string;
  /** Points. */
  score?: number;
  stem: Html;
  options?: LabelledText[];
  /** Two columns to be joined by lines. */
  matching?: PaperMatching;
  /** Blanks to fill in: lines on the answer sheet, and on the paper where the stem itself leaves no room. */
  blanks?: number;
  /** Millimetres to write in below the question, for answers in words. */
  space?: number;
  answer?: Html;
  analysis?: Html;
  /** The parts of a material question. */
  questions?: PaperQuestion[];
}

export interface LabelledText {
  label: string;
  content: Html;
}

export interface PaperMatching {
  left: LabelledText[];
  right: LabelledText[];
  /**
   * The right lines, drawn where the paper says the answers: curves of x and y in turn (start, two control points,
   * end), in a room that is `room.width` wide and has rows of `room.row`.
   */
  lines: number[][];
  room: { width: number; row: number };
}

export interface PaperSection {
  name: string;
  introduce?: Html;
  questions: PaperQuestion[];
}

export interface Paper {
  title: string;
  /** 考试时间 90 分钟, 总分 100 分, …; one line under the title. */
  facts: { label: string; value: string }[];
  introduce?: Html;
  sections: PaperSection[];
  variant: 'paper' | 'with-answers' | 'answer-sheet';
  /**
   * Bytes of the pictures by their `src`, as storedPictures() reads them. `data:` pictures need none; any other that
   * is not given here is shown as missing: nothing is ever fetched.
   */
  pictures?: Pictures;
}

export type Pictures = Record<string, Uint8Array>;

/** Every text of a paper that may show pictures. */
export function paperTexts(paper: Paper): Html[] {
  const ofQuestion = (question: PaperQuestion): Html[] => [
    question.stem,
    question.answer ?? '',
    question.analysis ?? '',
    ...[question.options, question.matching?.left, question.matching?.right].flatMap((some) =>
      (some ?? []).map(({ content }) => content),
    ),
    ...(question.questions ?? []).flatMap(ofQuestion),
  ];
  return [
    paper.introduce ?? '',
    ...paper.sections.flatMap(({ introduce = '', questions }) => [introduce, ...questions.flatMap(ofQuestion)]),
  ];
}

/** Renders at most this long; the largest paper of the tests takes two seconds. */
const timeLimit = 30_000;

let shared: Pool | undefined;

/** Two threads: each holds the fonts, about 100 MB, while it is in use. */
function pool(): Pool {
  shared ??= createPool({ workers: Math.min(2, availableParallelism()), queue: 50, timeLimit, idleTime: 120_000 });
  return shared;
}

async function typeset(run: 'typesetPaper' | 'typesetHtml', input: unknown, signal: AbortSignal | undefined) {
  return pool().run<Uint8Array<ArrayBuffer>>({
    module: '#server/platform/pdf/typeset.ts',
    run,
    input,
    ...(signal ? { signal } : {}),
  });
}

/** The PDF of a paper. The failures are those of a busy machine (503); whatever the paper holds, it is printed. */
export async function renderPaper(
  paper: Paper,
  options: { signal?: AbortSignal } = {},
): Promise<{ ok: Uint8Array<ArrayBuffer> } | JobFailure> {
  return typeset('typesetPaper', paper satisfies Parameters<typeof typesetPaper>[0], options.signal);
}

export interface HtmlDocument {
  html: Html;
  /** Title of the PDF and of the pages after the first. */
  title?: string;
  pictures?: Pictures;
}

/**
 * The PDF of a posted page: its text, tables, formulas and pictures, without its styles, scripts, frames or addresses.
 */
export async function renderHtmlPdf(
  document: HtmlDocument,
  options: { signal?: AbortSignal } = {},
): Promise<{ ok: Uint8Array<ArrayBuffer> } | JobFailure> {
  return typeset('typesetHtml', document satisfies Parameters<typeof typesetHtml>[0], options.signal);
}

/** Loads the compiler and the fonts, so that the first paper is as quick as the next. */
export async function warmUp(): Promise<void> {
  await renderHtmlPdf({ html: '预热 <span class="math" data-latex="x^2"></span>' });
}
