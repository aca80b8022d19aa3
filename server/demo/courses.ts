import { dayOf, dayStart } from '#server/school/calendar.ts';
import type { DemoSubject } from './bank.ts';
import { readData } from './data.ts';
import type { DemoClass, DemoStaff } from './people.ts';
import type { RowWriter } from './row-writer.ts';

const day = 24 * 60 * 60;
const minute = 60;

/** Topics of the periods by subject, in order. */
const topics = readData<Record<DemoSubject, string[]>>('topics.json');

export interface DemoPeriod {
  id: number;
  topic: string;
  lecturer: DemoStaff;
  /** Unix seconds. */
  startPlay: number;
}

export interface DemoCourse {
  id: number;
  title: string;
  subject: DemoSubject;
  classes: DemoClass[];
  periods: DemoPeriod[];
}

/** `course_type` of courses whose periods are not live. */
const offline = 7;

export interface CoursePlan {
  title: string;
  subject: DemoSubject;
  parentId: number | null;
  courseType: number;
  schoolId: number;
  classifyId: number;
  gradeId: number;
  subjectId: number;
  classes: DemoClass[];
  /** Lecturers who take turns by period; if there are none, the course has no periods. */
  lecturers: DemoStaff[];
  /** Days from today of the first and of the last period; there is a period every `everyDays` days. */
  fromDay: number;
  toDay: number;
  everyDays: number;
  createdAt: number;
}

export function addCourse(
  writer: RowWriter,
  plan: CoursePlan,
  { now, timezone }: { now: number; timezone: string },
): DemoCourse {
  const id = writer.add('course', {
    parent_id: plan.parentId,
    title: plan.title,
    course_type: plan.courseType,
    course_extend: 0,
    introduction: `${plan.title}：讲练结合，每周配有作业，课后可看回放。`,
    school_id: plan.schoolId,
    classify_id: plan.classifyId,
    grade_id: plan.gradeId,
    subject_id: plan.subjectId,
    created_at: plan.createdAt,
  });
  for (const theClass of plan.classes) writer.addPlain('class_course', { class_id: theClass.id, course_id: id });

  const today = dayStart(dayOf(now, timezone), timezone);
  const isOffline = plan.courseType === offline;
  const startsAt = isOffline ? 14 * 60 : 18 * 60 + 30 + 15 * (id % 4);
  const names = topics[plan.subject];
  const periods: DemoPeriod[] = [];
  let chapterId = 0;
  for (
    let fromToday = plan.fromDay;
    plan.lecturers.length > 0 && fromToday <= plan.toDay;
    fromToday += plan.everyDays
  ) {
    const number = periods.length + 1;
    const topic = names[(number - 1) % names.length] as string;
    if (number % 6 === 1) {
      const chapter = Math.ceil(number / 6);
      chapterId = writer.add('course_chapter', { course_id: id, title: `第${chapter}单元 ${topic}`, sort: chapter });
    }
    const lecturer = plan.lecturers[(number - 1) % plan.lecturers.length] as DemoStaff;
    const startPlay = today + fromToday * day + startsAt * minute;
    const periodId = writer.add('period', {
      course_id: id,
      chapter_id: chapterId,
      title: `第${number}讲 ${topic}`,
      periods_type: isOffline ? offline : [1, 2, 3, 15][id % 4],
      lecturer_id: lecturer.id,
      start_play: startPlay,
      total_time: (isOffline ? 120 : 90) * minute,
      sort: number,
      advance_time: isOffline ? 0 : 10,
      student_code: isOffline ? '' : `S${id}${number}${(id * 7 + number * 13) % 100}`,
      allow_enter: 0,
      // Every third period has no recording yet.
      is_playback: isOffline || number % 3 === 0 ? 0 : 1,
      periods_extend: 1,
    });
    periods.push({ id: periodId, topic, lecturer, startPlay });
  }
  return { id, title: plan.title, subject: plan.subject, classes: plan.classes, periods };
}

/** Returns the course's last period before `moment`, or else its first; optionally only periods of one lecturer. */
export function periodNear(course: DemoCourse, moment: number, lecturer?: DemoStaff): DemoPeriod | undefined {
  const taught = course.periods.filter((period) => !lecturer || period.lecturer.id === lecturer.id);
  return taught.findLast((period) => period.startPlay <= moment) ?? taught[0];
}

/** Adds a parent course, which groups courses and has no periods itself. */
export function addParentCourse(
  writer: RowWriter,
  plan: Omit<CoursePlan, 'parentId' | 'classes' | 'lecturers' | 'fromDay' | 'toDay' | 'everyDays'>,
): number {
  return writer.add('course', {
    parent_id: null,
    title: plan.title,
    course_type: plan.courseType,
    course_extend: 0,
    introduction: `${plan.title}：由多门子课程组成。`,
    school_id: plan.schoolId,
    classify_id: plan.classifyId,
    grade_id: plan.gradeId,
    subject_id: plan.subjectId,
    created_at: plan.createdAt,
  });
}
