import { type SqlBool, sql } from 'kysely';
import { refuseClass } from '#server/classes/visible.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import type { RuleContext } from '#server/school/context.ts';
import { classesHeadedBy, classesStaffedBy } from '#server/school/staff-duties.ts';
import type { JoinCodes, Meeting, Participant } from './contract.ts';
import { statisticsFault } from './rules.ts';
import { liveStatusOf, meetingNotFound, visibleMeetings } from './visible.ts';

type MeetingContext = RuleContext<'actor' | 'now'>;

/** Lists the meetings of a class. 404: no such class. */
export async function meetingPage(
  context: MeetingContext,
  classId: number,
  { page, limit }: { page: number; limit: number },
) {
  const { db, actor, now } = context;
  const refusal = await refuseClass(db, actor, classId);
  if (refusal) return refusal;
  const meetings = visibleMeetings(db, actor).where('class_meeting.class_id', '=', classId);
  const rows = meetingRows(db, actor, meetings)
    .orderBy((eb) =>
      eb
        .case()
        .when('class_meeting.end_time', '<=', now)
        .then(eb.lit(3))
        .when('class_meeting.start_time', '<=', now)
        .then(eb.lit(1))
        .else(eb.lit(2))
        .end(),
    )
    // Sorts upcoming meetings nearest first, and past meetings latest first.
    .orderBy(sql`abs(class_meeting.start_time - ${now})`)
    .orderBy('class_meeting.id');
  const { list, ...range } = await pageOf(meetings, { page, limit }, rows);
  return { list: list.map((row) => meetingOf(row, now)), ...range };
}

/** Returns one meeting. 404: no such meeting. */
export async function meetingById({ db, actor, now }: MeetingContext, id: number): Promise<Meeting | Refusal> {
  const row = await oneMeeting(db, actor, id);
  if (!row) return meetingNotFound();
  const { teacher_code: _, assistant_code: __, student_code: ___, ...meeting } = row;
  return meetingOf(meeting, now);
}

/**
 * Returns the join codes that the actor may know. Lecturers and head teachers of the class get all codes, to hand them
 * on. Other assistants of the class do not get the lecturer code. All other staff get only the students' code.
 */
export async function joinCodesOf({ db, actor }: MeetingContext, id: number): Promise<JoinCodes | Refusal> {
  const found = await oneMeeting(db, actor, id);
  if (!found) return meetingNotFound();
  const { is_theirs, is_headed, teacher_code, assistant_code, student_code } = found;
  if (is_theirs === 0) return { teacher_code: '', assistant_code: '', student_code };
  const hasAll = actor.identity === 'teacher' || is_headed === 1;
  return { teacher_code: hasAll ? teacher_code : '', assistant_code, student_code };
}

const oneMeeting = (db: Database, actor: Actor, id: number) =>
  meetingRows(db, actor, visibleMeetings(db, actor))
    .select(['class_meeting.teacher_code', 'class_meeting.assistant_code', 'class_meeting.student_code'])
    .where('class_meeting.id', '=', id)
    .executeTakeFirst();

const meetingRows = (db: Database, actor: Viewer, meetings: ReturnType<typeof visibleMeetings>) =>
  meetings
    .innerJoin('staff', 'staff.id', 'class_meeting.staff_id')
    .select([
      'class_meeting.id',
      'class_meeting.class_id',
      'class_meeting.meeting_name',
      'class_meeting.start_time',
      'class_meeting.end_time',
      'class_meeting.room_id',
      'staff.real_name as teacher_name',
    ])
    .select((eb) => [
      eb
        .selectFrom('class_meeting_attendance')
        .select((count) => count.fn.countAll<number>().as('joined'))
        .whereRef('class_meeting_attendance.meeting_id', '=', 'class_meeting.id')
        .as('joined'),
      // Counts the expected students who have not attended. Expected are students who are in the class at some time
      // during the meeting.
      eb
        .selectFrom('class_student')
        .select((count) => count.fn.countAll<number>().as('absent'))
        .whereRef('class_student.class_id', '=', 'class_meeting.class_id')
        .where(wasMember)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('class_meeting_attendance as came')
                .select('came.id')
                .whereRef('came.meeting_id', '=', 'class_meeting.id')
                .whereRef('came.student_id', '=', 'class_student.student_id'),
            ),
          ),
        )
        .as('absent'),
      eb
        .case()
        .when('class_meeting.class_id', 'in', classesHeadedBy(db, actor))
        .then(eb.lit(1))
        .else(eb.lit(0))
        .end()
        .as('is_headed'),
      eb
        .case()
        .when(
          eb.or([
            eb('class_meeting.staff_id', '=', actor.id),
            eb('class_meeting.class_id', 'in', classesStaffedBy(db, actor)),
          ]),
        )
        .then(eb.lit(1))
        .else(eb.lit(0))
        .end()
        .as('is_theirs'),
    ]);

/** SQL: true if the student was in the class at some time during the meeting, in the latest or an earlier enrolment. */
const wasMember = sql<SqlBool>`(
  (class_student.joined_at < class_meeting.end_time
    and (class_student.left_at is null or class_student.left_at > class_meeting.start_time))
  or exists (
    select 1 from class_earlier_stay as stay
    where stay.class_id = class_student.class_id and stay.student_id = class_student.student_id
      and stay.joined_at < class_meeting.end_time and stay.left_at > class_meeting.start_time
  )
)`;
type Row = Awaited<ReturnType<ReturnType<typeof meetingRows>['executeTakeFirstOrThrow']>>;

function meetingOf({ joined, absent, is_headed, is_theirs, ...row }: Row, now: number): Meeting {
  const live_status = liveStatusOf(row, now);
  return {
    ...row,
    live_status,
    join_num: joined ?? 0,
    not_join_num: absent ?? 0,
    is_can_edit: is_headed === 1 ? 1 : 0,
    is_can_enter: is_theirs === 1 && live_status !== 3 ? 1 : 0,
  };
}

/**
 * Lists attendees in order of entry (even if they have left the class), then absent students. 404: no such meeting.
 * 409: not started yet.
 */
export async function statisticsOf(context: MeetingContext, id: number) {
  const meeting = await meetingById(context, id);
  if (isRefusal(meeting)) return meeting;
  const fault = statisticsFault(meeting);
  if (fault) return conflict(fault);
  const { db } = context;
  const members = db
    .selectFrom('class_student')
    .innerJoin('class_meeting', 'class_meeting.class_id', 'class_student.class_id')
    .select('class_student.student_id')
    .where('class_meeting.id', '=', id)
    .where(wasMember);
  const participants = db
    .selectFrom('class_meeting_attendance')
    .select('class_meeting_attendance.student_id')
    .where('class_meeting_attendance.meeting_id', '=', id)
    .union(members);
  const rows = await db
    .selectFrom('student')
    .leftJoin('class_meeting_attendance as came', (join) =>
      join.onRef('came.student_id', '=', 'student.id').on('came.meeting_id', '=', id),
    )
    .select(['student.id', 'student.nickname', 'student.mobile', 'came.joined_at'])
    .where('student.id', 'in', participants)
    .orderBy('student.id')
    .execute();
  const list = rows
    .map(
      ({ joined_at, ...student }): Participant => ({
        ...student,
        is_join: joined_at === null ? 0 : 1,
        join_time: joined_at ?? 0,
      }),
    )
    .sort((one, other) => other.is_join - one.is_join || one.join_time - other.join_time);
  return { ...meeting, list };
}
