/** Provider of live rooms: a URL template or a BigBlueButton server. */

import { setting } from '#server/platform/configuration/setting.ts';
import type { SchoolPolicy } from '#server/school/settings.ts';
import { bigBlueButton } from './big-blue-button.ts';
import { hasSameOrigin, type LiveProvider, type LiveVisit } from './visit.ts';

export interface LiveSettings {
  LIVE_URL?: string | undefined;
  LIVE_PLAYBACK_URL?: string | undefined;
  BBB_URL?: string | undefined;
  BBB_SECRET?: string | undefined;
}

export const liveEnvironment = (): LiveSettings => ({
  LIVE_URL: setting('LIVE_URL'),
  LIVE_PLAYBACK_URL: setting('LIVE_PLAYBACK_URL'),
  BBB_URL: setting('BBB_URL'),
  BBB_SECRET: setting('BBB_SECRET'),
});

/** Settings made on the screens replace all environment variables of live rooms together. */
export const liveSettingsOf = (policy: Policy, environment: LiveSettings): LiveSettings =>
  policy.live_url || policy.live_playback_url || policy.bbb_url
    ? {
        LIVE_URL: policy.live_url,
        LIVE_PLAYBACK_URL: policy.live_playback_url,
        BBB_URL: policy.bbb_url,
        BBB_SECRET: policy.bbb_secret,
      }
    : environment;
type Policy = Pick<SchoolPolicy, 'live_url' | 'live_playback_url' | 'bbb_url' | 'bbb_secret'>;

/**
 * Returns the configured provider; undefined if there is none. A URL template takes precedence over a BigBlueButton
 * server.
 */
export function liveProvider(settings: LiveSettings): LiveProvider | undefined {
  const { LIVE_URL, LIVE_PLAYBACK_URL, BBB_URL, BBB_SECRET } = settings;
  if (LIVE_URL || LIVE_PLAYBACK_URL) {
    return {
      enter: async (visit) => LIVE_URL && fillTemplate(LIVE_URL, visit),
      playback: async (visit) => LIVE_PLAYBACK_URL && fillTemplate(LIVE_PLAYBACK_URL, visit),
    };
  }
  return BBB_URL && BBB_SECRET ? bigBlueButton({ url: BBB_URL, secret: BBB_SECRET }) : undefined;
}

/**
 * Fills in the placeholders in braces: type, id, group_id, title, user_id, name, identity. The result always has the
 * host of the template. Undefined if the template has no fixed host.
 */
export function fillTemplate(template: string, visit: LiveVisit): string | undefined {
  const host = /^https?:\/\/([^/?#{}\s]+)(?=[/?#]|$)/i.exec(template)?.[1];
  if (!host) return undefined;
  const words: Record<string, string | number> = {
    type: visit.type,
    id: visit.id,
    group_id: visit.groupId,
    title: visit.title,
    user_id: visit.person.id,
    name: visit.person.name,
    identity: visit.person.identity,
  };
  const address = template.replace(/\{(\w+)\}/g, (_, word: string) => segmentOf(String(words[word] ?? '')));
  return hasSameOrigin(address, template.replace(/\{\w+\}/g, '')) ? address : undefined;
}

/**
 * Encodes a value as one path segment. `.` and `..` would remove a segment, even if percent-encoded; full-width dots do
 * not.
 */
const segmentOf = (word: string): string =>
  encodeURIComponent(/^\.{1,2}$/.test(word) ? word.replaceAll('.', '．') : word);
