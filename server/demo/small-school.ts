/**
 * The small demo school: a few hundred students, and for the lecturer and the assistant who sign in with it every state
 * that a homework can have, mine, theirs and nobody's.
 */
import { addAttendance } from './attendance.ts';
import type { DemoSubject } from './bank.ts';
import { addCalendar } from './calendar.ts';
import { addCoursesOfOthers, addLargeClasses, addOtherClasses } from './classes.ts';
import { addCourse, addParentCourse, type CoursePlan, type DemoCourse, periodAround } from './courses.ts';
import { addExams } from './exams.ts';
import { addFrame } from './frame.ts';
import { addBank, addHomework, type HomeworkPlan, type StoredQuestion } from './homework.ts';
import {
  addClass,
  addMember,
  addStaff,
  addStudent,
  type DemoClass,
  type DemoStaff,
  type PasswordHashes,
  remarkableNames,
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

/** Where a homework stands; the day of its deadline and what came back follow from it. */
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
  /** Whose periods it is published in; without, a course homework. */
  lecturer?: StaffName;
  /** How many of each stage. */
  stages: Partial<Record<Stage, number>>;
  /** They take turns; of one that is partly published the last third is left out. */
  classes: ClassName[][];
}

/**
 * The lecturer teaches two thirds of maths, half of physics and final maths, and all experiments. The assistant looks
 * after k1 to k4.
 */
const batches: Batch[] = [
  {
    creator: 'teacher',
    course: 'maths',
    lecturer: 'teacher',
    stages: { graded: 6, waiting: 3, open: 3, new: 1, recalled: 1, partly: 2 },
    classes: [['k1', 'k2'], ['k5', 'k6'], ['k1', 'k2', 'k3', 'k5', 'k6'], ['k3', 'k4'], ['k5'], ['k2', 'k4', 'k6']],
  },
  {
    creator: 'teacher',
    course: 'maths',
    stages: { graded: 2, open: 1, partly: 1 },
    classes: [
      ['k1', 'k2', 'k3', 'k4', 'k5', 'k6'],
      ['k5', 'k6'],
    ],
  },
  {
    creator: 'teacher',
    course: 'physics',
    lecturer: 'teacher',
    stages: { graded: 4, waiting: 2, open: 2, partly: 1 },
    classes: [['k1', 'k3'], ['k5', 'k6'], ['k2', 'k5'], ['k6']],
  },
  {
    creator: 'teacher',
    course: 'finalMaths',
    lecturer: 'teacher',
    stages: { graded: 5, waiting: 3, open: 2, recalled: 1, partly: 1, 'partly ended': 1, 'nothing came': 1 },
    classes: [['k7', 'k8'], ['k9'], ['k7', 'k8', 'k9']],
  },
  { creator: 'teacher', course: 'experiments', stages: { graded: 2, open: 1 }, classes: [['k7'], ['k8', 'k9']] },
  {
    creator: 'teacher',
    course: 'parent',
    stages: { graded: 1, open: 1 },
    classes: [['k1', 'k2', 'k3', 'k4', 'k5', 'k6']],
  },
  // Others in the lecturer's periods.
  {
    creator: 'teacher2',
    course: 'maths',
    lecturer: 'teacher',
    stages: { graded: 1, open: 1 },
    classes: [
      ['k5', 'k6'],
      ['k1', 'k5'],
    ],
  },
  { creator: 'teacher2', course: 'physics', lecturer: 'teacher', stages: { waiting: 1 }, classes: [['k5', 'k6']] },
  {
    creator: 'assist',
    course: 'maths',
    lecturer: 'teacher',
    stages: { graded: 2, waiting: 1, open: 1 },
    classes: [['k1', 'k2', 'k3'], ['k4']],
  },
  { creator: 'assist2', course: 'maths', lecturer: 'teacher', stages: { graded: 1, open: 1 }, classes: [['k5', 'k6']] },
  // The assistant's own, seen by the lecturer only together with the rest of the course, or not at all.
  { creator: 'assist', course: 'physics', stages: { open: 1 }, classes: [['k1', 'k2']] },
  {
    creator: 'assist',
    course: 'english',
    lecturer: 'teacher2',
    stages: { graded: 2, waiting: 1, open: 1, partly: 2, recalled: 1 },
    classes: [
      ['k1', 'k2', 'k3'],
      ['k2', 'k3', 'k4'],
      ['k1', 'k4'],
    ],
  },
  {
    creator: 'assist',
    course: 'chinese',
    stages: { graded: 1, new: 1, 'nothing came': 1 },
    classes: [['k1', 'k2', 'k3', 'k4'], ['k3']],
  },
  // Others in the lecturer's courses, but not in their periods.
  {
    creator: 'teacher2',
    course: 'maths',
    lecturer: 'teacher2',
    stages: { graded: 2, waiting: 1, partly: 1 },
    classes: [
      ['k5', 'k6'],
      ['k1', 'k6'],
    ],
  },
  { creator: 'teacher2', course: 'physics', stages: { graded: 1, open: 1 }, classes: [['k5', 'k6']] },
  { creator: 'assist2', course: 'maths', stages: { graded: 1, open: 1 }, classes: [['k5'], ['k5', 'k6']] },
  {
    creator: 'assist3',
    course: 'finalMaths',
    lecturer: 'teacher3',
    stages: { graded: 2, waiting: 1, open: 1 },
    classes: [['k8', 'k9'], ['k9']],
  },
  // Neither the lecturer nor the assistant has to do with these.
  {
    creator: 'teacher2',
    course: 'english',
    lecturer: 'teacher2',
    stages: { graded: 1, open: 1 },
    classes: [['k5', 'k6']],
  },
  {
    creator: 'teacher4',
    course: 'english2',
    lecturer: 'teacher4',
    stages: { graded: 2, waiting: 1, open: 1, recalled: 1 },
    classes: [['k10']],
  },
  {
    creator: 'teacher4',
    course: 'english8',
    lecturer: 'teacher4',
    stages: { graded: 1, open: 1, partly: 1 },
    classes: [['k10', 'k11'], ['k11']],
  },
  { creator: 'assist4', course: 'english2', stages: { graded: 1, waiting: 1 }, classes: [['k10']] },
  {
    creator: 'assist3',
    course: 'finalChinese',
    lecturer: 'teacher3',
    stages: { graded: 1, waiting: 1, open: 1 },
    classes: [['k8'], ['k9']],
  },
  // The last homework of each to be finished is their own: one that they may copy.
  { creator: 'teacher', course: 'maths', stages: { 'graded lately': 1 }, classes: [['k5', 'k6']] },
  { creator: 'assist', course: 'english', stages: { 'graded lately': 1 }, classes: [['k1', 'k2']] },
];

/** Keeps the rows of the small school; nothing is written here. Returns the ids of its homework and exams. */
export function planSmallSchool(
  writer: RowWriter,
  { now, timezone, hashes }: { now: number; timezone: string; hashes: PasswordHashes },
): { homework: number[]; exams: number[] } {
  const random = seededRandom(2026);
  const createdAt = now - 200 * day;
  const frame = addFrame(writer);
  const [jingan, pudong] = frame.schools;
  const staff = planStaff(writer, random, { schools: frame.schools, hashes, createdAt });

  const klass = (
    name: string,
    size: number,
    more: {
      schoolId?: number;
      grade: string;
      classify: string;
      heads: DemoStaff[];
      assistants: DemoStaff[];
      names?: string[];
      validUntil?: number;
      largeClassId?: number;
    },
  ) => {
    const added = addClass(writer, {
      name,
      schoolId: more.schoolId ?? jingan,
      gradeId: frame.grades[more.grade] as number,
      classifyId: frame.classifies[more.classify] as number,
      heads: more.heads,
      assistants: more.assistants,
      createdAt,
      validUntil: more.validUntil,
      largeClassId: more.largeClassId ?? null,
    });
    for (let number = 0; number < size; number += 1) {
      addStudent(writer, random, added, { joinedAt: now - random.whole(90, 180) * day, name: more.names?.[number] });
    }
    return added;
  };
  const { teacher, teacher2, teacher3, teacher4, assist, assist2, assist3, assist4 } = staff;
  const large = addLargeClasses(writer, frame.schools);
  const others = addOtherClasses(writer, { frame, staff, large, now, createdAt });
  const senior = { grade: '高一', classify: '提高班', largeClassId: large.senior };
  const final = { grade: '九年级', classify: '中考冲刺', schoolId: pudong, largeClassId: large.final };
  const classes: Record<ClassName, DemoClass> = {
    k1: klass('高一（1）班', 38, { ...senior, heads: [teacher], assistants: [assist], names: remarkableNames }),
    k2: klass('高一（2）班', 45, { ...senior, heads: [teacher2], assistants: [assist] }),
    k3: klass('高一（3）班', 33, { ...senior, heads: [teacher2], assistants: [assist, assist4] }),
    k4: klass('高一年级数理竞赛周末线上拓展提高班（A组）', 12, {
      ...senior,
      classify: '竞赛班',
      heads: [assist],
      assistants: [assist],
      validUntil: now + 120 * day,
    }),
    k5: klass('高一（4）班', 36, { ...senior, heads: [teacher], assistants: [assist2] }),
    k6: klass('高一（5）班', 30, { ...senior, heads: [teacher2], assistants: [assist2] }),
    k7: klass('九年级（1）班', 28, { ...final, heads: [teacher], assistants: [assist2] }),
    k8: klass('九年级（2）班', 26, { ...final, heads: [teacher3], assistants: [assist3] }),
    k9: klass('九年级冲刺班', 18, { ...final, heads: [teacher3], assistants: [assist3], validUntil: now + 60 * day }),
    k10: klass('高二（1）班', 24, { grade: '高二', classify: '基础班', heads: [teacher4], assistants: [assist4] }),
    k11: klass('八年级英语班', 15, { grade: '八年级', classify: '兴趣拓展', heads: [teacher4], assistants: [assist4] }),
  };
  // Someone came late, someone left, and some go to the competition class as well.
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
      schoolId: jingan,
      classifyId: frame.classifies.提高班 as number,
      gradeId: frame.grades.高一 as number,
      subjectId: frame.subjects.数学,
      createdAt,
    },
    now,
    timezone,
  });
  const bank = addBank(writer, { teacher, assist, public: teacher4 }, now);

  const ids: number[] = [];
  const names = homeworkNames();
  for (const batch of batches) {
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
  const exams = addExams(writer, { schools: frame.schools, staff, classes, bank, now });
  return { homework: ids, exams };
}

function planStaff(
  writer: RowWriter,
  random: SeededRandom,
  { schools, hashes, createdAt }: { schools: [number, number]; hashes: PasswordHashes; createdAt: number },
): Record<StaffName, DemoStaff> {
  const [jingan, pudong] = schools;
  const teacher = (username: string, name: string, schoolId: number, introduction: string, permitted: 0 | 1 = 1) =>
    addStaff(writer, random, {
      username,
      identity: 'teacher',
      name,
      schoolId,
      hashes,
      createdAt,
      introduction,
      permitted,
    });
  const assist = (username: string, name: string, schoolId: number) =>
    addStaff(writer, random, {
      username,
      identity: 'assist',
      name,
      schoolId,
      hashes,
      createdAt,
      introduction: '负责班级答疑与作业批改。',
    });
  const staff = {
    teacher: teacher('teacher', '周明远', jingan, '数学、物理讲师，十二年教龄，擅长把难题讲简单。'),
    teacher2: teacher('teacher2', '林婉清', jingan, '英语讲师，也教高一数学与物理。'),
    teacher3: teacher('teacher3', '何立新', pudong, '语文讲师。', 0),
    teacher4: teacher('teacher4', '苏文博', jingan, '教研组长，维护公共题库。'),
    assist: assist('assist', '陈晓彤', jingan),
    assist2: assist('assist2', '赵一凡', jingan),
    assist3: assist('assist3', '孙浩然', pudong),
    assist4: assist('assist4', '欧阳静怡', jingan),
  };
  teacher('newcomer', '新来的郑老师', jingan, '');
  return staff;
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
    frame: ReturnType<typeof addFrame>;
    staff: Record<StaffName, DemoStaff>;
    classes: Record<ClassName, DemoClass>;
    now: number;
    timezone: string;
    createdAt: number;
  },
): Record<CourseName, DemoCourse> {
  const { teacher, teacher2, teacher3, teacher4 } = staff;
  const [jingan, pudong] = frame.schools;
  const { k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11 } = classes;
  const seniorClasses = [k1, k2, k3, k4, k5, k6];
  const base = (
    title: string,
    subject: DemoSubject,
    courseType: number,
    grade: string,
    classify: string,
    schoolId: number,
  ) => ({
    title,
    subject,
    courseType,
    schoolId,
    classifyId: frame.classifies[classify] as number,
    gradeId: frame.grades[grade] as number,
    subjectId: frame.subjects[subject],
    createdAt,
  });
  const course = (
    plan: ReturnType<typeof base>,
    parentId: number | null,
    more: Pick<CoursePlan, 'classes' | 'lecturers'> & { firstDay: number; everyDays?: number },
  ) =>
    addCourse(
      writer,
      {
        ...plan,
        parentId,
        classes: more.classes,
        lecturers: more.lecturers,
        fromDay: more.firstDay,
        toDay: 42,
        everyDays: more.everyDays ?? 3,
      },
      { now, timezone },
    );

  const seniorPlan = base('高一秋季同步课程', '数学', 1, '高一', '同步课程', jingan);
  const senior = addParentCourse(writer, seniorPlan);
  const final = addParentCourse(writer, base('九年级中考总复习', '数学', 1, '九年级', '升学冲刺', pudong));
  const of = (title: string, subject: DemoSubject, type: number) =>
    base(title, subject, type, '高一', '提高班', jingan);
  const ofFinal = (title: string, subject: DemoSubject, type: number) =>
    base(title, subject, type, '九年级', '中考冲刺', pudong);
  return {
    parent: { id: senior, title: seniorPlan.title, subject: '数学', classes: seniorClasses, periods: [] },
    maths: course(of('高一数学同步提高', '数学', 1), senior, {
      classes: seniorClasses,
      lecturers: [teacher, teacher2, teacher],
      firstDay: -57,
    }),
    physics: course(of('高一物理同步提高', '物理', 2), senior, {
      classes: seniorClasses,
      lecturers: [teacher, teacher2],
      firstDay: -56,
    }),
    english: course(of('高一英语阅读与写作', '英语', 3), senior, {
      classes: seniorClasses,
      lecturers: [teacher2],
      firstDay: -58,
    }),
    chinese: course(of('高一语文专题', '语文', 15), senior, {
      classes: seniorClasses,
      lecturers: [teacher3],
      firstDay: -56,
      everyDays: 7,
    }),
    finalMaths: course(ofFinal('中考数学冲刺', '数学', 1), final, {
      classes: [k7, k8, k9],
      lecturers: [teacher, teacher3],
      firstDay: -55,
    }),
    experiments: course(ofFinal('中考物理实验（线下）', '物理', 7), final, {
      classes: [k7, k8, k9],
      lecturers: [teacher],
      firstDay: -49,
      everyDays: 7,
    }),
    finalChinese: course(ofFinal('中考语文阅读', '语文', 10), final, {
      classes: [k8, k9],
      lecturers: [teacher3],
      firstDay: -54,
      everyDays: 4,
    }),
    english2: course(base('高二英语拓展', '英语', 2, '高二', '基础班', jingan), null, {
      classes: [k10],
      lecturers: [teacher4],
      firstDay: -53,
      everyDays: 4,
    }),
    english8: course(base('八年级英语听说', '英语', 10, '八年级', '兴趣拓展', jingan), null, {
      classes: [k10, k11],
      lecturers: [teacher4],
      firstDay: -52,
      everyDays: 4,
    }),
  };
}

/** Names of exactly 20 characters, the longest that may be published, by subject. */
const longNames: Partial<Record<DemoSubject, string[]>> = {
  数学: ['第一单元集合与常用逻辑用语综合检测卷A卷', '函数的概念与基本初等函数期中复习巩固练习'],
  物理: ['力与运动综合复习及牛顿运动定律专题训练题'],
  英语: ['阅读理解与书面表达周末综合提升训练第三套'],
};

/** Every fifth homework of a subject has a long name while there are some. */
function homeworkNames() {
  const count = new Map<DemoSubject, number>();
  const endings = ['课后练习', '随堂检测', '巩固作业', '单元测验', '错题重做'];
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
  // Deadlines are at ten in the evening of a day in Shanghai, or at a moment that has passed for certain.
  const evening = Math.floor((now + days.ending * day) / day) * day + 14 * hour;
  const endingTime = days.ending < 0 ? Math.min(evening, now - hour) : Math.max(evening, now + hour);

  const lecturer = batch.lecturer && staff[batch.lecturer];
  // Not always about the last lesson: some homework looks back.
  const lesson = publishTime - (number % 3) * 5 * day;
  const period = lecturer && periodAround(course, lesson, lecturer);
  const topic = (period ?? periodAround(course, lesson) ?? periodAround(around.courses.maths, lesson))?.topic;
  const isPartly = stage === 'partly' || stage === 'partly ended';
  // A class too few to leave one out is joined by the rest of the course.
  const classes = isPartly && around.scope.length < 2 ? course.classes : around.scope;
  const left = isPartly ? Math.max(1, Math.floor(classes.length / 3)) : 0;
  const bankName = batch.creator === 'teacher' || batch.creator === 'assist' ? batch.creator : 'public';
  return {
    name: around.names(course.subject, topic ?? course.subject),
    type: period ? 2 : 1,
    courseId: course.id,
    periodId: period?.id ?? null,
    creator: staff[batch.creator],
    remark: random.chance(0.4) ? random.pick(publishRemarks) : '',
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

const publishRemarks = [
  '请独立完成，写清步骤。',
  '先复习课堂笔记再做题，不会的题目做好标记，下次课一起讨论。',
  '截止前提交，逾期不补。',
  '简答题可以拍照上传。',
];

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
