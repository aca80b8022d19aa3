/** Names for the codes in responses of the public calls. */
export const questionTypeNames: Record<number, string> = {
  1: '单选题',
  2: '判断题',
  3: '多选题',
  4: '不定项选择题',
  5: '简答题',
  7: '填空题',
};

export const homeworkStateNames: Record<'open' | 'missed' | 'waiting' | 'graded' | 'recalled', string> = {
  open: '待提交',
  missed: '未提交',
  waiting: '待批改',
  graded: '已批改',
  recalled: '已撤回',
};

export const examStateNames: Record<'published' | 'running' | 'closed' | 'withdrawn', string> = {
  published: '未开始',
  running: '进行中',
  closed: '已结束',
  withdrawn: '已撤回',
};

export const answerStatusNames: Record<number, string> = {
  1: '正确',
  2: '错误',
  3: '未作答',
  4: '待批改',
  5: '部分正确',
};

export const lessonKindNames: Record<'period' | 'course' | 'meeting', string> = {
  period: '课时',
  course: '课次',
  meeting: '班会',
};

/** States of a leave request. Once the period has begun, they include attendance. */
export const leaveNames: Record<number, string> = {
  0: '已出勤',
  1: '待审批',
  2: '已同意',
  3: '已拒绝',
  4: '已撤回',
  5: '缺勤',
  6: '不适用',
};

/** Attendance of a lesson or meeting. */
export const attendanceNames: Record<keyof typeof lessonKindNames, Record<number, string>> = {
  period: {},
  course: { 1: '已出勤', 2: '已请假', 3: '旷课' },
  meeting: { 1: '已参加' },
};

export const maxPictures = 9;
export const tooManyPictures = `每题最多${maxPictures}张图片，多出的没有保存`;

/** Returns the letter of an option by its index. */
export const letterOf = (place: number): string => String.fromCharCode(65 + place);

export const firstPasswordNote = '您用学校印发的初始密码登录，请先改为自己的密码，以后用它登录。';
