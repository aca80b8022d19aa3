/** Makes lines of a Word document from text, and reads them as a paper. */
import { plainText } from '#server/platform/text/plain-text.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import { assembleQuestion } from '#server/questions/import/assemble.ts';
import { readPaper } from '#server/questions/import/paper/read-paper.ts';
import type { Line, Segment, TextLine } from '#server/questions/import/rich-line.ts';
import { hasOptions, type QuestionDraft, type QuestionType, questionTypeNames } from '#server/questions/rules.ts';

/** A question as the tests compare it. `answer`: letters of choices (A: 正确), else text. */
interface ReadQuestion {
  number: string | undefined;
  type: number;
  stem: string;
  options: string[];
  answer: string;
  analysis: string;
  difficulty: number;
  score: number | undefined;
  parts: Omit<ReadQuestion, 'number' | 'score' | 'parts' | 'notes' | 'difficulty'>[];
  /** Errors, doubts and losses, with their places. */
  notes: string[];
}

interface ReadPaper {
  questions: ReadQuestion[];
  leftOut: string[];
  doubts: string[];
  errors: string[];
}

/**
 * Makes a line of text. `{pic}` is a picture, `<u>…</u>` underlined text. A line of `|a|b|` is a row of a table; rows
 * in a row are one table.
 */
function lineOf(text: string, number: number): TextLine {
  const segments = text.split(/(\{pic\}|<u>.*?<\/u>)/).flatMap((part): Segment[] => {
    if (part === '') return [];
    if (part === '{pic}')
      return [{ picture: { part: `word/media/${nextPicture()}.png`, width: 100, height: 80, alt: '图片' } }];
    const underlined = /^<u>(.*)<\/u>$/.exec(part)?.[1];
    return [underlined === undefined ? { text: part, marks: [] } : { text: underlined, marks: ['u'] }];
  });
  return { number, segments, continues: false };
}

let pictures = 0;
function nextPicture(): number {
  pictures = (pictures + 1) % 3000;
  return pictures;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  text.split('\n').forEach((row, index) => {
    const number = index + 1;
    if (!/^\|.*\|$/.test(row)) {
      lines.push(lineOf(row, number));
      return;
    }
    const cells = row
      .slice(1, -1)
      .split('|')
      .map((cell) => ({ lines: [lineOf(cell, number)], columns: 1, rows: 1 }));
    const last = lines.at(-1);
    if (last && 'rows' in last) last.rows.push(cells);
    else lines.push({ number, rows: [cells] });
  });
  return lines;
}

/** Reads a paper from text. `keys`: further files with its answers. */
export function readText(text: string, ...keys: string[]): ReadPaper {
  const paper = readPaper(linesOf(text), keys.map(linesOf));
  const pictures = new Map(
    Array.from({ length: 3000 }, (_, index) => [`word/media/${index}.png`, { url: `/p/${index}` }]),
  );
  const say = ({ where, message }: { where: string; message: string }) => `${where}：${message}`;
  return {
    questions: paper.questions.map((raw) => {
      const { draft, errors, doubts, losses, score, number } = assembleQuestion(
        raw,
        pictures,
        (_, line) => `第${line}行`,
      );
      return {
        ...partOf(draft),
        number,
        score,
        difficulty: draft.facility_value,
        parts: draft.ques_item.map(partOf),
        notes: [...errors, ...doubts, ...losses].map(say),
      };
    }),
    leftOut: paper.leftOut.map(say),
    doubts: paper.doubts.map(say),
    errors: paper.errors.map(say),
  };
}

const partOf = (draft: QuestionDraft) => ({
  type: draft.ques_type,
  stem: plainText(draft.ques_stem),
  options: draft.ques_option.map(({ content }) => plainText(content)),
  answer: hasOptions(draft.ques_type)
    ? draft.ques_option.flatMap(({ is_right }, index) => (is_right === 1 ? [optionLetter(index)] : [])).join('')
    : plainText(draft.right_answer),
  analysis: plainText(draft.ques_analysis),
});

/**
 * The questions in short, one a line: `1 单选题 C`, `2 判断题 A`; `-` without an answer; parts in brackets.
 */
export const outlineOf = ({ questions }: ReadPaper): string[] =>
  questions.map(
    ({ number, type, answer, parts }) =>
      `${number ?? '?'} ${inShort({ type, answer })}${parts.length > 0 ? ` [${parts.map(inShort).join(' | ')}]` : ''}`,
  );

const inShort = ({ type, answer }: { type: number; answer: string }) =>
  `${questionTypeNames[type as QuestionType]}${type === 6 ? '' : ` ${answer === '' ? '-' : answer}`}`;
