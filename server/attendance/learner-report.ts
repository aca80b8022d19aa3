/** Calls of learners about their attendance, study and homework by course. */
import * as v from 'valibot';
import { missingCourse } from '#server/classes/rules.ts';
import { handleApplication, QueryUid, withLearner } from '#server/learners/application.ts';
import { call } from '#server/platform/calls/call.ts';
import { IdAndName, SearchId } from '#server/platform/calls/fields.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { StudyCourse, StudyPeriod } from './contract.ts';
import { studyCourses, studyPeriods } from './student.ts';

const showReport = call({
  method: 'GET',
  path: '/api/app/report',
  title: '学员的学习报告',
  description: '各课程的考勤、学习与作业情况；带 course 时只有该课程，并有其各课时。',
  query: v.object({ uid: QueryUid, course: SearchId }),
  answer: v.object({
    list: v.array(v.object({ class: IdAndName, ...StudyCourse.entries })),
    /** Periods of the requested course, once for each class of the student that takes the course. */
    periods: v.array(v.object({ class_id: v.number(), ...StudyPeriod.entries })),
  }),
  example: {
    query: { uid: 12, course: 8 },
    answer: {
      list: [
        {
          class: { id: 3, name: '高一(2)班' },
          course_basis_id: 8,
          title: '高一数学',
          course_type: 1,
          section_num: 1,
          study_length: 4860,
          progress_rate: 90,
          attend_times: 1,
          leave_times: 0,
          truant_times: 0,
          uncalled_times: 0,
          hw_submit_times: 2,
          hw_assign_times: 3,
        },
      ],
      periods: [
        {
          class_id: 3,
          id: 40,
          title: '第一讲 集合',
          start_play: 1795060800,
          total_time: 5400,
          study_length: 4860,
          progress_rate: 90,
          op_status: 0,
          leave_id: null,
          leave_cause: '',
          periods_type: 1,
          course_type: 1,
        },
      ],
    },
  },
});

export const learnerReportCalls = [
  handleApplication(showReport, ({ query, ...context }) =>
    withLearner(context, query.uid, ({ db, uid, now }) => report(db, { uid, course: query.course, now })),
  ),
];

/** A page large enough for all courses of a class and all periods of a course. */
const maxRows = { limit: 1000, offset: 0 };

async function report(db: Database, { uid, course, now }: { uid: number; course: number | undefined; now: number }) {
  const members = await db
    .selectFrom('class_student')
    .innerJoin('class', 'class.id', 'class_student.class_id')
    .select(['class_student.id', 'class_student.class_id', 'class.name'])
    .where('class_student.student_id', '=', uid)
    .where('class_student.left_at', 'is', null)
    .orderBy('class_student.class_id')
    .execute();
  const list = [];
  const periods = [];
  for (const { id, class_id, name } of members) {
    const courses = await studyCourses(db, { id, uid, class_id }, { ...maxRows, now });
    const requestedCourses = courses.filter(
      ({ course_basis_id }) => course === undefined || course_basis_id === course,
    );
    list.push(...requestedCourses.map((one) => ({ class: { id: class_id, name }, ...one })));
    if (course === undefined || requestedCourses.length === 0) continue;
    const ofCourse = await studyPeriods(db, { classId: class_id, memberId: id, courseId: course }, { ...maxRows, now });
    periods.push(...ofCourse.map((one) => ({ class_id, ...one })));
  }
  return course !== undefined && list.length === 0 ? missing(missingCourse) : { list, periods };
}
