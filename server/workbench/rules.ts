/** Steps that a school takes before it can be taught in. */

export const startSteps = [
  'schools',
  'staff',
  'students',
  'courses',
  'classes',
  'terms',
  'holidays',
  'learners',
  'messages',
  'backup',
  'administrators',
] as const;
export type StartStep = (typeof startSteps)[number];

export const startStepNames: Record<StartStep, string> = {
  schools: '添加学校',
  staff: '添加讲师和助教',
  students: '添加学员',
  courses: '添加课程，批量排出课时',
  classes: '添加班级，选择班主任、助教、课程和学员',
  terms: '添加学期',
  holidays: '采用国家法定节假日',
  learners: '打开学员端',
  messages: '接通短信',
  backup: '设置备份',
  administrators: '再添加一位管理全部学校的教务',
};

export const startMessages = { noStep: '请选择一项准备工作' } as const;
