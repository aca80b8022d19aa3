/** Teaching calendar of the demo school around today: live rooms in every state, and groups with their assistants. */
import { dayOf, dayStart } from '#server/school/calendar.ts';
import type { CoursePlan, DemoCourse } from './courses.ts';
import type { DemoClass, DemoStaff } from './people.ts';
import type { RowWriter } from './row-writer.ts';

const minute = 60;
const hour = 60 * minute;

interface DemoContext {
  staff: Record<'teacher' | 'teacher2' | 'assist' | 'assist2' | 'assist4', DemoStaff>;
  classes: Record<'k1' | 'k2' | 'k3' | 'k4' | 'k5' | 'k6', DemoClass>;
  courses: Record<'maths' | 'physics' | 'english', DemoCourse>;
  /** Fields that all courses of the calendar share. */
  plan: Pick<CoursePlan, 'schoolId' | 'classifyId' | 'gradeId' | 'subjectId' | 'createdAt'>;
  /** Unix seconds. */
  now: number;
  timezone: string;
}

interface LivePeriod {
  title: string;
  /** Start in seconds from now. */
  start: number;
  /** Length in minutes. */
  length?: number;
  type: number;
  lecturer: DemoStaff;
  allow_enter?: 0 | 1;
  is_playback?: 0 | 1;
  periods_extend?: 0 | 1;
}

export function addCalendar(writer: RowWriter, around: DemoContext): void {
  const { staff, classes, courses } = around;
  const { teacher, teacher2, assist, assist2, assist4 } = staff;
  const { k1, k2, k3, k4, k5, k6 } = classes;

  // In maths the assistant has several groups, in physics and English one, in the question time none.
  for (const [theClass, assistants] of [
    [k1, [assist]],
    [k2, [assist]],
    [k3, [assist, assist4]],
    [k5, [assist2]],
  ] as const) {
    addGroup(writer, { name: `${theClass.name}数学1组`, theClass, courseId: courses.maths.id, assistants });
  }
  addGroup(writer, {
    name: `${k1.name}数学2组（直播互动与课后答疑小组）`,
    theClass: k1,
    courseId: courses.maths.id,
    assistants: [assist],
  });
  for (const [name, courseId] of [
    ['物理', courses.physics.id],
    ['英语', courses.english.id],
  ] as const) {
    addGroup(writer, { name: `${k2.name}${name}组`, theClass: k2, courseId, assistants: [assist] });
    addGroup(writer, { name: `${k6.name}${name}组`, theClass: k6, courseId, assistants: [assist2] });
  }

  const workshop = addLiveCourse(writer, around, {
    title: '高一数学直播答疑周',
    type: 2,
    extend: 1,
    classes: [k1, k2],
    periods: [
      { title: '函数图象专题（可看回放）', start: -6 * hour, type: 2, lecturer: teacher, is_playback: 1 },
      { title: '不等式专题', start: -4 * hour, type: 2, lecturer: teacher },
      { title: '集合易错题当堂讲解', start: -20 * minute, length: 90, type: 2, lecturer: teacher, periods_extend: 1 },
      { title: '三角恒等变换答疑', start: 2 * hour, type: 3, lecturer: teacher, periods_extend: 1 },
      { title: '向量专题（助教直播间未开放）', start: 3 * hour, type: 15, lecturer: teacher },
      {
        title: '期中复习（暂不开放进入）',
        start: 4 * hour,
        type: 2,
        lecturer: teacher,
        allow_enter: 1,
        periods_extend: 1,
      },
      { title: '解题方法交流', start: 26 * hour, type: 2, lecturer: teacher2, periods_extend: 1 },
    ],
  });
  for (const theClass of [k1, k2]) {
    addGroup(writer, { name: `${theClass.name}答疑组`, theClass, courseId: workshop, assistants: [assist] });
  }
  const reading = addLiveCourse(writer, around, {
    title: '数学建模与竞赛拓展直播：从生活中的问题到数学模型的建立与检验',
    type: 1,
    classes: [k3],
    periods: [
      { title: '建模入门', start: -10 * minute, length: 60, type: 1, lecturer: teacher },
      { title: '线性规划初步', start: 25 * hour, type: 1, lecturer: teacher },
    ],
  });
  addGroup(writer, { name: `${k3.name}建模组`, theClass: k3, courseId: reading, assistants: [assist] });
  addLiveCourse(writer, around, {
    title: '竞赛班问答时间',
    type: 4,
    classes: [k4],
    periods: [{ title: '本周难题问答', start: hour, type: 4, lecturer: teacher }],
  });
  addLiveCourse(writer, around, {
    title: '高一物理实验操作（线下）',
    type: 7,
    classes: [k1, k2],
    periods: [{ title: '打点计时器的使用', start: 90 * minute, length: 120, type: 7, lecturer: teacher }],
  });
}

function addLiveCourse(
  writer: RowWriter,
  { plan, now, timezone }: DemoContext,
  course: { title: string; type: number; extend?: 0 | 1; classes: DemoClass[]; periods: LivePeriod[] },
): number {
  const courseId = writer.add('course', {
    parent_id: null,
    title: course.title,
    course_type: course.type,
    course_extend: course.extend ?? 0,
    introduction: `${course.title}：与同步课程配套。`,
    school_id: plan.schoolId,
    classify_id: plan.classifyId,
    grade_id: plan.gradeId,
    subject_id: plan.subjectId,
    created_at: plan.createdAt,
  });
  for (const theClass of course.classes)
    writer.addPlain('class_course', { class_id: theClass.id, course_id: courseId });
  const chapterId = writer.add('course_chapter', { course_id: courseId, title: '直播课时', sort: 1 });
  // The current time, rounded down to five minutes.
  const base = Math.floor(now / (5 * minute)) * 5 * minute;
  const today = dayStart(dayOf(now, timezone), timezone);
  for (const [index, period] of course.periods.entries()) {
    const { length = 60 } = period;
    const start = base + period.start;
    // A period that is live now counts as today's, even just after midnight.
    const isLive = start <= now && now < start + length * minute;
    writer.add('period', {
      course_id: courseId,
      chapter_id: chapterId,
      title: period.title,
      periods_type: period.type,
      lecturer_id: period.lecturer.id,
      start_play: isLive ? Math.max(start, today) : start,
      total_time: length * minute,
      sort: index + 1,
      advance_time: period.type === 7 ? 0 : 15,
      student_code: period.type === 7 ? '' : `S${courseId}${index + 1}${(courseId * 7 + index * 13) % 100}`,
      allow_enter: period.allow_enter ?? 0,
      is_playback: period.is_playback ?? 0,
      periods_extend: period.periods_extend ?? 0,
    });
  }
  return courseId;
}

export function addGroup(
  writer: RowWriter,
  group: { name: string; theClass: DemoClass; courseId: number; assistants: readonly DemoStaff[] },
): void {
  const id = writer.add('class_group', {
    class_id: group.theClass.id,
    course_id: group.courseId,
    group_name: group.name,
  });
  for (const assistant of group.assistants) {
    writer.addPlain('class_group_staff', { class_group_id: id, staff_id: assistant.id });
  }
}
