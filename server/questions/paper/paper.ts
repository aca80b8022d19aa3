/** Renders questions as PDF: exams, answer sheets, homework. */
import type { JobFailure } from '#server/platform/jobs/pool.ts';
import { type Html, type Pictures, renderPdf } from '#server/platform/pdf/render.ts';
import type { typesetPaper } from './typeset.ts';

/** A question to print; `stem` is HTML as stored in the bank. */
export interface PaperQuestion {
  /** Number of the question: `3`, or `3.1` for a part of a material question. */
  number: string;
  /** Name of the question type, shown if a section mixes types. */
  type?: string;
  /** Points. */
  score?: number;
  stem: Html;
  options?: LabelledText[];
  /** Two columns that students connect by lines. */
  matching?: PaperMatching;
  /** Number of blanks. The answer sheet has a line for each; so has the paper if the stem leaves no space. */
  blanks?: number;
  /** Millimetres of space below the question for a written answer. */
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
   * Lines of the right answer, drawn if the paper shows answers. A line is a curve of x, y pairs (start, two control
   * points, end) in an area `room.width` wide with rows of height `room.row`.
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
  /** Facts in one line below the title, such as 考试时间 90 分钟 and 总分 100 分. */
  facts: { label: string; value: string }[];
  introduce?: Html;
  sections: PaperSection[];
  variant: 'paper' | 'with-answers' | 'answer-sheet';
  /**
   * Bytes of the pictures by their `src`, as `storedPictures()` reads them. `data:` pictures need none; any other
   * picture is shown as missing, because nothing is fetched.
   */
  pictures?: Pictures;
}

/** Returns every text of a paper that may contain pictures. */
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

/** Renders a paper as PDF. No content of the paper can make it fail. */
export async function renderPaper(
  paper: Paper,
  options: { signal?: AbortSignal } = {},
): Promise<{ ok: Uint8Array<ArrayBuffer> } | JobFailure> {
  const input = paper satisfies Parameters<typeof typesetPaper>[0];
  return renderPdf({ module: '#server/questions/paper/typeset.ts', run: 'typesetPaper', input }, options);
}
