/**
 * Plans the homework of the small demo school: names, times, questions, and submissions, depending on the stage of each
 * homework.
 */
import type { DemoSubject } from './bank.ts';
import type { StoredQuestion } from './bank-rows.ts';
import { type DemoCourse, periodNear } from './courses.ts';
import type { HomeworkPlan } from './homework.ts';
import type { DemoClass, DemoStaff } from './people.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import { type Batch, type CourseName, type StaffName, type Stage, schoolData } from './small-school-plan.ts';

const hour = 3600;
const day = 24 * 60 * 60;

/** Every fifth homework of a subject gets a long name, as long as there are some left. */
export function homeworkNamer() {
  const count = new Map<DemoSubject, number>();
  const { endings, long: longNames } = schoolData.names;
  return (subject: DemoSubject, topic: string): string => {
    const number = (count.get(subject) ?? 0) + 1;
    count.set(subject, number);
    const long = number % 5 === 0 ? longNames[subject]?.[number / 5 - 1] : undefined;
    return long ?? `${topic}${endings[number % endings.length]}`;
  };
}

/** Days from now to the publication and to the deadline of a homework. */
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
      return pastTimes(-1 - number * 2 - random.whole(0, 1), random);
    default:
      return pastTimes(-3 - number * 6 - random.whole(0, 5), random);
  }
}

const pastTimes = (ending: number, random: SeededRandom) => ({ published: ending - random.whole(3, 7), ending });

export function planHomework(
  batch: Batch,
  stage: Stage,
  number: number,
  context: {
    scope: DemoClass[];
    staff: Record<StaffName, DemoStaff>;
    courses: Record<CourseName, DemoCourse>;
    bank: StoredQuestion[];
    names: (subject: DemoSubject, topic: string) => string;
    seed: number;
    now: number;
  },
): HomeworkPlan {
  const { staff, seed, now } = context;
  const random = seededRandom(seed * 31);
  const course = context.courses[batch.course];
  const days = timesOf(stage, number, random);
  const publishTime = Math.floor(now + days.published * day);
  // Deadlines are at 22:00 in Shanghai, and at least an hour away from now.
  const evening = Math.floor((now + days.ending * day) / day) * day + 14 * hour;
  const endingTime = days.ending < 0 ? Math.min(evening, now - hour) : Math.max(evening, now + hour);

  const lecturer = batch.lecturer && staff[batch.lecturer];
  // Some homework is about an earlier lesson.
  const lesson = publishTime - (number % 3) * 5 * day;
  const period = lecturer && periodNear(course, lesson, lecturer);
  const topic = (period ?? periodNear(course, lesson) ?? periodNear(context.courses.maths, lesson))?.topic;
  const isPartly = stage === 'partly' || stage === 'partly ended';
  // For a homework that is only partly published, the scope must have at least two classes, so that one can be left
  // out.
  const classes = isPartly && context.scope.length < 2 ? course.classes : context.scope;
  const left = isPartly ? Math.max(1, Math.floor(classes.length / 3)) : 0;
  const bankName = batch.creator === 'teacher' || batch.creator === 'assist' ? batch.creator : 'public';
  return {
    name: context.names(course.subject, topic ?? course.subject),
    type: period ? 2 : 1,
    courseId: course.id,
    periodId: period?.id ?? null,
    creator: staff[batch.creator],
    remark: random.chance(0.4) ? random.pick(schoolData.remarks) : '',
    mode: random.chance(0.35) ? 1 : 2,
    publishScope: batch.course === 'parent' ? 1 : 3,
    source: random.chance(0.1) ? 2 : 1,
    isRecalled: stage === 'recalled',
    publishTime,
    endingTime,
    classes,
    published: classes.slice(0, classes.length - left),
    pool: context.bank.filter(
      (question) => question.subject === course.subject && (question.bank === bankName || question.bank === 'public'),
    ),
    questionCount: random.whole(3, 10),
    subjective: stage === 'graded' && number % 3 === 2 ? 'none' : 'some',
    ...submissionShares(stage, number, random),
  };
}

function submissionShares(
  stage: Stage,
  number: number,
  random: SeededRandom,
): Pick<HomeworkPlan, 'handedIn' | 'gradedShare'> {
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
