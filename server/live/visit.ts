/** A request to enter a live room, and the interface of the providers. */
import type { EntryKind } from '#server/calendar/rules.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import { Refusal } from '#server/platform/calls/outcome.ts';
import { liveMessages } from './rules.ts';

export interface LiveVisit {
  type: EntryKind;
  id: number;
  /** Group whose room is entered; 0 for no group. */
  groupId: number;
  /** Title of the room, shown to participants. */
  title: string;
  person: { id: number; name: string; identity: Identity };
  /** Id of this installation, for a live server that several schools share. */
  installation: string;
}

/**
 * Provider of live rooms. Both functions return the URL to redirect to, a refusal, or undefined if they are not
 * configured.
 */
export interface LiveProvider {
  enter(visit: LiveVisit): Promise<string | Refusal | undefined>;
  playback(visit: LiveVisit): Promise<string | Refusal | undefined>;
}

export const providerAwayRefusal = () => new Refusal('away', liveMessages.away, { retryAfter: 30 });

/** True if both addresses have the same origin. */
export function hasSameOrigin(address: string, own: string): boolean {
  return URL.canParse(address) && URL.canParse(own) && new URL(address).origin === new URL(own).origin;
}
