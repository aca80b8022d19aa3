/**
 * Builds the paper for students: without right answers while they take the exam, with answers and results afterwards.
 */
import * as v from 'valibot';
import { FlagNumber } from '#server/platform/calls/fields.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { blanksOf } from '#server/questions/rules.ts';
import type { Exam } from '#server/schema/database.ts';
import { ExamAttachment } from './paper.contract.ts';
import { attachmentsOf, introductionToHtml, labelOptions } from './preview.ts';
import { examSections, type NumberedExamQuestion } from './questions.ts';
import { examPoints } from './rules.ts';
import { answersOf, sheetPart } from './sheet.ts';

const Result = v.object({
  /** 1: right. 2: wrong. 3: unanswered. 5: partly right. */
  status: v.number(),
  user_score: v.nullable(v.number()),
  user_answer: v.string(),
  /** The student's answer as HTML. */
  answer_content: v.string(),
  answer_images: v.array(v.object({ url: v.string(), draw: v.string(), path: v.string() })),
  right_answer: v.string(),
  /** The right answer as HTML. */
  answer_html: v.string(),
  ques_analysis: v.string(),
  is_sign: FlagNumber,
  review_comment: v.string(),
  review_attachments: v.array(ExamAttachment),
});

const LearnerQuestion = v.object({
  id: v.number(),
  /** Number of the question: `3`, or `3.1` for a part of a material question. */
  sort: v.string(),
  /** HTML of the material that a part belongs to. */
  material: v.string(),
  ques_type: v.number(),
  ques_stem: v.string(),
  /** Only options of a matching question have a side; its answer is pairs of option ids, such as `1-4,2-6`. */
  ques_option: v.array(
    v.object({
      id: v.number(),
      label: v.string(),
      content: v.string(),
      side: v.nullable(v.picklist(['left', 'right'])),
    }),
  ),
  /** Number of blanks of a fill-in question. */
  blanks: v.number(),
  ques_score: v.number(),
  attachments: v.array(ExamAttachment),
  /** Null until the student may see the result. */
  result: v.nullable(Result),
});

export const LearnerSection = v.object({
  id: v.number(),
  name: v.string(),
  introduce: v.string(),
  questions: v.array(LearnerQuestion),
});
type LearnerSection = v.InferOutput<typeof LearnerSection>;

interface Paper {
  introduce: string;
  sections: LearnerSection[];
}

/** Caches papers: a published paper does not change, and thousands of students request it in the same minute. */
const papers = new WeakMap<object, Map<string, Promise<Paper>>>();
const papersKept = 20;

/** Returns the paper; with `reportId` also its results. */
export function learnerPaper(db: Database, exam: Exam, reportId?: number): Promise<Paper> {
  if (reportId !== undefined) return buildPaper(db, exam, reportId);
  const executor = db.getExecutor().adapter;
  const known = papers.get(executor) ?? new Map<string, Promise<Paper>>();
  papers.set(executor, known);
  const key = `${exam.id} ${exam.published_at} ${exam.changed_at}`;
  const before = known.get(key);
  if (before) return before;
  const made = buildPaper(db, exam);
  known.set(key, made);
  made.catch(() => known.delete(key));
  const [oldest] = known.keys();
  if (known.size > papersKept && oldest !== undefined) known.delete(oldest);
  return made;
}

async function buildPaper(db: Database, exam: Exam, reportId?: number): Promise<Paper> {
  const sections = await examSections(db, exam.id);
  const answers = reportId === undefined ? undefined : await answersOf(db, reportId);
  const questionOf = (question: NumberedExamQuestion, material = '') => ({
    ...askedQuestion(question, material),
    result: answers ? resultOf(question, answers.get(question.id)) : null,
  });
  return {
    introduce: introductionToHtml(exam.introduce),
    sections: sections.map(({ id, name, introduce, questions }) => ({
      id,
      name,
      introduce: introductionToHtml(introduce),
      questions: questions.flatMap((question) =>
        question.ques_type === 6
          ? question.parts.map((part) => questionOf(part, renderMath(question.ques_stem)))
          : [questionOf(question)],
      ),
    })),
  };
}

/** A question without its right answer. */
const askedQuestion = (question: NumberedExamQuestion, material: string) => ({
  id: question.id,
  sort: question.number,
  material,
  ques_type: question.ques_type,
  ques_stem: renderMath(question.ques_stem),
  ques_option: labelOptions(question.options).map(({ id, label, content, side }) => ({
    id,
    label,
    content,
    side: side ?? null,
  })),
  blanks: question.ques_type === 7 ? blanksOf(question.right_answer).length : 0,
  ques_score: examPoints(question.score),
  attachments: attachmentsOf(question.attachments),
});

function resultOf(
  question: NumberedExamQuestion,
  answer: Parameters<typeof sheetPart>[1],
): v.InferOutput<typeof Result> {
  const part = sheetPart(question, answer, undefined);
  return {
    status: part.status,
    user_score: part.user_score,
    user_answer: part.user_answer,
    answer_content: part.answer_content,
    answer_images: part.answerImages,
    right_answer: part.right_answer,
    answer_html: part.answer_html,
    ques_analysis: part.ques_analysis,
    is_sign: part.is_sign,
    review_comment: part.review_comment,
    review_attachments: part.review_attachments,
  };
}
