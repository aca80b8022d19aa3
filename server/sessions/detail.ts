/** One scheduled lesson with its handout, courseware and attendance counts. */

import { fileAddress } from '#server/courseware/file.ts';
import { visibleLessonMaterials } from '#server/courseware/visible.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { SessionDetail } from './contract.ts';
import { findOwnSession } from './list.ts';
import { emptyRosterCounts, rosterCounts } from './roster.ts';

/** Returns a lesson with its details. 404: the actor has no such lesson. */
export async function lessonDetailOf(
  db: Database,
  actor: Actor,
  id: number,
  clock: { now: number; timezone: string },
): Promise<SessionDetail | Refusal> {
  const session = await findOwnSession(db, actor, id, clock);
  if (isRefusal(session)) return session;
  const [{ names, handout }, get_ware_info, counts] = await Promise.all([
    namesAndHandout(db, id),
    materials(db, { id, actorId: actor.id }, actor.identity),
    rosterCounts(db, { sessionId: id }, clock.now),
  ]);
  const inPerson = session.teaching_mode === 2;
  return {
    ...session,
    ...names,
    start_play: session.arrange_time,
    address: inPerson ? [session.org_name, session.room_name].filter(Boolean).join(' ') : '',
    ...handout,
    get_ware_info: get_ware_info.map(({ courseware_id, name, ...ware }) => ({
      ...ware,
      ware_id: courseware_id ?? 0,
      ware_filename: name,
    })),
    ...(counts.get(id) ?? emptyRosterCounts),
  };
}

const materials = (db: Database, { id, actorId }: Record<'id' | 'actorId', number>, identity: Identity) =>
  visibleLessonMaterials(db, { id: actorId, identity })
    .innerJoin('ware_file', 'ware_file.id', 'lesson_ware.file_id')
    .select(['lesson_ware.id', 'lesson_ware.courseware_id', 'lesson_ware.ware_name', 'ware_file.name'])
    .where('lesson_ware.session_id', '=', id)
    .orderBy('lesson_ware.id')
    .execute();

/** Reads grade and subject of a lesson: of its class, or else of its course. */
const gradeAndSubject = (db: Database, { id }: { id: number }) =>
  db
    .selectFrom('class_session')
    .innerJoin('class', 'class.id', 'class_session.class_id')
    .innerJoin('course', 'course.id', 'class_session.course_id')
    .leftJoin('team_class', 'team_class.class_id', 'class.id')
    .leftJoin('classify', (join) =>
      join.on((eb) => eb('classify.id', '=', eb.fn.coalesce('class.classify_id', 'course.classify_id'))),
    )
    .leftJoin('grade', (join) =>
      join.on((eb) => eb('grade.id', '=', eb.fn.coalesce('class.grade_id', 'course.grade_id'))),
    )
    .leftJoin('subject', (join) =>
      join.on((eb) => eb('subject.id', '=', eb.fn.coalesce('team_class.subject_id', 'course.subject_id'))),
    )
    .leftJoin('session_handout as handout', 'handout.session_id', 'class_session.id')
    .select(['classify.name as classify_name', 'grade.name as grade_name', 'subject.name as sub_name'])
    .select(['handout.status', 'handout.file_name', 'handout.file_remark', 'handout.file_id'])
    .where('class_session.id', '=', id)
    .execute();

async function namesAndHandout(db: Database, id: number) {
  const [row] = await gradeAndSubject(db, { id });
  const names = {
    classify_name: row?.classify_name ?? '',
    grade_name: row?.grade_name ?? '',
    sub_name: row?.sub_name ?? '',
  };
  const { status = null, file_name = null, file_remark = null, file_id = null } = row ?? {};
  if (status === null || file_name === null || file_id === null) {
    return { names, handout: { file_status: 2 as const, file_name: '', file_remark: '', fid: 0, file_url: '' } };
  }
  const handout = {
    file_status: status,
    file_name,
    file_remark: status === 4 ? (file_remark ?? '') : '',
    fid: file_id,
    file_url: fileAddress(file_id),
  };
  return { names, handout };
}
