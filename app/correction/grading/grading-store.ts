/**
 * The desk in the browser: what is shown, what was typed, what is on its way to the server. The next answer is shown
 * before the last one is saved; a mark counts on the card at once and is taken back only where the server refuses it.
 */

import type { Marked } from '#server/correction/mark.contract.ts';
import { type AnswerStatus, answerStatus, readMark, storedScore } from '#server/grading/rules.ts';
import { newId } from '../../lib/new-id.ts';
import { changedMark, type KeypadChange, readTyped } from '../../ui/client/keypad-value.ts';
import type { DeskAddress } from '../screens.ts';
import { deskMessages, type StatusCount } from '../terms.ts';
import { addressOfReport, addressSkipping } from './address.ts';
import { type AnswerState, AnswerStates, draftOf, sameDraft } from './answer-states.ts';
import { closedReason, type Desk, type DeskQuestion, isRated, otherPile } from './desk.ts';
import { DeskFetcher } from './desk-fetcher.ts';
import type { Draft, DraftStorage } from './draft-storage.ts';
import {
  addressOfPlace,
  type CardPlace,
  cardOf,
  nextAnswer,
  nextReport,
  roundCounts,
  type StatusOf,
  waitingOf,
} from './navigation.ts';
import { draftOfFields, type RefusedMark } from './refused-mark.ts';
import {
  type Attachment,
  finishId,
  type MarkedImage,
  markId,
  type Pending,
  type Reply,
  type Save,
  SaveQueue,
} from './save-queue.ts';

export interface Notice {
  kind: 'success' | 'warning' | 'bad';
  text: string;
}

/** Where the desk is left for. */
export type WayOut = 'list' | 'same' | 'comments' | 'finish-all';

export interface StoreOptions {
  shelf: DraftStorage;
  /** Rejects when the network is away. */
  send: (save: Save) => Promise<Reply>;
  load: (address: DeskAddress) => Promise<Reply>;
  /** Puts the address into the window. */
  show: (address: DeskAddress) => void;
  /** Leaves the desk: for the list at the end of a pass, or for a dialog of its own address. */
  leave: (to: WayOut, address: DeskAddress) => void;
  /** Fetches images before they are shown. */
  preload: (urls: readonly string[]) => void;
  /** Does what can wait until the page has come up. */
  whenQuiet: (work: () => void) => void;
}

interface View {
  desk: Desk;
  questionId: number | undefined;
  draft: Draft;
  /** Of the answer that the draft was typed on. */
  seenVersion: number;
  /** Of the score or rate. */
  fault: string | undefined;
  /** The number is another than was typed, and the grader has not yet gone on from there. */
  cut: KeypadChange | false;
  notice: Notice | undefined;
  /** Said in passing, without moving anything: that a report was finished while the next one lies on the desk. */
  announcement: string;
  loading: boolean;
  pending: readonly Pending[];
  /** Drafts could not be kept in this browser. */
  unkept: boolean;
  /** Grows with every answer that is shown: the panel begins anew. */
  turn: number;
}

export class GradingStore {
  private view: View;
  private readonly listeners = new Set<() => void>();
  private readonly states = new AnswerStates();
  /** Reports that were finished here since the desk on the screen was asked for, by pile. */
  private readonly finishes = new Map<number, { pile: number; savedAt: number | undefined }>();
  /** The typed mark is carried along to the next page, so leaving needs no warning. */
  private goesAlong = false;
  private options: StoreOptions | undefined;
  private queue: SaveQueue | undefined;
  private fetcher: DeskFetcher | undefined;

  /** `refused`: a form that came back; in a conflict it shall be saved over what stands since. */
  constructor(desk: Desk, refused?: RefusedMark) {
    const refusedId = desk.questions.find(({ id }) => id === refused?.ques_id)?.id;
    const questionId = refusedId ?? desk.address.ques_id ?? desk.questions[0]?.id;
    this.view = {
      desk: onQuestion(desk, questionId),
      questionId,
      draft: draftOf(undefined),
      seenVersion: 0,
      fault: undefined,
      cut: false,
      notice: undefined,
      announcement: '',
      loading: false,
      pending: [],
      unkept: false,
      turn: 0,
    };
    this.view.draft = refused?.typed ? draftOfFields(refused.typed) : this.freshDraft();
    this.view.seenVersion = refused?.conflict?.version ?? this.state()?.version ?? 0;
  }

  // ---- for the screen --------------------------------------------------------------------------

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): View => this.view;

  private set(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    for (const listener of this.listeners) listener();
  }

  /** Comes to life in the browser: what was typed or not saved when the page was last left is there again. */
  start(options: StoreOptions): void {
    if (this.options) return;
    this.options = options;
    const { shelf } = options;
    shelf.dropOld(Date.now());
    this.queue = new SaveQueue({
      send: options.send,
      later: (work, delay) => void setTimeout(work, delay),
      changed: (pending) => {
        const isKept = shelf.keepPending(pending);
        this.set({ pending, unkept: this.view.unkept || !isKept });
      },
      saved: (pending, reply) => this.wasSaved(pending, reply),
    });
    this.fetcher = new DeskFetcher(options.load, (desk) => options.preload(imagesOf(desk)));
    for (const { id, label, save } of shelf.pending()) {
      if (save.kind === 'mark' && id === this.id()) this.assumeSaved(save);
      this.queue.add(id, label, save);
    }
    // Marked together with others since.
    if (this.view.desk.address.batch !== undefined) shelf.dropDraft(this.id());
    this.restoreDraft();
    options.whenQuiet(() => this.prefetch());
  }

  /** Whether leaving now would leave something that the server does not have. */
  hasUnsaved(): boolean {
    return this.view.pending.length > 0 || this.isDirty();
  }

  /** Who is signed out has to leave for it to be saved: what this browser keeps is there again afterwards. */
  asksBeforeLeaving(): boolean {
    const { pending, unkept } = this.view;
    const leavesTyped = pending.length > 0 || (this.isDirty() && !this.goesAlong);
    return leavesTyped && (unkept || pending.every(({ state }) => state !== 'signed-out'));
  }

  // ---- the answer on the desk ------------------------------------------------------------------

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

  /** Of the answer on the desk: where its save stands, or that something was typed since. */
  saveState(): 'clean' | 'dirty' | 'saved' | Pending['state'] {
    if (this.isDirty()) return 'dirty';
    return this.queue?.find(this.id())?.state ?? (this.states.has(this.id()) ? 'saved' : 'clean');
  }

  /** The pending save of the current answer that the server did not accept: refused, in conflict or signed out. */
  unsettled(): Pending | undefined {
    const found = this.queue?.find(this.id());
    return found && ['refused', 'conflict', 'signed-out'].includes(found.state) ? found : undefined;
  }

  /** The panel of the answer before anything is typed. */
  freshDraft(): Draft {
    return draftOf(this.state());
  }

  isDirty(): boolean {
    return !sameDraft(this.view.draft, this.freshDraft());
  }

  type(change: Partial<Draft>): void {
    const draft = { ...this.view.draft, ...change };
    const marked: Partial<View> = change.user_score === undefined ? {} : { fault: undefined, cut: false };
    this.set({ draft, ...marked, notice: undefined, announcement: '' });
    const { shelf } = this.options ?? {};
    if (!shelf) return;
    if (!this.isDirty()) shelf.dropDraft(this.id());
    else if (!shelf.keepDraft(this.id(), draft, this.view.seenVersion)) this.set({ unkept: true });
  }

  /** Takes a score while it is typed: caps it at the full score, and reports each change made to the number. */
  typeScore(text: string, was?: KeypadChange): void {
    const full = this.question()?.ques_score ?? 0;
    const { value, changed = was } = readTyped(text, { max: full, decimals: 1 });
    const before = this.view.cut;
    this.type({ user_score: value });
    // Digits after a dropped point are still typed as its decimals, so the notice stays.
    const isKept = text !== '' && (before === 'point' || before === 'minus');
    const told = changed ?? (isKept ? before : undefined);
    if (told) this.set({ fault: changedMark(told, full), cut: told });
  }

  /** A comment that was used before is added to what is there, or taken out again. */
  toggleComment(comment: string): void {
    const { review_comment } = this.view.draft;
    const lines = review_comment.split('\n').filter((line) => line.trim() !== '');
    const without = lines.filter((line) => line !== comment);
    const next = without.length < lines.length ? without : [...lines, comment];
    this.type({ review_comment: next.join('\n') });
  }

  /** A file that was uploaded for an answer, which may have been left meanwhile. */
  attachTo(id: string, file: Attachment): void {
    if (id === this.id()) {
      this.type({ review_attachments: [...this.view.draft.review_attachments, file] });
      return;
    }
    if (this.states.has(id))
      this.set({ notice: { kind: 'warning', text: `附件“${file.name}”上传时已离开该题，未添加` } });
  }

  keptDrawing(place: number): string | undefined {
    return this.options?.shelf.drawing(this.id(), place);
  }

  /** Null when the marks are again those that are saved. */
  keepDrawing(place: number, draw: string | null): void {
    if (draw === null) this.options?.shelf.dropDrawing(this.id(), place);
    else if (this.options?.shelf.keepDrawing(this.id(), place, draw) === false) this.set({ unkept: true });
  }

  notify(notice: Notice): void {
    this.set({ notice });
  }

  /** The marks of the board are saved at once, with whatever else was typed. */
  saveDrawing(place: number, marked: MarkedImage): void {
    const { draft } = this.view;
    const image = Array.from({ length: Math.max(place + 1, draft.image.length) }, (_, at) =>
      at === place ? marked : (draft.image[at] ?? null),
    );
    this.options?.shelf.dropDrawing(this.id(), place);
    this.set({ cut: false });
    this.type({ image });
    this.save(false);
  }

  private restoreDraft(): void {
    const kept = this.options?.shelf.draft(this.id());
    if (!kept) return;
    const { version, at: _, ...draft } = kept;
    // With the version that was seen then: where somebody saved since, the server says so.
    this.set({ draft, seenVersion: version });
    if (this.isDirty()) {
      this.set({ notice: { kind: 'warning', text: '已恢复上次未保存的内容' }, turn: this.view.turn + 1 });
    } else this.options?.shelf.dropDraft(this.id());
  }

  // ---- saving ----------------------------------------------------------------------------------

  /**
   * Saves what was typed, if anything was. An explicit save needs a mark: without one nothing is saved, the panel says
   * why, and the answer is false. So it is, once, with a number that was just cut down: whoever typed it looks up
   * first.
   */
  save(explicit: boolean): boolean {
    const { desk, draft } = this.view;
    const question = this.question();
    const state = this.state();
    if (!question || !state || closedReason(desk)) return true;
    if (this.view.cut) {
      this.set({ cut: false });
      return false;
    }
    const fault = markFault(desk, question, draft.user_score, state.status);
    if (explicit && fault) {
      this.set({ fault });
      return false;
    }
    const unmarked = draft.user_score === '' || state.status === 3 || fault !== undefined;
    if (!this.isDirty()) return true;
    const save: Save = {
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

  private assumeSaved(save: Extract<Save, { kind: 'mark' }>): void {
    const [question, state] = [this.question(), this.state()];
    const full = isRated(this.view.desk) ? 100 : (question?.ques_score ?? 0);
    if (state) this.states.assumeSaved(save, state, full);
  }

  private wasSaved({ id, save }: Pending, { data, msg }: Reply): void {
    if (save.kind === 'finish') {
      const finish = this.finishes.get(save.report_id);
      if (finish) finish.savedAt = Date.now();
      // After the last one the page that comes next says so.
      if (!save.last) this.set({ announcement: msg });
      return;
    }
    const marked = data as Marked;
    this.states.saved(id, marked, this.queue?.find(id) === undefined);
    const { shelf } = this.options ?? {};
    if (id === this.id()) this.set({ seenVersion: marked.version });
    if (id !== this.id() || !this.isDirty()) shelf?.dropDraft(id);
    else shelf?.keepDraft(id, this.view.draft, marked.version);
  }

  retry(): void {
    this.queue?.retry();
  }

  /** The other's mark stands: it is fetched again, and what was typed here is dropped. */
  keepTheirs(id: string): void {
    this.options?.shelf.dropDraft(id);
    this.dismiss(id);
  }

  keepMine(id: string): void {
    this.queue?.overwrite(id);
  }

  /** One that the server refused for good: the answer is shown again as it is there. */
  dismiss(id: string): void {
    this.queue?.drop(id);
    const finished = [...this.finishes.keys()].find((report) => finishId(report) === id);
    if (finished !== undefined) this.finishes.delete(finished);
    this.states.forget(id);
    this.reload();
  }

  // ---- going on --------------------------------------------------------------------------------

  card(): CardPlace[] {
    return cardOf(this.view.desk, this.statusOf);
  }

  /** By question: over all students, with what was marked here since. */
  roundCounts(): StatusCount[] {
    return roundCounts(this.view.desk, this.statusOf);
  }

  private readonly statusOf: StatusOf = (reportId, questionId, onServer) => {
    const { report, questions } = this.view.desk;
    const onDesk = reportId === report.report_id ? questions.find(({ id }) => id === questionId) : undefined;
    return this.states.statusOf(markId(reportId, questionId), onServer, onDesk?.version);
  };

  /** Reports of the pile that wait: one that was finished after this desk was asked for is still counted in it. */
  waitingReports(): number {
    const { report, askedAt = 0 } = this.view.desk;
    const since = [...this.finishes.values()].filter(
      ({ pile, savedAt }) => pile === report.pile_id && (savedAt === undefined || savedAt > askedAt),
    );
    return Math.max(0, report.waiting_count - since.length);
  }

  /** Subjective answers of this report that still wait. */
  waitingHere(): number {
    return waitingOf(this.view.desk, this.statusOf);
  }

  /** Nothing is left to do on this report but to finish it. */
  isComplete(): boolean {
    return !this.view.desk.round && !this.isDirty() && this.waitingHere() === 0;
  }

  /** Enter: saves, and goes to the next answer that waits. */
  saveAndGo(): void {
    if (!this.save(true)) return;
    const { desk } = this.view;
    const next = nextAnswer(desk, this.card());
    if (next !== undefined) this.go(next);
    else {
      const text = desk.round
        ? deskMessages.questionDone
        : `${deskMessages.paperDone(desk.words.paper)}，再按一次 Enter 或点“完成批改”`;
      this.set({ notice: { kind: 'success', text } });
    }
  }

  /** A place of the card: what was typed here is saved first. */
  readonly choose = (id: number): void => {
    if (this.save(false)) this.go(id);
  };

  /** The next or previous place of the card; at its ends nothing happens. */
  step(by: 1 | -1): void {
    const places = this.card();
    const next = places[places.findIndex((place) => place.here) + by];
    if (next) this.choose(next.id);
  }

  private go(id: number): void {
    const { desk } = this.view;
    const address = addressOfPlace(desk, id);
    if (desk.round) void this.open(address);
    else this.begin({ ...desk, address });
  }

  /** 跳过该学员: to the next report without this one, or the warning that there is none. */
  readonly skip = (): void => {
    if (!this.save(false)) return;
    const { desk } = this.view;
    const next = this.nextReport();
    if (next === null) this.set({ notice: { kind: 'warning', text: deskMessages.lastStudent } });
    else void this.open(addressOfReport(addressSkipping(desk.address), next));
  };

  /** What was written at the end of this report, and not sent. */
  closingComment(): string {
    return this.options?.shelf.closing(this.view.desk.report.report_id) ?? '';
  }

  typeClosingComment(comment: string): void {
    const isKept = this.options?.shelf.keepClosing(this.view.desk.report.report_id, comment);
    if (isKept === false) this.set({ unkept: true });
  }

  /** Ends the correction of this report and lays the next one on the desk; the save itself follows behind. */
  finish(comment: string): void {
    const { desk } = this.view;
    const { report_id, class_id } = desk.address;
    if (!this.save(false)) return;
    const next = this.nextReport();
    const key = newId();
    this.finishes.set(report_id, { pile: desk.report.pile_id, savedAt: undefined });
    this.queue?.add(finishId(report_id), `${desk.report.nickname} 完成批改`, {
      kind: 'finish',
      report_id,
      class_id,
      skip: [...desk.address.skip],
      comment,
      key,
      last: next === null,
    });
    // What is on its way is kept by the queue.
    this.typeClosingComment('');
    if (next === null) void this.leaveWhenSaved('list', desk.address);
    else void this.open(addressOfReport(desk.address, next));
  }

  /** Opens the dialog that grades equal answers together: typed text goes along, and is saved there or kept here. */
  gradeSame(): void {
    const { desk, questionId } = this.view;
    this.goesAlong = true;
    void this.leaveWhenSaved('same', { ...desk.address, ques_id: questionId, batch: undefined });
  }

  /** To the dialog that ends all reports whose answers are marked. */
  finishAll(): void {
    const { desk } = this.view;
    if (!this.save(false)) return;
    void this.leaveWhenSaved('finish-all', { ...desk.address, batch: undefined });
  }

  /** To the dialog of the pinned comments, with what was typed saved. */
  editComments(): void {
    const { desk, questionId } = this.view;
    if (!this.save(false)) return;
    void this.leaveWhenSaved('comments', { ...desk.address, ques_id: questionId, batch: undefined });
  }

  private nextReport(): number | null {
    return nextReport(this.view.desk, this.card());
  }

  /** What could not be saved keeps the grader here. */
  private async leaveWhenSaved(to: WayOut, address: DeskAddress): Promise<void> {
    this.set({ loading: true });
    await this.whenSaved();
    this.set({ loading: false });
    if (this.view.pending.length === 0) this.options?.leave(to, address);
    else this.goesAlong = false;
  }

  /** Until nothing is on its way any more, or it cannot be saved now. */
  whenSaved(): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.queue?.isMoving()) return;
        stop();
        resolve();
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  // ---- fetching --------------------------------------------------------------------------------

  /** Lays another report on the desk: at once where it was fetched ahead. */
  private async open(address: DeskAddress): Promise<void> {
    const ready = this.fetcher?.ready(address);
    if (ready) {
      this.lay(ready, address);
      return;
    }
    this.set({ loading: true, notice: undefined });
    let reply: Reply | undefined;
    try {
      reply = await this.fetcher?.fetch(address);
    } catch {
      // The network is away.
    }
    if (reply?.status === 200) this.lay(reply.data as Desk, address);
    else this.set({ loading: false, notice: { kind: 'bad', text: reply?.msg ?? '网络不可用，请稍后再试' } });
  }

  private lay(fetched: Desk, { skip }: DeskAddress): void {
    const desk = { ...fetched, address: { ...fetched.address, skip } };
    const text = otherPile(this.view.desk.report, desk);
    this.fetcher?.forget();
    this.begin(desk);
    if (text && !this.view.notice) this.set({ notice: { kind: 'warning', text } });
    this.prefetch();
  }

  /** Another answer is on the desk. */
  private begin(desk: Desk): void {
    const questionId = desk.address.ques_id ?? desk.questions[0]?.id;
    const question = desk.questions.find(({ id }) => id === questionId);
    const state = question && this.states.of(desk.report.report_id, question);
    this.set({
      desk: onQuestion(desk, questionId),
      questionId,
      draft: draftOf(state),
      seenVersion: state?.version ?? 0,
      fault: undefined,
      cut: false,
      notice: undefined,
      announcement: '',
      loading: false,
      turn: this.view.turn + 1,
    });
    this.options?.show(this.view.desk.address);
    this.restoreDraft();
  }

  /** The same report as the server has it now. */
  private reload(): void {
    this.fetcher?.forget();
    void this.open({ ...this.view.desk.address, ques_id: this.view.questionId });
  }

  /** The next report and all images, while the grader reads this one. */
  private prefetch(): void {
    const { desk } = this.view;
    this.options?.preload(imagesOf(desk));
    const next = this.nextReport();
    // Fetched as if this one were skipped: finished or skipped, it is not what comes after the next one.
    if (next !== null && !closedReason(desk)) {
      this.fetcher?.prefetch(addressOfReport(addressSkipping(desk.address), next));
    }
  }
}

/** The desk with the question that lies on it in its address. */
const onQuestion = (desk: Desk, ques_id: number | undefined): Desk => ({
  ...desk,
  address: { ...desk.address, ques_id },
});

const imagesOf = (desk: Desk): string[] =>
  desk.questions.flatMap(({ answerImages }) => answerImages.map(({ url, path }) => path || url));

/** Why a mark is not fit to be saved; an answer that was left blank needs none. */
export function markFault(desk: Desk, question: DeskQuestion, typed: string, status: AnswerStatus): string | undefined {
  if (status === answerStatus.unanswered) return undefined;
  const mode = desk.report.is_set_score;
  const read = readMark(mode, storedScore(mode, question.ques_score) ?? 0, typed);
  return 'fault' in read ? read.fault : undefined;
}
