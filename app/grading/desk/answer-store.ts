/** Browser state of the open answer: its draft and its saves. Base of GradingStore. */
import { type AnswerStatus, answerStatus, readMark, storedScore } from '#server/grading/rules.ts';
import { changeMessage, type KeypadChange, readTyped } from '../../ui/client/keypad-value.ts';
import type { DeskAddress } from '../screens.ts';
import { type AnswerState, AnswerStates, draftOf, isSameDraft } from './answer-states.ts';
import { closedReason, type Desk, type DeskQuestion, isRatedDesk } from './desk.ts';
import type { Draft, DraftStorage } from './draft-storage.ts';
import { draftOfFields, type RefusedMark } from './refused-mark.ts';
import {
  type Attachment,
  type MarkedImage,
  markId,
  type PendingSave,
  type SaveQueue,
  type SaveReply,
  type SaveTask,
} from './save-queue.ts';

export interface DeskNotice {
  kind: 'success' | 'warning' | 'bad';
  text: string;
}

/** Pages and dialogs to which the grader leaves the desk. */
export type LeavePurpose = 'list' | 'same' | 'comments' | 'finish-all';

export interface StoreOptions {
  draftStorage: DraftStorage;
  /** Sends a save to the server. Rejects when the network is down. */
  send: (save: SaveTask) => Promise<SaveReply>;
  load: (address: DeskAddress) => Promise<SaveReply>;
  /** Updates the browser's address. */
  show: (address: DeskAddress) => void;
  /** Opens a dialog route, or the list after the last report. */
  leave: (to: LeavePurpose, address: DeskAddress) => void;
  preload: (urls: readonly string[]) => void;
  /** Defers work until the page has finished loading. */
  whenQuiet: (work: () => void) => void;
}

interface View {
  desk: Desk;
  questionId: number | undefined;
  draft: Draft;
  /** Version of the answer that the grader saw when typing began. */
  seenVersion: number;
  fault: string | undefined;
  /** How the typed number was changed (such as capped). Reset when the grader moves on. */
  scoreChange: KeypadChange | false;
  notice: DeskNotice | undefined;
  /** Text for screen readers, such as that a report was finished while the next one is already shown. */
  announcement: string;
  loading: boolean;
  pending: readonly PendingSave[];
  /** True if this browser could not store drafts. */
  hasUnstoredDrafts: boolean;
  /** Grows with every answer that is opened. Resets the panel. */
  turn: number;
}

export abstract class AnswerStore {
  protected view: View;
  private readonly listeners = new Set<() => void>();
  protected readonly states = new AnswerStates();
  protected options: StoreOptions | undefined;
  protected queue: SaveQueue | undefined;

  /**
   * `refused` is a form that the server returned. If it was a conflict, saving it again overwrites the other grader's
   * score.
   */
  constructor(desk: Desk, refused?: RefusedMark) {
    const refusedId = desk.questions.find(({ id }) => id === refused?.ques_id)?.id;
    const questionId = refusedId ?? desk.address.ques_id ?? desk.questions[0]?.id;
    this.view = {
      desk: withQuestion(desk, questionId),
      questionId,
      draft: draftOf(undefined),
      seenVersion: 0,
      fault: undefined,
      scoreChange: false,
      notice: undefined,
      announcement: '',
      loading: false,
      pending: [],
      hasUnstoredDrafts: false,
      turn: 0,
    };
    this.view.draft = refused?.typed ? draftOfFields(refused.typed) : this.freshDraft();
    this.view.seenVersion = refused?.conflict?.version ?? this.state()?.version ?? 0;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): View => this.view;

  protected set(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    for (const listener of this.listeners) listener();
  }

  // ---- the open answer ---------------------------------------------------------------------------

  question(): DeskQuestion | undefined {
    const { desk, questionId } = this.view;
    return desk.questions.find(({ id }) => id === questionId);
  }

  id(): string {
    return markId(this.view.desk.report.report_id, this.view.questionId ?? 0);
  }

  state(): AnswerState | undefined {
    const question = this.question();
    return question && this.states.of(this.view.desk.report.report_id, question);
  }

  saveState(): 'clean' | 'dirty' | 'saved' | PendingSave['state'] {
    if (this.isDirty()) return 'dirty';
    return this.queue?.find(this.id())?.state ?? (this.states.has(this.id()) ? 'saved' : 'clean');
  }

  /** The queued save of the open answer that the server did not accept: refused, in conflict or signed out. */
  unsettled(): PendingSave | undefined {
    const found = this.queue?.find(this.id());
    return found && ['refused', 'conflict', 'signed-out'].includes(found.state) ? found : undefined;
  }

  /** Content of the panel before anything is typed. */
  freshDraft(): Draft {
    return draftOf(this.state());
  }

  isDirty(): boolean {
    return !isSameDraft(this.view.draft, this.freshDraft());
  }

  type(change: Partial<Draft>): void {
    const draft = { ...this.view.draft, ...change };
    const marked: Partial<View> = change.user_score === undefined ? {} : { fault: undefined, scoreChange: false };
    this.set({ draft, ...marked, notice: undefined, announcement: '' });
    const { draftStorage } = this.options ?? {};
    if (!draftStorage) return;
    if (!this.isDirty()) draftStorage.dropDraft(this.id());
    else if (!draftStorage.keepDraft(this.id(), draft, this.view.seenVersion)) this.set({ hasUnstoredDrafts: true });
  }

  /** Takes a score while it is typed. Caps it at the full score and shows each change made to the typed number. */
  typeScore(text: string, was?: KeypadChange): void {
    const full = this.question()?.ques_score ?? 0;
    const { value, changed = was } = readTyped(text, { max: full, decimals: 1 });
    const before = this.view.scoreChange;
    this.type({ user_score: value });
    // Digits after a removed decimal point are still typed as decimals, so the notice stays.
    const isKept = text !== '' && (before === 'point' || before === 'minus');
    const shownChange = changed ?? (isKept ? before : undefined);
    if (shownChange) this.set({ fault: changeMessage(shownChange, full), scoreChange: shownChange });
  }

  /** Appends a pinned or earlier comment to the comment, or removes it if it is already a line. */
  toggleComment(comment: string): void {
    const { review_comment } = this.view.draft;
    const lines = review_comment.split('\n').filter((line) => line.trim() !== '');
    const without = lines.filter((line) => line !== comment);
    const next = without.length < lines.length ? without : [...lines, comment];
    this.type({ review_comment: next.join('\n') });
  }

  /** Attaches an uploaded file to an answer. The grader may have opened another answer since the upload began. */
  attachTo(id: string, file: Attachment): void {
    if (id === this.id()) {
      this.type({ review_attachments: [...this.view.draft.review_attachments, file] });
      return;
    }
    if (this.states.has(id))
      this.set({ notice: { kind: 'warning', text: `附件“${file.name}”上传时已离开该题，未添加` } });
  }

  keptDrawing(place: number): string | undefined {
    return this.options?.draftStorage.drawing(this.id(), place);
  }

  /** Stores unsaved mark-up of an image as a draft. `draw` is null once it equals the saved mark-up again. */
  keepDrawing(place: number, draw: string | null): void {
    if (draw === null) this.options?.draftStorage.dropDrawing(this.id(), place);
    else if (this.options?.draftStorage.keepDrawing(this.id(), place, draw) === false)
      this.set({ hasUnstoredDrafts: true });
  }

  notify(notice: DeskNotice): void {
    this.set({ notice });
  }

  /** Saves the board's mark-up at once, together with everything else that was typed. */
  saveDrawing(place: number, marked: MarkedImage): void {
    const { draft } = this.view;
    const image = Array.from({ length: Math.max(place + 1, draft.image.length) }, (_, at) =>
      at === place ? marked : (draft.image[at] ?? null),
    );
    this.options?.draftStorage.dropDrawing(this.id(), place);
    this.set({ scoreChange: false });
    this.type({ image });
    this.save(false);
  }

  protected restoreDraft(): void {
    const kept = this.options?.draftStorage.draft(this.id());
    if (!kept) return;
    const { version, at: _, ...draft } = kept;
    // Keeps the version that the draft was typed on: if another grader saved since, the server reports a conflict.
    this.set({ draft, seenVersion: version });
    if (this.isDirty()) {
      this.set({ notice: { kind: 'warning', text: '已恢复上次未保存的内容' }, turn: this.view.turn + 1 });
    } else this.options?.draftStorage.dropDraft(this.id());
  }

  // ---- saving ------------------------------------------------------------------------------------

  /**
   * Saves the panel if something was typed. A save by button or Enter (`explicit`) without a score shows why not and
   * returns false. Also returns false once after a number was capped, so that the grader sees the capped number first.
   */
  save(explicit: boolean): boolean {
    const { desk, draft } = this.view;
    const question = this.question();
    const state = this.state();
    if (!question || !state || closedReason(desk)) return true;
    if (this.view.scoreChange) {
      this.set({ scoreChange: false });
      return false;
    }
    const fault = typedScoreFault(desk, question, draft.user_score, state.status);
    if (explicit && fault) {
      this.set({ fault });
      return false;
    }
    const unmarked = draft.user_score === '' || state.status === 3 || fault !== undefined;
    if (!this.isDirty()) return true;
    const save: SaveTask = {
      kind: 'mark',
      report_id: desk.report.report_id,
      ques_id: question.id,
      version: this.view.seenVersion,
      type: unmarked ? 1 : 2,
      user_score: unmarked ? '' : draft.user_score,
      review_comment: draft.review_comment,
      review_attachments: draft.review_attachments,
      ...(draft.image.some((image) => image !== null) ? { image: draft.image } : {}),
    };
    this.assumeSaved(save);
    this.queue?.add(this.id(), `${desk.report.nickname} 第${question.sort}题`, save);
    this.set({ draft: this.freshDraft(), fault: undefined });
    return true;
  }

  protected assumeSaved(save: Extract<SaveTask, { kind: 'mark' }>): void {
    const [question, state] = [this.question(), this.state()];
    const full = isRatedDesk(this.view.desk) ? 100 : (question?.ques_score ?? 0);
    if (state) this.states.assumeSaved(save, state, full);
  }

  retry(): void {
    this.queue?.retry();
  }

  keepMine(id: string): void {
    this.queue?.overwrite(id);
  }
}

/** The desk with the open question in its address. */
export const withQuestion = (desk: Desk, ques_id: number | undefined): Desk => ({
  ...desk,
  address: { ...desk.address, ques_id },
});

/** Returns why a score cannot be saved. An unanswered question needs no score. */
export function typedScoreFault(
  desk: Desk,
  question: DeskQuestion,
  typed: string,
  status: AnswerStatus,
): string | undefined {
  if (status === answerStatus.unanswered) return undefined;
  const mode = desk.report.is_set_score;
  const read = readMark(mode, storedScore(mode, question.ques_score) ?? 0, typed);
  return 'fault' in read ? read.fault : undefined;
}
