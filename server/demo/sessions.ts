/**
 * Group and one-to-one classes of the demo school with lessons around today: held, in progress, future and cancelled.
 * Some lessons have homework; held ones have attendance.
 */
import { dayOf, dayStart } from '#server/school/calendar.ts';
import type { StoredQuestion } from './bank-rows.ts';
import { type DemoCourse, periodNear } from './courses.ts';
import type { SchoolFrame } from './frame.ts';
import { addHomework, type HomeworkPlan } from './homework.ts';
import { addLessonNotes, type Team } from './lesson-notes.ts';
import { longNames } from './names.ts';
import { addClass, addStudent, type DemoClass, type DemoStaff } from './people.ts';
import type { SeededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';

const day = 24 * 60 * 60;
const hour = 60 * 60;

interface LessonContext {
  frame: SchoolFrame;
  bank: StoredQuestion[];
  now: number;
  timezone: string;
  createdAt: number;
}

interface DemoContext extends LessonContext {
  staff: Record<'teacher' | 'teacher2' | 'teacher3' | 'assist' | 'assist2' | 'assist3', DemoStaff>;
  courses: Record<'maths' | 'physics' | 'english' | 'chinese', DemoCourse>;
}

/** Adds the classes with everything that belongs to them; returns the ids of their homework. */
export function addSessions(writer: RowWriter, random: SeededRandom, around: DemoContext): number[] {
  const { staff, courses } = around;
  const { teacher, teacher2, teacher3, assist, assist2, assist3 } = staff;
  const group = { classType: 3, size: 8, mode: 1, from: 19 } as const;
  const alone = { classType: 1, size: 1, mode: 1, from: 16 } as const;
  const teams: Team[] = [
    { ...group, name: '高一数学小班课', course: courses.maths, lecturer: teacher, assistant: assist, firstDay: -30 },
    {
      ...group,
      name: '高一年级物理实验与解题方法周末线下小班课（第二期）',
      course: courses.physics,
      size: 6,
      lecturer: teacher,
      assistant: assist2,
      firstDay: -29,
      mode: 2,
      from: 14,
    },
    {
      ...group,
      name: '高一英语读写小班课',
      course: courses.english,
      lecturer: teacher2,
      assistant: assist,
      firstDay: -28,
    },
    {
      ...group,
      name: '高一语文小班课',
      course: courses.chinese,
      lecturer: teacher3,
      assistant: assist3,
      firstDay: -30,
    },
    { ...alone, name: '数学一对一', course: courses.maths, lecturer: teacher, assistant: assist, firstDay: -29 },
    { ...alone, name: '英语一对一', course: courses.english, lecturer: teacher2, assistant: assist2, firstDay: -28 },
    {
      ...group,
      name: '高一物理实验线下班',
      course: courses.physics,
      size: 4,
      from: 9,
      mode: 2,
      lecturer: teacher,
      assistant: assist,
      firstDay: -34,
      elsewhere: true,
      remarks: '浦东校区上课，请提前十分钟到教室准备器材。',
    },
    {
      ...group,
      name: '高一数学竞赛初赛突破与专题强化小班课（暑期第一期）',
      course: courses.maths,
      size: 5,
      lecturer: teacher2,
      assistant: assist,
      firstDay: -110,
      lessons: 10,
      hasEnded: true,
    },
    {
      ...group,
      name: '高一语文寒假预备班',
      course: courses.chinese,
      size: 3,
      lessons: 6,
      lecturer: teacher,
      assistant: assist,
      firstDay: 9,
      remarks: '开课前一周电话确认。',
    },
    {
      ...group,
      name: '英语口语体验班',
      course: courses.english,
      size: 0,
      lessons: 0,
      lecturer: teacher2,
      assistant: assist,
      firstDay: -40,
      mode: 1,
    },
  ];
  return teams.flatMap((team, index) =>
    addLessonClass(writer, random, team, {
      ...around,
      number: index,
      hasOneNow: index === 0,
      // The demo lecturer publishes homework in their own classes, otherwise the assistant does.
      homeworkOf: team.classType === 1 || index > 5 ? undefined : team.lecturer === teacher ? teacher : team.assistant,
    }),
  );
}

/** Adds a group or one-to-one class with lessons and records; returns the ids of its homework. */
export function addLessonClass(
  writer: RowWriter,
  random: SeededRandom,
  team: Team,
  around: LessonContext & {
    /** Number of the class, unique; seeds its contracts and random choices. */
    number: number;
    hasOneNow: boolean;
    /** Person who publishes homework after two of the lessons; undefined: no homework is published. */
    homeworkOf: DemoStaff | undefined;
  },
): number[] {
  const { number, hasOneNow, homeworkOf: creator, now } = around;
  const theClass = addTeamClass(writer, random, team, around);
  const sessions = addTeamSessions(writer, team, theClass, hasOneNow, around);
  addLessonNotes(writer, { team, theClass, sessions, seed: 500 + number, now });
  const held = sessions.filter(({ end }) => end < now);
  return [held.at(-3), held.at(-1)].flatMap((session, place) => {
    if (!session || !creator) return [];
    const plan = sessionHomework(team, theClass, session, { creator, isDone: place === 0, random, around });
    return addHomework(writer, plan, 9000 + number * 10 + place, now);
  });
}

/** In-person classes have a classroom of their campus, live group classes a studio, one-to-one classes no room. */
const roomOf = ({ classType, mode, elsewhere }: Team, { rooms }: SchoolFrame): number | null =>
  classType === 1 ? null : (rooms[elsewhere ? 1 : 0][mode === 2 ? 0 : 3] ?? null);

function addTeamClass(
  writer: RowWriter,
  random: SeededRandom,
  team: Team,
  { frame, now, timezone, createdAt }: LessonContext,
): DemoClass {
  const theClass = addClass(writer, {
    name: team.name,
    schoolId: frame.schools[team.elsewhere ? 1 : 0],
    gradeId: frame.grades[team.grade ?? '高一'] as number,
    classifyId: frame.classifies.提高班 as number,
    heads: [],
    assistants: [team.assistant],
    createdAt,
    classType: team.classType,
  });
  writer.addPlain('class_course', { class_id: theClass.id, course_id: team.course.id });
  for (let number = 0; number < team.size; number += 1) {
    const joinedDay = team.firstDay < -40 ? team.firstDay - 5 : -random.whole(40, 90);
    addStudent(writer, random, theClass, { joinedAt: now + joinedDay * day });
  }
  if (team.classType === 3) {
    // One student joins half-way.
    if (team.size > 7) addStudent(writer, random, theClass, { joinedAt: now - 10 * day, name: longNames[2] });
    const time = (hours: number) => `${String(Math.floor(hours)).padStart(2, '0')}:${hours % 1 ? '30' : '00'}`;
    const today = dayStart(dayOf(now, timezone), timezone);
    writer.addPlain('team_class', {
      class_id: theClass.id,
      subject_id: frame.subjects[team.course.subject],
      lecturer_id: team.lecturer.id,
      room_id: roomOf(team, frame),
      teaching_mode: team.mode,
      sign_type: team.size % 2 === 0 ? 1 : 2,
      schedule: `每三天一次 ${time(team.from)}-${time(team.from + 1.5)}`,
      remarks: team.remarks ?? '',
      start_time: today + team.firstDay * day + team.from * hour,
      ended_at: team.hasEnded ? now - 60 * day : null,
    });
  }
  return theClass;
}

export interface PlannedSession {
  id: number;
  periodId: number | null;
  topic: string;
  /** Unix seconds. */
  start: number;
  end: number;
  isCancelled: boolean;
}

function addTeamSessions(
  writer: RowWriter,
  team: Team,
  theClass: DemoClass,
  hasOneNow: boolean,
  { frame, now, timezone, createdAt }: LessonContext,
): PlannedSession[] {
  const today = dayStart(dayOf(now, timezone), timezone);
  const starts = Array.from(
    { length: team.lessons ?? 14 },
    (_, number) => today + (team.firstDay + number * 3) * day + team.from * hour,
  );
  // The first class always has a lesson in progress. Just after midnight the lesson begins at midnight, so that it is
  // today's.
  if (hasOneNow) starts.push(Math.max(now - hour / 2, today));
  const upcoming = starts.filter((start) => start > now).sort((a, b) => a - b);
  return starts.map((start) => {
    const end = start + 1.5 * hour;
    const period = periodNear(team.course, start, team.lecturer);
    const isCancelled = start === upcoming[1];
    const id = writer.add('class_session', {
      class_id: theClass.id,
      course_id: team.course.id,
      // Every other lesson is not based on a period of the course.
      period_id: Math.floor(start / day) % 2 === 0 ? (period?.id ?? null) : null,
      lecturer_id: team.lecturer.id,
      room_id: roomOf(team, frame),
      teaching_mode: team.mode,
      chapter_title: period?.topic ?? '',
      start_time: start,
      end_time: end,
      // One future lesson is cancelled.
      cancelled_at: isCancelled ? now - hour : null,
      created_at: createdAt,
    });
    return { id, periodId: period?.id ?? null, topic: period?.topic ?? team.course.subject, start, end, isCancelled };
  });
}

function sessionHomework(
  team: Team,
  theClass: DemoClass,
  session: PlannedSession,
  {
    creator,
    isDone,
    random,
    around,
  }: { creator: DemoStaff; isDone: boolean; random: SeededRandom; around: LessonContext },
): HomeworkPlan {
  const { now, bank } = around;
  const publishTime = Math.min(session.end + hour, now - hour / 4);
  return {
    name: `${session.topic}课次作业`,
    type: session.periodId === null ? 1 : 2,
    courseId: team.course.id,
    periodId: session.periodId,
    creator,
    remark: '',
    mode: isDone ? 2 : 1,
    publishScope: 3,
    source: 2,
    isRecalled: false,
    publishTime,
    endingTime: isDone ? Math.min(publishTime + 2 * day, now - hour) : now + 3 * day,
    classes: [theClass],
    published: [theClass],
    pool: bank.filter(({ subject, bank: owner }) => subject === team.course.subject && owner === 'public'),
    questionCount: random.whole(3, 6),
    subjective: 'some',
    handedIn: (expected) => (isDone ? expected - 1 : Math.floor(expected / 2)),
    gradedShare: isDone ? 1 : 0.3,
    arrangeId: session.id,
  };
}
