/** Calls as the school declares them: who makes them, below which path, and which permissions there are. */
import { type Identity, identities, type Permission } from '#server/platform/auth/rules.ts';
import { type AnyCall, addressIn, type Declare, declareCall, type Prefixes } from '#server/platform/calls/call.ts';

export type { Identity, Permission };

/** Below which path the calls of each identity stand. */
export const prefixes: Prefixes<Identity> = {
  teacher: '/api/lector',
  assist: '/api/assistants',
  admin: '/api/admin',
};

/** What may be done with a permission, as the description of the API and the screens say it. */
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

/** A call of lecturers and assistants, or of those of them for whom it names a path. */
/* @__NO_SIDE_EFFECTS__ */
export const call: Declare<Identity, Permission> = (declaration) => declareCall(declaration, teaching);

/** A call of administrators. */
/* @__NO_SIDE_EFFECTS__ */
export const adminCall: Declare<Identity, Permission> = (declaration) => declareCall(declaration, administering);

/** A call of whoever signs in. */
/* @__NO_SIDE_EFFECTS__ */
export const callOfAll: Declare<Identity, Permission> = (declaration) => declareCall(declaration, identities);

/** The whole path of a call for an identity, or undefined where that identity has none. */
export const addressFor = (declared: AnyCall, identity: Identity): string | undefined =>
  addressIn(prefixes, declared, identity);
