/** How the history shows settings, applications and holidays. */
import { startStepNames } from '#server/workbench/rules.ts';
import type { RecordHistory } from './history-record.ts';

export const schoolHistory = {
  setting: {
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
      keep_previews: '未完成的题目导入保留（天）',
      sms_webhook_url: '短信接口地址',
      live_url: '直播间地址',
      live_playback_url: '回放地址',
      bbb_url: '直播服务器地址',
      bbb_secret: '直播服务器密钥',
      site_address: '本系统的地址',
      password_sign_in: ['密码登录', { all: '所有人', one: '只限应急账号' }],
      emergency_staff: ['应急账号', 'staff'],
      start_step: ['准备工作', startStepNames],
      is_away: ['不再提示', 'flag'],
    },
  },
  service_token: {
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
  holiday: {
    actions: ['add', 'edit', 'delete'],
    fields: {
      day: '日期',
      name: '名称',
      is_workday: ['调休上课', 'flag'],
      as_weekday: ['按星期几的课表', { 1: '周一', 2: '周二', 3: '周三', 4: '周四', 5: '周五', 6: '周六', 7: '周日' }],
    },
  },
} as const satisfies Record<string, RecordHistory>;
