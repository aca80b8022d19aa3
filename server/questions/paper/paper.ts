/** Questions on paper: exams, answer sheets, homework. */
import type { JobFailure } from '#server/platform/jobs/pool.ts';
import { type Html, type Pictures, renderPdf } from '#server/platform/pdf/render.ts';
import type { typesetPaper } from './typeset.ts';

/** Stems are HTML as the bank keeps it. */
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

/** The PDF of a paper. Whatever the paper holds, it is printed. */
export async function renderPaper(
  paper: Paper,
  options: { signal?: AbortSignal } = {},
): Promise<{ ok: Uint8Array<ArrayBuffer> } | JobFailure> {
  const input = paper satisfies Parameters<typeof typesetPaper>[0];
  return renderPdf({ module: '#server/questions/paper/typeset.ts', run: 'typesetPaper', input }, options);
}
