/**
 * Further classes of the demo school: one that has ended, one without courses, one without a circle, one with a student
 * who left and returned, large classes with schedule pictures, and courseware of classes.
 */
import sharp from 'sharp';
import type { Database } from '#server/platform/db/engine.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { DemoCourse } from './courses.ts';
import type { SchoolFrame } from './frame.ts';
import { addClass, addMember, addStudent, type DemoClass, type DemoStaff } from './people.ts';
import { seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';

const day = 24 * 60 * 60;

export interface LargeClasses {
  senior: number;
  final: number;
  live: number;
}

export function addLargeClasses(writer: RowWriter, [jingan, pudong]: [number, number]): LargeClasses {
  const named = (school_id: number, name: string) => writer.add('large_class', { school_id, name });
  return {
    senior: named(jingan, '2026级高一大班'),
    final: named(pudong, '2026届九年级中考大班'),
    live: named(jingan, '高中数理直播大班'),
  };
}

interface DemoContext {
  frame: SchoolFrame;
  staff: Record<'teacher' | 'assist', DemoStaff>;
  large: LargeClasses;
  now: number;
  createdAt: number;
}

/**
 * Adds classes of the demo lecturer and assistant that have no homework. `addCoursesOfOthers` adds their courses later.
 */
export function addOtherClasses(writer: RowWriter, { frame, staff, large, now, createdAt }: DemoContext) {
  const random = seededRandom(606);
  const common = {
    schoolId: frame.schools[0],
    gradeId: frame.grades.高一 as number,
    heads: [staff.teacher],
    assistants: [staff.assist],
    createdAt,
  };
  const classify = (name: string) => frame.classifies[name] as number;
  const fill = (theClass: DemoClass, size: number) => {
    for (let number = 0; number < size; number += 1) {
      addStudent(writer, random, theClass, { joinedAt: now - random.whole(20, 180) * day });
    }
    return theClass;
  };
  const live = addClass(writer, {
    ...common,
    name: '高一数理直播大课班',
    classifyId: classify('基础班'),
    largeClassId: large.live,
  });
  const ended = addClass(writer, {
    ...common,
    name: '2026年暑期高一衔接班',
    classifyId: classify('基础班'),
    validUntil: now - 20 * day,
  });
  const withoutCourses = addClass(writer, {
    ...common,
    name: '高一秋季二期预备班',
    classifyId: classify('提高班'),
    createdAt: now - 3 * day,
  });
  const withoutCircle = addClass(writer, {
    ...common,
    name: '高一封闭集训班',
    classifyId: classify('竞赛班'),
    groupHidden: 2,
  });
  fill(live, 60);
  fill(ended, 22);
  fill(withoutCircle, 16);
  for (const student of live.members.slice(0, 3))
    addMember(writer, withoutCourses, { ...student, joinedAt: now - day });
  return { live, ended, withoutCircle };
}

export function addCoursesOfOthers(
  writer: RowWriter,
  { live, ended, withoutCircle }: ReturnType<typeof addOtherClasses>,
  courses: Record<'maths' | 'physics' | 'english', DemoCourse>,
): void {
  for (const [theClass, taken] of [
    [live, [courses.maths, courses.physics]],
    [ended, [courses.english]],
    [withoutCircle, [courses.physics]],
  ] as const) {
    for (const { id } of taken) writer.addPlain('class_course', { class_id: theClass.id, course_id: id });
  }
}

/** Draws and stores two schedule pictures and a few course covers; returns their paths. */
export async function storeClassPictures(storage: Storage): Promise<{ schedules: string[]; covers: string[] }> {
  const keep = async (picture: string) => {
    const bytes = await sharp(Buffer.from(picture)).png({ palette: true }).toBuffer();
    const stored = await storage.put(
      (async function* () {
        yield bytes;
      })(),
      { extension: 'png', limit: bytes.byteLength },
    );
    if (!('ok' in stored)) throw new Error(`A demo file was refused: ${stored.message}`);
    return `/files/${stored.ok.key}`;
  };
  const [schedules, covers] = await Promise.all([
    Promise.all([11, 12].map((seed) => keep(schedule(seed)))),
    Promise.all([210, 150, 20].map((hue) => keep(cover(hue)))),
  ]);
  return { schedules, covers };
}

/** Draws a week of coloured lessons, which needs no font. */
function schedule(seed: number): string {
  const random = seededRandom(seed);
  const colours = ['#9ec5e8', '#b7dfc4', '#f3d49b', '#e6b5b0'];
  const cells = Array.from({ length: 35 }, (_, index) => {
    if (!random.chance(0.45)) return '';
    const [x, y] = [40 + (index % 7) * 100, 60 + Math.floor(index / 7) * 84];
    return `<rect x="${x + 4}" y="${y + 4}" width="92" height="76" rx="8" fill="${random.pick(colours)}"/>`;
  });
  const rules = [
    ...Array.from({ length: 8 }, (_, column) => `M${40 + column * 100} 20V480`),
    ...Array.from({ length: 6 }, (_, row) => `M40 ${60 + row * 84}H740`),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="780" height="500"><rect width="100%" height="100%" fill="#fff"/>
    <rect x="40" y="20" width="700" height="40" fill="#dde3ea"/>${cells.join('')}
    <path d="${rules.join('')}" stroke="#8593a3" fill="none"/></svg>`;
}

const cover = (hue: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="270"><rect width="100%" height="100%" fill="hsl(${hue},45%,80%)"/>
    <path d="M0 220Q120 90 240 190T480 130V270H0Z" fill="hsl(${hue},45%,58%)"/>
    <path d="M0 250Q160 160 300 230T480 200V270H0Z" fill="hsl(${hue},50%,42%)"/></svg>`;

interface Pictures {
  schedules: readonly string[];
  covers: readonly string[];
}

/** Called after the rows are written: assigns the pictures, and sets when returned students came back. */
export async function finishClasses(db: Database, { schedules, covers }: Pictures, now: number): Promise<void> {
  const large = await db.selectFrom('large_class').select('id').orderBy('id').limit(schedules.length).execute();
  for (const [index, { id }] of large.entries()) {
    await db
      .updateTable('class')
      .set({ schedule_image: schedules[index] ?? '' })
      .where('large_class_id', '=', id)
      .execute();
  }
  for (const [index, path] of covers.entries()) {
    // Some courses have no cover, to show the placeholder.
    await db
      .updateTable('course')
      .set({ cover_img: path })
      .where('id', '=', index * 2 + 2)
      .execute();
    await db
      .updateTable('class')
      .set({ cover_image: path })
      .where('id', '=', index * 3 + 5)
      .execute();
  }
  // An earlier enrolment in the same class shows that the student left and returned.
  await db
    .updateTable('class_student')
    .set({ joined_at: now - 4 * day })
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('class_earlier_stay')
          .select('class_earlier_stay.class_id')
          .whereRef('class_earlier_stay.class_id', '=', 'class_student.class_id')
          .whereRef('class_earlier_stay.student_id', '=', 'class_student.student_id'),
      ),
    )
    .execute();
}

/** Adds courseware to classes: three of four items come from the school's library, each fourth is the class's own. */
export async function addClassMaterials(
  db: Database,
  writer: RowWriter,
  { each, now }: { each: number; now: number },
): Promise<void> {
  const materials = await db
    .selectFrom('courseware')
    .select(['id', 'file_id', 'classify_id', 'ware_name', 'ware_desc', 'ware_type'])
    .where('owner_id', 'is', null)
    .orderBy('id')
    .execute();
  const classes = await db
    .selectFrom('class')
    .innerJoin('class_staff', 'class_staff.class_id', 'class.id')
    .select((eb) => ['class.id', eb.fn.min('class_staff.staff_id').as('by')])
    .where('class.class_type', '=', 0)
    .where('class_staff.duty', '=', 'head')
    .groupBy('class.id')
    .orderBy('class.id')
    .execute();
  for (const [index, { id: class_id, by }] of classes.entries()) {
    // The fourth class gets no courseware.
    for (let number = 0; index !== 3 && number < each; number += 1) {
      const material = materials[(index * 3 + number * 4) % materials.length];
      if (!material) continue;
      const { id: courseware_id, ...kept } = material;
      const at = now - (number * 3 + (index % 5) + 1) * day;
      const own = number === 3 ? { ware_name: `${kept.ware_name}（课堂版）` } : {};
      writer.add('class_ware', {
        ...kept,
        ...own,
        class_id,
        courseware_id: number === 3 ? null : courseware_id,
        added_by: by,
        created_at: at,
        updated_at: at,
      });
    }
  }
}
