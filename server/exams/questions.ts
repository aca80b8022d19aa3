/** Reads the questions of an exam in order and numbers them through the whole paper: 1, 2, 3.1, 3.2, 4. */

import type { Selectable } from 'kysely';
import { isMaterial } from '#server/grading/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { prepareFormulas } from '#server/platform/text/render-math.ts';
import { textsOf } from '#server/questions/display.ts';
import type { ExamOption } from './rules.ts';
import { examOptions } from './stored-options.ts';

export type StoredExamQuestion = Selectable<Tables['exam_question']>;

export interface NumberedExamQuestion extends Omit<StoredExamQuestion, 'ques_option'> {
  /** Number of the question: `3`, or `3.1` for a part of a material question. */
  number: string;
  options: ExamOption[];
  /** Parts of a material question; otherwise empty. */
  parts: NumberedExamQuestion[];
}

export interface NumberedExamSection {
  id: number;
  name: string;
  introduce: string;
  questions: NumberedExamQuestion[];
}

/** Selects the questions of an exam in order, including parts of material questions. */
export const questionsOf = (db: Database, examId: number): Promise<StoredExamQuestion[]> =>
  db
    .selectFrom('exam_question')
    .selectAll()
    .where('exam_id', '=', examId)
    .orderBy('section_id')
    .orderBy('sort')
    .orderBy('id')
    .execute();

/** Reads all sections in order, including empty ones. `ques_type`: canonical code. */
export async function examSections(db: Database, examId: number): Promise<NumberedExamSection[]> {
  const [sections, questions] = await Promise.all([
    db
      .selectFrom('exam_section')
      .select(['id', 'name', 'introduce'])
      .where('exam_id', '=', examId)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
    questionsOf(db, examId),
  ]);
  await prepareFormulas(
    questions.flatMap((question) => textsOf({ ...question, ques_option: examOptions(question.ques_option) })),
  );
  let count = 0;
  const numbered = (question: StoredExamQuestion, number: string): NumberedExamQuestion => {
    const { ques_option, ...rest } = question;
    const parts = questions.filter((part) => part.parent_id === question.id);
    return {
      ...rest,
      number,
      options: examOptions(ques_option),
      parts: parts.map((part, index) => numbered(part, `${number}.${index + 1}`)),
    };
  };
  return sections.map((section) => ({
    ...section,
    questions: questions
      .filter((question) => question.section_id === section.id && question.parent_id === null)
      .map((question) => {
        count += 1;
        return numbered(question, String(count));
      }),
  }));
}

/** Returns all questions of a paper in order, each material question followed by its parts. */
export const flattenQuestions = (sections: readonly NumberedExamSection[]): NumberedExamQuestion[] =>
  sections.flatMap(({ questions }) => questions.flatMap((question) => [question, ...question.parts]));

/** Returns the questions that students answer: of a material question its parts. */
export const answerableQuestions = (sections: readonly NumberedExamSection[]): NumberedExamQuestion[] =>
  flattenQuestions(sections).filter((question) => !isMaterial(question.ques_type));
