/** LEARN_TOKEN: the token of an application by which the learners' page asks (app/learn/), `0` for no such page. */
import { setting } from '#server/platform/configuration/setting.ts';

/** 'off' also in a demo school; undefined: not said. */
export function learnToken(): string | 'off' | undefined {
  const said = setting('LEARN_TOKEN');
  if (said === '') return undefined;
  return said === '0' ? 'off' : said;
}
