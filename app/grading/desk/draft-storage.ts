/**
 * Keeps drafts in localStorage until the server has them, so that a crash, a closed window or a lost sign-in loses
 * nothing. Keys include the user: several people may share a school PC.
 */
import type { Attachment, MarkedImage, PendingSave } from './save-queue.ts';

export interface Draft {
  /** Points or a rate as typed. Empty for none. */
  user_score: string;
  review_comment: string;
  review_attachments: Attachment[];
  /** Unsaved mark-up, by index of the image. */
  image: (MarkedImage | null)[];
}

interface StoredDraft extends Draft {
  /** Version of the answer that the grader saw. */
  version: number;
  at: number;
}

interface StoredClosing {
  comment: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Milliseconds after which a draft is dropped. */
const maxDraftAge = 30 * 24 * 60 * 60 * 1000;

type Box = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export class DraftStorage {
  private readonly box: Box | undefined;
  private readonly owner: string;

  /**
   * Without `box` nothing is kept: private windows may refuse storage. `name` separates homework from exams, because
   * their ids overlap.
   */
  constructor(box: Box | undefined, person: number, name = 'grading') {
    this.box = box;
    this.owner = `${name} ${person}`;
  }

  /** Returns false if the storage is full. */
  keepDraft(id: string, draft: Draft, version: number): boolean {
    return this.write(this.draftName(id), { ...draft, version, at: Date.now() } satisfies StoredDraft);
  }

  draft(id: string): StoredDraft | undefined {
    return this.read<StoredDraft>(this.draftName(id));
  }

  dropDraft(id: string): void {
    this.box?.removeItem(this.draftName(id));
  }

  /** Stores unsaved mark-up by index of the image. Returns false if the storage is full. */
  keepDrawing(id: string, place: number, draw: string): boolean {
    return this.write(this.drawingName(id, place), draw);
  }

  drawing(id: string, place: number): string | undefined {
    return this.read<string>(this.drawingName(id, place));
  }

  dropDrawing(id: string, place: number): void {
    this.box?.removeItem(this.drawingName(id, place));
  }

  /** Stores the overall comment of a report that is not finished yet. */
  keepClosing(report: number, comment: string): boolean {
    if (comment !== '')
      return this.write(this.closingName(report), { comment, at: Date.now() } satisfies StoredClosing);
    this.box?.removeItem(this.closingName(report));
    return true;
  }

  closing(report: number): string {
    return this.read<StoredClosing>(this.closingName(report))?.comment ?? '';
  }

  /** Stores the saves that are still queued, in case the page is left. */
  keepPending(pending: readonly PendingSave[]): boolean {
    if (pending.length > 0) return this.write(this.pendingName(), pending);
    this.box?.removeItem(this.pendingName());
    return true;
  }

  pending(): PendingSave[] {
    return this.read<PendingSave[]>(this.pendingName()) ?? [];
  }

  dropOld(now: number): void {
    const { box } = this;
    if (!box) return;
    const names = Array.from({ length: box.length }, (_, index) => box.key(index) ?? '');
    const kinds = [this.draftName(''), this.closingName('')];
    for (const name of names.filter((one) => kinds.some((kind) => one.startsWith(kind)))) {
      const kept = this.read<Pick<StoredDraft, 'at'>>(name);
      if (!kept || now - kept.at > maxDraftAge) box.removeItem(name);
    }
  }

  private readonly draftName = (id: string) => `${this.owner} draft ${id}`;
  private readonly drawingName = (id: string, place: number) => `${this.owner} drawing ${id} ${place}`;
  private readonly closingName = (report: number | '') => `${this.owner} closing ${report}`;
  private readonly pendingName = () => `${this.owner} pending`;

  private read<Stored>(name: string): Stored | undefined {
    try {
      return JSON.parse(this.box?.getItem(name) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }

  private write(name: string, value: unknown): boolean {
    if (!this.box) return false;
    try {
      this.box.setItem(name, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }
}
