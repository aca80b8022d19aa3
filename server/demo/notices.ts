/** Notices of the demo school: by head teachers and by the school, some with formatting. */
import type { Database } from '#server/platform/db/engine.ts';
import { readData } from './data.ts';
import { demoPeople } from './demo-people.ts';
import { seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';

const day = 24 * 60 * 60;

const notices: { title: string; content: string }[] = readData('notices.json');

/** Adds notices. `each`: minimum and maximum number of a head teacher's notices per class. */
export async function addNotices(
  db: Database,
  writer: RowWriter,
  { each: [least, most], now }: { each: readonly [number, number]; now: number },
): Promise<void> {
  const { classes, busiest } = await demoPeople(db);
  const random = seededRandom(409);
  for (const [index, theClass] of classes.entries()) {
    const [head] = theClass.staff;
    const add = (notice: { title: string; content: string }, staff_id: number | null, at: number) =>
      writer.add('class_notice', { class_id: theClass.id, ...notice, staff_id, created_at: at, updated_at: at });
    add(
      { title: '校历与放假安排', content: '<p>请查看学校网站上的校历，放假期间不安排直播课。</p>' },
      null,
      now - 60 * day,
    );
    // The last class only has notices of the school.
    if (!head || index === classes.length - 1) continue;
    const count = index === busiest ? Math.max(notices.length, least) : random.whole(least, most);
    const shuffled = random.shuffled(notices);
    for (let number = 0; number < count; number += 1) {
      add(
        shuffled[number % shuffled.length] as (typeof notices)[number],
        head.id,
        Math.min(now, theClass.ends ?? now) - Math.floor((count - number) * (4 + random.next()) * day) + 3 * day,
      );
    }
  }
}
