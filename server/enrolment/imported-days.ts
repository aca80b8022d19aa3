/** Joining times and planned last days of imported memberships. */
import { valuesTable } from '#server/platform/db/json-rows.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import {
  type Fields,
  type FieldValue,
  historyOf,
  type ImportContext,
  type WantedRecord,
} from '#server/school/importer.ts';
import {
  classAndStudentIds,
  enrolmentRecord,
  hasLeftOnTheirDay,
  reasonOf,
  stayKey,
  staysOf,
} from './imported-stays.ts';
import { restoreStays, storePlannedLeaves } from './stays.ts';

/**
 * Decides when imported members join. An import knows only days: if the day is the stored one, the stored time stays. A
 * future day becomes today, and a returning student cannot begin before the previous enrolment ended.
 */
export async function resolveJoiningTimes(
  { db, now, timezone }: ImportContext,
  wanted: readonly WantedRecord[],
): Promise<(at: number) => FieldValue> {
  const isSaid = ({ fields, before }: WantedRecord) =>
    fields.joined_at !== null && fields.joined_at !== before?.joined_at;
  const known = wanted.filter((one) => one.record !== undefined && isSaid(one)).flatMap((one) => one.record ?? []);
  const earlier =
    known.length === 0
      ? []
      : await db
          .selectFrom('class_earlier_stay')
          .innerJoin(valuesTable(db, { class_id: 'integer', student_id: 'integer' }, classAndStudentIds(known)), (on) =>
            on
              .onRef('given.class_id', '=', 'class_earlier_stay.class_id')
              .onRef('given.student_id', '=', 'class_earlier_stay.student_id'),
          )
          .select(['class_earlier_stay.class_id', 'class_earlier_stay.student_id', 'class_earlier_stay.left_at'])
          .execute();
  const left = new Map<string, number>();
  for (const stay of earlier) left.set(stayKey(stay), Math.max(stay.left_at, left.get(stayKey(stay)) ?? 0));
  const over = known.length === 0 ? [] : (await staysOf(db, known)).filter(({ left_at }) => left_at !== null);
  const gone = new Map(over.map((stay) => [stayKey(stay), stay.left_at ?? 0]));
  const today = dayStart(dayOf(now, timezone), timezone);
  return (at) => {
    const { fields, before, record: key = '' } = wanted[at] as WantedRecord;
    const day = fields.joined_at;
    if (day === null || day === undefined || day === before?.joined_at) return day ?? null;
    const wish = Number(day);
    if (!before) return wish > now ? today : wish;
    const was = Number(before.joined_at);
    const leftAt = gone.get(key);
    // A student who comes back starts a new enrolment.
    if (leftAt !== undefined) return wish > leftAt && wish <= now ? wish : Math.max(today, leftAt);
    const isSameDay = dayOf(wish, timezone) === dayOf(was, timezone);
    return isSameDay || wish > now || wish < (left.get(key) ?? 0) ? was : wish;
  };
}

/**
 * Decides the planned last day and reason of imported members. An import knows only days: if the day is the stored one,
 * the stored time stays.
 */
export function resolveLeavingDay(
  { timezone }: ImportContext,
  { fields, before }: WantedRecord,
): { left_at: number | null; left_reason: string } {
  const day = fields.left_at;
  if (day === null || day === undefined) return { left_at: null, left_reason: '' };
  const lastDay = (at: FieldValue) => dayOf(Number(at) - 1, timezone);
  const known = before?.left_at;
  const isKnown = typeof known === 'number' && lastDay(known) === lastDay(day);
  return { left_at: isKnown ? known : Number(day), left_reason: reasonOf(fields.left_reason) };
}

/**
 * Stores changed planned last days. If an enrolment already ended on its planned day and that day changes, it is
 * reopened.
 */
export async function storeLeavingDays(
  context: ImportContext,
  changed: readonly { record: string; before: Fields; after: Fields }[],
) {
  const { db, now } = context;
  const wish = new Map(
    changed
      .filter(({ before, after }) => before.left_at !== after.left_at || before.left_reason !== after.left_reason)
      .map(({ record: key, after }) => {
        const { left_at, left_reason } = after;
        const leaving_at = typeof left_at === 'number' ? left_at : null;
        return [key, { leaving_at, leaving_reason: reasonOf(left_reason) }];
      }),
  );
  if (wish.size === 0) return;
  const stays = (await staysOf(db, [...wish.keys()])).flatMap((stay) => {
    const its = wish.get(stayKey(stay));
    return its ? [{ stay, its }] : [];
  });
  const reopened = stays.filter(({ stay, its }) => hasLeftOnTheirDay(stay) && its.leaving_at !== stay.leaving_at);
  await restoreStays(
    db,
    reopened.map(({ stay }) => ({ ...stay, left_at: null, left_reason: '' })),
    now,
  );
  await storePlannedLeaves(
    db,
    stays.map(({ stay: { id }, its }) => ({ id, ...its })),
  );
  await historyOf(context, enrolmentRecord)('edit', stays, ({ stay, its }) => ({
    recordId: stay.id,
    before: { left_at: stay.leaving_at, left_reason: stay.leaving_reason },
    after: { left_at: its.leaving_at, left_reason: its.leaving_reason },
  }));
}
