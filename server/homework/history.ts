/** How the history page describes homework and reports. */

import { answerResultNames, rejudgeFields } from '#server/grading/history-fields.ts';
import { reportStatusNames } from '#server/grading/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type RecordHistory, studentRecordTitle } from '#server/school/history-record.ts';

const reports = (db: Database) =>
  db
    .selectFrom('report')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .innerJoin('student', 'student.id', 'report.student_id')
    .select(['student.nickname', 'student.school_id', 'report.student_id', 'homework.name'])
    .select(['homework.is_set_score as mode', 'homework.total_score as full']);

export const homeworkHistory = {
  homework: {
    actions: ['publish', 'recall', 'deadline', 'remind', 'join', 'rejudge', 'undo'],
    said: { join: '补发给新成员', undo: '撤销改判' },
    fields: {
      status: ['状态', { 1: '已发布', 2: '已撤回' }],
      ending_time: ['截止时间', 'moment'],
      class_id: ['班级', 'class'],
      class_ids: ['班级', 'class'],
      student_ids: ['学员', 'student'],
      ...rejudgeFields,
    },
    titled: (db, ids) =>
      db
        .selectFrom('homework')
        .innerJoin('course', 'course.id', 'homework.course_id')
        .select(['homework.id', 'homework.name as title', 'course.school_id', 'homework.is_set_score as mode'])
        .where('homework.id', 'in', ids)
        .execute(),
  },
  report: {
    actions: ['finish', 'viewed', 'move'],
    said: { move: '转到其他班级' },
    fields: {
      status: ['状态', reportStatusNames],
      user_score: ['得分', 'mark'],
      class_id: ['班级', 'class'],
    },
    titled: async (db, ids) =>
      (await reports(db).select('report.id').where('report.id', 'in', ids).execute()).map(studentRecordTitle),
  },
  answer: {
    actions: ['grade', 'undo', 'viewed', 'rejudge'],
    fields: { status: ['结果', answerResultNames], score: ['得分', 'mark'], comment: '评语' },
    titled: async (db, ids) =>
      (
        await reports(db)
          .innerJoin('answer', 'answer.report_id', 'report.id')
          .select('answer.id')
          .where('answer.id', 'in', ids)
          .execute()
      ).map(({ full: _, ...row }) => studentRecordTitle(row)),
  },
} as const satisfies Record<string, RecordHistory>;
