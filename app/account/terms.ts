import { staffStates } from '#server/account/staff.contract.ts';
import { type Identity, identities, type Permission } from '#server/platform/auth/rules.ts';
import { permissionNames } from '#server/school/call.ts';

export const identityNames: Record<Identity, string> = { teacher: '讲师', assist: '助教', admin: '教务' };
export const identityChoices = identities.map((identity) => [identity, identityNames[identity]] as const);

const stateNames: Record<(typeof staffStates)[number], string> = {
  active: '在用',
  new: '未激活',
  disabled: '已停用',
};
export const stateChoices = staffStates.map((state) => [state, stateNames[state]] as const);

/** Describes the sign-in state of a member of staff: disabled, without a password of their own, or active. */
export const signInStateName = (member: { is_disabled: 0 | 1; is_new: 0 | 1 }): string => {
  if (member.is_disabled === 1) return stateNames.disabled;
  return member.is_new === 1 ? stateNames.new : stateNames.active;
};

export const formatPermissions = (permissions: readonly Permission[]): string =>
  permissions.map((permission) => permissionNames[permission]).join('、') || '无';

export const formatSchools = (member: { every_school: 0 | 1; schools: readonly { name: string }[] }): string =>
  member.every_school === 1 ? '全部学校' : member.schools.map(({ name }) => name).join('、');
