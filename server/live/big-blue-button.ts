/** Live rooms on a BigBlueButton server: https://docs.bigbluebutton.org/development/api/ */

import { createHash } from 'node:crypto';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import { fetchOutgoing } from '#server/platform/outgoing/fetch.ts';
import { hasSameOrigin, type LiveProvider, type LiveVisit, providerAwayRefusal } from './visit.ts';

/** Timeout of a request in milliseconds. */
const timeout = 5_000;

/** Creates the provider. `url` is the address that `bbb-conf --secret` prints, with or without `/api`. */
export function bigBlueButton({ url, secret }: { url: string; secret: string }): LiveProvider {
  const base = `${url.replace(/\/+$/, '').replace(/\/api$/, '')}/api`;
  const signed = (call: string, parameters: Record<string, string>) => {
    const query = new URLSearchParams(parameters).toString();
    return `${base}/${call}?${query}&checksum=${checksum(call, query, secret)}`;
  };
  return {
    /** Creating a room that exists already succeeds too ("create is idempotent"). */
    async enter(visit) {
      const meetingID = roomName(visit);
      const created = await ask(signed('create', { name: visit.title, meetingID, record: 'true' }));
      if (created === undefined) return providerAwayRefusal();
      return signed('join', {
        fullName: visit.person.name,
        meetingID,
        role: 'MODERATOR',
        userID: `${visit.person.identity}-${visit.person.id}`,
        redirect: 'true',
      });
    },
    async playback(visit): Promise<string | Refusal> {
      const found = await ask(signed('getRecordings', { meetingID: roomName(visit), state: 'published' }));
      if (found === undefined) return providerAwayRefusal();
      const format = /<playback>[\s\S]*?<url>\s*([^<]+?)\s*<\/url>/.exec(found)?.[1];
      const address = format?.replaceAll('&amp;', '&');
      return address !== undefined && hasSameOrigin(address, base) ? address : providerAwayRefusal();
    },
  };
}

/** Checksum of a call: SHA-256 of the call's name, its query string as sent, and the secret. */
export const checksum = (call: string, query: string, secret: string): string =>
  createHash('sha256').update(`${call}${query}${secret}`).digest('hex');

const roomName = ({ installation, type, id, groupId }: LiveVisit): string =>
  [installation, type, id, ...(groupId > 0 ? [groupId] : [])].join('-');

/** Returns the response text of a successful call, else undefined. Redirects are refused. */
async function ask(address: string): Promise<string | undefined> {
  try {
    const response = await fetchOutgoing(address, { signal: AbortSignal.timeout(timeout) });
    const text = await response.text();
    return response.ok && /<returncode>\s*SUCCESS\s*<\/returncode>/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
