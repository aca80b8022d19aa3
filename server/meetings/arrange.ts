/** Creating, editing and deleting class meetings: for head teachers. */

import { randomBytes, randomInt } from 'node:crypto';
import { refuseClass } from '#server/classes/visible.ts';
import { invalid, isRefusal, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { RuleContext } from '#server/school/context.ts';
import { isHeadTeacher } from '#server/school/reach.ts';
import { CompleteMeeting, type WrittenMeeting } from './contract.ts';
import { arrangeFault, editFault, meetingMessages } from './rules.ts';
import { liveStatusOf, noMeeting, visibleMeetings } from './visible.ts';

type ArrangeContext = RuleContext<'actor' | 'now'>;

interface MeetingTimes {
  meeting_name: string;
  start_time: number;
  end_time: number;
}

/** What is kept of what was written; refused: 422 by field. `before` is the meeting that is edited. */
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

/** Without the characters that are mistaken for each other. */
const codeCharacters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** The letter says whose it is, and keeps the codes of one role apart from those of another. */
const newCode = (letter: 'T' | 'A' | 'S'): string =>
  letter + Array.from({ length: 7 }, () => codeCharacters[randomInt(codeCharacters.length)]).join('');

/** Codes that no other meeting has; 35 random bits each, so the first ones nearly always are. */
async function freshCodes(db: Database) {
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

/** Refused: 404 no such class, 403 not its head teacher, 422 by field. */
export async function create(
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
      ...(await freshCodes(db)),
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

/** Refused: 404 no such meeting, 403 not the head teacher's, 409 it is over, 422 by field. */
export async function edit(context: ArrangeContext, id: number, written: WrittenMeeting): Promise<null | Refusal> {
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

/** With who took part. Refused: 404 no such meeting, 403 not the head teacher's. */
export async function remove(context: ArrangeContext, id: number): Promise<null | Refusal> {
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

/** The meeting as it stands, held until the transaction ends. */
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
  if (!before) return noMeeting();
  return refuseFor('forbidden', arrangeFault(await isHeadTeacher(db, actor, before.class_id), deed)) ?? before;
}
