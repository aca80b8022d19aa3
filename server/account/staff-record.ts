import { idleLimit } from '#server/platform/auth/sign-in.ts';
import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { dayOf, timeOf } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { dutiesOf, periodsTaughtBy, sessionsTaughtBy } from '#server/school/staff-duties.ts';
import { dutiesSentence, missingStaff } from './rules.ts';
import type { CompleteStaff, StaffRecord, StaffRow } from './staff.contract.ts';
import { staffOf, staffRows } from './staff-list.ts';
import { adminStaff } from './visible.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings' | 'policy'>;

/** Returns one member of staff for the detail screen. 404: no such person. */
export async function showMember(
  { db, actor, now, settings, policy }: RequestContext,
  id: number,
): Promise<StaffRecord | Refusal> {
  const found = adminStaff(db, actor).where('staff.id', '=', id);
  const row = await staffRows(found).select(['staff.created_at', 'staff.totp_at']).executeTakeFirst();
  if (!row) return missing(missingStaff);
  const [member] = await staffOf(db, [row]);
  if (!member) return missing(missingStaff);
  const { signIns } = await db
    .selectFrom('sign_in')
    .select((eb) => eb.fn.countAll<number>().as('signIns'))
    .where('staff_id', '=', id)
    .where('revoked_at', 'is', null)
    .where('awaits_code', '=', 0)
    .where('used_at', '>=', now - idleLimit(policy))
    .executeTakeFirstOrThrow();
  return {
    ...member,
    created_at: row.created_at,
    has_second_factor: row.totp_at === null ? 0 : 1,
    sign_ins: signIns,
    duties: (await openDutiesOf(db, id, { now, timezone: settings.timezone })) ?? '',
    seen: versionTokenOf(editableFields(member)),
  };
}

/** Returns the editable fields of a member of staff in a fixed order, so that two versions can be compared. */
export const editableFields = (member: Omit<StaffRow, 'schools'> & { schools: readonly { id: number }[] }) => ({
  username: member.username,
  real_name: member.real_name,
  mobile: member.mobile,
  school_id: member.school_id,
  permissions: member.permissions,
  every_school: member.every_school,
  school_ids: member.schools.map(({ id }) => id).sort((a, b) => a - b),
});
export type EditableStaffFields = CompleteStaff;

/** Says which duties a person who leaves still has; undefined if none. */
export async function openDutiesOf(
  db: Database,
  id: number,
  { now, timezone }: { now: number; timezone: string },
): Promise<string | undefined> {
  const periods = await periodsTaughtBy(db, { id })
    .innerJoin('course', 'course.id', 'period.course_id')
    .where('period.start_play', '>', now)
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min<number | null>('period.start_play').as('start')])
    .executeTakeFirstOrThrow();
  const sessions = await sessionsTaughtBy(db, { id })
    .where('class_session.cancelled_at', 'is', null)
    .where('class_session.start_time', '>', now)
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.min<number | null>('class_session.start_time').as('start'),
    ])
    .executeTakeFirstOrThrow();
  const classes = await dutiesOf(db, { id })
    .select((eb) => eb.fn.count<number>('class_staff.class_id').distinct().as('count'))
    .executeTakeFirstOrThrow();
  const starts = [periods.start, sessions.start].filter((start) => start !== null);
  const start = Math.min(...starts);
  return dutiesSentence({
    lessons: periods.count + sessions.count,
    next: starts.length > 0 ? `${dayOf(start, timezone)} ${timeOf(start, timezone)}` : '',
    classes: classes.count,
  });
}
