/** Numbers, counts and displays the questions of a homework. */

import type { Selectable } from 'kysely';
import { isMaterial, isSubjective, pointsOf, type ScoreMode } from '#server/grading/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { plainText } from '#server/platform/text/plain-text.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { optionLetter } from '#server/platform/text/rules.ts';
import { displayOf, prepareQuestions } from '#server/questions/display.ts';
import type { QuestionOption, QuestionType } from '#server/questions/rules.ts';
import type { PreviewItem, PreviewQuestion } from './question.contract.ts';

export type QuestionRow = Selectable<Tables['homework_question']>;
export type AnsweredType = Exclude<QuestionType, 6>;

/** A question that students answer. `score`: full score in stored units. */
export interface AnsweredQuestion {
  id: number;
  /** Number of the question: 3, or 3.1 for a part of a material question. */
  number: string;
  type: AnsweredType;
  score: number;
  row: QuestionRow;
  options: QuestionOption[];
  material: QuestionRow | undefined;
}

export interface NumberedQuestion {
  number: string;
  row: QuestionRow;
  parts: AnsweredQuestion[];
}

export const questionsOf = (db: Database, homeworkId: number): Promise<NumberedQuestion[]> =>
  memoizePerPage(db, `questions of ${homeworkId}`, () => readQuestions(db, homeworkId));

async function readQuestions(db: Database, homeworkId: number): Promise<NumberedQuestion[]> {
  const rows = await questionsInOrder(db, { homeworkId });
  await prepareQuestions(rows);
  const top = rows.filter((row) => row.parent_id === null);
  return top.map((row, index) => {
    const number = String(index + 1);
    const parts = isMaterial(row.ques_type)
      ? rows
          .filter((part) => part.parent_id === row.id)
          .map((part, place) => toAnsweredQuestion(part, `${number}.${place + 1}`, row))
      : [toAnsweredQuestion(row, number, undefined)];
    return { number, row, parts };
  });
}

const questionsInOrder = (db: Database, { homeworkId }: { homeworkId: number }) =>
  db
    .selectFrom('homework_question')
    .selectAll()
    .where('homework_id', '=', homeworkId)
    .orderBy('sort')
    .orderBy('id')
    .execute();

/** Returns the questions that students answer. A material question is replaced by its parts. */
export const answeredQuestions = (questions: readonly NumberedQuestion[]): AnsweredQuestion[] =>
  questions.flatMap(({ parts }) => parts);

function toAnsweredQuestion(row: QuestionRow, number: string, material: QuestionRow | undefined): AnsweredQuestion {
  return {
    id: row.id,
    number,
    type: row.ques_type as AnsweredType,
    score: row.score,
    row,
    options: JSON.parse(row.ques_option) as QuestionOption[],
    material,
  };
}

/** Returns the number and the full score (stored units) of all questions, of objective and of subjective questions. */
export function totalsOf(questions: readonly AnsweredQuestion[]) {
  const sum = (some: readonly AnsweredQuestion[]) => ({
    count: some.length,
    score: some.reduce((score, question) => score + question.score, 0),
  });
  return {
    all: sum(questions),
    objective: sum(questions.filter(({ type }) => !isSubjective(type))),
    subjective: sum(questions.filter(({ type }) => isSubjective(type))),
  };
}

// ---- display -----------------------------------------------------------------------------------

/** Label of an option in a table: its letter, or its words in a true-or-false question. */
export function optionLabel(type: QuestionType, option: QuestionOption): string {
  return type === 2 ? plainText(option.content) : optionLetter(option.id - 1);
}

/** Returns a stem as HTML, and as plain text on one line. */
export const renderStem = (row: QuestionRow) => ({
  ques_stem: renderMath(row.ques_stem),
  stem_text: plainText(row.ques_stem),
});

export const materialStem = (material: QuestionRow | undefined) =>
  material ? { _id: material.id, ...renderStem(material) } : null;

/** Returns a question with all displayed fields; its right answer as letters or words. */
export function previewItem(question: AnsweredQuestion, mode: ScoreMode): PreviewItem {
  return { ...content(question.row, question.options, question.number, mode), ques_type: question.type };
}

export function previewQuestion({ number, row, parts }: NumberedQuestion, mode: ScoreMode): PreviewQuestion {
  return {
    ...content(row, JSON.parse(row.ques_option) as QuestionOption[], number, mode),
    ques_type: row.ques_type as QuestionType,
    ques_item: isMaterial(row.ques_type) ? parts.map((part) => previewItem(part, mode)) : [],
  };
}

function content(row: QuestionRow, options: QuestionOption[], number: string, mode: ScoreMode) {
  const type = row.ques_type as QuestionType;
  const { right_answer } = row;
  const display = displayOf({ ...row, ques_type: type, ques_option: options });
  return {
    id: row.id,
    number,
    ques_stem: display.ques_stem,
    ques_option: options.map((option, index) => ({
      id: option.id,
      label: optionLabel(type, option),
      content: display.ques_option[index] ?? '',
      is_right: option.is_right,
    })),
    right_answer,
    answer_html: display.right_answer,
    ques_analysis: display.ques_analysis,
    facility_value: row.facility_value as 1 | 2 | 3 | 4 | 5,
    ques_score: pointsOf(mode, row.score),
  };
}
