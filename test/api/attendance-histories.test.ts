/**
 * Replays random histories of a class: leave is requested, decided and undone, attendance is marked, lessons are
 * watched, students leave and return, and time passes. A simple model records the events. Every few steps the figures
 * of the calls are compared with a recount of the model.
 */
import { beforeAll, expect, it } from 'vitest';
import { seededRandom } from '#server/demo/random.ts';
import { leaveClass, returnToClass } from '#server/enrolment/stays.ts';
import { applicationOf, type LearnerClient } from '../support/learner.ts';
import { addLessons, hour } from '../support/lessons.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, type TestSchool } from '../support/school.ts';

interface Lesson {
  course: number;
  type: number;
  period: number;
  start: number;
}

interface ModelCell {
  state: number | undefined;
  live: number;
  replay: number;
}

class Model {
  readonly stays = new Map<number, { from: number; to: number }[]>();
  readonly cells = new Map<string, ModelCell>();

  cell(student: number, period: number): ModelCell {
    const key = `${student}-${period}`;
    const known = this.cells.get(key) ?? { state: undefined, live: 0, replay: 0 };
    this.cells.set(key, known);
    return known;
  }

  isExpected(student: number, { start }: Lesson): boolean {
    return (this.stays.get(student) ?? []).some(({ from, to }) => from <= start && start < to);
  }

  /** True if attendance was marked for somebody in the lesson. */
  isCalled({ period }: Lesson): boolean {
    return [...this.cells].some(([key, { state }]) => key.endsWith(`-${period}`) && (state === 0 || state === 5));
  }

  /** The displayed state; 6 in video courses. */
  state(student: number, lesson: Lesson, now: number): number {
    if (lesson.type === 5) return 6;
    const { state, live } = this.cell(student, lesson.period);
    if (lesson.type === 7) return state ?? (this.isCalled(lesson) ? 5 : -1);
    if (state === undefined) return live > 0 ? 0 : now >= lesson.start + hour ? 5 : -1;
    return state === 5 && live > 0 ? 0 : state;
  }

  /** Recounts over students and lessons. */
  count(students: number[], lessons: Lesson[], now: number): Counts {
    const counts: Counts = { attended: 0, leave: 0, truant: 0, uncalled: 0, expected: 0 };
    for (const student of students) {
      for (const lesson of lessons) {
        if (lesson.type === 5 || !this.isExpected(student, lesson)) continue;
        counts.expected += 1;
        const isOffline = lesson.type === 7;
        const state = this.state(student, lesson, now);
        const came = state === 0 || (state !== 2 && !isOffline && this.cell(student, lesson.period).live > 0);
        if (state === 2) counts.leave += 1;
        else if (came) counts.attended += 1;
        else if (isOffline && now >= lesson.start && !this.isCalled(lesson)) counts.uncalled += 1;
        else if (state === 5 || now >= lesson.start + (isOffline ? 0 : hour)) counts.truant += 1;
      }
    }
    return counts;
  }
}

type Counts = Record<'attended' | 'leave' | 'truant' | 'uncalled' | 'expected', number>;

const allowed = ['-1>1', '1>2', '1>3', '2>4', '3>1', '4>1', '5>1'];
const allowedOffline = [...allowed, '0>1', '0>5', '5>0'];
const allowedOnceBegun = [...allowedOffline, '-1>0', '-1>5', '1>0', '3>0', '4>0'];

function allowedIn({ type, start }: Lesson, now: number): string[] {
  if (type !== 7) return allowed;
  return now >= start ? allowedOnceBegun : allowedOffline;
}

/** Live seconds that count: only those while the live room is open. */
const liveOf = ({ start }: Lesson, said: number, now: number): number =>
  now < start || now > start + hour + 600 ? 0 : Math.min(said, now - start);

onBothEngines('random attendance histories', (school) => {
  const lessons: Lesson[] = [];
  let classId: number;
  let students: number[];
  let application: LearnerClient;
  beforeAll(async () => {
    const { db } = school().database;
    classId = school().classes.k2;
    students = school().students.k2;
    application = await applicationOf(school());
    await db.deleteFrom('class_course').where('class_id', '=', classId).execute();
    const starts = [noon - 2 * day, noon - day, noon + hour, noon + day, noon + 2 * day];
    for (const type of [2, 7, 5]) {
      const { course, periods } = await addLessons(school(), { type, classes: [classId], starts });
      lessons.push(...periods.map((period, index) => ({ course, type, period, start: starts[index] as number })));
    }
  });

  it.each([1, 2, 3])('counts equal a recount of the model with seed %i', async (seed) => {
    const { db } = school().database;
    await reset(school(), classId, lessons, students);
    const random = seededRandom(seed);
    const model = new Model();
    for (const student of students) model.stays.set(student, [{ from: noon - 9 * day, to: Infinity }]);
    let now = noon - 3 * day;
    const batches: { id: number; cells: ModelCell[]; before: number[]; after: number; at: number; by: string }[] = [];

    // Idle sessions expire, so both people send a request every six hours.
    const setNow = async (moment: number): Promise<void> => {
      while (now < moment) {
        now = Math.min(now + 6 * hour, moment);
        school().setNow(now);
        for (const by of ['teacher', 'assist'] as const)
          expect((await school().as(by).get(`leave/pending/${classId}`)).status).toBe(200);
      }
    };
    const watch = async (
      uid: number,
      lesson: Lesson,
      { isLive, seconds }: { isLive: boolean; seconds: number },
    ): Promise<void> => {
      const said = { uid, course_periods_id: lesson.period, [isLive ? 'live_seconds' : 'replay_seconds']: seconds };
      expect((await application.post('study', said)).status).toBe(200);
      const cell = model.cell(uid, lesson.period);
      // An application reports the sum so far; the highest report counts.
      if (!isLive) cell.replay = Math.max(cell.replay, seconds);
      const live = isLive ? liveOf(lesson, seconds, now) : 0;
      cell.live = Math.max(cell.live, live);
      if (live > 0 && lesson.type === 2 && model.isExpected(uid, lesson)) cell.state ??= 0;
    };

    const steps: (() => Promise<void>)[] = [
      async () => {
        await setNow(now + random.whole(1, 14) * hour);
      },
      async () => {
        const [studentId, lesson] = [random.pick(students), random.pick(lessons)];
        await watch(studentId, lesson, { isLive: random.chance(0.6), seconds: random.whole(1, 2 * hour) });
      },
      async () => {
        const lesson = random.pick(lessons);
        if (lesson.start > now + 14 * hour || now > lesson.start + hour) return;
        await setNow(Math.max(now, lesson.start + random.whole(0, hour + 900)));
        await watch(random.pick(students), lesson, { isLive: true, seconds: random.whole(1, 2 * hour) });
      },
      async () => {
        const studentId = random.pick(students);
        const stays = model.stays.get(studentId) as { from: number; to: number }[];
        const last = stays.at(-1) as { from: number; to: number };
        if (last.to === Infinity) {
          await leaveClass(db, { classId, studentId, leftAt: now, now });
          last.to = now;
        } else {
          await returnToClass(db, { classId, studentId, joinedAt: now, now });
          stays.push({ from: now, to: Infinity });
        }
      },
      ...Array.from({ length: 4 }, () => async () => {
        const [student, lesson] = [random.pick(students), random.pick(lessons)];
        const [path, to, more] = random.pick([
          ['leave', 1, {}],
          ['leave/cancel', 4, {}],
          ['attendance', 0, { op_status: 0 }],
          ['attendance', 5, { op_status: 5 }],
        ] as const);
        const cell = { uid: student, class_id: classId, course_id: lesson.course, course_periods_id: lesson.period };
        const step = `${model.state(student, lesson, now)}>${to}`;
        const may = lesson.type !== 5 && model.isExpected(student, lesson) && allowedIn(lesson, now).includes(step);
        const answer = await school()
          .as(random.pick(['teacher', 'assist'] as const))
          .post(path, { ...cell, ...more });
        expect(answer.status, `${path} ${step} in ${lesson.type}: ${answer.body.msg}`).toBe(may ? 200 : 409);
        if (may) model.cell(student, lesson.period).state = to;
      }),
      ...Array.from({ length: 3 }, () => async () => {
        const by = random.pick(['teacher', 'assist'] as const);
        const { list } = (await school().as(by).get(`leave/getLeaveList/${classId}?limit=999`)).body.data;
        if (list.length === 0) return;
        const some = random.shuffled(list as { id: number; uid: number }[]).slice(0, random.whole(1, 3));
        const rows = await db
          .selectFrom('attendance')
          .select(['student_id', 'period_id'])
          .where(
            'id',
            'in',
            some.map(({ id }) => id),
          )
          .execute();
        const cells = rows.map(({ student_id, period_id }) => model.cell(student_id, period_id));
        const opStatus = random.pick([2, 3]);
        const may = cells.every(({ state }) => state === 1);
        const ids = some.map(({ id }) => id).join(',');
        const answer = await school().as(by).put(`leave/setOpStatus/${ids}`, { op_status: opStatus });
        expect(answer.status, answer.body.msg).toBe(may ? 200 : 409);
        if (!may) return;
        for (const cell of cells) cell.state = opStatus;
        batches.push({ id: answer.body.data.batch_id, cells, before: [], after: opStatus, at: now, by });
      }),
      async () => {
        const batch = batches.pop();
        if (!batch) return;
        const { status } = await school()
          .as(batch.by as 'teacher')
          .post(`leave/undo/${batch.id}`);
        expect([200, 409]).toContain(status);
        if (now > batch.at + 600) expect(status).toBe(409);
        if (status === 200) for (const cell of batch.cells) cell.state = 1;
        // A batch that is recent and untouched can always be undone.
        else expect(now > batch.at + 600 || batch.cells.some(({ state }) => state !== batch.after)).toBe(true);
      },
    ];

    for (let step = 0; step < 120; step += 1) {
      school().setNow(now);
      await random.pick(steps)();
      if (step % 12 === 11) await compare(school(), { classId, lessons, students, model, now });
    }
  });
});

async function reset(
  { database: { db } }: TestSchool,
  classId: number,
  lessons: Lesson[],
  students: number[],
): Promise<void> {
  await db.deleteFrom('leave_batch_record').execute();
  await db.deleteFrom('attendance').execute();
  await db.deleteFrom('class_earlier_stay').execute();
  await db
    .deleteFrom('study_record')
    .where(
      'period_id',
      'in',
      lessons.map(({ period }) => period),
    )
    .execute();
  await db
    .updateTable('class_student')
    .set({ joined_at: noon - 9 * day, left_at: null })
    .where('class_id', '=', classId)
    .where('student_id', 'in', students)
    .execute();
}

async function compare(
  school: TestSchool,
  {
    classId,
    lessons,
    students,
    model,
    now,
  }: {
    classId: number;
    lessons: Lesson[];
    students: number[];
    model: Model;
    now: number;
  },
): Promise<void> {
  const client = school.as('assist');
  // Video courses show no attendance.
  for (const course of new Set(lessons.filter(({ type }) => type !== 5).map((lesson) => lesson.course))) {
    const shown = (await client.get(`stateschoolcourse/studyperiods/${course}/${classId}`)).body.data.list;
    for (const row of shown) {
      const lesson = lessons.find(({ period }) => period === row.id) as Lesson;
      const counts: Counts = {
        attended: row.attend_num,
        leave: row.leave_num,
        truant: row.truant_num,
        uncalled: row.uncalled_num,
        expected: row.total_num,
      };
      expect(counts, `lesson ${row.id} of type ${lesson.type}`).toEqual(model.count(students, [lesson], now));
      const there = (await client.get(`stateschoolcourse/studystudents/${course}/${classId}?period_id=${row.id}`)).body
        .data;
      const expected = students.filter((student) => model.isExpected(student, lesson));
      expect(there.list.map(({ uid }: { uid: number }) => uid).sort()).toEqual(expected.sort());
      for (const { uid, op_status } of there.list) expect(op_status).toBe(model.state(uid, lesson, now));
    }
  }
  const { list } = (await client.get(`stateschoolclass/studyanalysis/${classId}`)).body.data;
  const present = students.filter((student) => model.stays.get(student)?.at(-1)?.to === Infinity);
  expect(list.map(({ uid }: { uid: number }) => uid)).toEqual(present);
  for (const row of list) {
    const { expected: _, ...counts } = model.count([row.uid], lessons, now);
    expect({
      attended: row.attend_times,
      leave: row.leave_times,
      truant: row.truant_times,
      uncalled: row.uncalled_times,
    }).toEqual(counts);
    const timed = lessons.filter(({ type }) => type !== 7);
    const seconds = timed.map(({ period }) => {
      const { live, replay } = model.cell(row.uid, period);
      return live + replay;
    });
    expect(row.study_length).toBe(seconds.reduce((sum, one) => sum + one, 0));
    const covered = seconds.reduce((sum, one) => sum + Math.min(one, hour), 0);
    expect(row.progress_rate).toBe(Math.floor((100 * covered) / (timed.length * hour)));
  }
  const pending = [...model.cells.values()].filter(({ state }) => state === 1).length;
  expect((await client.get(`leave/pending/${classId}`)).body.data.pending).toBe(pending);
}
