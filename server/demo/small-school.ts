/** The small demo school: a few hundred students, and homework in every state, by the demo accounts and by others. */
import type { Flag } from '#server/platform/db/schema.ts';
import type { Identity } from '#server/school/call.ts';
import { addAttendance } from './attendance.ts';
import type { DemoSubject } from './bank.ts';
import { addCalendar } from './calendar.ts';
import { addCoursesOfOthers, addLargeClasses, addOtherClasses } from './classes.ts';
import { addCourse, addParentCourse, type DemoCourse, periodNear } from './courses.ts';
import { readData } from './data.ts';
import { addExams } from './exams.ts';
import { addBaseData, type SchoolFrame } from './frame.ts';
import { addBank, addHomework, type HomeworkPlan, type StoredQuestion } from './homework.ts';
import {
  addClass,
  addMember,
  addStaff,
  addStudent,
  type DemoClass,
  type DemoStaff,
  edgeCaseNames,
  type PasswordHashes,
} from './people.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';
import { addSessions } from './sessions.ts';

const day = 24 * 60 * 60;
const hour = 60 * 60;

type StaffName = 'teacher' | 'teacher2' | 'teacher3' | 'teacher4' | 'assist' | 'assist2' | 'assist3' | 'assist4';
type ClassName = 'k1' | 'k2' | 'k3' | 'k4' | 'k5' | 'k6' | 'k7' | 'k8' | 'k9' | 'k10' | 'k11';
type CourseName =
  | 'maths'
  | 'physics'
  | 'english'
  | 'chinese'
  | 'finalMaths'
  | 'experiments'
  | 'finalChinese'
  | 'english2'
  | 'english8'
  | 'parent';

type SchoolName = 'jingan' | 'pudong';
type ParentName = 'senior' | 'final';

interface WrittenStaff {
  identity: Identity;
  name: string;
  school: SchoolName;
  introduction: string;
  permitted?: Flag;
}

interface WrittenClass {
  name: string;
  size: number;
  /** Default jingan. */
  school?: SchoolName;
  grade: string;
  classify: string;
  large?: ParentName;
  heads: StaffName[];
  assistants: StaffName[];
  /** Its first students have the edge-case names. */
  remarkable?: true;
  /** Days from now; omitted: long-term. */
  validFor?: number;
}

/** Classification of a course. */
interface WrittenPlace {
  title: string;
  subject: DemoSubject;
  type: number;
  grade: string;
  classify: string;
  school: SchoolName;
}

interface WrittenCourse extends WrittenPlace {
  parent?: ParentName;
  classes: ClassName[];
  lecturers: StaffName[];
  /** Days from today of the first period, and between two periods. */
  firstDay: number;
  everyDays?: number;
}

/** State of a homework; its deadline and submissions follow from it. */
type Stage =
  | 'open'
  | 'new'
  | 'graded'
  | 'graded lately'
  | 'waiting'
  | 'recalled'
  | 'partly'
  | 'partly ended'
  | 'nothing came';

interface Batch {
  creator: StaffName;
  course: CourseName;
  /** Published in this lecturer's periods; omitted: a course homework. */
  lecturer?: StaffName;
  stages: Partial<Record<Stage, number>>;
  /** Used in turn; a partly published homework omits the last third. */
  classes: ClassName[][];
}

/**
 * Contents of small-school.json: staff, classes and courses by name, and numbers of homeworks per stage. The lecturer
 * teaches two thirds of maths, half of physics and final maths, and all experiments; the assistant looks after k1 to
 * k4.
 */
const written = readData<{
  staff: Record<StaffName | 'newcomer', WrittenStaff>;
  classes: Record<ClassName, WrittenClass>;
  /** Parent courses; they have no periods. */
  parents: Record<ParentName, WrittenPlace>;
  courses: Record<Exclude<CourseName, 'parent'>, WrittenCourse>;
  /** By relation to the demo accounts. */
  homework: Record<string, Batch[]>;
  names: {
    endings: string[];
    /** Exactly 20 characters, the maximum. */
    long: Partial<Record<DemoSubject, string[]>>;
  };
  remarks: string[];
}>('small-school.json');

/** Result for growing the school; the counters of homework and exams are computed later. */
export interface SmallSchool {
  frame: SchoolFrame;
  staff: Record<StaffName, DemoStaff>;
  bank: StoredQuestion[];
  categories: Record<string, number>;
  homework: number[];
  exams: number[];
}

/** Buffers the rows of the small school; writes nothing yet. */
export function planSmallSchool(
  writer: RowWriter,
  { now, timezone, hashes }: { now: number; timezone: string; hashes: PasswordHashes },
): SmallSchool {
  const random = seededRandom(2026);
  const createdAt = now - 200 * day;
  const frame = addBaseData(writer);
  const staff = planStaff(writer, random, { schools: frame.schools, hashes, createdAt });

  const large = addLargeClasses(writer, frame.schools);
  const others = addOtherClasses(writer, { frame, staff, large, now, createdAt });
  const classes = planClasses(writer, random, { frame, staff, large, now, createdAt });
  // One student joined late, one left, and some are in the competition class too.
  addStudent(writer, random, classes.k1, { joinedAt: now - 6 * day });
  addStudent(writer, random, classes.k1, { joinedAt: now - 150 * day, leftAt: now - 9 * day });
  for (const from of [classes.k1, classes.k2, classes.k3]) {
    const member = from.members[5];
    if (member) addMember(writer, classes.k4, { ...member, joinedAt: now - 80 * day });
  }

  const courses = planCourses(writer, { frame, staff, classes, now, timezone, createdAt });
  addCoursesOfOthers(writer, others, courses);
  addCalendar(writer, {
    staff,
    classes,
    courses,
    plan: {
      schoolId: frame.schools[0],
      classifyId: frame.classifies.提高班 as number,
      gradeId: frame.grades.高一 as number,
      subjectId: frame.subjects.数学,
      createdAt,
    },
    now,
    timezone,
  });
  const owners = { teacher: staff.teacher, assist: staff.assist, public: staff.teacher4 };
  const bank = addBank(writer, owners, { subjects: frame.subjects, now });

  const ids: number[] = [];
  const names = homeworkNames();
  for (const batch of Object.values(written.homework).flat()) {
    let turn = 0;
    for (const [stage, count] of Object.entries(batch.stages) as [Stage, number][]) {
      for (let number = 0; number < count; number += 1) {
        const seed = 1000 + ids.length;
        const scope = (batch.classes[turn % batch.classes.length] as ClassName[]).map((name) => classes[name]);
        turn += 1;
        const plan = homeworkPlan(batch, stage, number, { scope, staff, courses, bank, names, seed, now });
        ids.push(addHomework(writer, plan, seed, now));
      }
    }
  }
  ids.push(...addSessions(writer, random, { frame, staff, courses, bank, now, timezone, createdAt }));
  addAttendance(writer, { frame, staff, classes, courses, others, now, timezone, createdAt });
  const { exams, categories } = addExams(writer, { schools: frame.schools, staff, classes, bank, now });
  return { frame, staff, bank, categories, homework: ids, exams };
}

const schoolsOf = ([jingan, pudong]: [number, number]): Record<SchoolName, number> => ({ jingan, pudong });

function planStaff(
  writer: RowWriter,
  random: SeededRandom,
  { schools, hashes, createdAt }: { schools: [number, number]; hashes: PasswordHashes; createdAt: number },
): Record<StaffName, DemoStaff> {
  const idOf = schoolsOf(schools);
  return mapped(written.staff, ({ school, ...person }, username) =>
    addStaff(writer, random, { ...person, username, schoolId: idOf[school], hashes, createdAt }),
  );
}

function planClasses(
  writer: RowWriter,
  random: SeededRandom,
  {
    frame,
    staff,
    large,
    now,
    createdAt,
  }: {
    frame: ReturnType<typeof addBaseData>;
    staff: Record<StaffName, DemoStaff>;
    large: ReturnType<typeof addLargeClasses>;
    now: number;
    createdAt: number;
  },
): Record<ClassName, DemoClass> {
  const idOf = schoolsOf(frame.schools);
  return mapped(written.classes, (plan) => {
    const added = addClass(writer, {
      name: plan.name,
      schoolId: idOf[plan.school ?? 'jingan'],
      gradeId: frame.grades[plan.grade] as number,
      classifyId: frame.classifies[plan.classify] as number,
      heads: plan.heads.map((name) => staff[name]),
      assistants: plan.assistants.map((name) => staff[name]),
      createdAt,
      validUntil: plan.validFor && now + plan.validFor * day,
      largeClassId: plan.large ? large[plan.large] : null,
    });
    for (let number = 0; number < plan.size; number += 1) {
      const name = plan.remarkable && edgeCaseNames[number];
      addStudent(writer, random, added, { joinedAt: now - random.whole(90, 180) * day, name });
    }
    return added;
  });
}

function planCourses(
  writer: RowWriter,
  {
    frame,
    staff,
    classes,
    now,
    timezone,
    createdAt,
  }: {
    frame: ReturnType<typeof addBaseData>;
    staff: Record<StaffName, DemoStaff>;
    classes: Record<ClassName, DemoClass>;
    now: number;
    timezone: string;
    createdAt: number;
  },
): Record<CourseName, DemoCourse> {
  const idOf = schoolsOf(frame.schools);
  const placeOf = ({ title, subject, type, grade, classify, school }: WrittenPlace) => ({
    title,
    subject,
    courseType: type,
    schoolId: idOf[school],
    classifyId: frame.classifies[classify] as number,
    gradeId: frame.grades[grade] as number,
    subjectId: frame.subjects[subject],
    createdAt,
  });
  const parents = mapped(written.parents, (plan) => addParentCourse(writer, placeOf(plan)));
  const courses = mapped(written.courses, ({ parent, firstDay, everyDays = 3, ...plan }) =>
    addCourse(
      writer,
      {
        ...placeOf(plan),
        parentId: parent ? parents[parent] : null,
        classes: plan.classes.map((name) => classes[name]),
        lecturers: plan.lecturers.map((name) => staff[name]),
        fromDay: firstDay,
        toDay: 42,
        everyDays,
      },
      { now, timezone },
    ),
  );
  const { title, subject } = written.parents.senior;
  return { ...courses, parent: { id: parents.senior, title, subject, classes: courses.maths.classes, periods: [] } };
}

/** Maps the values of a record under the same keys. */
const mapped = <Name extends string, Written, Made>(
  by: Record<Name, Written>,
  make: (one: Written, name: Name) => Made,
): Record<Name, Made> =>
  Object.fromEntries(Object.entries<Written>(by).map(([name, one]) => [name, make(one, name as Name)])) as Record<
    Name,
    Made
  >;

/** Every fifth homework of a subject has a long name, while there are some. */
function homeworkNames() {
  const count = new Map<DemoSubject, number>();
  const { endings, long: longNames } = written.names;
  return (subject: DemoSubject, topic: string): string => {
    const number = (count.get(subject) ?? 0) + 1;
    count.set(subject, number);
    const long = number % 5 === 0 ? longNames[subject]?.[number / 5 - 1] : undefined;
    return long ?? `${topic}${endings[number % endings.length]}`;
  };
}

/** Days from now to publication and to the deadline. */
function timesOf(stage: Stage, number: number, random: SeededRandom): { published: number; ending: number } {
  switch (stage) {
    case 'new':
      return { published: -random.whole(2, 5) / 24, ending: random.whole(4, 9) };
    case 'open':
    case 'partly':
      return { published: -random.whole(1, 4) - random.next() / 2, ending: random.whole(1, 8) };
    case 'graded lately':
      return { published: -2 - random.next() / 4, ending: -1 };
    case 'waiting':
      return ended(-1 - number * 2 - random.whole(0, 1), random);
    default:
      return ended(-3 - number * 6 - random.whole(0, 5), random);
  }
}

const ended = (ending: number, random: SeededRandom) => ({ published: ending - random.whole(3, 7), ending });

function homeworkPlan(
  batch: Batch,
  stage: Stage,
  number: number,
  around: {
    scope: DemoClass[];
    staff: Record<StaffName, DemoStaff>;
    courses: Record<CourseName, DemoCourse>;
    bank: StoredQuestion[];
    names: (subject: DemoSubject, topic: string) => string;
    seed: number;
    now: number;
  },
): HomeworkPlan {
  const { staff, seed, now } = around;
  const random = seededRandom(seed * 31);
  const course = around.courses[batch.course];
  const days = timesOf(stage, number, random);
  const publishTime = Math.floor(now + days.published * day);
  // Deadlines are at 22:00 in Shanghai, at least an hour from now.
  const evening = Math.floor((now + days.ending * day) / day) * day + 14 * hour;
  const endingTime = days.ending < 0 ? Math.min(evening, now - hour) : Math.max(evening, now + hour);

  const lecturer = batch.lecturer && staff[batch.lecturer];
  // Some homework is about an earlier lesson.
  const lesson = publishTime - (number % 3) * 5 * day;
  const period = lecturer && periodNear(course, lesson, lecturer);
  const topic = (period ?? periodNear(course, lesson) ?? periodNear(around.courses.maths, lesson))?.topic;
  const isPartly = stage === 'partly' || stage === 'partly ended';
  // With a single class all classes of the course are in scope, so that one can be left out.
  const classes = isPartly && around.scope.length < 2 ? course.classes : around.scope;
  const left = isPartly ? Math.max(1, Math.floor(classes.length / 3)) : 0;
  const bankName = batch.creator === 'teacher' || batch.creator === 'assist' ? batch.creator : 'public';
  return {
    name: around.names(course.subject, topic ?? course.subject),
    type: period ? 2 : 1,
    courseId: course.id,
    periodId: period?.id ?? null,
    creator: staff[batch.creator],
    remark: random.chance(0.4) ? random.pick(written.remarks) : '',
    mode: random.chance(0.35) ? 1 : 2,
    publishScope: batch.course === 'parent' ? 1 : 3,
    source: random.chance(0.1) ? 2 : 1,
    isRecalled: stage === 'recalled',
    publishTime,
    endingTime,
    classes,
    published: classes.slice(0, classes.length - left),
    pool: around.bank.filter(
      (question) => question.subject === course.subject && (question.bank === bankName || question.bank === 'public'),
    ),
    questionCount: random.whole(3, 10),
    subjective: stage === 'graded' && number % 3 === 2 ? 'none' : 'some',
    ...cameBack(stage, number, random),
  };
}

function cameBack(stage: Stage, number: number, random: SeededRandom): Pick<HomeworkPlan, 'handedIn' | 'gradedShare'> {
  const share = (least: number, most: number) => {
    const chosen = least + (most - least) * random.next();
    return (expected: number) => Math.max(1, Math.round(expected * chosen));
  };
  const nobody = () => 0;
  switch (stage) {
    case 'new':
    case 'nothing came':
      return { handedIn: nobody, gradedShare: 0 };
    case 'open':
      return { handedIn: share(0.1, 0.5), gradedShare: 0.6 };
    case 'partly':
      return { handedIn: share(0.05, 0.3), gradedShare: 0 };
    case 'waiting':
      return { handedIn: share(0.6, 0.95), gradedShare: 0.55 + 0.35 * random.next() };
    case 'recalled':
      return { handedIn: share(0.1, 0.4), gradedShare: 0.5 };
    default:
      return { handedIn: number % 4 === 0 ? (expected) => expected : share(0.75, 0.98), gradedShare: 1 };
  }
}
