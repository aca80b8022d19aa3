/**
 * The words of the history: what each record is called, what is done to it, and what its fields are. Whoever leaves rows
 * of a new record, action or field (`recordHistory`) adds the word here; test/lib/history-words.test.ts finds what has
 * none, and so does every school of the tests when it is closed.
 */

import { termTypeNames } from '#server/catalogue/rules.ts';
import { classTypeNames } from '#server/classes/rules.ts';
import { signTypeNames } from '#server/group-classes/rules.ts';

export const missingRecord = '记录不存在';

/** Rows that a list goes back to: what is older is found by its days. */
export const historyMost = 10_000;

/** People or students of a name that are looked for; of one who is not among them more has to be written. */
export const namedMost = 30;

/** Rows of a file. */
export const historyExportMost = 50_000;

/** What is done, in general; a record may have another word for it. */
export const actionNames = {
  add: '添加',
  edit: '修改',
  delete: '删除',
  remove: '移除',
  disable: '停用',
  enable: '恢复',
  'sign-out': '结束登录',
  password: '设置密码',
  profile: '修改个人资料',
  grant: '授予权限',
  revoke: '收回权限',
  signed_in: '登录',
  'sign-in-failed': '登录失败',
  viewed: '查看',
  export: '导出',
  publish: '发布',
  recall: '撤回',
  deadline: '调整截止时间',
  remind: '催交',
  grade: '批改',
  finish: '完成批改',
  undo: '撤销',
  rejudge: '改判',
  resubmit: '重新交卷',
  request: '请假',
  approve: '同意',
  link: '关联',
  reject: '拒绝',
  cancelLeave: '取消请假',
  attend: '标记出勤',
  cancelAttendance: '取消出勤',
  attendance: '修改考勤',
  enter: '进入直播间',
  evaluate: '评价',
  leave: '请假',
  handout: '上传讲义',
  'handout-approve': '通过讲义',
  'handout-reject': '驳回讲义',
  'handout-undo': '撤销讲义审核',
  schedule: '更换课表',
  dismiss: '驳回',
  answer: '回复',
  correct: '更正',
  share: '设为公共',
  backup: '备份',
  withdraw: '撤回公共',
  move: '移动',
  join: '加入',
  return: '返回',
  'put-away': '归档',
  restore: '取回',
  order: '调整顺序',
  place: '调整位置',
  'sort-periods': '课时排序',
  copy: '复制',
  merge: '合并',
  end: '结束',
  reopen: '重新开启',
  cancel: '取消',
  staff: '调整人员',
  courses: '调整课程',
  contract: '修改合同',
  extend: '延长',
  close: '结束',
  score: '设置分值',
  'add-section': '添加大题',
  'edit-section': '修改大题',
  'move-section': '移动大题',
  'remove-section': '删除大题',
  'add-questions': '添加题目',
  'edit-question': '修改题目',
  'move-question': '移动题目',
  'remove-question': '移除题目',
  'second-factor-on': '开启两步验证',
  'second-factor-off': '关闭两步验证',
  'second-factor-reset': '解除两步验证',
  'recovery-code': '使用恢复代码',
  'recovery-codes': '更换恢复代码',
  'renew-feed': '更换日历订阅地址',
  'revoke-feed': '停用日历订阅地址',
  like: '点赞',
  unlike: '取消点赞',
  collect: '收藏',
  uncollect: '取消收藏',
  report: '举报',
  pin: '修改常用评语',
  communicate: '添加沟通记录',
  'add-ware': '添加课件',
  'remove-ware': '移除课件',
  webhook: '设置通知',
  'end-webhook': '停止通知',
  replay: '重新发送通知',
  erase: '注销个人信息',
} as const satisfies Record<string, string>;
export type HistoryAction = keyof typeof actionNames;
export const historyActions = Object.keys(actionNames) as HistoryAction[];

/**
 * How a value is said: a moment, yes or no, a mark, a record by its name, or by these words. `rich` is HTML; `options`
 * and `parts` are those of a question. What is `hidden` says nothing to anybody.
 */
export type FieldKind =
  | 'text'
  | 'address'
  | 'device'
  | 'moment'
  | 'flag'
  | 'mark'
  | 'school'
  | 'class'
  | 'course'
  | 'staff'
  | 'student'
  | 'point'
  | 'group'
  | 'subject'
  | 'grade'
  | 'category'
  | 'room'
  | 'exam category'
  | 'term'
  | 'large class'
  | 'class group'
  | 'chapter'
  | 'period'
  | 'permissions'
  | 'rich'
  | 'options'
  | 'parts'
  | 'picture'
  | 'hidden';

/** Its name, and how it is said where that is not as it is. */
export type FieldWord = string | readonly [name: string, said: FieldKind | Readonly<Record<string, string>>];

interface RecordWords {
  name: string;
  actions: readonly HistoryAction[];
  /** Where an action is called otherwise than in general. */
  said?: Partial<Record<HistoryAction, string>>;
  fields: Readonly<Record<string, FieldWord>>;
}

const attendanceWords = { 1: '出勤', 2: '请假', 3: '旷课' };
const leaveWords = {
  [-1]: '未记录',
  0: '出勤',
  1: '请假待审批',
  2: '已请假',
  3: '请假被拒绝',
  4: '已取消请假',
  5: '旷课',
  6: '不计考勤',
};
const answerWords = { 1: '正确', 2: '错误', 3: '未作答', 4: '待批改', 5: '已批改' };
const userTypes = { 1: '学员', 2: '讲师', 3: '助教', 4: '学校' };
const identities = { teacher: '讲师', assist: '助教', admin: '教务' };
const providers = { oidc: 'OpenID Connect', cas: 'CAS', wecom: '企业微信', dingtalk: '钉钉', feishu: '飞书' };
const lessonWords = { 1: '已上课', 2: '未上课', 3: '上课中', 4: '已取消' };
const questionTypes = {
  1: '单选题',
  2: '判断题',
  3: '多选题',
  4: '不定项选择题',
  5: '简答题',
  6: '材料题',
  7: '填空题',
};
const teachingModes = { 1: '直播', 2: '线下' };
const handoutWords = { 1: '审核通过', 3: '待审核', 4: '已驳回' };

/** Of catalogues, whose entries have little more than a name. */
const shelved = ['add', 'edit', 'move', 'put-away', 'restore', 'merge', 'delete'] as const;
const shelf = {
  name: '名称',
  sort: '位置',
  after_id: ['位置', 'hidden'],
  parent_id: ['上级', 'hidden'],
  school_id: ['学校', 'school'],
  is_put_away: ['已归档', 'flag'],
  seats: '座位',
  records: '相关记录',
  merged: '并入的',
  merged_into: '合并到',
} as const;

export const historyWords = {
  staff: {
    name: '人员',
    actions: [
      'add',
      'edit',
      'disable',
      'enable',
      'sign-out',
      'password',
      'profile',
      'grant',
      'revoke',
      'signed_in',
      'sign-in-failed',
      'second-factor-on',
      'second-factor-off',
      'second-factor-reset',
      'recovery-code',
      'recovery-codes',
      'renew-feed',
      'revoke-feed',
      'pin',
      'undo',
    ],
    fields: {
      identity: ['身份', identities],
      username: '用户名',
      real_name: '姓名',
      mobile: '手机号',
      school_id: ['所属学校', 'school'],
      permissions: ['权限', 'permissions'],
      every_school: ['管理全部学校', 'flag'],
      school_ids: ['管理的学校', 'school'],
      is_disabled: ['已停用', 'flag'],
      duties: '留下的教学安排',
      sign_ins: '登录中的设备',
      ended_sign_ins: '结束登录的设备数',
      must_change_password: ['须修改密码', 'flag'],
      avatar: ['头像', 'picture'],
      introduction: '简介',
      dispatch: ['布置作业', 'flag'],
      correct: ['批改作业', 'flag'],
      people: ['管理人员', 'flag'],
      teaching: ['管理教学', 'flag'],
      exams: ['管理考试', 'flag'],
      settings: ['修改设置', 'flag'],
      audit: ['查看操作记录', 'flag'],
      address: ['网络地址', 'address'],
      device: ['设备', 'device'],
      provider: ['登录方式', providers],
      class_id: ['班级', 'class'],
      comment_keys: '按键',
    },
  },
  student: {
    name: '学员',
    actions: ['add', 'edit', 'disable', 'enable', 'delete', 'viewed', 'export', 'erase'],
    fields: {
      nickname: '姓名',
      mobile: '手机号',
      guardian_mobile: '家长手机号',
      number: '学号',
      school_id: ['学校', 'school'],
      is_disabled: ['已停用', 'flag'],
      class_ids: ['班级', 'class'],
      part: '查看的内容',
    },
  },
  class_student: {
    name: '班级成员',
    said: { join: '加入班级', return: '回班', leave: '离班', contract: '修改合同' },
    actions: ['join', 'return', 'leave', 'edit', 'contract', 'undo'],
    fields: {
      contracts_number: '合同编号',
      sign_type: ['计费方式', signTypeNames],
      remaining_lessons: '剩余课次',
      periods_price: '课次单价（元）',
      lesson_minutes: '课次时长（分钟）',
      class_id: ['班级', 'class'],
      student_id: ['学员', 'student'],
      joined_at: ['加入时间', 'moment'],
      left_at: ['离开时间', 'moment'],
      left_reason: '离开原因',
    },
  },
  class: {
    name: '班级',
    actions: ['add', 'edit', 'staff', 'courses', 'end', 'reopen', 'remove'],
    said: { staff: '修改班主任与助教', remove: '删除' },
    fields: {
      class_type: ['类型', classTypeNames],
      name: '名称',
      school_id: ['学校', 'school'],
      grade_id: ['年级', 'grade'],
      classify_id: ['分类', 'category'],
      large_class_id: ['大班', 'large class'],
      large_class_name: '大班',
      term_ids: ['学期', 'term'],
      valid_type: ['有效期', { 1: '长期', 2: '到指定日期' }],
      valid_day: '有效期至',
      valid_time: ['有效期至', 'moment'],
      is_circle_hidden: ['隐藏班级圈子', 'flag'],
      head_ids: ['班主任', 'staff'],
      assistant_ids: ['助教', 'staff'],
      course_ids: ['课程', 'course'],
      lecturer_id: ['讲师', 'staff'],
      subject_id: ['科目', 'subject'],
      room_id: ['教室', 'room'],
      teaching_mode: ['授课方式', teachingModes],
      sign_type: ['计费方式', signTypeNames],
      schedule: '上课时间',
      remarks: '备注',
      start_day: '开班日期',
      ended_at: ['结束时间', 'moment'],
    },
  },
  class_group: {
    name: '班级分组',
    actions: ['add', 'edit', 'remove', 'join', 'leave'],
    said: { join: '加入分组', leave: '移出分组' },
    fields: {
      class_id: ['班级', 'class'],
      course_id: ['课程', 'course'],
      group_name: '名称',
      staff_ids: ['助教', 'staff'],
      student_ids: ['学员', 'student'],
      group_id: ['分组', 'class group'],
    },
  },
  exam: {
    name: '考试',
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
      'rejudge',
      'undo',
    ],
    said: { withdraw: '撤回', extend: '延长考试', close: '结束考试', remove: '删除', undo: '撤销改判' },
    fields: {
      question: '题目编号',
      blank: '空',
      is_right: ['改判为', { 1: '正确', 2: '错误' }],
      reason: '理由',
      answers: '改变的答案数',
      id: ['大题', 'hidden'],
      name: '名称',
      introduce: '说明',
      category_id: ['分类', 'exam category'],
      pass_score: '及格分',
      limit_minutes: '限时（分钟）',
      start_at: ['开始时间', 'moment'],
      end_at: ['结束时间', 'moment'],
      attempts: '作答次数',
      school_ids: ['学校', 'school'],
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
      ques_type: ['题型', questionTypes],
      ques_stem: ['题干', 'rich'],
      ques_option: ['选项', 'options'],
      right_answer: ['答案', 'rich'],
      ignore_case: ['不区分大小写', 'flag'],
      ques_analysis: ['解析', 'rich'],
      facility_value: '难度',
      remark: '备注',
      ques_item: ['小题', 'parts'],
    },
  },
  setting: {
    name: '设置',
    actions: ['edit', 'backup'],
    fields: {
      school_name: '名称',
      school_logo: ['校徽', 'hidden'],
      timezone: '时区',
      switches: [
        '功能开关',
        {
          switch_question_module: '公共题库',
          class_homework_module: '课次作业',
          community_module: '社区',
          class_circle: '班级圈子',
          show_grade: '年级',
          show_classify: '分类',
          learn_page: '学员端',
        },
      ],
      sign_in_tries: '密码错误次数',
      sign_in_hours: '闲置退出（小时）',
      second_factor: ['两步验证', { none: '不要求', admin: '要求教务', all: '要求所有人' }],
      keep_sign_ins: '登录记录保留（天）',
      keep_messages: '短信记录保留（天）',
      keep_imports: '导入文件保留（天）',
      keep_uploads: '未完成的上传保留（天）',
      keep_exports: '导出文件保留（天）',
      keep_drafts: '草稿与撤销记录保留（天）',
      sms_webhook_url: '短信接口地址',
      live_url: '直播间地址',
      live_playback_url: '回放地址',
      bbb_url: '直播服务器地址',
      bbb_secret: '直播服务器密钥',
      site_address: '本系统的地址',
      password_sign_in: ['密码登录', { all: '所有人', one: '只限应急账号' }],
      emergency_staff: ['应急账号', 'staff'],
    },
  },
  service_token: {
    name: '应用令牌',
    actions: ['add', 'end', 'webhook', 'end-webhook', 'replay'],
    said: { add: '生成', end: '停用' },
    fields: {
      name: '应用',
      every_school: ['全部学校', 'flag'],
      school_ids: ['学校', 'school'],
      is_ended: ['已停用', 'flag'],
      url: '通知地址',
      events: '通知种类',
      since: '从事件',
      count: '条数',
    },
  },
  roster_client: {
    name: '对接系统',
    actions: ['add', 'end'],
    said: { end: '停用' },
    fields: {
      name: '名称',
      every_school: ['全部学校', 'flag'],
      school_ids: ['学校', 'school'],
      reads: '可读取的内容',
      is_ended: ['已停用', 'flag'],
    },
  },
  identity_provider: {
    name: '登录方式',
    actions: ['add', 'edit'],
    fields: {
      name: '按钮名称',
      is_on: ['启用', 'flag'],
      address: '服务器地址',
      client_id: '客户端标识',
      secret: '密钥',
      organization: '企业或应用标识',
      scope: '范围',
      claim: '工号所在的字段',
      asks_code: ['仍要两步验证', 'flag'],
    },
  },
  identity_link: {
    name: '登录关联',
    actions: ['request', 'add', 'link', 'approve', 'reject', 'remove'],
    said: {
      request: '申请登录',
      add: '按工号关联',
      link: '本人关联',
      approve: '确认关联',
      reject: '拒绝登录申请',
      remove: '解除关联',
    },
    fields: {
      provider: ['登录方式', providers],
      number: '工号',
      name: '姓名',
      staff_id: ['人员', 'staff'],
    },
  },
  holiday: {
    name: '节假日',
    actions: ['add', 'delete'],
    fields: {
      day: '日期',
      name: '名称',
      is_workday: ['调休上课', 'flag'],
      as_weekday: ['按星期几的课表', { 1: '周一', 2: '周二', 3: '周三', 4: '周四', 5: '周五', 6: '周六', 7: '周日' }],
    },
  },
  school: { name: '学校', actions: shelved, fields: { ...shelf, org_name: '名称' } },
  grade: { name: '年级', actions: shelved, fields: shelf },
  classify: { name: '分类', actions: shelved, fields: shelf },
  subject: { name: '科目', actions: shelved, fields: shelf },
  term: {
    name: '学期',
    actions: shelved,
    fields: {
      ...shelf,
      type: ['类别', termTypeNames],
      first_day: '开始日期',
      last_day: '结束日期',
      parent_id: ['上级', 'term'],
      is_put_away: ['已停用', 'flag'],
    },
  },
  room: { name: '教室', actions: shelved, fields: shelf },
  ware_classify: { name: '课件分类', actions: shelved, fields: shelf },
  exam_category: { name: '考试分类', actions: shelved, fields: shelf },
  knowledge_point: {
    name: '知识点',
    actions: ['add', 'edit', 'move', 'order', 'merge', 'delete'],
    fields: {
      name: '名称',
      parent_id: ['上级', 'point'],
      subject_id: ['科目', 'subject'],
      place: '位置',
      merged: '并入的',
      merged_into: '合并到',
      records: '相关记录',
    },
  },
  course: {
    name: '课程',
    actions: ['add', 'edit', 'put-away', 'restore', 'delete', 'copy', 'sort-periods'],
    fields: {
      title: '名称',
      parent_id: ['上级课程', 'course'],
      course_type: ['类型', 'hidden'],
      school_id: ['学校', 'school'],
      classify_id: ['分类', 'category'],
      grade_id: ['年级', 'grade'],
      subject_id: ['科目', 'subject'],
      course_extend: ['扩展课程', 'flag'],
      introduction: '简介',
      cover_img: ['封面', 'picture'],
      put_away_at: ['归档时间', 'moment'],
      effect: '影响',
      copied_from: ['复制自', 'course'],
      periods: ['课时顺序', 'hidden'],
    },
  },
  course_chapter: {
    name: '章节',
    actions: ['add', 'edit', 'place', 'delete'],
    fields: { course_id: ['课程', 'course'], title: '名称', place: '位置', sort: '位置' },
  },
  period: {
    name: '课时',
    actions: ['add', 'edit', 'place', 'move', 'delete'],
    fields: {
      course_id: ['课程', 'course'],
      chapter_id: ['章节', 'chapter'],
      title: '名称',
      periods_type: ['类型', 'hidden'],
      lecturer_id: ['讲师', 'staff'],
      start_play: ['开始时间', 'moment'],
      minutes: '时长（分钟）',
      advance_time: '提前进入（分钟）',
      allow_enter: ['允许进入', 'flag'],
      is_playback: ['有回放', 'flag'],
      periods_extend: ['扩展课时', 'flag'],
      place: '位置',
      sort: '位置',
    },
  },
  homework: {
    name: '作业',
    actions: ['publish', 'recall', 'deadline', 'remind', 'join', 'rejudge', 'undo'],
    said: { join: '补发给新成员', undo: '撤销改判' },
    fields: {
      status: ['状态', { 1: '已发布', 2: '已撤回' }],
      ending_time: ['截止时间', 'moment'],
      class_id: ['班级', 'class'],
      class_ids: ['班级', 'class'],
      student_ids: ['学员', 'student'],
      question: '题目编号',
      blank: '空',
      is_right: ['改判为', { 1: '正确', 2: '错误' }],
      reason: '理由',
      answers: '改变的答案数',
    },
  },
  report: {
    name: '作业答卷',
    actions: ['finish', 'viewed', 'move'],
    said: { move: '转到其他班级' },
    fields: {
      status: ['状态', { 1: '未提交', 2: '待批改', 3: '已批改' }],
      user_score: ['得分', 'mark'],
      class_id: ['班级', 'class'],
    },
  },
  answer: {
    name: '作业答案',
    actions: ['grade', 'undo', 'viewed', 'rejudge'],
    fields: { status: ['结果', answerWords], score: ['得分', 'mark'], comment: '评语' },
  },
  exam_report: {
    name: '考试答卷',
    actions: ['finish', 'viewed', 'resubmit'],
    fields: { test_status: ['状态', { 2: '待批改', 3: '已批改' }], user_score: ['得分', 'mark'] },
  },
  exam_answer: {
    name: '考试答案',
    actions: ['grade', 'undo', 'viewed', 'resubmit', 'rejudge'],
    fields: {
      status: ['结果', answerWords],
      score: ['得分', 'mark'],
      comment: '评语',
      attachments: ['附件', 'hidden'],
      images: ['图片批注', 'hidden'],
    },
  },
  attendance: {
    name: '课时考勤',
    actions: ['request', 'approve', 'reject', 'cancelLeave', 'attend', 'cancelAttendance', 'undo', 'enter'],
    said: { approve: '同意请假', reject: '拒绝请假' },
    fields: { op_status: ['考勤', leaveWords], leave_cause: '请假原因' },
  },
  class_session: {
    name: '课次',
    actions: [
      'add',
      'edit',
      'cancel',
      'restore',
      'delete',
      'leave',
      'handout',
      'handout-approve',
      'handout-reject',
      'handout-undo',
      'communicate',
      'add-ware',
      'remove-ware',
    ],
    said: { restore: '恢复' },
    fields: {
      student_id: ['学员', 'student'],
      ware_name: '课件',
      class_id: ['班级', 'class'],
      course_id: ['课程', 'course'],
      period_id: ['课时', 'period'],
      lecturer_id: ['讲师', 'staff'],
      room_id: ['教室', 'room'],
      teaching_mode: ['授课方式', teachingModes],
      chapter_title: '课题',
      start_time: ['开始时间', 'moment'],
      end_time: ['结束时间', 'moment'],
      day: '日期',
      start: '开始时间',
      end: '结束时间',
      cancelled_at: ['取消时间', 'moment'],
      cancel_reason: '取消原因',
      // Of a lesson that is cancelled, or of its handout.
      status: ['状态', lessonWords],
      handout_status: ['讲义状态', handoutWords],
      file_id: ['讲义文件', 'hidden'],
      file_name: '讲义',
      file_remark: '驳回原因',
    },
  },
  session_student: {
    name: '课次考勤',
    actions: ['attendance', 'enter', 'evaluate', 'undo'],
    fields: { status: ['考勤', attendanceWords], remark: '备注' },
  },
  class_notice: {
    name: '公告',
    actions: ['publish', 'edit', 'delete'],
    fields: { class_id: ['班级', 'class'], title: '标题', content: ['内容', 'rich'] },
  },
  class_meeting: {
    name: '班会',
    actions: ['add', 'edit', 'delete'],
    fields: {
      class_id: ['班级', 'class'],
      meeting_name: '名称',
      start_time: ['开始时间', 'moment'],
      end_time: ['结束时间', 'moment'],
    },
  },
  class_ware: {
    name: '班级课件',
    actions: ['add', 'edit', 'remove'],
    fields: {
      class_id: ['班级', 'class'],
      file_id: ['文件', 'hidden'],
      ware_name: '课件名称',
      ware_desc: '说明',
      ware_type: ['类型', 'hidden'],
      classify_id: ['分类', 'hidden'],
    },
  },
  courseware: {
    name: '课件库课件',
    actions: ['add', 'edit', 'delete'],
    fields: {
      file_id: ['文件', 'hidden'],
      ware_name: '课件名称',
      ware_desc: '说明',
      classify_id: ['分类', 'hidden'],
    },
  },
  large_class: {
    name: '大班',
    actions: ['add', 'edit', 'remove', 'schedule'],
    fields: {
      name: '名称',
      school_id: ['学校', 'school'],
      class_ids: ['班级', 'class'],
      schedule_image: ['课表', 'picture'],
    },
  },
  community_group: {
    name: '圈子',
    actions: ['add', 'edit', 'put-away', 'restore', 'join', 'remove', 'leave'],
    said: { leave: '退出', join: '添加成员', remove: '移除成员' },
    fields: {
      user_num: '人数',
      group_name: '名称',
      name: '名称',
      introduction: '简介',
      school_id: ['学校', 'school'],
      class_ids: ['班级', 'class'],
      student_ids: ['学员', 'student'],
      staff_ids: ['人员', 'staff'],
      is_put_away: ['已归档', 'flag'],
    },
  },
  community_post: {
    name: '帖子',
    actions: ['publish', 'delete', 'like', 'unlike', 'collect', 'uncollect', 'report', 'dismiss', 'undo'],
    said: { dismiss: '驳回举报', undo: '撤销举报处理' },
    fields: {
      content: '内容',
      group_id: ['圈子', 'group'],
      user_type: ['作者身份', userTypes],
      staff_id: ['作者', 'staff'],
      student_id: ['作者', 'student'],
      waiting: '待处理的举报',
      is_deleted: ['已删除', 'flag'],
    },
  },
  community_comment: {
    name: '评论',
    actions: ['add', 'delete'],
    fields: {
      post_id: ['帖子', 'hidden'],
      content: '内容',
      staff_id: ['作者', 'staff'],
      student_id: ['作者', 'student'],
    },
  },
  question: {
    name: '题目',
    actions: ['add', 'edit', 'delete', 'correct', 'share', 'withdraw', 'move', 'collect', 'uncollect'],
    fields: {
      ques_type: ['题型', questionTypes],
      ques_stem: ['题干', 'rich'],
      ques_option: ['选项', 'options'],
      right_answer: ['答案', 'rich'],
      ignore_case: ['不区分大小写', 'flag'],
      ques_analysis: ['解析', 'rich'],
      facility_value: '难度',
      remark: '备注',
      ques_item: ['小题', 'parts'],
      is_public: ['公共题目', 'flag'],
      point_id: ['知识点', 'point'],
    },
  },
  question_correction: {
    name: '题目纠错',
    actions: ['report', 'correct', 'answer', 'dismiss', 'undo'],
    said: { report: '提交纠错' },
    fields: { error_msg: '错误说明', outcome: ['处理', { 1: '已更正', 2: '已回复', 3: '已驳回' }], reply: '回复' },
  },
  export_file: { name: '导出', actions: ['export'], fields: { name: '文件' } },
} as const satisfies Record<string, RecordWords>;

export type HistoryRecord = keyof typeof historyWords;
export const historyRecords = Object.keys(historyWords) as HistoryRecord[];

const wordsOf = (record: string): RecordWords | undefined =>
  (historyWords as Readonly<Record<string, RecordWords | undefined>>)[record];

/** What a record is called; of one that has no word yet nothing is said that is none. */
export const recordName = (record: string): string => wordsOf(record)?.name ?? '其他记录';

export const actionName = (record: string, action: string): string =>
  wordsOf(record)?.said?.[action as HistoryAction] ??
  (actionNames as Readonly<Record<string, string | undefined>>)[action] ??
  '其他操作';

/** Undefined where the field has no word. */
export function fieldWord(
  { record, action }: { record: string; action: string },
  field: string,
): { name: string; said: Exclude<FieldWord, string>[1] } | undefined {
  // That of the handout, where a lesson's would stand.
  const meant = record === 'class_session' && action === 'handout' && field === 'status' ? 'handout_status' : field;
  const word = wordsOf(record)?.fields[meant];
  if (word === undefined) return undefined;
  return typeof word === 'string' ? { name: word, said: 'text' } : { name: word[0], said: word[1] };
}

export const actionsOf = (record: string): readonly HistoryAction[] => wordsOf(record)?.actions ?? [];

/** What of a row has no word: a sentence for whoever left it. */
export function wordless(row: { record: string; action: string; fields: readonly string[] }): string[] {
  const { record, action, fields } = row;
  const words = wordsOf(record);
  if (!words) return [`record ${record}`];
  return [
    ...(words.actions.some((one) => one === action) ? [] : [`action ${action} of ${record}`]),
    ...fields.filter((field) => words.fields[field] === undefined).map((field) => `field ${field} of ${record}`),
  ];
}
