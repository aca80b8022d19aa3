/** The paper of an exam as it is previewed: types by their canonical codes. */

import { evenShares } from '#server/grading/scoring.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { plainText, typedText } from '#server/platform/text/plain-text.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { blankSeparator, blanksOf, type QuestionType } from '#server/questions/rules.ts';
import type { Exam } from '#server/schema/database.ts';
import type { ExamPaper, ExamPaperPart, ExamPaperQuestion } from './paper.contract.ts';
import { examSections, type NumberedExamQuestion, type NumberedExamSection } from './questions.ts';
import { choiceLabel, type ExamOption, examPoints, isMatching, optionLabel } from './rules.ts';
import { parsedJson } from './stored-options.ts';
import { blankScores } from './submission.ts';
import { seenExam } from './visible.ts';

/** Refused: 404. */
export async function examPreview(db: Database, actor: Actor, examId: number): Promise<ExamPaper | Refusal> {
  const exam = await seenExam(db, actor, examId);
  if (isRefusal(exam)) return exam;
  return paperOf(exam, await examSections(db, exam.id));
}

/** The paper of an exam that somebody sees. */
export const paperOf = (exam: Exam, sections: readonly NumberedExamSection[]): ExamPaper => ({
  exam: headOf(exam),
  detail: sections.map(({ id, name, introduce, questions }) => ({
    section: { id, name, introduce: introduceHtml(introduce) },
    question: questions.map(paperQuestion),
  })),
});

/** Introductions of exams and sections are typed as plain text; `$…$` is a formula, as in all that staff write. */
export const introduceHtml = (introduce: string): string => renderMath(typedText(introduce));

const headOf = (exam: Exam): ExamPaper['exam'] => ({
  id: exam.id,
  name: exam.name,
  introduce: introduceHtml(exam.introduce),
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
    ques_option: shownOptions(question.options),
    right_answer: type === 7 ? blanksOf(question.right_answer) : question.right_answer,
    answer_html: answerHtml(question),
    answer_score: type === 7 ? scoresOfBlanks(question).map(examPoints).join(blankSeparator) : '',
    ques_analysis: renderMath(question.ques_analysis),
    facility_value: facility(question.facility_value),
    ques_score: examPoints(question.score),
    points: stringsOf(question.points),
    attachments: attachmentsOf(question.attachments),
  };
}

/** One of five stars. */
export const facility = (value: number) => Math.min(5, Math.max(1, value)) as 1 | 2 | 3 | 4 | 5;

/** With the letters and numbers by which answers name them. */
export const shownOptions = (options: readonly ExamOption[]) =>
  options.map((option) => ({
    ...option,
    label: optionLabel(options, option.id),
    content: renderMath(option.content),
  }));

/** Tenths of one blank where neither it nor its question has a score. */
const usualBlankScore = 20;

/** Tenths of each blank: as they are set, or the shares of the question's score by which answers are scored. */
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

/** `A、C`, `1–C、2–A`, `正确`, the blanks in their order, or the reference answer; HTML without formulas set. */
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

/** Chosen options or pairs in words, in the order of the options; plain text, and nothing where nothing is chosen. */
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

/** Files beside a question or a comment; what is none, or lies elsewhere, is left out. */
export function attachmentsOf(json: string): { url: string; name: string; ext: string }[] {
  const list = parsedJson(json);
  if (!Array.isArray(list)) return [];
  return list.flatMap((file: unknown) => {
    const { url, name, ext } = (file ?? {}) as Record<string, unknown>;
    if (typeof url !== 'string' || !/^\/(?!\/)/.test(url)) return [];
    return [{ url, name: typeof name === 'string' ? name : '', ext: typeof ext === 'string' ? ext : '' }];
  });
}
