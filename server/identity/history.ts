import type { RecordHistory } from '#server/school/history-record.ts';
import { providerNames } from './rules.ts';

export const identityHistory = {
  identity_provider: {
    actions: ['add', 'edit'],
    fields: {
      name: '按钮名称',
      is_on: ['用于教职工', 'flag'],
      for_learners: ['用于学员', 'flag'],
      address: '服务器地址',
      client_id: '客户端标识',
      secret: '密钥',
      organization: '企业或应用标识',
      scope: '范围',
      claim: '工号所在的字段',
      learner_claim: '学号所在的字段',
      asks_code: ['仍要两步验证', 'flag'],
    },
  },
  identity_link: {
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
      provider: ['登录方式', providerNames],
      number: '工号',
      name: '姓名',
      staff_id: ['人员', 'staff'],
    },
  },
  learner_link: {
    actions: ['request', 'add', 'approve', 'reject', 'remove'],
    said: {
      request: '申请登录',
      add: '按学号关联',
      approve: '确认关联',
      reject: '拒绝登录申请',
      remove: '解除关联',
    },
    fields: {
      provider: ['登录方式', providerNames],
      number: '学号',
      student_id: ['学员', 'student'],
    },
  },
} as const satisfies Record<string, RecordHistory>;
