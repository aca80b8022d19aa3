import { type RecordHistory, textBeginning, titlesFromColumn } from '#server/school/history-record.ts';
import { errorReportOutcomeNames } from './error-reports.rules.ts';
import { questionTypeNames } from './rules.ts';

/** History names of the fields of a question, shared by banks and exams. */
export const questionFields = {
  ques_type: ['题型', questionTypeNames],
  ques_stem: ['题干', 'rich'],
  ques_option: ['选项', 'options'],
  right_answer: ['答案', 'rich'],
  ignore_case: ['不区分大小写', 'flag'],
  ques_analysis: ['解析', 'rich'],
  facility_value: '难度',
  remark: '备注',
  tags: '标签',
  ques_item: ['小题', 'parts'],
} as const;

export const questionsHistory = {
  knowledge_point: {
    actions: ['add', 'edit', 'move', 'order', 'merge', 'delete'],
    fields: {
      name: '名称',
      parent_id: ['上级', 'knowledge_point'],
      subject_id: ['科目', 'subject'],
      place: '位置',
      merged: '并入的',
      merged_into: '合并到',
      records: '相关记录',
    },
    titled: titlesFromColumn('knowledge_point', 'name'),
  },
  question: {
    actions: ['add', 'edit', 'delete', 'correct', 'share', 'withdraw', 'move', 'merge', 'undo', 'collect', 'uncollect'],
    said: { undo: '撤销合并' },
    fields: {
      ...questionFields,
      is_public: ['公共题目', 'flag'],
      point_id: ['知识点', 'knowledge_point'],
      merged: '并入的题目',
      merged_into: '合并到',
      different_from: ['不是重复', 'question'],
    },
    titled: async (db, ids) =>
      (
        await db
          .selectFrom('question')
          .innerJoin('staff', 'staff.id', 'question.owner_id')
          .select(['question.id', 'question.stem_text as title', 'staff.school_id'])
          .where('question.id', 'in', ids)
          .execute()
      ).map((row) => ({ ...row, title: textBeginning(row.title) })),
  },
  question_correction: {
    actions: ['report', 'correct', 'answer', 'dismiss', 'undo'],
    said: { report: '提交纠错' },
    fields: { error_msg: '错误说明', outcome: ['处理', errorReportOutcomeNames], reply: '回复' },
    titled: async (db, ids) =>
      (
        await db
          .selectFrom('question_correction')
          .innerJoin('staff as reporter', 'reporter.id', 'question_correction.staff_id')
          .leftJoin('question', 'question.id', 'question_correction.question_id')
          .leftJoin('staff as owner', 'owner.id', 'question.owner_id')
          .select(['question_correction.id', 'question_correction.stem_text as title'])
          .select((eb) => eb.fn.coalesce('owner.school_id', 'reporter.school_id').as('school_id'))
          .where('question_correction.id', 'in', ids)
          .execute()
      ).map((row) => ({ ...row, title: textBeginning(row.title) })),
  },
} as const satisfies Record<string, RecordHistory>;
