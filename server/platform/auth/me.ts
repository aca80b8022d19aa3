/** What the signed-in person may know of themselves. */
import type { House } from '#server/platform/calls/handle.ts';
import { schoolSettings } from '#server/school/settings.ts';
import type { Me } from './contract.ts';
import type { Actor } from './sign-in.ts';

/** The signed-in person with what they may do, and the school's settings. */
export const describeMe = async (house: House, actor: Actor): Promise<Me> => ({
  id: actor.id,
  identity: actor.identity,
  name: actor.name,
  permissions: permissionsOf(actor),
  settings: await schoolSettings(house.database.db, house.now()),
});

export function permissionsOf({
  mayDispatch,
  mayCorrect,
}: Pick<Actor, 'mayDispatch' | 'mayCorrect'>): Me['permissions'] {
  return [...(mayDispatch ? (['dispatch'] as const) : []), ...(mayCorrect ? (['correct'] as const) : [])];
}
