/** History wording of accounts. */

import { providerNames } from '#server/identity/rules.ts';
import { type RecordHistory, titledFrom } from '#server/school/history-record.ts';

const identities = { teacher: '讲师', assist: '助教', admin: '教务' };

export const accountHistory = {
  staff: {
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
      provider: ['登录方式', providerNames],
      class_id: ['班级', 'class'],
      comment_keys: '按键',
    },
    titled: titledFrom('staff', 'real_name', 'school_id'),
  },
} as const satisfies Record<string, RecordHistory>;
