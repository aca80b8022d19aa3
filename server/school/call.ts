/** Calls as the school declares them: who makes them, below which path, and which permissions there are. */
import type { Identity } from '#server/platform/auth/rules.ts';
import { type AnyCall, addressIn, type Declare, declareCall, type Prefixes } from '#server/platform/calls/call.ts';

export type { Identity };
export type Permission = 'dispatch' | 'correct';

/** Below which path the calls of each identity stand. */
export const prefixes: Prefixes<Identity> = { teacher: '/api/lector', assist: '/api/assistants' };

/** What may be done with a permission, as the description of the API says it. */
export const permissionNames: Record<Permission, string> = { dispatch: '布置作业', correct: '批改作业' };

/* @__NO_SIDE_EFFECTS__ */
export const call: Declare<Identity, Permission> = (declaration) => declareCall(declaration);

/** The whole path of a call for an identity, or undefined where that identity has none. */
export const addressFor = (declared: AnyCall, identity: Identity): string | undefined =>
  addressIn(prefixes, declared, identity);
