import { refuseClass } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { countOf, pageOf, type RowRange } from '#server/platform/db/page.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import type { StudyFilter, StudyRow } from './contract.ts';
import { countHomeworkBy, noHomework } from './facts.ts';
import { computeFiguresBy, noFigures } from './figures.ts';

export type StudentFilter = Pick<StudyFilter, 'nickname' | 'mobile' | 'org_id'>;

/** Selects the current members of a class. */
export function presentMembers(db: Database, classId: number, filter: StudentFilter) {
  let members = db
    .selectFrom('class_student as member')
    .innerJoin('student', 'student.id', 'member.student_id')
    .innerJoin('school', 'school.id', 'student.school_id')
    .where('member.class_id', '=', classId)
    .where('member.left_at', 'is', null);
  if (filter.nickname) members = members.where(nameContains('student.nickname', filter.nickname));
  if (filter.mobile) members = members.where(containsText('student.mobile', filter.mobile));
  if (filter.org_id !== undefined) members = members.where('student.school_id', '=', filter.org_id);
  return members;
}

/** Reads a page of students with their figures; `now` in unix seconds. */
export async function studyRows(
  db: Database,
  classId: number,
  filter: StudentFilter,
  { limit, offset, now }: RowRange & { now: number },
): Promise<StudyRow[]> {
  const members = await presentMembers(db, classId, filter)
    .select(['member.id', 'member.student_id as uid', 'student.nickname', 'student.mobile', 'school.org_name'])
    .orderBy('member.id')
    .limit(limit)
    .offset(offset)
    .execute();
  const rows: StudyRow[] = [];
  // Reads students in batches of 500, because the records of each student are long.
  for (let from = 0; from < members.length; from += 500) {
    const part = members.slice(from, from + 500);
    const [figures, homework] = await Promise.all([
      computeFiguresBy(db, 'member_id', { classId, memberIds: part.map(({ id }) => id) }, now),
      countHomeworkBy(db, 'student_id', { classId, studentIds: part.map(({ uid }) => uid) }),
    ]);
    for (const member of part) {
      const { expected: _, ...study } = figures.get(member.id) ?? noFigures;
      rows.push({ ...member, ...study, ...(homework.get(member.uid) ?? noHomework) });
    }
  }
  return rows;
}

/** Reads the whole class before sorting: the figures are computed and stored in no table. */
async function sortedRows(
  db: Database,
  classId: number,
  { sort_field, sort, ...filter }: StudyFilter,
  { limit, offset, now }: RowRange & { now: number },
): Promise<StudyRow[]> {
  const rows = await studyRows(db, classId, filter, { limit: maxListLimit, offset: 0, now });
  const field = sort_field ?? 'truant_times';
  const sign = sort === 'asc' ? 1 : -1;
  return rows
    .sort((one, other) => sign * (one[field] - other[field]) || one.id - other.id)
    .slice(offset, offset + limit);
}

export const countMembers = (db: Database, classId: number, filter: StudentFilter): Promise<number> =>
  countOf(presentMembers(db, classId, filter));

export async function classStudyPage(db: Database, actor: Actor, classId: number, filter: StudyFilter, now: number) {
  const refused: Refusal | undefined = await refuseClass(db, actor, classId);
  if (refused) return refused;
  const page = await pageOf(await countMembers(db, classId, filter), filter, (range) =>
    filter.sort_field
      ? sortedRows(db, classId, filter, { ...range, now })
      : studyRows(db, classId, filter, { ...range, now }),
  );
  return new AnswerWithMessage(page, { extra: { schools: await schoolsOfMembers(db, { classId }) } });
}

const schoolsOfMembers = (db: Database, { classId }: { classId: number }) =>
  presentMembers(db, classId, {})
    .select(['school.id', 'school.org_name as name'])
    .distinct()
    .orderBy('school.id')
    .execute();
