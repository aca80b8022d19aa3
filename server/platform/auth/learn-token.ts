/** LEARN_TOKEN: application token of the learners' page (app/learn/). `0` switches the page off. */
import { setting } from '#server/platform/configuration/setting.ts';

/** 'off' also in a demo school; undefined if not set. */
export function learnToken(): string | 'off' | undefined {
  const said = setting('LEARN_TOKEN');
  if (said === '') return undefined;
  return said === '0' ? 'off' : said;
}
