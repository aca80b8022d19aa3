/** Labels and rules of data subject requests. */
import { erasedFault } from '#server/students/rules.ts';

/** Label of the personal data in each table. */
export const personalTableNames: Readonly<Record<string, string>> = {
  student: '姓名、手机号与头像',
  report: '作业答卷与总评',
  answer: '作业答案与评语',
  answer_draft: '未提交的作业答案',
  homework_draft: '提到该学员的作业草稿',
  homework_reminder: '催交记录',
  grading_batch_answer: '一起批改的撤销记录',
  exam_report: '考试答卷与总评',
  exam_answer: '考试答案与评语',
  exam_attempt: '参加考试的记录',
  exam_attempt_answer: '考试中保存的答案',
  class_student: '所在班级',
  class_earlier_stay: '曾在的班级',
  class_group_student: '所在分组',
  class_contract: '合同',
  attendance: '课时考勤与请假事由',
  study_record: '学习时长',
  leave_batch_record: '一起审批的请假',
  roll_call_mark: '点名的撤销记录',
  session_student: '课次考勤与评价',
  communication_record: '沟通记录',
  community_post: '帖子与图片',
  community_comment: '评论',
  community_report: '对其帖子的举报',
  community_member: '加入的圈子',
  community_like: '点赞',
  notice_read: '公告已读',
  class_meeting_attendance: '班会出席',
  learner_session: '学员登录',
  learner_code: '登录验证码',
  learner_password: '登录密码',
  learner_event: '发给应用的事件',
  learner_link: '统一登录的关联',
  learner_link_session: '用统一登录的登录',
  sms_outbox: '短信与待发送的通知',
  accepted_request: '提到该学员的提交结果',
  export_file: '导出的文件',
  history: '操作记录的内容',
  import: '提到该学员的导入文件',
  import_row: '导入的行',
  import_remark: '导入时的提示',
  external_id: '来源系统的编号',
  erased_source: '不再导入的标记',
};

export const erasureEffectNames = { kept: '保留', emptied: '清空内容', deleted: '删除' } as const;

export const personalMessages = {
  confirmation: '与该学员的学号或编号不一致，请重新输入',
  importing: '正在导入数据，请在导入结束后再注销',
} as const;

/** Text to type as confirmation: the student's number, or else their record id. */
export const erasureConfirmation = ({ id, number }: { id: number; number: string }): string => number || String(id);

/**
 * Returns why a student cannot be erased now. `exam`: an exam that the student is taking; its `ends_at` in unix
 * seconds.
 */
export function eraseFault(
  student: { is_erased: 0 | 1 },
  {
    exam,
    isImporting,
    now,
  }: { exam: { name: string; ends_at: number } | undefined; isImporting: boolean; now: number },
): string | undefined {
  if (student.is_erased === 1) return erasedTwiceFault(student);
  if (exam)
    return exam.ends_at > now
      ? `该学员正在参加考试“${exam.name}”，请在交卷后再注销`
      : `该学员的考试“${exam.name}”正在由系统交卷，请一分钟后再试`;
  return isImporting ? personalMessages.importing : undefined;
}

const erasedTwiceFault = (student: { is_erased: 0 | 1 }): string | undefined =>
  erasedFault(student) && '该学员的个人信息已注销，无须再次注销';
