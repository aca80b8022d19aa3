/** Selects the questions of an exam for an export. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { ExportSelection } from '#server/questions/export/export-file.ts';
import { exportQuestion } from '#server/questions/export/own-questions.ts';
import type { QuestionType } from '#server/questions/rules.ts';
import type { Exam } from '#server/schema/database.ts';
import { clampDifficulty } from './preview.ts';
import { examSections, flattenQuestions, type NumberedExamQuestion } from './questions.ts';
import { examMessages, examPoints, isMatching, missingExam } from './rules.ts';
import { adminExams, findVisibleExam } from './visible.ts';

/** For lecturers and assistants. 404: not visible. */
export async function examSelection(db: Database, actor: Actor, id: number): Promise<ExportSelection | Refusal> {
  const exam = await findVisibleExam(db, actor, id);
  return isRefusal(exam) ? exam : selectionOf(db, exam);
}

/** For administrators. 404: not visible. */
export async function adminSelection(db: Database, actor: Actor, id: number): Promise<ExportSelection | Refusal> {
  const exam = await adminExams(db, actor).selectAll('exam').where('exam.id', '=', id).executeTakeFirst();
  return exam ? selectionOf(db, exam) : missing(missingExam);
}

async function selectionOf(db: Database, exam: Exam): Promise<ExportSelection> {
  const sections = await examSections(db, exam.id);
  const matching = flattenQuestions(sections).filter(({ options }) => isMatching(options));
  return {
    title: exam.name,
    questions: sections.flatMap(({ questions }) =>
      questions
        .filter(({ options }) => !isMatching(options))
        .map((question) => exportQuestion(draftOf(question), question.number, ({ points }) => points)),
    ),
    losses: matching.map(({ number }) => ({ where: `第${number}题`, message: examMessages.matchingExport })),
  };
}

/** Parts that are matching questions are left out. */
const draftOf = (question: NumberedExamQuestion): StoredDraft & { ques_item: StoredDraft[] } => ({
  ...storedDraft(question),
  ques_item: question.parts.filter(({ options }) => !isMatching(options)).map(storedDraft),
});

type StoredDraft = ReturnType<typeof storedDraft>;

const storedDraft = (question: NumberedExamQuestion) => ({
  id: question.id,
  ques_type: question.ques_type as QuestionType,
  ques_stem: question.ques_stem,
  ques_option: question.options.map(({ id, content, is_right }) => ({ id, content, is_right })),
  right_answer: question.right_answer,
  ignore_case: question.ignore_case,
  ques_analysis: question.ques_analysis,
  facility_value: clampDifficulty(question.facility_value),
  remark: '',
  points: examPoints(question.score),
});
