/** What a provider of live rooms is given and answers. */
import type { EntryKind } from '#server/calendar/rules.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import { Refusal } from '#server/platform/calls/outcome.ts';
import { liveMessages } from './rules.ts';

export interface LiveVisit {
  type: EntryKind;
  id: number;
  /** 0 outside of groups. */
  groupId: number;
  /** Of the course, for whoever is in the room. */
  title: string;
  person: { id: number; name: string; identity: Identity };
  /** Of the school, for a server that several schools share. */
  installation: string;
}

/** Each answers the address to go on to, a refusal, or undefined where it is not set up. */
export interface LiveProvider {
  enter(visit: LiveVisit): Promise<string | Refusal | undefined>;
  playback(visit: LiveVisit): Promise<string | Refusal | undefined>;
}

export const providerAway = () => new Refusal('away', liveMessages.away, { retryAfter: 30 });

/** Whether an address is on the host of another, by the same scheme. */
export function onHost(address: string, own: string): boolean {
  return URL.canParse(address) && URL.canParse(own) && new URL(address).origin === new URL(own).origin;
}
