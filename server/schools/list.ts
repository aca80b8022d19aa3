/** Lists and reads schools for administrators. */

import type { Actor } from '#server/platform/auth/sign-in.ts';
import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf } from '#server/platform/db/page.ts';
import { nameContains } from '#server/platform/db/search.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { countsText } from '#server/school/rules.ts';
import type { SchoolFilter, SchoolRecord, SchoolRow } from './contract.ts';
import { missingSchool } from './rules.ts';

interface RequestContext {
  db: Database;
  actor: Actor;
}

/** Lists the actor's schools: active ones first, then by id. */
export async function schoolPage(
  { db, actor }: RequestContext,
  { name, state, ...range }: SchoolFilter,
): Promise<Page<SchoolRow>> {
  let matching = adminSchools({ db, actor });
  if (name !== undefined) matching = matching.where(nameContains('school.org_name', name));
  if (state) matching = matching.where('school.put_away_at', state === 'away' ? 'is not' : 'is', null);
  const { list, ...rest } = await pageOf(
    matching,
    range,
    schoolRows(matching)
      .orderBy((eb) => eb.case().when('school.put_away_at', 'is', null).then(0).else(1).end())
      .orderBy('school.id'),
  );
  return { list: list.map(rowOf), ...rest };
}

/** Returns a school for its form. 404: not a school of the actor. */
export async function schoolRecord(context: RequestContext, id: number): Promise<SchoolRecord | Refusal> {
  const row = await schoolRow(context, id);
  if (!row) return missing(missingSchool);
  return { ...row, records: await countRecords(context.db, id), seen: versionTokenOf(editedSchool(row)) };
}

/** Returns a row of the list; undefined if the actor does not administer the school. */
export async function schoolRow(context: RequestContext, id: number): Promise<SchoolRow | undefined> {
  const row = await schoolRows(adminSchools(context)).where('school.id', '=', id).executeTakeFirst();
  return row && rowOf(row);
}

export const editedSchool = ({ name }: Pick<SchoolRow, 'name'>) => ({ name });

const adminSchools = ({ db, actor }: RequestContext) =>
  db.selectFrom('school').where('school.id', 'in', schoolsOf(db, actor));

const schoolRows = (schools: ReturnType<typeof adminSchools>) =>
  schools.select((eb) => [
    'school.id',
    'school.org_name as name',
    eb.case().when('school.put_away_at', 'is', null).then(0).else(1).end().$castTo<0 | 1>().as('is_put_away'),
    eb
      .selectFrom('staff')
      .select((of) => of.fn.countAll<number>().as('staff'))
      .whereRef('staff.school_id', '=', 'school.id')
      .as('staff'),
    eb
      .selectFrom('student')
      .select((of) => of.fn.countAll<number>().as('students'))
      .whereRef('student.school_id', '=', 'school.id')
      .as('students'),
    eb
      .selectFrom('class')
      .select((of) => of.fn.countAll<number>().as('classes'))
      .whereRef('class.school_id', '=', 'school.id')
      .as('classes'),
    eb
      .selectFrom('course')
      .select((of) => of.fn.countAll<number>().as('courses'))
      .whereRef('course.school_id', '=', 'school.id')
      .as('courses'),
  ]);

type StoredSchool = Awaited<ReturnType<ReturnType<typeof schoolRows>['executeTakeFirstOrThrow']>>;

const rowOf = ({ staff, students, classes, courses, ...row }: StoredSchool): SchoolRow => ({
  ...row,
  staff: staff ?? 0,
  students: students ?? 0,
  classes: classes ?? 0,
  courses: courses ?? 0,
});

/** Describes the records of a school in words; '' if it has none. A school with records cannot be deleted. */
export async function countRecords(db: Database, id: number): Promise<string> {
  const [
    staff,
    bound,
    students,
    classes,
    large,
    courses,
    rooms,
    exams,
    given,
    sheets,
    wares,
    circles,
    tokens,
    clients,
  ] = await Promise.all([
    countOf(db.selectFrom('staff').where('school_id', '=', id)),
    countOf(db.selectFrom('staff_school').where('school_id', '=', id)),
    countOf(db.selectFrom('student').where('school_id', '=', id)),
    countOf(db.selectFrom('class').where('school_id', '=', id)),
    countOf(db.selectFrom('large_class').where('school_id', '=', id)),
    countOf(db.selectFrom('course').where('school_id', '=', id)),
    countOf(db.selectFrom('room').where('school_id', '=', id)),
    countOf(db.selectFrom('exam').where('school_id', '=', id)),
    countOf(
      db
        .selectFrom('exam')
        .where('exam.school_id', '!=', id)
        .where((eb) =>
          eb.or([
            eb('exam.id', 'in', eb.selectFrom('exam_school').select('exam_id').where('school_id', '=', id)),
            eb('exam.id', 'in', eb.selectFrom('exam_figures').select('exam_id').where('school_id', '=', id)),
          ]),
        ),
    ),
    countOf(db.selectFrom('exam_report').where('school_id', '=', id)),
    countOf(db.selectFrom('courseware').where('school_id', '=', id)),
    countOf(db.selectFrom('community_group').where('school_id', '=', id).where('group_type', '=', 2)),
    countOf(db.selectFrom('service_token_school').where('school_id', '=', id)),
    countOf(db.selectFrom('roster_client_school').where('school_id', '=', id)),
  ]);
  return countsText([
    [staff, '位人员'],
    [bound, '位负责该校的教务'],
    [students, '名学员'],
    [classes, '个班级'],
    [large, '个大班'],
    [courses, '门课程'],
    [rooms, '间教室'],
    [exams, '场考试'],
    [given, '场参加的考试'],
    [sheets, '份答卷'],
    [wares, '份课件'],
    [circles, '个圈子'],
    [tokens, '个应用令牌'],
    [clients, '个对接系统'],
  ]);
}
