/** Functions that declare the school's calls, with identities, path prefixes and permissions. */
import { type Identity, identities, type Permission } from '#server/platform/auth/rules.ts';
import { type AnyCall, type Declare, declareCall, fullPathFor, type Prefixes } from '#server/platform/calls/call.ts';

export type { Identity, Permission };

/** Path prefix of each identity's calls. */
export const prefixes: Prefixes<Identity> = {
  teacher: '/api/lector',
  assist: '/api/assistants',
  admin: '/api/admin',
};

/** Labels of permissions, for the API description and screens. */
export const permissionNames: Record<Permission, string> = {
  dispatch: '布置作业',
  correct: '批改作业',
  people: '管理人员',
  teaching: '管理教学',
  exams: '管理考试',
  settings: '修改设置',
  audit: '查看操作记录',
};

const teaching: readonly Identity[] = ['teacher', 'assist'];
const administering: readonly Identity[] = ['admin'];

/** Declares a call for lecturers and assistants, or for only one of them if it names a path for that one. */
/* @__NO_SIDE_EFFECTS__ */
export const call: Declare<Identity, Permission> = (declaration) => declareCall(declaration, teaching);

/** Declares a call for administrators. */
/* @__NO_SIDE_EFFECTS__ */
export const adminCall: Declare<Identity, Permission> = (declaration) => declareCall(declaration, administering);

/** Declares a call for all identities. */
/* @__NO_SIDE_EFFECTS__ */
export const callOfAllIdentities: Declare<Identity, Permission> = (declaration) => declareCall(declaration, identities);

/** Full path of a call for an identity; undefined if that identity cannot use the call. */
export const pathForIdentity = (declared: AnyCall, identity: Identity): string | undefined =>
  fullPathFor(prefixes, declared, identity);
