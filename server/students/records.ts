/**
 * Pages of a student's enrolments, homework, exams, communication and history. Each is for users who see the student.
 */

import { missingStudent } from '#server/classes/rules.ts';
import { isClassOpen } from '#server/enrolment/rules.ts';
import { passFlag } from '#server/exams/pass-and-rank.ts';
import { examPoints } from '#server/exams/rules.ts';
import { pointsOf, reportStatus, wholeTenths } from '#server/grading/rules.ts';
import { recalledStatus } from '#server/homework/rules.ts';
import { type PasswordState, passwordStateNames } from '#server/learners/rules.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Paging, pageOf } from '#server/platform/db/page.ts';
import { adminStudents } from '#server/school/admin-students.ts';
import type { RuleContext } from '#server/school/context.ts';
import { logView } from '#server/school/view-log.ts';
import type { StudentEvent, StudentExam, StudentHomework, StudentStay, StudentTalk } from './records.contract.ts';
import { fieldNames } from './rules.ts';

export type RequestContext = RuleContext<'actor' | 'now'>;

/** Refuses with 404 a student that the actor does not see; otherwise records the view in the history. */
export async function refuseHiddenStudent(
  { db, actor, now }: RequestContext,
  id: number,
): Promise<Refusal | undefined> {
  const seen = await adminStudents(db, actor).select('student.id').where('student.id', '=', id).executeTakeFirst();
  if (!seen) return missing(missingStudent);
  await logView({ db, actor, now }, id);
  return undefined;
}

/** Lists enrolments: present ones first, then ended ones, latest first. */
export async function stayPage(
  context: RequestContext,
  id: number,
  paging: Paging,
): Promise<Page<StudentStay> | Refusal> {
  const { db, now } = context;
  const refusal = await refuseHiddenStudent(context, id);
  if (refusal) return refusal;
  const columns = ['class.id as class_id', 'class.name as class_name', 'class.class_type'] as const;
  const [latest, earlier] = await Promise.all([
    db
      .selectFrom('class_student as stay')
      .innerJoin('class', 'class.id', 'stay.class_id')
      .leftJoin('team_class', 'team_class.class_id', 'class.id')
      .select([...columns, 'class.valid_type', 'class.valid_time', 'team_class.ended_at'])
      .select(['stay.joined_at', 'stay.left_at', 'stay.left_reason', 'stay.leaving_at'])
      .where('stay.student_id', '=', id)
      .execute(),
    db
      .selectFrom('class_earlier_stay as stay')
      .innerJoin('class', 'class.id', 'stay.class_id')
      .leftJoin('team_class', 'team_class.class_id', 'class.id')
      .innerJoin('class_student as member', (on) =>
        on.onRef('member.class_id', '=', 'stay.class_id').onRef('member.student_id', '=', 'stay.student_id'),
      )
      .select([...columns, 'class.valid_type', 'class.valid_time', 'team_class.ended_at'])
      .select(['stay.joined_at', 'stay.left_at', 'stay.left_reason'])
      .where('member.student_id', '=', id)
      .execute(),
  ]);
  const stays = [
    ...latest.map((stay) => ({ ...stay, is_latest: 1 as const })),
    ...earlier.map((stay) => ({ ...stay, leaving_at: null, is_latest: 0 as const })),
  ]
    .map(
      ({ valid_type, valid_time, ended_at, ...stay }): StudentStay => ({
        ...stay,
        is_running: isClassOpen({ valid_type, valid_time, ended_at }, now),
      }),
    )
    .toSorted(
      (one, other) =>
        Number(one.left_at !== null) - Number(other.left_at !== null) ||
        other.joined_at - one.joined_at ||
        other.class_id - one.class_id,
    );
  return pageOf(stays.length, paging, ({ limit, offset }) => stays.slice(offset, offset + limit));
}

export const homeworkOfStudent = (db: Database, id: number) =>
  db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .where('report.student_id', '=', id);

/** Lists the student's homework, latest first. */
export async function homeworkPage(
  context: RequestContext,
  id: number,
  paging: Paging,
): Promise<Page<StudentHomework> | Refusal> {
  const { db } = context;
  const refusal = await refuseHiddenStudent(context, id);
  if (refusal) return refusal;
  const homework = homeworkOfStudent(db, id);
  const { list, ...range } = await pageOf(
    homework,
    paging,
    homework
      .innerJoin('class', 'class.id', 'report.class_id')
      .innerJoin('course', 'course.id', 'homework.course_id')
      .select(['report.id', 'report.homework_id', 'homework.name', 'course.title as course'])
      .select(['class.id as class_id', 'class.name as class_name', 'homework.ending_time'])
      .select(['homework.status as homework_status', 'report.status', 'report.submit_time'])
      .select(['report.user_score', 'homework.is_set_score', 'homework.total_score'])
      .orderBy('homework.publish_time', 'desc')
      .orderBy('report.id', 'desc'),
  );
  return {
    list: list.map(
      ({ homework_status, user_score, is_set_score, total_score, ...row }): StudentHomework => ({
        ...row,
        is_recalled: homework_status === recalledStatus ? 1 : 0,
        score: row.status === reportStatus.graded ? wholeTenths(is_set_score, user_score) : null,
        total: pointsOf(is_set_score, total_score),
      }),
    ),
    ...range,
  };
}

export const examsOf = (db: Database, id: number) =>
  db
    .selectFrom('exam_report')
    .innerJoin('exam', 'exam.id', 'exam_report.exam_id')
    .where('exam_report.student_id', '=', id);

/** Lists the student's exams. 404: no such student. */
export async function examPage(
  context: RequestContext,
  id: number,
  paging: Paging,
): Promise<Page<StudentExam> | Refusal> {
  const { db } = context;
  const refusal = await refuseHiddenStudent(context, id);
  if (refusal) return refusal;
  const exams = examsOf(db, id);
  const { list, ...range } = await pageOf(
    exams,
    paging,
    exams
      .select(['exam_report.id', 'exam.id as exam_id', 'exam.name', 'exam_report.submit_time'])
      .select(['exam_report.answer_time', 'exam_report.test_status', 'exam_report.user_score'])
      .select(['exam.score as total_score', 'exam.pass_score'])
      .orderBy('exam_report.submit_time', 'desc')
      .orderBy('exam_report.id', 'desc'),
  );
  return {
    list: list.map(
      ({ user_score, total_score, pass_score, ...row }): StudentExam => ({
        ...row,
        score: examPoints(user_score),
        total: examPoints(total_score),
        is_passed: passFlag({ test_status: row.test_status, user_score }, { score: total_score, pass_score }),
      }),
    ),
    ...range,
  };
}

export const talksOf = (db: Database, id: number) =>
  db.selectFrom('communication_record').where('communication_record.student_id', '=', id);

/** Lists the notes of talks with the student. 404: no such student. */
export async function talkPage(
  context: RequestContext,
  id: number,
  paging: Paging,
): Promise<Page<StudentTalk> | Refusal> {
  const { db } = context;
  const refusal = await refuseHiddenStudent(context, id);
  if (refusal) return refusal;
  const talks = talksOf(db, id);
  return pageOf(
    talks,
    paging,
    talks
      .innerJoin('staff', 'staff.id', 'communication_record.staff_id')
      .innerJoin('class_session', 'class_session.id', 'communication_record.session_id')
      .innerJoin('class', 'class.id', 'class_session.class_id')
      .select(['communication_record.id', 'communication_record.content', 'staff.real_name as by'])
      .select([
        'communication_record.created_at as at',
        'class.name as class_name',
        'class_session.start_time as start',
      ])
      .orderBy('communication_record.created_at', 'desc')
      .orderBy('communication_record.id', 'desc'),
  );
}

/** Lists changes of the student and of the student's enrolments, and views of the student, latest first. */
export async function historyPage(
  context: RequestContext,
  id: number,
  paging: Paging,
): Promise<Page<StudentEvent> | Refusal> {
  const { db } = context;
  const refusal = await refuseHiddenStudent(context, id);
  if (refusal) return refusal;
  const stays = db.selectFrom('class_student').select('id').where('student_id', '=', id);
  const events = db
    .selectFrom('history')
    .where((eb) =>
      eb.or([
        eb.and([eb('history.record', '=', 'student'), eb('history.record_id', '=', id)]),
        eb.and([eb('history.record', '=', 'class_student'), eb('history.record_id', 'in', stays)]),
      ]),
    );
  const { list, ...range } = await pageOf(
    events,
    paging,
    events
      .leftJoin('staff', 'staff.id', 'history.staff_id')
      .select(['history.id', 'history.at', 'history.record', 'history.action', 'history.before', 'history.after'])
      .select('staff.real_name')
      .orderBy('history.id', 'desc'),
  );
  const [schools, classes] = await Promise.all([
    db.selectFrom('school').select(['id', 'org_name as name']).execute(),
    db
      .selectFrom('class')
      .innerJoin('class_student', 'class_student.class_id', 'class.id')
      .select(['class.id', 'class.name'])
      .where('class_student.student_id', '=', id)
      .execute(),
  ]);
  const nameIn = (records: readonly { id: number; name: string }[], one: unknown) =>
    records.find((record) => record.id === one)?.name ?? '';
  return {
    list: list.map((row): StudentEvent => {
      const [before, after] = [fieldsOf(row.before), fieldsOf(row.after)];
      const shown = (field: string, value: unknown) => {
        if (field === 'school_id') return nameIn(schools, value);
        return field === 'login_password' ? passwordStateNames[value as PasswordState] : String(value ?? '');
      };
      const named = Object.entries({ ...fieldNames, login_password: '登录密码' }).filter(
        ([field]) => field in before || field in after,
      );
      const changeTexts = named.map(([field, name]) => {
        const [was, is] = [shown(field, before[field]), shown(field, after[field])];
        return `${name}：${[was, is].filter((value) => value !== '').join(' → ') || '空'}`;
      });
      const reason = after.left_reason ? [`原因：${String(after.left_reason)}`] : [];
      return {
        id: row.id,
        at: row.at,
        by: row.real_name ?? '',
        action: row.action,
        class_name: row.record === 'class_student' ? nameIn(classes, after.class_id) : '',
        changes: [...changeTexts, ...reason],
      };
    }),
    ...range,
  };
}

const fieldsOf = (text: string | null): Record<string, unknown> =>
  text === null ? {} : (JSON.parse(text) as Record<string, unknown>);
