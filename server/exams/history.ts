import { answerResultNames, rejudgeFields } from '#server/grading/history-fields.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { questionFields } from '#server/questions/history.ts';
import { type RecordHistory, studentRecordTitle } from '#server/school/history-record.ts';

const reports = (db: Database) =>
  db
    .selectFrom('exam_report')
    .innerJoin('exam', 'exam.id', 'exam_report.exam_id')
    .innerJoin('student', 'student.id', 'exam_report.student_id')
    .select(['student.nickname', 'student.school_id', 'exam_report.student_id', 'exam.name']);

export const examsHistory = {
  exam: {
    actions: [
      'add',
      'edit',
      'publish',
      'extend',
      'close',
      'withdraw',
      'remove',
      'score',
      'add-section',
      'edit-section',
      'move-section',
      'remove-section',
      'add-questions',
      'edit-question',
      'move-question',
      'remove-question',
      'exchange-question',
      'undo-exchange',
      'rejudge',
      'undo',
    ],
    said: { withdraw: '撤回', extend: '延长考试', close: '结束考试', remove: '删除', undo: '撤销改判' },
    fields: {
      ...rejudgeFields,
      id: ['大题', 'hidden'],
      name: '名称',
      introduce: '说明',
      category_id: ['分类', 'exam_category'],
      category_name: '分类',
      pass_score: '及格分',
      limit_minutes: '限时（分钟）',
      start_at: ['开始时间', 'moment'],
      end_at: ['结束时间', 'moment'],
      attempts: '作答次数',
      school_ids: ['学校', 'school'],
      class_ids: ['班级', 'class'],
      status: ['状态', { 1: '已发布', 2: '草稿' }],
      reach: '范围',
      ques_num: '题数',
      place: '位置',
      questions: ['题目', 'hidden'],
      section_id: ['大题', 'hidden'],
      question_id: ['题目', 'hidden'],
      score: '分值',
      scores: '分值',
      source_id: ['来源题目', 'hidden'],
      kept: ['换下的题目', 'hidden'],
      ...questionFields,
    },
    titled: async (db, ids) =>
      (await db.selectFrom('exam').select(['id', 'name', 'status']).where('id', 'in', ids).execute()).map(
        ({ id, name, status }) => ({ id, title: name, school_id: null, ...(status === 2 && { leads: null }) }),
      ),
  },
  exam_report: {
    actions: ['finish', 'viewed', 'resubmit'],
    fields: { test_status: ['状态', { 2: '待批改', 3: '已批改' }], user_score: ['得分', 'mark'] },
    titled: async (db, ids) =>
      (await reports(db).select('exam_report.id').where('exam_report.id', 'in', ids).execute()).map(studentRecordTitle),
  },
  exam_answer: {
    actions: ['grade', 'undo', 'viewed', 'resubmit', 'rejudge'],
    fields: {
      status: ['结果', answerResultNames],
      score: ['得分', 'mark'],
      comment: '评语',
      attachments: ['附件', 'hidden'],
      images: ['图片批注', 'hidden'],
    },
    titled: async (db, ids) =>
      (
        await reports(db)
          .innerJoin('exam_answer', 'exam_answer.report_id', 'exam_report.id')
          .select('exam_answer.id')
          .where('exam_answer.id', 'in', ids)
          .execute()
      ).map(studentRecordTitle),
  },
} as const satisfies Record<string, RecordHistory>;
