/** Creates, edits and deletes class meetings. Only head teachers may do so. */

import { randomBytes, randomInt } from 'node:crypto';
import { refuseClass } from '#server/classes/visible.ts';
import { invalid, isRefusal, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { RuleContext } from '#server/school/context.ts';
import { isHeadTeacher } from '#server/school/staff-duties.ts';
import { CompleteMeeting, type WrittenMeeting } from './contract.ts';
import { arrangeFault, editFault, meetingMessages } from './rules.ts';
import { liveStatusOf, meetingNotFound, visibleMeetings } from './visible.ts';

type ArrangeContext = RuleContext<'actor' | 'now'>;

interface MeetingTimes {
  meeting_name: string;
  start_time: number;
  end_time: number;
}

/** Validates a meeting. `before`: the stored meeting, if it is edited. 422: errors by field. */
export function checkMeeting(written: WrittenMeeting, now: number, before?: MeetingTimes): MeetingTimes | Refusal {
  const { output: meeting, errors: broken } = validateComplete(CompleteMeeting, written);
  const isMoved = before && liveStatusOf(before, now) !== 1 && written.start_time !== before.start_time;
  const isPast = (written.end_time ?? 0) <= now;
  const faults = {
    meeting_name: broken.meeting_name,
    start_time: broken.start_time ?? (isMoved ? [meetingMessages.started] : undefined),
    end_time: broken.end_time ?? (isPast ? [meetingMessages.past] : undefined),
  };
  const errors = Object.fromEntries(
    Object.entries(faults).flatMap(([field, messages]) => (messages ? [[field, messages]] : [])),
  );
  return meeting && Object.keys(errors).length === 0 ? meeting : invalid(errors);
}

/** Characters of join codes, without those that are easily confused (0/O, 1/I). */
const codeCharacters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * Makes a join code. Its first letter names the role (T lecturer, A assistant, S student), so that codes of two roles
 * never collide.
 */
const newCode = (letter: 'T' | 'A' | 'S'): string =>
  letter + Array.from({ length: 7 }, () => codeCharacters[randomInt(codeCharacters.length)]).join('');

/** Makes codes until no other meeting has them. Each code has 35 random bits, so a second try is rare. */
async function newJoinCodes(db: Database) {
  for (;;) {
    const codes = { teacher_code: newCode('T'), assistant_code: newCode('A'), student_code: newCode('S') };
    const taken = await db
      .selectFrom('class_meeting')
      .select('id')
      .where((eb) =>
        eb.or([
          eb('teacher_code', '=', codes.teacher_code),
          eb('assistant_code', '=', codes.assistant_code),
          eb('student_code', '=', codes.student_code),
        ]),
      )
      .executeTakeFirst();
    if (!taken) return codes;
  }
}

/** Creates a meeting. 404: no such class. 403: the actor is not its head teacher. 422: errors by field. */
export async function addMeeting(
  { db, actor, now }: ArrangeContext,
  { class_id, ...written }: WrittenMeeting & { class_id?: number | undefined },
): Promise<{ id: number } | Refusal> {
  if (class_id === undefined) return invalid({ class_id: [meetingMessages.class] });
  const refusal =
    (await refuseClass(db, actor, class_id)) ??
    refuseFor('forbidden', arrangeFault(await isHeadTeacher(db, actor, class_id), '创建'));
  if (refusal) return refusal;
  const meeting = checkMeeting(written, now);
  if (isRefusal(meeting)) return meeting;
  const made = await db
    .insertInto('class_meeting')
    .values({
      ...meeting,
      class_id,
      staff_id: actor.id,
      created_at: now,
      room_id: randomBytes(12).toString('hex'),
      ...(await newJoinCodes(db)),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordHistory(db, {
    actor,
    now,
    record: 'class_meeting',
    recordId: made.id,
    action: 'add',
    before: null,
    after: { class_id, ...meeting },
  });
  return made;
}

/**
 * Edits a meeting. 404: no such meeting. 403: the actor is not the head teacher. 409: the meeting is over. 422: errors
 * by field.
 */
export async function updateMeeting(
  context: ArrangeContext,
  id: number,
  written: WrittenMeeting,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const before = await changeable(context, id, '编辑');
  if (isRefusal(before)) return before;
  const over = refuseFor('conflict', editFault({ live_status: liveStatusOf(before, now) }));
  if (over) return over;
  const meeting = checkMeeting(written, now, before);
  if (isRefusal(meeting)) return meeting;
  await db.updateTable('class_meeting').set(meeting).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'class_meeting',
    recordId: id,
    action: 'edit',
    before,
    after: meeting,
  });
  return null;
}

/** Deletes a meeting with its attendance. 404: no such meeting. 403: the actor is not the head teacher. */
export async function removeMeeting(context: ArrangeContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const before = await changeable(context, id, '删除');
  if (isRefusal(before)) return before;
  await db.deleteFrom('class_meeting').where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'class_meeting',
    recordId: id,
    action: 'delete',
    before,
    after: null,
  });
  return null;
}

/** Reads a meeting that the actor may change, and locks it until the transaction ends. */
async function changeable(
  { db, actor }: ArrangeContext,
  id: number,
  deed: '编辑' | '删除',
): Promise<(MeetingTimes & { class_id: number }) | Refusal> {
  const before = await forUpdate(db)(
    visibleMeetings(db, actor)
      .select(['class_meeting.class_id', 'class_meeting.meeting_name'])
      .select(['class_meeting.start_time', 'class_meeting.end_time'])
      .where('class_meeting.id', '=', id),
  ).executeTakeFirst();
  if (!before) return meetingNotFound();
  return refuseFor('forbidden', arrangeFault(await isHeadTeacher(db, actor, before.class_id), deed)) ?? before;
}
