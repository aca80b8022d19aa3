/**
 * LEARN_TOKEN: application token of the learners' page (app/learn/). The value `0` switches the page off, also in a
 * demo school.
 */
import { setting } from '#server/platform/configuration/setting.ts';

/** Returns the token; 'off' if the page is switched off; undefined if the setting is not set. */
export function learnToken(): string | 'off' | undefined {
  const configured = setting('LEARN_TOKEN');
  if (configured === '') return undefined;
  return configured === '0' ? 'off' : configured;
}
