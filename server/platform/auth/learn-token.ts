/** LEARN_TOKEN: the token of an application by which the learners' page asks (app/learn/), `0` for no such page. */
import { endForSettings } from '#server/platform/db/location.ts';

/** 'off' also in a demo school; undefined: not said. One that is none ends the process. */
export function learnToken(): string | 'off' | undefined {
  const said = process.env.LEARN_TOKEN?.trim() ?? '';
  if (said === '') return undefined;
  if (said === '0') return 'off';
  if (/^app_[\w-]{20,100}$/.test(said)) return said;
  return endForSettings(
    'LEARN_TOKEN is no token of an application: one begins with app_ and is made by administrators under 设置 or by npm run staff -- token add NAME. 0 is for no learners’ page.',
  );
}
