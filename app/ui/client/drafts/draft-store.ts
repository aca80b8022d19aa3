/**
 * Stores drafts of forms in localStorage. They survive a reload, a crash, an expired session and leaving the page. Keys
 * contain the user, because several people share a school PC, and a slot per tab, because a form may be open twice.
 */
import { newId } from '../../../lib/new-id.ts';

export interface StoredForm {
  slot: string;
  /** Milliseconds since 1970. */
  savedAt: number;
  /** The draft, as text that its form has serialised. */
  content: string;
  /** The server's values at the time when typing began. */
  base: string;
  /** Id of the submit that sent this draft. It is not known yet whether that submit was accepted. */
  sent?: string | undefined;
}

/** Maximum number of drafts per form. */
const maxKept = 5;
const maxDraftAge = 30 * 24 * 60 * 60 * 1000;
/** Milliseconds to wait for answers of other tabs. */
const answerTime = 150;

/** The signed-in user: id of a member of staff, or `learner 12`. */
export type DraftOwner = number | string;

const prefix = (person: DraftOwner, form = '') => `draft ${person} ${form}`;

export class DraftStore {
  private readonly name: string;
  private readonly slotName: string;
  private slot: string;
  private channel: BroadcastChannel | undefined;
  private answer: ((slot: string) => void) | undefined;

  /** `form` is the name of the form, with its address and record. */
  constructor(person: DraftOwner, form: string) {
    this.name = `${prefix(person, form)} `;
    this.slotName = `slot of ${this.name}`;
    this.slot = attempt(() => sessionStorage.getItem(this.slotName)) ?? newId();
    dropAccepted(person);
    this.open();
  }

  /** Tells other tabs that ask that this slot is in use. */
  open(): void {
    if (this.channel) return;
    this.channel = attempt(() => new BroadcastChannel(this.name));
    if (!this.channel) return;
    this.channel.onmessage = ({ data }: MessageEvent<{ asks?: true; slot?: string }>) => {
      if (data.asks) this.channel?.postMessage({ slot: this.slot });
      else if (data.slot) this.answer?.(data.slot);
    };
  }

  /** Closes the channel, because an open one would keep the page out of the back/forward cache. */
  close(): void {
    this.channel?.close();
    this.channel = undefined;
  }

  /**
   * Lists the drafts of this form that `isWanted` accepts, the newest first. Deletes old ones. If this tab's own draft
   * is among them, the tab takes another slot, so that typing does not overwrite the draft.
   */
  listOffers(isWanted: (kept: StoredForm) => boolean): StoredForm[] {
    const all = entriesOf(this.name).sort((a, b) => b.savedAt - a.savedAt);
    const fresh = all.filter(({ savedAt }, index) => index < maxKept && Date.now() - savedAt < maxDraftAge);
    for (const old of all.filter((kept) => !fresh.includes(kept))) this.remove(old.slot);
    const wanted = fresh.filter(isWanted);
    if (wanted.some(({ slot }) => slot === this.slot)) this.startSlot();
    return wanted;
  }

  /** Returns the slots of other tabs that have this form open: their drafts are still being typed. */
  async openSlots(): Promise<Set<string>> {
    const found = new Set<string>();
    if (!this.channel) return found;
    this.answer = (slot) => found.add(slot);
    this.channel.postMessage({ asks: true });
    await new Promise((resolve) => setTimeout(resolve, answerTime));
    this.answer = undefined;
    // The browser duplicated another tab with its slot, so this tab takes another slot.
    if (found.has(this.slot)) this.startSlot();
    return found;
  }

  /** Starts a new slot. The earlier draft stays stored. */
  startSlot(): void {
    this.slot = newId();
  }

  /** Stores the draft. Returns false if the storage is full or disabled. */
  keep(content: string, base: string, sent?: string): boolean {
    const kept: Omit<StoredForm, 'slot'> = { savedAt: Date.now(), content, base, sent };
    return (
      attempt(() => {
        localStorage.setItem(this.name + this.slot, JSON.stringify(kept));
        sessionStorage.setItem(this.slotName, this.slot);
        return true;
      }) ?? false
    );
  }

  /** Returns this tab's draft from before the page was loaded. */
  ownDraft(): StoredForm | undefined {
    return entriesOf(this.name).find(({ slot }) => slot === this.slot);
  }

  drop(): void {
    this.remove(this.slot);
  }

  remove(slot: string): void {
    attempt(() => localStorage.removeItem(this.name + slot));
  }
}

/** Deletes a user's drafts at sign-out, because another person may use this PC next. */
export function dropDraftsOf(person: DraftOwner): void {
  for (const key of keysWith(prefix(person))) attempt(() => localStorage.removeItem(key));
}

/**
 * Sets a cookie that says that the form with this id was posted to `action`. The server later says whether the form was
 * accepted (accepted-form.server.ts). The cookie is limited to the path, so that a sign-in after a refusal does not
 * count.
 */
export function markSending(id: string, action: string): void {
  const { pathname } = new URL(action, window.location.href);
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store came long after the oldest browser that is served.
  document.cookie = `sending=${id}; path=${pathname}; max-age=600; samesite=lax`;
}

const readAcceptedPosts = (): string[] => /(?:^|;\s*)accepted=([^;]*)/.exec(document.cookie)?.[1]?.split('.') ?? [];

function dropAccepted(person: DraftOwner): void {
  const accepted = new Set(readAcceptedPosts());
  for (const key of keysWith(prefix(person))) {
    const sent = readEntry(key)?.sent;
    if (sent && accepted.has(sent)) attempt(() => localStorage.removeItem(key));
  }
}

const entriesOf = (name: string): StoredForm[] =>
  keysWith(name).flatMap((key) => {
    const kept = readEntry(key);
    return kept ? [{ ...kept, slot: key.slice(name.length) }] : [];
  });

function readEntry(key: string): Omit<StoredForm, 'slot'> | undefined {
  return attempt(() => {
    const { savedAt, content, base, sent } = JSON.parse(localStorage.getItem(key) ?? 'null');
    return typeof content === 'string' ? { savedAt: Number(savedAt), content, base: String(base), sent } : undefined;
  });
}

const keysWith = (start: string): string[] =>
  attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(start))) ?? [];

/**
 * Runs code that uses the storage. Returns undefined if the storage is disabled, full, or has data of another version:
 * forms work without drafts.
 */
function attempt<T>(it: () => T): T | undefined {
  try {
    return it();
  } catch {
    return undefined;
  }
}
