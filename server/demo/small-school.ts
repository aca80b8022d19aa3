/** The small demo school: a few hundred students, and homework in every state, by the demo accounts and by others. */
import { addAttendance } from './attendance.ts';
import { addBank, type StoredQuestion } from './bank-rows.ts';
import { addCalendar } from './calendar.ts';
import { addCoursesOfOthers, addLargeClasses, addOtherClasses } from './classes.ts';
import { addCourse, addParentCourse, type DemoCourse } from './courses.ts';
import { addExams } from './exams.ts';
import { addBaseData, type SchoolFrame } from './frame.ts';
import { addHomework } from './homework.ts';
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
import { homeworkNamer, planHomework } from './small-school-homework.ts';
import {
  type ClassName,
  type CourseName,
  type CoursePlaceData,
  type SchoolName,
  type StaffName,
  type Stage,
  schoolData,
} from './small-school-plan.ts';

const day = 24 * 60 * 60;

/** The planned school, on which the large one builds; counters of homework and exams are computed later. */
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
  // One student joins late, one has left, and some are also in the competition class.
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
  const names = homeworkNamer();
  for (const batch of Object.values(schoolData.homework).flat()) {
    let turn = 0;
    for (const [stage, count] of Object.entries(batch.stages) as [Stage, number][]) {
      for (let number = 0; number < count; number += 1) {
        const seed = 1000 + ids.length;
        const scope = (batch.classes[turn % batch.classes.length] as ClassName[]).map((name) => classes[name]);
        turn += 1;
        const plan = planHomework(batch, stage, number, { scope, staff, courses, bank, names, seed, now });
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
  return mapValues(schoolData.staff, ({ school, ...person }, username) =>
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
  return mapValues(schoolData.classes, (plan) => {
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
  const placeOf = ({ title, subject, type, grade, classify, school }: CoursePlaceData) => ({
    title,
    subject,
    courseType: type,
    schoolId: idOf[school],
    classifyId: frame.classifies[classify] as number,
    gradeId: frame.grades[grade] as number,
    subjectId: frame.subjects[subject],
    createdAt,
  });
  const parents = mapValues(schoolData.parents, (plan) => addParentCourse(writer, placeOf(plan)));
  const courses = mapValues(schoolData.courses, ({ parent, firstDay, everyDays = 3, ...plan }) =>
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
  const { title, subject } = schoolData.parents.senior;
  return { ...courses, parent: { id: parents.senior, title, subject, classes: courses.maths.classes, periods: [] } };
}

/** Returns an object with the same keys and the mapped values. */
const mapValues = <Name extends string, Written, Made>(
  by: Record<Name, Written>,
  make: (one: Written, name: Name) => Made,
): Record<Name, Made> =>
  Object.fromEntries(Object.entries<Written>(by).map(([name, one]) => [name, make(one, name as Name)])) as Record<
    Name,
    Made
  >;
