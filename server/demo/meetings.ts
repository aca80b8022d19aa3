/** Class meetings of the demo school: past, live and future ones. */
import type { Database } from '#server/platform/db/engine.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import { demoPeople } from './demo-people.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';

const hour = 60 * 60;
const day = 24 * hour;

/** `days`: days from today, at 19:30. `live`: takes place around now. */
const plans: { name: string; days?: number; live?: true; minutes: number; share: number }[] = [
  { name: '开学第一次班会', days: -56, minutes: 60, share: 0.95 },
  { name: '月考总结', days: -21, minutes: 45, share: 0.8 },
  { name: '线上家长会', days: -4, minutes: 90, share: 0.6 },
  { name: '期中动员', live: true, minutes: 150, share: 0.7 },
  { name: '期中复习方法交流（各学习小组组长发言，全体同学参加）', days: 2, minutes: 60, share: 0 },
  { name: '学期总结', days: 40, minutes: 60, share: 0 },
];

export async function addMeetings(
  db: Database,
  writer: RowWriter,
  { now, timezone }: { now: number; timezone: string },
): Promise<void> {
  const { classes } = await demoPeople(db);
  const random = seededRandom(410);
  const live = new Set<number>();
  for (const [index, theClass] of classes.entries()) {
    const [head] = theClass.staff;
    // The last class has no meetings.
    if (!head || index === classes.length - 1) continue;
    // A person leads at most one live meeting. A class without a live meeting, or led by an assistant, has no future
    // one either.
    const meetsNow = !live.has(head.id);
    const arrangesNext = meetsNow && head.identity === 'teacher';
    for (const plan of plans) {
      if ((plan.live && !meetsNow) || (!arrangesNext && (plan.days ?? 0) > 0)) continue;
      const evening = dayStart(dayOf(now + (plan.days ?? 0) * day, timezone), timezone) + 19.5 * hour;
      const start_time = plan.live ? now - 30 * 60 : evening;
      if (theClass.ends !== null && start_time >= theClass.ends) continue;
      if (plan.live) live.add(head.id);
      const meeting_id = writer.add('class_meeting', {
        class_id: theClass.id,
        meeting_name: plan.name,
        start_time,
        end_time: start_time + plan.minutes * 60,
        staff_id: head.id,
        created_at: start_time - 3 * day,
        room_id: code(random, 24).toLowerCase(),
        teacher_code: `T${code(random, 7)}`,
        assistant_code: `A${code(random, 7)}`,
        student_code: `S${code(random, 7)}`,
      });
      for (const { id: student_id, joined_at, left_at } of theClass.students) {
        const isThere = joined_at < start_time && (left_at ?? now) > start_time && random.chance(plan.share);
        if (!isThere) continue;
        const at = start_time - 5 * 60 + random.whole(0, 20 * 60);
        writer.add('class_meeting_attendance', { meeting_id, student_id, joined_at: at });
      }
    }
  }
}

const characters = [...'23456789ABCDEFGHJKLMNPQRSTUVWXYZ'];
const code = (random: SeededRandom, length: number): string =>
  Array.from({ length }, () => random.pick(characters)).join('');
