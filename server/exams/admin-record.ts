/** Lists and shows exams for administrators. */
import { isMaterial } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { survivingIds } from '#server/questions/visible.ts';
import type { Exam } from '#server/schema/database.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { AdminExam, AdminExamFilter, CompleteExam, ExamRecord } from './admin.contract.ts';
import { classesByExam, reachedStudents } from './exam-classes.ts';
import { categoriesBelow } from './list.ts';
import { paperOf } from './preview.ts';
import { paperFaults } from './publication.rules.ts';
import { examSections, flattenQuestions, type NumberedExamQuestion } from './questions.ts';
import {
  closeFault,
  closingSentence,
  examPoints,
  examState,
  extendFault,
  missingExam,
  otherSchoolsFault,
  paperFault,
  passScoreFault,
  publishedFault,
  reachSentence,
  removeExamFault,
  withdrawFault,
} from './rules.ts';
import { adminExams, isForClass } from './visible.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Lists exams, latest first. */
export async function adminExamPage(
  { db, actor, now }: RequestContext,
  filter: AdminExamFilter,
): Promise<Page<AdminExam>> {
  let matching = adminExams(db, actor);
  const { name, classify_id, state, school_id, class_id } = filter;
  if (name !== undefined) matching = matching.where(nameContains('exam.name', name));
  if (classify_id !== undefined) matching = matching.where('exam.category_id', 'in', categoriesBelow(classify_id));
  if (school_id !== undefined) {
    matching = matching.where((eb) =>
      eb.or([
        eb('exam.school_id', '=', school_id),
        eb('exam.id', 'in', db.selectFrom('exam_school').select('exam_id').where('school_id', '=', school_id)),
      ]),
    );
  }
  if (class_id !== undefined) matching = matching.where(isForClass(db, class_id));
  if (state !== undefined) matching = matching.where('exam.status', '=', state === 'draft' ? 2 : 1);
  if (state === 'published') matching = matching.where('exam.start_at', '>', now);
  if (state === 'published' || state === 'running') {
    matching = matching.where((eb) => eb.or([eb('exam.end_at', 'is', null), eb('exam.end_at', '>', now)]));
  }
  if (state === 'running') {
    matching = matching.where((eb) => eb.or([eb('exam.start_at', 'is', null), eb('exam.start_at', '<=', now)]));
  }
  if (state === 'closed') matching = matching.where('exam.end_at', '<=', now);
  const { list, ...range } = await pageOf(
    matching,
    filter,
    matching.selectAll('exam').orderBy('exam.created_at', 'desc').orderBy('exam.id', 'desc'),
  );
  return { list: await rowsOf({ db, actor, now }, list), ...range };
}

/** Adds schools and submission counts to exams. */
async function rowsOf({ db, actor, now }: RequestContext, exams: readonly Exam[]): Promise<AdminExam[]> {
  const ids = exams.map(({ id }) => id);
  if (ids.length === 0) return [];
  const [named, schools, classes, counts] = await Promise.all([
    db
      .selectFrom('exam')
      .innerJoin('staff', 'staff.id', 'exam.creator_id')
      .leftJoin('exam_category', 'exam_category.id', 'exam.category_id')
      .select(['exam.id', 'staff.real_name', 'exam_category.name as category'])
      .where('exam.id', 'in', ids)
      .execute(),
    schoolsByExam(db, ids),
    classesByExam(db, ids),
    db
      .selectFrom('exam_figures')
      .select((eb) => [
        'exam_id',
        eb.fn.sum<number>('submitted_count').as('submitted'),
        eb.fn.sum<number>('graded_count').as('graded'),
      ])
      .where('exam_id', 'in', ids)
      .where('school_id', 'in', schoolsOf(db, actor))
      .groupBy('exam_id')
      .execute(),
  ]);
  return exams.map((exam) => {
    const names = named.find(({ id }) => id === exam.id);
    const count = counts.find(({ exam_id }) => exam_id === exam.id);
    const submitted = Number(count?.submitted ?? 0);
    return {
      id: exam.id,
      name: exam.name,
      category_name: names?.category ?? '',
      state: examState(exam, now),
      score: examPoints(exam.score),
      pass_score: examPoints(exam.pass_score),
      ques_num: exam.ques_num,
      start_at: exam.start_at,
      end_at: exam.end_at,
      schools: schools.get(exam.id) ?? [],
      classes: (classes.get(exam.id) ?? []).map((one) => ({ id: one.id, name: one.name })),
      creator: names?.real_name ?? '',
      is_own: exam.creator_id === actor.id ? 1 : 0,
      submitted,
      waiting: submitted - Number(count?.graded ?? 0),
    };
  });
}

/** Returns the schools of each exam: its own school and those it is shared with. */
async function schoolsByExam(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, { id: number; name: string }[]>> {
  const rows = await db
    .selectFrom('exam_school')
    .select(['exam_id', 'school_id'])
    .where('exam_id', 'in', ids)
    .union(db.selectFrom('exam').select(['id as exam_id', 'school_id']).where('id', 'in', ids))
    .execute();
  const names = await db
    .selectFrom('school')
    .select(['id', 'org_name as name'])
    .where(
      'id',
      'in',
      rows.map(({ school_id }) => school_id),
    )
    .orderBy('id')
    .execute();
  return new Map(
    ids.map((id) => [
      id,
      names.filter((school) => rows.some((row) => row.exam_id === id && row.school_id === school.id)),
    ]),
  );
}

/**
 * Returns the classes of an exam, all its schools, those among them that the administrator manages, and the names of
 * the others.
 */
export async function schoolsOfExam(db: Database, actor: Actor, examId: number) {
  const schools = (await schoolsByExam(db, [examId])).get(examId) ?? [];
  const seen = new Set((await schoolsOf(db, actor).execute()).map(({ id }) => id));
  return {
    classes: (await classesByExam(db, [examId])).get(examId) ?? [],
    schools,
    own: schools.filter(({ id }) => seen.has(id)),
    beyond: schools.filter(({ id }) => !seen.has(id)).map(({ name }) => name),
  };
}

/** Counts all submissions of an exam. */
export const reportsOfExam = (db: Database, examId: number) =>
  countOf(db.selectFrom('exam_report').where('exam_report.exam_id', '=', examId));

/** Counts students who are taking the exam now. */
export const countTakingExam = (db: Database, examId: number) =>
  countOf(db.selectFrom('exam_attempt').where('exam_attempt.exam_id', '=', examId).where('handed_in_at', 'is', null));

/** Counts the schools, classes and students who get an exam. */
export async function countReach(
  db: Database,
  { schools, classes }: { schools: readonly { id: number }[]; classes: readonly { id: number }[] },
) {
  const students = await countOf(reachedStudents(db, { schools, classes }));
  return { schools: schools.length, classes: classes.length, students };
}

/** Returns the editable fields of an exam in a fixed order, so that equal exams have the same version. */
export const editedFields = (
  exam: Exam,
  { schools, classes }: { schools: readonly { id: number }[]; classes: readonly { id: number }[] },
): CompleteExam => ({
  name: exam.name,
  introduce: exam.introduce,
  category_id: exam.category_id,
  pass_score: exam.pass_score,
  limit_minutes: Math.floor(exam.limit_time / 60),
  start_at: exam.start_at,
  end_at: exam.end_at,
  attempts: exam.attempts,
  school_ids: schools.map(({ id }) => id),
  class_ids: classes.map(({ id }) => id).sort((one, other) => one - other),
});

/** Returns one exam for its screen. 404: not visible. */
export async function adminExamRecord(context: RequestContext, id: number): Promise<ExamRecord | Refusal> {
  const { db, actor, now } = context;
  const exam = await adminExams(db, actor).selectAll('exam').where('exam.id', '=', id).executeTakeFirst();
  const [row] = exam ? await rowsOf(context, [exam]) : [];
  if (!exam || !row) return missing(missingExam);
  const [{ schools, classes, own, beyond }, reports, ownReports, ownTaking, taking, sections] = await Promise.all([
    schoolsOfExam(db, actor, id),
    reportsOfExam(db, id),
    countOf(
      db
        .selectFrom('exam_report')
        .innerJoin('student', 'student.id', 'exam_report.student_id')
        .where('exam_report.exam_id', '=', id)
        .where('student.school_id', 'in', schoolsOf(db, actor)),
    ),
    countOf(
      db
        .selectFrom('exam_attempt')
        .innerJoin('student', 'student.id', 'exam_attempt.student_id')
        .where('exam_attempt.exam_id', '=', id)
        .where('exam_attempt.handed_in_at', 'is', null)
        .where('student.school_id', 'in', schoolsOf(db, actor)),
    ),
    countTakingExam(db, id),
    examSections(db, id),
  ]);
  // An administrator of only some of the exam's schools sees the figures of these schools, and may not change the exam
  // once it is published.
  const ownIds = new Set(own.map((school) => school.id));
  const ownClasses = classes.filter(({ school_id }) => ownIds.has(school_id));
  const reach = await countReach(db, { schools: own, classes: ownClasses });
  const mine = (exam.status === 1 ? otherSchoolsFault(beyond) : undefined) ?? null;
  const orMine = (fault: string | undefined): string | null => fault ?? mine;
  return {
    ...row,
    introduce: exam.introduce,
    category_id: exam.category_id,
    limit_minutes: Math.floor(exam.limit_time / 60),
    attempts: exam.attempts,
    created_at: exam.created_at,
    published_at: exam.published_at,
    reports: ownReports,
    taking: ownTaking,
    reach: reachSentence(reach),
    closing: closingSentence({ ...reach, reports: ownReports }),
    faults: exam.status === 1 ? [] : paperFaults({ ...exam, sections, beyond }, now),
    refusals: {
      edit: mine,
      paper: orMine(paperFault(exam)),
      pass_score: passScoreFault(reports) ?? null,
      publish: publishedFault(exam) ?? null,
      extend: orMine(extendFault(exam)),
      close: orMine(closeFault(exam, now)),
      withdraw: orMine(withdrawFault({ status: exam.status, is_own: exam.creator_id === actor.id, taking, reports })),
      remove: orMine(removeExamFault(exam)),
    },
    seen: versionTokenOf(editedFields(exam, { schools, classes })),
    paper_seen: versionTokenOf({
      ...scoreFields(flattenQuestions(sections)),
      ...Object.assign({}, ...sections.map(sectionFields)),
    }),
  };
}

/** Scores of questions, by the name of their form field. */
export const scoreFields = (questions: readonly Pick<NumberedExamQuestion, 'id' | 'ques_type' | 'score'>[]) =>
  Object.fromEntries(
    questions.flatMap(({ id, ques_type, score }) => (isMaterial(ques_type) ? [] : [[`score-${id}`, score]])),
  );

/** Name and introduction of a section, by the names of their form fields. */
export const sectionFields = ({ id, name, introduce }: { id: number; name: string; introduce: string }) => ({
  [`name-${id}`]: name,
  [`introduce-${id}`]: introduce,
});

/**
 * Returns the paper, and the ids of the bank questions that its questions were copied from, or that those were merged
 * into. 404: not visible.
 */
export async function adminExamPaper({ db, actor }: RuleContext<'actor'>, id: number) {
  const exam = await adminExams(db, actor).selectAll('exam').where('exam.id', '=', id).executeTakeFirst();
  if (!exam) return missing(missingExam);
  const sections = await examSections(db, id);
  const sources = flattenQuestions(sections).flatMap(sourceOf);
  const kept = await survivingIds(db, sources);
  return { ...paperOf(exam, sections), sources: sources.map((id) => kept.get(id) ?? id) };
}

const sourceOf = ({ source_id, parent_id }: NumberedExamQuestion): number[] =>
  source_id === null || parent_id !== null ? [] : [source_id];
