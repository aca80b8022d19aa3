/**
 * The large demo school, for measures: many groups of ten classes that are alike, each with its courses, lecturers,
 * assistants and homework. The people who sign in with the demo school belong to the first group.
 */

import { recountHomework } from '#server/homework/publish.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { DemoSubject } from './bank.ts';
import { addCommunity } from './community.ts';
import { addCourse, type DemoCourse, periodAround } from './courses.ts';
import { addFrame } from './frame.ts';
import { addBank, addHomework, type HomeworkPlan, type StoredQuestion } from './homework.ts';
import { addMeetings } from './meetings.ts';
import { addNotices } from './notices.ts';
import { addClass, addStaff, addStudent, type DemoClass, type DemoStaff, type PasswordHashes } from './people.ts';
import { seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';

const day = 24 * 60 * 60;

/** Measures of a large school; every number but `groups` is of one group. */
export interface SchoolSize {
  groups: number;
  /** Even: an assistant looks after half of them. */
  classes: number;
  studentsPerClass: number;
  teachers: number;
  assistants: number;
  homeworks: number;
  /** Reports handed in, per homework on average. */
  submissions: number;
}

/** 200 classes, 20,000 students, 60 lecturers, 80 assistants, 2,000 homeworks, 1 million reports, 5 million answers. */
export const largeSchool: SchoolSize = {
  groups: 20,
  classes: 10,
  studentsPerClass: 100,
  teachers: 3,
  assistants: 4,
  homeworks: 100,
  submissions: 500,
};

interface Group {
  classes: DemoClass[];
  teachers: DemoStaff[];
  assistants: DemoStaff[];
  courses: DemoCourse[];
}

export async function fillLargeSchool(
  db: Database,
  writer: RowWriter,
  {
    measures,
    now,
    timezone,
    hashes,
    report,
  }: {
    measures: SchoolSize;
    now: number;
    timezone: string;
    hashes: PasswordHashes;
    report: (progress: string) => void;
  },
): Promise<void> {
  const started = Date.now();
  const frame = addFrame(writer);
  const groups: Group[] = [];
  const { teachers, assistants } = measures;
  for (let index = 0; index < measures.groups; index += 1) {
    groups.push(planGroup(writer, index, { measures, frame, now, timezone, hashes }));
  }
  addStaff(writer, seededRandom(99), {
    username: 'newcomer',
    identity: 'teacher',
    schoolId: frame.schools[0] as number,
    hashes,
    createdAt: now - day,
  });
  const [first] = groups;
  const owner = (first as Group).teachers;
  const bank = addBank(
    writer,
    {
      teacher: owner[0] as DemoStaff,
      assist: (first as Group).assistants[0] as DemoStaff,
      public: owner.at(-1) as DemoStaff,
    },
    now,
  );
  await writer.flush();
  const people = `${measures.groups * teachers} lecturers, ${measures.groups * assistants} assistants`;
  report(
    `${measures.groups * measures.classes} classes, ${measures.groups * measures.classes * measures.studentsPerClass} students, ${people}`,
  );

  const all = measures.groups * measures.homeworks;
  let done = 0;
  for (const group of groups) {
    for (let number = 0; number < measures.homeworks; number += 1) {
      const id = addHomework(writer, planHomework(group, number, { measures, bank, now }), 5000 + done, now);
      await writer.flush();
      await recountHomework(db, id);
      done += 1;
      if (done % 100 === 0) report(`${done} of ${all} homeworks after ${Math.round((Date.now() - started) / 1000)} s`);
    }
  }
  await addCommunity(db, writer, { photographs: [], now });
  await addNotices(db, writer, now);
  await addMeetings(db, writer, { now, timezone });
  await writer.flush();
}

const gradeNames = ['七年级', '八年级', '九年级', '高一', '高二'];
const subjects: DemoSubject[] = ['数学', '物理', '英语', '语文', '数学'];

function planGroup(
  writer: RowWriter,
  index: number,
  {
    measures,
    frame,
    now,
    timezone,
    hashes,
  }: {
    measures: SchoolSize;
    frame: ReturnType<typeof addFrame>;
    now: number;
    timezone: string;
    hashes: PasswordHashes;
  },
): Group {
  const random = seededRandom(100 + index);
  const createdAt = now - 400 * day;
  const schoolId = frame.schools[index % 2] as number;
  const staff = (identity: 'teacher' | 'assist', count: number) =>
    Array.from({ length: count }, (_, place) => {
      const number = index * count + place + 1;
      return addStaff(writer, random, {
        username: number === 1 ? identity : `${identity}${number}`,
        identity,
        schoolId,
        hashes,
        createdAt,
        // As in the small school: the third lecturer neither publishes nor corrects.
        permitted: identity === 'teacher' && number === 3 ? 0 : 1,
      });
    });
  const teachers = staff('teacher', measures.teachers);
  const assistants = staff('assist', measures.assistants);
  const grade = gradeNames[index % gradeNames.length] as string;
  const gradeId = frame.grades[grade] as number;
  const classifyId = frame.classifies.提高班 as number;
  const classes = Array.from({ length: measures.classes }, (_, place) => {
    const half = place < measures.classes / 2 ? 0 : 1;
    const klass = addClass(writer, {
      name: `${grade}${index + 1}组（${place + 1}）班`,
      schoolId,
      gradeId,
      classifyId,
      heads: [teachers[place % teachers.length] as DemoStaff],
      assistants: assistants.filter((_, assistant) => assistant % 2 === half),
      createdAt,
    });
    for (let student = 0; student < measures.studentsPerClass; student += 1) {
      addStudent(writer, random, klass, { joinedAt: createdAt + random.whole(0, 100) * day });
    }
    return klass;
  });
  const courses = subjects.map((subject, place) =>
    addCourse(
      writer,
      {
        title: `${grade}${subject}${['同步', '提高', '阅读', '专题', '竞赛'][place]}（${index + 1}组）`,
        subject,
        parentId: null,
        courseType: [1, 2, 3, 15, 10][place] as number,
        schoolId,
        classifyId,
        gradeId,
        subjectId: frame.subjects[subject],
        classes,
        lecturers: teachers,
        fromDay: -290 + place,
        toDay: 42,
        everyDays: 7,
        createdAt,
      },
      { now, timezone },
    ),
  );
  return { classes, teachers, assistants, courses };
}

/**
 * Of each group's homework the first 60 % are its first lecturer's, so that one lecturer has as much as a real one;
 * a quarter is the assistants', the rest the other lecturers'.
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

  // Newest first in the order of `place`: a tenth is open, the rest goes back most of a year.
  const place = (number * 37) % homeworks;
  const isOpen = place < homeworks / 10;
  const publishTime = now - Math.floor((1 + (place / homeworks) * 250 + random.next()) * day);
  const endingTime = isOpen
    ? now + random.whole(1, 7) * day
    : Math.min(publishTime + random.whole(5, 7) * day, now - day / 24);

  const course = group.courses[number % group.courses.length] as DemoCourse;
  const isPeriod = number % 3 !== 0;
  const lecturer = isAssistants ? undefined : creator;
  const period = isPeriod ? periodAround(course, publishTime, lecturer) : undefined;
  const half = group.classes.length / 2;
  const start = isAssistants ? (group.assistants.indexOf(creator) % 2) * half : number % half;
  const classes = group.classes.slice(start, start + half + (isAssistants ? 0 : 1));
  // Six of a hundred wait, each with half of its reports: about 3 % of all.
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
