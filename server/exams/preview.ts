/** Builds the preview of an exam's paper, with canonical type codes. */

import { evenShares } from '#server/grading/scoring.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { plainText, typedTextToHtml } from '#server/platform/text/plain-text.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { blankSeparator, blanksOf, type QuestionType } from '#server/questions/rules.ts';
import type { Exam } from '#server/schema/database.ts';
import type { ExamPaper, ExamPaperPart, ExamPaperQuestion } from './paper.contract.ts';
import { examSections, type NumberedExamQuestion, type NumberedExamSection } from './questions.ts';
import { choiceLabel, type ExamOption, examPoints, isMatching, optionLabel } from './rules.ts';
import { parsedJson } from './stored-options.ts';
import { blankScores } from './submission.ts';
import { findVisibleExam } from './visible.ts';

/** Returns the paper of an exam. 404: not visible. */
export async function examPreview(db: Database, actor: Actor, examId: number): Promise<ExamPaper | Refusal> {
  const exam = await findVisibleExam(db, actor, examId);
  if (isRefusal(exam)) return exam;
  return paperOf(exam, await examSections(db, exam.id));
}

/** Builds the paper of an exam; the caller checks access. */
export const paperOf = (exam: Exam, sections: readonly NumberedExamSection[]): ExamPaper => ({
  exam: headOf(exam),
  detail: sections.map(({ id, name, introduce, questions }) => ({
    section: { id, name, introduce: introductionToHtml(introduce) },
    question: questions.map(paperQuestion),
  })),
});

/** Converts an introduction, which is plain text with formulas in `$…$`, to HTML. */
export const introductionToHtml = (introduce: string): string => renderMath(typedTextToHtml(introduce));

const headOf = (exam: Exam): ExamPaper['exam'] => ({
  id: exam.id,
  name: exam.name,
  introduce: introductionToHtml(exam.introduce),
  ques_num: exam.ques_num,
  limit_time: exam.limit_time,
  score: examPoints(exam.score),
  pass_score: examPoints(exam.pass_score),
  type: exam.type,
  status: exam.status,
});

function paperQuestion(question: NumberedExamQuestion): ExamPaperQuestion {
  return { ...paperPart(question), children: question.parts.map(paperPart) };
}

function paperPart(question: NumberedExamQuestion): ExamPaperPart {
  const type = question.ques_type as QuestionType;
  return {
    id: question.id,
    sort: question.number,
    ques_type: type,
    ques_stem: renderMath(question.ques_stem),
    ques_option: labelOptions(question.options),
    right_answer: type === 7 ? blanksOf(question.right_answer) : question.right_answer,
    answer_html: answerHtml(question),
    answer_score: type === 7 ? scoresOfBlanks(question).map(examPoints).join(blankSeparator) : '',
    ques_analysis: renderMath(question.ques_analysis),
    facility_value: clampDifficulty(question.facility_value),
    ques_score: examPoints(question.score),
    points: stringsOf(question.points),
    attachments: attachmentsOf(question.attachments),
  };
}

/** Limits a difficulty to the range 1 to 5. */
export const clampDifficulty = (value: number) => Math.min(5, Math.max(1, value)) as 1 | 2 | 3 | 4 | 5;

/** Adds the letters and numbers by which answers name the options. */
export const labelOptions = (options: readonly ExamOption[]) =>
  options.map((option) => ({
    ...option,
    label: optionLabel(options, option.id),
    content: renderMath(option.content),
  }));

/** Tenths of a point for each blank, if neither the blank nor the question has a score. */
const usualBlankScore = 20;

/** Returns the tenths of each blank: as stored, or an equal share of the question's score. */
export function scoresOfBlanks(
  question: Pick<NumberedExamQuestion, 'right_answer' | 'answer_score' | 'score'>,
): number[] {
  const count = blanksOf(question.right_answer).length;
  const set = blankScores(question.answer_score);
  if (set?.length === count) return set;
  return question.score > 0 ? evenShares(question.score, count) : Array(count).fill(usualBlankScore);
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Returns the HTML of the right answer, with formulas not yet rendered: `A、C`, `1–C、2–A`, `正确`, the blanks in order, or
 * the reference answer.
 */
export function answerSource({
  ques_type,
  options,
  right_answer,
}: Pick<NumberedExamQuestion, 'ques_type' | 'options' | 'right_answer'>): string {
  if (ques_type === 5) return right_answer;
  if (ques_type === 7) return blanksOf(right_answer).map(escapeHtml).join('；');
  if (ques_type === 6) return '';
  return escapeHtml(choicesText(options, right_answer));
}

const answerHtml = (question: NumberedExamQuestion): string => renderMath(answerSource(question));

/** Formats the chosen options or pairs as plain text, in the order of the options; '' if none is chosen. */
export function choicesText(options: readonly ExamOption[], answer: string): string {
  const chosen = answer.split(/[\s,]+/).filter(Boolean);
  if (isMatching(options)) return chosen.map((choice) => choiceLabel(options, choice)).join('、');
  const isJudgement = options.length === 2 && options.every(({ content }) => /^(正确|错误)$/.test(plainText(content)));
  return options
    .filter(({ id }) => chosen.includes(String(id)))
    .map(({ id, content }) => (isJudgement ? plainText(content) : optionLabel(options, id)))
    .join('、');
}

function stringsOf(json: string): string[] {
  const list = parsedJson(json);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

/** Parses stored attachments; drops entries that are no files of this school. */
export function attachmentsOf(json: string): { url: string; name: string; ext: string }[] {
  const list = parsedJson(json);
  if (!Array.isArray(list)) return [];
  return list.flatMap((file: unknown) => {
    const { url, name, ext } = (file ?? {}) as Record<string, unknown>;
    if (typeof url !== 'string' || !/^\/(?!\/)/.test(url)) return [];
    return [{ url, name: typeof name === 'string' ? name : '', ext: typeof ext === 'string' ? ext : '' }];
  });
}
