import { classTypes } from '#server/classes/rules.ts';
import type { studentStates } from '#server/students/contract.ts';
import type { StudentTab } from './screens.ts';

const stateNames: Record<(typeof studentStates)[number], string> = {
  active: '在用',
  unplaced: '未分班',
  disabled: '已停用',
};
export const stateChoices = Object.entries(stateNames);

export const studentState = ({ is_disabled, is_erased }: { is_disabled: 0 | 1; is_erased: 0 | 1 }): string => {
  if (is_erased === 1) return '已注销';
  return is_disabled === 1 ? stateNames.disabled : stateNames.active;
};

export const tabNames: Record<StudentTab, string> = {
  all: '概况',
  classes: '班级',
  homework: '作业',
  exams: '考试',
  attendance: '考勤',
  leave: '请假',
  communication: '沟通',
  history: '操作记录',
};

const actionNames: Record<string, string> = {
  add: '添加',
  edit: '修改',
  disable: '停用',
  enable: '恢复',
  delete: '删除',
  viewed: '查看',
  export: '导出数据',
  erase: '注销个人信息',
  join: '加入班级',
  return: '重新加入班级',
  leave: '离开班级',
};
export const actionName = (action: string): string => actionNames[action] ?? action;

export const classTypeName = (type: number): string =>
  type === classTypes.stateSchool ? '' : type === classTypes.oneToOne ? '一对一' : '团课';
