/**
 * Queue of grades to save: in order, one request at a time, retried until the server has them. Independent of any
 * screen.
 */
import type { ReviewConflict, SavedMark } from '#server/grading-desk/mark.contract.ts';

/** Response of the server to one request; a network failure rejects instead. */
export interface SaveReply {
  status: number;
  msg: string;
  data?: unknown;
  errors?: Record<string, string[]>;
  /** Set if another user has signed in since the page was loaded. */
  owner?: string;
}

export interface Attachment {
  name: string;
  url: string;
  ext: string;
}

export interface MarkedImage {
  draw: string;
  path: string;
}

/** A request to save the grade of one answer, or to finish a report. */
export type SaveTask =
  | {
      kind: 'mark';
      report_id: number;
      ques_id: number;
      version: number;
      /** 1: saves the comment only, the score stays. 2: also sets the score. */
      type: 1 | 2;
      user_score: string;
      review_comment: string;
      review_attachments: Attachment[];
      image?: (MarkedImage | null)[];
    }
  | {
      kind: 'finish';
      report_id: number;
      class_id?: number | undefined;
      skip: number[];
      comment: string;
      /** Idempotency key: a retried request finishes the report only once. */
      key: string;
      /** True if no report follows this one. */
      last: boolean;
    };

export type SaveState = 'waiting' | 'saving' | 'failed' | 'signed-out' | 'conflict' | 'refused';

export interface PendingSave {
  /** Id of one answer or one report. A later save replaces a queued one with the same id. */
  id: string;
  /** Student and question, for messages. */
  label: string;
  save: SaveTask;
  state: SaveState;
  message?: string | undefined;
  conflict?: ReviewConflict | undefined;
}

export const markId = (reportId: number, questionId: number) => `${reportId}:${questionId}`;
export const finishId = (reportId: number) => `finish:${reportId}`;

interface QueueOptions {
  send: (save: SaveTask) => Promise<SaveReply>;
  /** Runs `work` after `delay` milliseconds. */
  later: (work: () => void, delay: number) => void;
  /** Called after every change, with the saves that are still queued. */
  changed: (pending: readonly PendingSave[]) => void;
  saved: (pending: PendingSave, reply: SaveReply) => void;
}

/** Exponential backoff in milliseconds, from the first retry to the maximum. */
const firstRetry = 1_000;
const lastRetry = 30_000;

export class SaveQueue {
  private pending: PendingSave[] = [];
  /**
   * Scores whose requests got no response, by answer. If a later conflict reports such a score, it is this grader's
   * own.
   */
  private readonly unanswered = new Map<string, Set<string>>();
  private readonly options: QueueOptions;
  private inFlight: string | undefined;
  private retryAfter = firstRetry;

  constructor(options: QueueOptions) {
    this.options = options;
  }

  list(): readonly PendingSave[] {
    return this.pending;
  }

  /** True if a save is in flight or ready to be sent. False if all wait for a decision or for the network. */
  isMoving(): boolean {
    return this.inFlight !== undefined || this.ready() !== undefined;
  }

  find(id: string): PendingSave | undefined {
    // The same answer may be graded again while its save is in flight. Returns the later save.
    return this.pending.findLast((one) => one.id === id);
  }

  add(id: string, label: string, save: SaveTask): void {
    const replaced = this.pending.filter((one) => one.id !== id || one.state === 'saving');
    this.pending = [...replaced, { id, label, save, state: 'waiting' }];
    this.changed();
    void this.next();
  }

  /** Drops a save that was refused, or that lost a conflict. */
  drop(id: string): void {
    this.pending = this.pending.filter((one) => one.id !== id || one.state === 'saving');
    this.changed();
    void this.next();
  }

  /** Retries failed saves, once the network is back or the user has signed in again. */
  retry(): void {
    this.pending = this.pending.map((one) =>
      one.state === 'failed' || one.state === 'signed-out' ? { ...one, state: 'waiting' as const } : one,
    );
    this.retryAfter = firstRetry;
    this.changed();
    void this.next();
  }

  /** Resolves a conflict in favour of this grader: overwrites the other grader's score. */
  overwrite(id: string): void {
    this.pending = this.pending.map((one) =>
      one.id === id && one.conflict && one.save.kind === 'mark'
        ? { ...one, state: 'waiting', conflict: undefined, save: { ...one.save, version: one.conflict.version } }
        : one,
    );
    this.changed();
    void this.next();
  }

  private changed(): void {
    this.options.changed(this.pending);
  }

  private put(changed: PendingSave, change: Partial<PendingSave>): void {
    this.pending = this.pending.map((one) => (one === changed ? { ...one, ...change } : one));
    this.changed();
  }

  /**
   * Returns the next save to send. A report is finished only after its answers are saved: a refused or conflicting save
   * of an answer holds up only that.
   */
  private ready(): PendingSave | undefined {
    return this.pending.find(
      (one, index) =>
        one.state === 'waiting' &&
        !this.pending
          .slice(0, index)
          .some((before) => before.id === one.id || (one.save.kind === 'finish' && isOfReport(before, one.save))),
    );
  }

  private async next(): Promise<void> {
    if (this.inFlight !== undefined) return;
    const ready = this.ready();
    if (!ready) return;
    this.inFlight = ready.id;
    this.put(ready, { state: 'saving' });
    const sending = this.pending.find((one) => one.id === ready.id && one.state === 'saving') as PendingSave;
    let reply: SaveReply | undefined;
    try {
      reply = await this.options.send(sending.save);
    } catch {
      // A rejected request means that the network is down.
    }
    this.inFlight = undefined;
    const current = this.pending.find((one) => one.id === sending.id && one.state === 'saving');
    if (current) this.settle(current, reply);
    void this.next();
  }

  private settle(sent: PendingSave, reply: SaveReply | undefined): void {
    const again = reply === undefined || reply.status >= 500 || reply.status === 408 || reply.status === 429;
    if (again) {
      this.remember(sent);
      this.put(sent, { state: 'failed', message: reply?.msg });
      this.options.later(() => this.retryFailed(), this.retryAfter);
      this.retryAfter = Math.min(this.retryAfter * 2, lastRetry);
      return;
    }
    if (reply.status === 401 || reply.owner !== undefined) this.put(sent, { state: 'signed-out', message: reply.msg });
    else if (reply.status === 409 && isConflict(reply.data)) this.settleConflict(sent, reply.data);
    else if (reply.status >= 400) this.put(sent, { state: 'refused', message: reply.msg });
    else this.settleSaved(sent, reply);
  }

  private settleSaved(sent: PendingSave, reply: SaveReply): void {
    this.retryAfter = firstRetry;
    this.unanswered.delete(sent.id);
    const marked = sent.save.kind === 'mark' ? (reply.data as SavedMark) : undefined;
    this.pending = this.pending
      .filter((one) => one !== sent)
      .map((one) =>
        // The answer was graded again meanwhile, so its next save takes the new version.
        one.id === sent.id && marked && one.save.kind === 'mark'
          ? { ...one, save: { ...one.save, version: marked.version } }
          : one,
      );
    this.options.saved(sent, reply);
    this.changed();
  }

  /** A conflict with our own save, whose response was lost, is resolved without asking. */
  private settleConflict(sent: PendingSave, conflict: ReviewConflict): void {
    const ours = this.unanswered.get(sent.id);
    if (conflict.by_me === 1 && ours?.has(String(conflict.user_score ?? '')) && sent.save.kind === 'mark') {
      this.unanswered.delete(sent.id);
      this.put(sent, { state: 'waiting', save: { ...sent.save, version: conflict.version } });
      return;
    }
    this.put(sent, { state: 'conflict', conflict });
  }

  private remember({ id, save }: PendingSave): void {
    if (save.kind !== 'mark') return;
    const marks = this.unanswered.get(id) ?? new Set();
    marks.add(save.type === 2 ? String(Number(save.user_score)) : '');
    this.unanswered.set(id, marks);
  }

  private retryFailed(): void {
    if (!this.pending.some((one) => one.state === 'failed')) return;
    this.pending = this.pending.map((one) => (one.state === 'failed' ? { ...one, state: 'waiting' as const } : one));
    this.changed();
    void this.next();
  }
}

const isOfReport = (pending: PendingSave, finish: { report_id: number }) =>
  pending.save.kind === 'mark' && pending.save.report_id === finish.report_id;

/** True for the data of a 409 that another grader's save caused. */
export const isConflict = (data: unknown): data is ReviewConflict =>
  typeof data === 'object' && data !== null && 'version' in data && 'name' in data;
