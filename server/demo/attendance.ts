/**
 * Attendance of the demo school: watched lessons, leave requests in every state, face-to-face lessons, a student who
 * left and returned, and a class of five hundred. The demo lecturer and assistant have courses of every kind.
 */
import { offlineCourse, textCourse } from '#server/classes/rules.ts';
import { addCourse, type CoursePlan, type DemoCourse, type DemoPeriod } from './courses.ts';
import type { SchoolFrame } from './frame.ts';
import { addClass, addStudent, type DemoClass, type DemoMember, type DemoStaff } from './people.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';

const day = 24 * 60 * 60;
const hour = 60 * 60;
const minute = 60;
const videoCourse = 5;

interface DemoContext {
  frame: SchoolFrame;
  staff: Record<'teacher' | 'teacher2' | 'assist', DemoStaff>;
  classes: Record<'k1' | 'k2' | 'k3' | 'k4' | 'k7' | 'k8' | 'k9', DemoClass>;
  courses: Record<
    'maths' | 'physics' | 'english' | 'chinese' | 'finalMaths' | 'experiments' | 'finalChinese',
    DemoCourse
  >;
  /** Classes that have no homework. */
  others: Record<'live' | 'ended' | 'withoutCircle', DemoClass>;
  now: number;
  timezone: string;
  createdAt: number;
}

export interface TypedCourse {
  course: DemoCourse;
  type: number;
  /** Further classes that take the course. */
  also?: DemoClass[];
}

/**
 * Adds the attendance rows. They have a random seed of their own, so that changes here do not change other demo data.
 */
export function addAttendance(writer: RowWriter, around: DemoContext): void {
  const random = seededRandom(712);
  const { staff, courses, classes, others, now } = around;
  const kinds: TypedCourse[] = [
    { course: courses.maths, type: 1, also: [others.live] },
    { course: courses.physics, type: 2, also: [others.live, others.withoutCircle] },
    { course: courses.english, type: 3, also: [others.ended] },
    { course: courses.chinese, type: 15 },
    { course: courses.finalMaths, type: 1 },
    { course: courses.experiments, type: offlineCourse },
    { course: courses.finalChinese, type: textCourse },
    ...addKinds(writer, around),
    addLargeClass(writer, random, around),
  ];
  const back = [returnedStudent(writer, classes.k1, now)];
  const watched = new Set<string>();
  for (const kind of kinds) addLessons(writer, random, kind, { back, watched, decider: staff.teacher, now });
}

interface AttendancePlan {
  /** Students who left and returned. */
  back: ReturnType<typeof returnedStudent>[];
  /** Student and period of each watched lesson: a student of two classes watches a lesson only once. */
  watched: Set<string>;
  /** Decides leave requests in classes without an assistant. */
  decider: DemoStaff;
  now: number;
}

/** Adds attendance of a course's lessons for everybody who was a member at that time. */
export function addLessons(
  writer: RowWriter,
  random: SeededRandom,
  { course, type, also = [] }: TypedCourse,
  around: AttendancePlan,
): void {
  for (const theClass of [...course.classes, ...also]) {
    for (const period of course.periods) addLesson(writer, random, { theClass, type, period, around });
  }
}

/** Adds face-to-face, video and text courses to the assistant's classes. */
function addKinds(writer: RowWriter, { frame, staff, classes, now, timezone, createdAt }: DemoContext): TypedCourse[] {
  const plan = (title: string, subject: CoursePlan['subject'], courseType: number, everyDays: number): TypedCourse => ({
    course: addCourse(
      writer,
      {
        title,
        subject,
        courseType,
        parentId: null,
        createdAt,
        everyDays,
        schoolId: frame.schools[0],
        classifyId: frame.classifies.提高班 as number,
        gradeId: frame.grades.高一 as number,
        subjectId: frame.subjects[subject],
        classes: [classes.k1, classes.k2, classes.k3, classes.k4],
        lecturers: [staff.teacher],
        fromDay: -49,
        toDay: 21,
      },
      { now, timezone },
    ),
    type: courseType,
  });
  return [
    plan('高一物理实验与探究（周末线下面授班）', '物理', offlineCourse, 7),
    plan('高一数学微课', '数学', videoCourse, 10),
    plan('高一语文学习方法', '语文', textCourse, 14),
  ];
}

function addLargeClass(writer: RowWriter, random: SeededRandom, around: DemoContext): TypedCourse {
  const { frame, staff, now, timezone, createdAt } = around;
  const place = {
    schoolId: frame.schools[0],
    gradeId: frame.grades.高一 as number,
    classifyId: frame.classifies.基础班 as number,
  };
  const theClass = addClass(writer, {
    ...place,
    createdAt,
    name: '高一年级直播公开课',
    heads: [staff.teacher2],
    assistants: [staff.assist],
  });
  for (let number = 0; number < 500; number += 1) {
    addStudent(writer, random, theClass, { joinedAt: now - random.whole(60, 120) * day });
  }
  const course = addCourse(
    writer,
    {
      ...place,
      createdAt,
      title: '高一学科素养公开课',
      subject: '数学',
      courseType: 2,
      parentId: null,
      subjectId: frame.subjects.数学,
      classes: [theClass],
      lecturers: [staff.teacher, staff.teacher2],
      fromDay: -42,
      toDay: 14,
      everyDays: 7,
    },
    { now, timezone },
  );
  return { course, type: 2 };
}

/** The student who left twelve days ago and came back four days ago (see `finishClasses`). */
export function returnedStudent(
  writer: RowWriter,
  theClass: DemoClass,
  now: number,
): { member: DemoMember; stays: Stay[] } | undefined {
  const member = theClass.members[6];
  if (!member) return undefined;
  const left_at = now - 12 * day;
  writer.addPlain('class_earlier_stay', {
    class_id: theClass.id,
    student_id: member.studentId,
    joined_at: member.joinedAt,
    left_at,
  });
  const stays = [
    { joinedAt: member.joinedAt, leftAt: left_at },
    { joinedAt: now - 4 * day, leftAt: null },
  ];
  return { member, stays };
}

interface Stay {
  joinedAt: number;
  leftAt: number | null;
}

interface Lesson {
  theClass: DemoClass;
  type: number;
  period: DemoPeriod;
  around: AttendancePlan;
}

function addLesson(writer: RowWriter, random: SeededRandom, lesson: Lesson): void {
  const { theClass, period, around } = lesson;
  const then = (stay: Stay) =>
    stay.joinedAt <= period.startPlay && (stay.leftAt === null || stay.leftAt > period.startPlay);
  for (const member of theClass.members) {
    const stays: Stay[] = around.back.find((one) => one?.member === member)?.stays ?? [member];
    if (!stays.some(then) || period.startPlay > around.now + 8 * day) continue;
    addCell(writer, random, lesson, member);
  }
}

const lengthOf = (type: number) => (type === offlineCourse ? 120 : 90) * minute;

/** Adds one student's attendance in one lesson: a few ask for leave, most others attend. */
function addCell(writer: RowWriter, random: SeededRandom, lesson: Lesson, member: DemoMember): void {
  const { theClass, type, period, around } = lesson;
  const { now } = around;
  const isOver = period.startPlay + lengthOf(type) <= now;
  const isExempt = type === videoCourse || type === textCourse;
  const luck = random.next();
  const isAway = !isExempt && luck < (isOver ? 0.04 : 0.03);
  if (isAway) addLeave(writer, random, { theClass, period, member, isOver, around });
  else if (!isOver) return;
  else if (type === offlineCourse) {
    if (luck > 0.12)
      addRecord(writer, { theClass, period, member, op_status: luck > 0.99 ? 6 : 0, at: period.startPlay });
    return;
  }
  // Some students attend although their leave request was rejected.
  const came = isAway ? random.chance(0.1) : luck > 0.14;
  const replays = random.chance(came ? 0.15 : 0.5);
  const once = `${member.studentId}-${period.id}`;
  if ((!came && !replays) || !isOver || type === offlineCourse || around.watched.has(once)) return;
  around.watched.add(once);
  const live = came && !isExempt ? Math.round(lengthOf(type) * (0.55 + 0.45 * random.next())) : 0;
  writer.addPlain('study_record', {
    student_id: member.studentId,
    period_id: period.id,
    live_seconds: live,
    replay_seconds: replays || isExempt ? Math.round(lengthOf(type) * random.next()) : 0,
  });
}

const causes = [
  '发烧，去医院看病',
  '家中有事',
  '参加学校运动会',
  '网络故障，无法进入直播间',
  '',
  '外出参加数学竞赛',
  '因陪同家人前往外地探望住院的老人，往返需要两天时间，无法按时参加本次直播课程，课后会观看回放并按时完成作业，如有重要通知请老师通过电话联系家长，谢谢老师的理解与支持，我们会督促孩子把落下的内容补上。',
];

function addLeave(
  writer: RowWriter,
  random: SeededRandom,
  {
    theClass,
    period,
    member,
    isOver,
    around,
  }: { theClass: DemoClass; period: DemoPeriod; member: DemoMember; isOver: boolean; around: AttendancePlan },
): void {
  const { now } = around;
  const requestedAt = Math.min(now - random.whole(10, 600) * minute, period.startPlay - random.whole(2, 40) * hour);
  const isLate = isOver && period.startPlay < now - 3 * day;
  // Leave requests for past lessons are decided, those for future lessons wait.
  const op_status = random.pick(isLate ? ([2, 2, 2, 3, 4] as const) : ([1, 1, 2, 3, 4] as const));
  const decider = theClass.assistants[0] ?? around.decider;
  const decided = op_status === 1 ? null : Math.min(now - minute, requestedAt + random.whole(5, 100) * minute);
  const id = writer.add('attendance', {
    class_id: theClass.id,
    student_id: member.studentId,
    period_id: period.id,
    op_status,
    leave_cause: random.pick(causes),
    requested_at: requestedAt,
    requested_by: random.chance(0.15) ? decider.id : null,
    decided_at: decided,
    decided_by: decided === null ? null : decider.id,
    changed_at: decided ?? requestedAt,
  });
  if (decided === null) return;
  const steps: [string, number, number][] = [op_status === 3 ? ['reject', 1, 3] : ['approve', 1, 2]];
  if (op_status === 4) steps.push(['cancelLeave', 2, 4]);
  for (const [action, before, after] of steps) {
    writer.add('history', {
      at: decided,
      staff_id: decider.id,
      record: 'attendance',
      record_id: id,
      action,
      before: JSON.stringify({ op_status: before }),
      after: JSON.stringify({ op_status: after }),
    });
  }
}

/** Adds an attendance mark without a leave request. */
function addRecord(
  writer: RowWriter,
  {
    theClass,
    period,
    member,
    op_status,
    at,
  }: { theClass: DemoClass; period: DemoPeriod; member: DemoMember; op_status: 0 | 6; at: number },
): void {
  writer.add('attendance', {
    class_id: theClass.id,
    student_id: member.studentId,
    period_id: period.id,
    op_status,
    leave_cause: '',
    requested_at: null,
    requested_by: null,
    decided_at: null,
    decided_by: null,
    changed_at: at,
  });
}
