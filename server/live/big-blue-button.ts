/** Rooms on a BigBlueButton server, by its API: https://docs.bigbluebutton.org/development/api/ */

import { createHash } from 'node:crypto';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import { fetchOutgoing } from '#server/platform/outgoing/fetch.ts';
import { type LiveProvider, type LiveVisit, onHost, providerAway } from './visit.ts';

/** Milliseconds that the server may take. */
const timeout = 5_000;

/** `url` as `bbb-conf --secret` prints it, with or without `/api`. */
export function bigBlueButton({ url, secret }: { url: string; secret: string }): LiveProvider {
  const base = `${url.replace(/\/+$/, '').replace(/\/api$/, '')}/api`;
  const signed = (call: string, parameters: Record<string, string>) => {
    const query = new URLSearchParams(parameters).toString();
    return `${base}/${call}?${query}&checksum=${checksum(call, query, secret)}`;
  };
  return {
    /** Creating a room that is there already is answered like creating it ("create is idempotent"). */
    async enter(visit) {
      const meetingID = roomName(visit);
      const created = await ask(signed('create', { name: visit.title, meetingID, record: 'true' }));
      if (created === undefined) return providerAway();
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
      if (found === undefined) return providerAway();
      const format = /<playback>[\s\S]*?<url>\s*([^<]+?)\s*<\/url>/.exec(found)?.[1];
      const address = format?.replaceAll('&amp;', '&');
      return address !== undefined && onHost(address, base) ? address : providerAway();
    },
  };
}

/** SHA-256 of the call's name, its query as it is sent, and the secret. */
export const checksum = (call: string, query: string, secret: string): string =>
  createHash('sha256').update(`${call}${query}${secret}`).digest('hex');

const roomName = ({ installation, type, id, groupId }: LiveVisit): string =>
  [installation, type, id, ...(groupId > 0 ? [groupId] : [])].join('-');

/** The answer of a call that succeeded. It may not lead elsewhere. */
async function ask(address: string): Promise<string | undefined> {
  try {
    const response = await fetchOutgoing(address, { signal: AbortSignal.timeout(timeout) });
    const text = await response.text();
    return response.ok && /<returncode>\s*SUCCESS\s*<\/returncode>/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
