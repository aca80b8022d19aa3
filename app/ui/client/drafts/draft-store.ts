/**
 * What was typed into a form and not sent yet, kept in this browser: it survives a reload, a crash, an expired sign-in
 * and a click on another page. By person, since several share a school's PC; and every tab in a slot of its own, since
 * the same form may be open twice.
 */
import { newId } from '../../../lib/new-id.ts';

export interface StoredForm {
  slot: string;
  /** Unix milliseconds. */
  savedAt: number;
  /** As its form writes it. */
  content: string;
  /** What the server had sent when it was typed. */
  base: string;
  /** Of the post that it went out with: whether that was accepted is known later. */
  sent?: string | undefined;
}

/** Of one form: who types the same again and again shall not fill the browser. */
const maxKept = 5;
const keptFor = 30 * 24 * 60 * 60 * 1000;
/** Milliseconds in which another tab answers. */
const answerTime = 150;

/** The signed-in person: id of a staff member, or `learner 12`. */
export type DraftOwner = number | string;

const prefix = (person: DraftOwner, form = '') => `draft ${person} ${form}`;

export class DraftStore {
  private readonly name: string;
  private readonly slotName: string;
  private slot: string;
  private channel: BroadcastChannel | undefined;
  private answer: ((slot: string) => void) | undefined;

  /** `form` is its address with the record that it is for. */
  constructor(person: DraftOwner, form: string) {
    this.name = `${prefix(person, form)} `;
    this.slotName = `slot of ${this.name}`;
    this.slot = attempt(() => sessionStorage.getItem(this.slotName)) ?? newId();
    dropAccepted(person);
    this.open();
  }

  /** Lets other tabs know that this one lives. */
  open(): void {
    if (this.channel) return;
    this.channel = attempt(() => new BroadcastChannel(this.name));
    if (!this.channel) return;
    this.channel.onmessage = ({ data }: MessageEvent<{ asks?: true; slot?: string }>) => {
      if (data.asks) this.channel?.postMessage({ slot: this.slot });
      else if (data.slot) this.answer?.(data.slot);
    };
  }

  /** An open channel would keep the page out of the browser's cache of pages. */
  close(): void {
    this.channel?.close();
    this.channel = undefined;
  }

  /** What is kept of this form and wanted, the newest first. It is not written over: this tab takes another slot. */
  offers(isWanted: (kept: StoredForm) => boolean): StoredForm[] {
    const all = entriesOf(this.name).sort((a, b) => b.savedAt - a.savedAt);
    const fresh = all.filter(({ savedAt }, index) => index < maxKept && Date.now() - savedAt < keptFor);
    for (const old of all.filter((kept) => !fresh.includes(kept))) this.remove(old.slot);
    const wanted = fresh.filter(isWanted);
    if (wanted.some(({ slot }) => slot === this.slot)) this.turnPage();
    return wanted;
  }

  /** The slots of the tabs in which this form is open now: what they keep is still being typed. */
  async living(): Promise<Set<string>> {
    const found = new Set<string>();
    if (!this.channel) return found;
    this.answer = (slot) => found.add(slot);
    this.channel.postMessage({ asks: true });
    await new Promise((resolve) => setTimeout(resolve, answerTime));
    this.answer = undefined;
    // A tab that was made as a copy of another.
    if (found.has(this.slot)) this.turnPage();
    return found;
  }

  /** What was kept so far stays as it is; what comes is kept beside it. */
  turnPage(): void {
    this.slot = newId();
  }

  /** Whether it could be kept: the browser's storage may be full, or not allowed. */
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

  /** What this tab kept before the page was loaded. */
  own(): StoredForm | undefined {
    return entriesOf(this.name).find(({ slot }) => slot === this.slot);
  }

  drop(): void {
    this.remove(this.slot);
  }

  remove(slot: string): void {
    attempt(() => localStorage.removeItem(this.name + slot));
  }
}

/** At sign-out: the next person at this PC finds nothing. */
export function dropDraftsOf(person: DraftOwner): void {
  for (const key of keysWith(prefix(person))) attempt(() => localStorage.removeItem(key));
}

/**
 * The post with this id is on its way; the server says of it whether it was accepted (accepted-form.server.ts). Only
 * where it goes to: signing in after it was refused is another post, which is not taken for it.
 */
export function markSending(id: string, action: string): void {
  const { pathname } = new URL(action, window.location.href);
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store came long after the oldest browser that is served.
  document.cookie = `sending=${id}; path=${pathname}; max-age=600; samesite=lax`;
}

const acceptedPosts = (): string[] => /(?:^|;\s*)accepted=([^;]*)/.exec(document.cookie)?.[1]?.split('.') ?? [];

function dropAccepted(person: DraftOwner): void {
  const accepted = new Set(acceptedPosts());
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

/** Storage may be switched off, full, or hold what another version wrote: nothing else of a form depends on it. */
function attempt<T>(it: () => T): T | undefined {
  try {
    return it();
  } catch {
    return undefined;
  }
}
