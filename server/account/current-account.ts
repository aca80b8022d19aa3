/** Describes the signed-in user to the frontend. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { SchoolSettings } from '#server/school/settings.ts';
import type { Me } from './sign-in.contract.ts';

export const describeMe = (actor: Actor, settings: SchoolSettings): Me => ({
  id: actor.id,
  identity: actor.identity,
  name: actor.name,
  permissions: [...actor.permissions],
  every_school: actor.everySchool ? 1 : 0,
  must_change_password: actor.mustChangePassword ? 1 : 0,
  awaits_code: actor.awaitsCode ? 1 : 0,
  must_set_second_factor: actor.mustSetSecondFactor ? 1 : 0,
  settings,
});
