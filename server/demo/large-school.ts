/**
 * The large demo school, for measurements: the small one, plus many equal groups of ten classes with courses, people,
 * homework, lessons and exams. The demo accounts also teach in the first group.
 */

import { offlineCourse, textCourse } from '#server/classes/rules.ts';
import { recountExam } from '#server/exams/recount.ts';
import { recountHomework } from '#server/homework/assign.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { addLessons, returnedStudent } from './attendance.ts';
import type { DemoSubject } from './bank.ts';
import type { StoredQuestion } from './bank-rows.ts';
import { addGroup } from './calendar.ts';
import { addCourse, type DemoCourse, periodNear } from './courses.ts';
import { repeatExam } from './exams.ts';
import { addHomework, type HomeworkPlan } from './homework.ts';
import type { Team } from './lesson-notes.ts';
import { addQuestionsOfPapers } from './papers.ts';
import { addClass, addStaff, addStudent, type DemoClass, type DemoStaff, type PasswordHashes } from './people.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';
import { addLessonClass } from './sessions.ts';
import type { SmallSchool } from './small-school.ts';

const day = 24 * 60 * 60;

/** How much content each circle, class, person or lesson gets. */
export interface Quantities {
  /** Minimum and maximum number of posts per circle. */
  posts: readonly [number, number];
  /** Minimum and maximum number of notices per class. */
  notices: readonly [number, number];
  /** Number of courseware items per class. */
  classWares: number;
  /** Number of uploads for each member of staff who is not in the JSON file. */
  uploads: number;
  /** Lessons up to this many days from today get courseware and handouts. */
  lessonDays: number;
}

/** Size of a large school of `groups` equal groups. Counts are per group, unless a field says otherwise. */
export interface SchoolSize extends Quantities {
  groups: number;
  /** Number of classes; must be even, because each of two assistants looks after half of them. */
  classes: number;
  studentsPerClass: number;
  teachers: number;
  assistants: number;
  homeworks: number;
  /** Average number of submissions per homework. */
  submissions: number;
  /** Number of group classes and one-to-one classes together; a third are one-to-one. */
  teams: number;
  /** Number of lessons per group class or one-to-one class. */
  lessons: number;
  exams: number;
  /** Number of students per exam; some take it more than once. */
  examStudents: number;
  /** Number of questions per lecturer and per assistant. */
  ownQuestions: number;
  /** Number of public questions in the whole school. */
  publicQuestions: number;
}

/**
 * Counts of the large school beyond the small one: 200 classes, 20,000 students, 2,000 homework with 1 million
 * reports and 5 million answers, 24,000 lessons, 200 exams with 50,000 reports, 2 million attendance records, a public
 * bank of 1 million questions, 60 lecturers and 80 assistants.
 */
export const largeSchool: SchoolSize = {
  groups: 20,
  classes: 10,
  studentsPerClass: 100,
  teachers: 3,
  assistants: 4,
  homeworks: 100,
  submissions: 500,
  teams: 30,
  lessons: 40,
  exams: 10,
  examStudents: 206,
  ownQuestions: 200,
  publicQuestions: 1_000_000,
  posts: [40, 60],
  notices: [20, 30],
  classWares: 12,
  uploads: 20,
  lessonDays: 400,
};

interface GrowthPlan {
  school: SmallSchool;
  measures: SchoolSize;
  now: number;
  timezone: string;
  hashes: PasswordHashes;
}

interface Group {
  index: number;
  random: SeededRandom;
  grade: string;
  schoolId: number;
  createdAt: number;
  classes: DemoClass[];
  teachers: DemoStaff[];
  assistants: DemoStaff[];
  courses: DemoCourse[];
}

/** Adds the groups to a small school. Content counted by `Quantities` is added later. */
export async function growSchool(
  db: Database,
  writer: RowWriter,
  school: SmallSchool,
  { report, ...options }: Omit<GrowthPlan, 'school'> & { report: (progress: string) => void },
): Promise<void> {
  const started = Date.now();
  const growth = { school, ...options };
  const { measures, now } = growth;
  const done = (what: string) => report(`${what} after ${Math.round((Date.now() - started) / 1000)} s`);
  const groups = Array.from({ length: measures.groups }, (_, index) => planGroup(writer, index, growth));
  await writer.flush();
  const classes = measures.groups * measures.classes;
  done(
    `${classes} classes, ${classes * measures.studentsPerClass} students, ${measures.groups * measures.teachers} lecturers, ${measures.groups * measures.assistants} assistants`,
  );

  let homeworks = 0;
  for (const group of groups) {
    for (let number = 0; number < measures.homeworks; number += 1) {
      const plan = planHomework(group, number, { measures, bank: school.bank, now });
      const id = addHomework(writer, plan, 5000 + homeworks, now);
      await writer.flush();
      await recountHomework(db, id);
      homeworks += 1;
      if (homeworks % 100 === 0) done(`${homeworks} of ${measures.groups * measures.homeworks} homeworks`);
    }
  }
  for (const group of groups) {
    const watched = new Set<string>();
    const back = group.classes.slice(0, 1).map((theClass) => returnedStudent(writer, theClass, now));
    const decider = group.teachers[0] as DemoStaff;
    for (const [place, course] of group.courses.entries()) {
      const type = courseKinds[place]?.type as number;
      addLessons(writer, group.random, { course, type }, { back, watched, decider, now });
      await writer.flush();
    }
  }
  done('attendance');
  for (const group of groups) {
    for (let number = 0; number < measures.teams; number += 1) {
      const ids = addLessonClass(writer, group.random, planTeam(group, number, growth), {
        ...growth,
        frame: school.frame,
        bank: school.bank,
        createdAt: group.createdAt,
        // Class numbers continue after the numbers of the small school.
        number: 100 + group.index * measures.teams + number,
        hasOneNow: group.index > 0 && number === 0,
        homeworkOf: number % 6 === 0 ? group.teachers[0] : undefined,
      });
      await writer.flush();
      for (const id of ids) await recountHomework(db, id);
    }
  }
  done('lessons');
  for (const group of groups) {
    for (let number = 0; number < measures.exams; number += 1) {
      const id = repeatExam(writer, planExam(group, number, growth), {
        bank: school.bank,
        categories: school.categories,
        seed: 6000 + group.index * measures.exams + number,
        now,
      });
      await writer.flush();
      await recountExam(db, id);
    }
  }
  done('exams');
  const { bank } = school;
  for (const owner of groups.flatMap(({ teachers, assistants }) => [...teachers, ...assistants])) {
    await addQuestionsOfPapers(writer, bank, { owner, isPublic: false, count: measures.ownQuestions, now });
  }
  const publicBank = { owner: school.staff.teacher4, isPublic: true, count: measures.publicQuestions, now };
  await addQuestionsOfPapers(writer, bank, publicBank);
  await writer.flush();
  done('questions');
}

const gradeNames = ['七年级', '八年级', '九年级', '高一', '高二'];

const courseKinds: { subject: DemoSubject; title: string; type: number; everyDays: number }[] = [
  { subject: '数学', title: '同步', type: 1, everyDays: 7 },
  { subject: '物理', title: '提高', type: offlineCourse, everyDays: 5 },
  { subject: '英语', title: '阅读', type: 3, everyDays: 7 },
  { subject: '语文', title: '专题', type: offlineCourse, everyDays: 6 },
  { subject: '数学', title: '竞赛', type: textCourse, everyDays: 7 },
];

function planGroup(writer: RowWriter, index: number, { school, measures, now, timezone, hashes }: GrowthPlan): Group {
  const { frame } = school;
  const random = seededRandom(100 + index);
  const createdAt = now - 400 * day;
  const schoolId = frame.schools[index % 2] as number;
  const known = new Map(Object.entries(school.staff));
  const staff = (identity: Identity, count: number) =>
    Array.from({ length: count }, (_, place) => {
      const number = index * count + place + 1;
      const username = number === 1 ? identity : `${identity}${number}`;
      return known.get(username) ?? addStaff(writer, random, { username, identity, schoolId, hashes, createdAt });
    });
  const teachers = staff('teacher', measures.teachers);
  const assistants = staff('assist', measures.assistants);
  const grade = gradeNames[index % gradeNames.length] as string;
  const gradeId = frame.grades[grade] as number;
  const classifyId = frame.classifies.提高班 as number;
  const largeClassId = writer.add('large_class', { school_id: schoolId, name: `${grade}${index + 1}组大班` });
  const classes = Array.from({ length: measures.classes }, (_, place) => {
    const half = place < measures.classes / 2 ? 0 : 1;
    const theClass = addClass(writer, {
      name: `${grade}${index + 1}组（${place + 1}）班`,
      schoolId,
      gradeId,
      classifyId,
      largeClassId,
      heads: [teachers[place % teachers.length] as DemoStaff],
      assistants: assistants.filter((_, assistant) => assistant % 2 === half),
      createdAt,
    });
    for (let student = 0; student < measures.studentsPerClass; student += 1) {
      addStudent(writer, random, theClass, { joinedAt: createdAt + random.whole(0, 100) * day });
    }
    return theClass;
  });
  const courses = courseKinds.map(({ subject, title, type, everyDays }, place) =>
    addCourse(
      writer,
      {
        title: `${grade}${subject}${title}（${index + 1}组）`,
        subject,
        parentId: null,
        courseType: type,
        schoolId,
        classifyId,
        gradeId,
        subjectId: frame.subjects[subject],
        classes,
        lecturers: teachers,
        fromDay: -290 + place,
        toDay: 42,
        everyDays,
        createdAt,
      },
      { now, timezone },
    ),
  );
  for (const theClass of classes) {
    for (const [place, { id, subject }] of courses.slice(0, 3).entries()) {
      const assistant = theClass.assistants[place % theClass.assistants.length];
      addGroup(writer, {
        name: `${theClass.name}${subject}组`,
        theClass,
        courseId: id,
        assistants: assistant ? [assistant] : [],
      });
    }
  }
  return { index, random, grade, schoolId, createdAt, classes, teachers, assistants, courses };
}

/** Every three consecutive classes share their people; a lecturer never teaches two classes at the same time. */
function planTeam({ index, grade, teachers, assistants, courses }: Group, number: number, growth: GrowthPlan): Team {
  const { lessons } = growth.measures;
  const three = Math.floor(number / 3);
  const ofLecturer = Math.floor(three / teachers.length) * 3 + (number % 3);
  const course = courses[number % courses.length] as DemoCourse;
  const isAlone = number % 3 === 2;
  const hasEnded = number % 10 === 9;
  return {
    name: `${grade}${course.subject}${isAlone ? '一对一' : '小班课'}（${index + 1}组${number + 1}）`,
    classType: isAlone ? 1 : 3,
    size: isAlone ? 1 : 6 + 2 * (number % 2),
    course,
    lecturer: teachers[three % teachers.length] as DemoStaff,
    assistant: assistants[three % assistants.length] as DemoStaff,
    mode: number % 4 === 1 ? 2 : 1,
    // A lesson every third day. Most classes end in three weeks, some ended long ago.
    firstDay: 20 - lessons * 3 - (ofLecturer % 3) - (hasEnded ? 100 : 0),
    from: [8, 10, 14, 16][Math.floor(ofLecturer / 3) % 4] as number,
    lessons,
    hasEnded,
    grade,
    elsewhere: index % 2 === 1,
  };
}

function planExam({ index, schoolId, classes, teachers, assistants }: Group, number: number, growth: GrowthPlan) {
  const { school, measures } = growth;
  const creators = number % 3 === 2 ? assistants : teachers;
  const half = classes.length / 2;
  const others = school.frame.schools.filter((id) => id !== schoolId);
  return {
    turn: index + number,
    edition: `${index + 1}组第${number + 1}次`,
    creator: creators[number % creators.length] as DemoStaff,
    school: schoolId,
    shared: number % 5 === 0 ? others : undefined,
    classes: number % 2 === 0 ? classes.slice(0, half) : classes.slice(half),
    reports: measures.examStudents,
    created: 4 + number * 25 + (index % 5),
  };
}

/**
 * Plans a homework. The first 60 % of a group's homework belong to its first lecturer, as many as a real one has; a
 * quarter belong to the assistants, the rest to the other lecturers.
 */
function planHomework(
  group: Group,
  number: number,
  { measures, bank, now }: { measures: SchoolSize; bank: StoredQuestion[]; now: number },
): HomeworkPlan {
  const random = seededRandom(9000 + number + group.classes.length * (group.classes[0]?.id ?? 0));
  const { homeworks, submissions } = measures;
  const isAssistants = number >= homeworks * 0.75;
  const isFirst = number < homeworks * 0.6;
  const others = group.teachers.slice(1);
  const creator = (
    isAssistants
      ? group.assistants[number % group.assistants.length]
      : isFirst
        ? group.teachers[0]
        : others[number % others.length]
  ) as DemoStaff;

  // Position by publication time, newest first: the newest tenth is still open, the rest spans most of a year.
  const place = (number * 37) % homeworks;
  const isOpen = place < homeworks / 10;
  const publishTime = now - Math.floor((1 + (place / homeworks) * 250 + random.next()) * day);
  const endingTime = isOpen
    ? now + random.whole(1, 7) * day
    : Math.min(publishTime + random.whole(5, 7) * day, now - day / 24);

  const course = group.courses[number % group.courses.length] as DemoCourse;
  const isPeriod = number % 3 !== 0;
  const lecturer = isAssistants ? undefined : creator;
  const period = isPeriod ? periodNear(course, publishTime, lecturer) : undefined;
  const half = group.classes.length / 2;
  const start = isAssistants ? (group.assistants.indexOf(creator) % 2) * half : number % half;
  const classes = group.classes.slice(start, start + half + (isAssistants ? 0 : 1));
  // 6 % of the homework is partly graded and has half of its reports waiting, which makes about 3 % of all reports.
  const isWaiting = place % 17 === 3;
  const count = Math.round(isAssistants ? submissions * 0.94 : submissions * 1.02);
  return {
    name: `${period?.topic ?? course.subject}${['课后练习', '随堂检测', '巩固作业'][number % 3]}${number + 1}`,
    type: period ? 2 : 1,
    courseId: course.id,
    periodId: period?.id ?? null,
    creator,
    remark: '',
    mode: number % 4 === 0 ? 1 : 2,
    publishScope: 3,
    source: 1,
    isRecalled: false,
    publishTime,
    endingTime,
    classes,
    published: classes,
    pool: bank.filter(
      (question) =>
        question.subject === course.subject && (question.bank === 'public' || creator.username === question.bank),
    ),
    questionCount: 3 + (number % 5),
    subjective: isWaiting || number % 2 === 0 ? 'some' : 'none',
    handedIn: (expected) => Math.min(expected, count),
    gradedShare: isWaiting ? 0.5 : 1,
  };
}
