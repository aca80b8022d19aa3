/**
 * Browser state of the grading desk: the shown answer, the typed draft and the queued saves. Optimistic: shows the next
 * answer before the last one is saved and updates the answer card at once. A refused save is taken back.
 */
import type { SavedMark } from '#server/grading-desk/mark.contract.ts';
import { newId } from '../../lib/new-id.ts';
import type { DeskAddress } from '../screens.ts';
import { deskMessages, type StatusCount } from '../terms.ts';
import { addressOfReport, addressWithReportSkipped } from './address.ts';
import { draftOf } from './answer-states.ts';
import { AnswerStore, type LeavePurpose, type StoreOptions, withQuestion } from './answer-store.ts';
import { closedReason, type Desk, otherAssignmentMessage } from './desk.ts';
import { DeskFetcher } from './desk-fetcher.ts';
import {
  addressOfPlace,
  type CardButton,
  cardOf,
  countWaiting,
  nextAnswer,
  nextReport,
  type StatusOf,
  statusCountsOfQuestion,
} from './navigation.ts';
import { finishId, markId, type PendingSave, SaveQueue, type SaveReply } from './save-queue.ts';

export class GradingStore extends AnswerStore {
  /** Reports that were finished on this page since the desk was requested, by report id. */
  private readonly finishes = new Map<number, { assignmentId: number; savedAt: number | undefined }>();
  /** True if the next page receives the typed score and comment, so that leaving needs no warning. */
  private isTypedTextCarried = false;
  private fetcher: DeskFetcher | undefined;

  /** Starts the store in the browser. Restores drafts and unsent saves of the last visit. */
  start(options: StoreOptions): void {
    if (this.options) return;
    this.options = options;
    const { draftStorage } = options;
    draftStorage.dropOld(Date.now());
    this.queue = new SaveQueue({
      send: options.send,
      later: (work, delay) => void setTimeout(work, delay),
      changed: (pending) => {
        const isKept = draftStorage.keepPending(pending);
        this.set({ pending, hasUnstoredDrafts: this.view.hasUnstoredDrafts || !isKept });
      },
      saved: (pending, reply) => this.wasSaved(pending, reply),
    });
    this.fetcher = new DeskFetcher(options.load, (desk) => options.preload(imagesOf(desk)));
    for (const { id, label, save } of draftStorage.pending()) {
      if (save.kind === 'mark' && id === this.id()) this.assumeSaved(save);
      this.queue.add(id, label, save);
    }
    // The answer was just graded together with equal ones, so its draft is obsolete.
    if (this.view.desk.address.batch !== undefined) draftStorage.dropDraft(this.id());
    this.restoreDraft();
    options.whenQuiet(() => this.prefetch());
  }

  /** True if something typed has not reached the server. */
  hasUnsaved(): boolean {
    return this.view.pending.length > 0 || this.isDirty();
  }

  /** True if leaving needs a warning. A signed-out user must leave to sign in, and stored drafts survive that. */
  asksBeforeLeaving(): boolean {
    const { pending, hasUnstoredDrafts } = this.view;
    const leavesTyped = pending.length > 0 || (this.isDirty() && !this.isTypedTextCarried);
    return leavesTyped && (hasUnstoredDrafts || pending.every(({ state }) => state !== 'signed-out'));
  }

  private wasSaved({ id, save }: PendingSave, { data, msg }: SaveReply): void {
    if (save.kind === 'finish') {
      const finish = this.finishes.get(save.report_id);
      if (finish) finish.savedAt = Date.now();
      // After the last report, the next page shows the message instead.
      if (!save.last) this.set({ announcement: msg });
      return;
    }
    const marked = data as SavedMark;
    this.states.saved(id, marked, this.queue?.find(id) === undefined);
    const { draftStorage } = this.options ?? {};
    if (id === this.id()) this.set({ seenVersion: marked.version });
    if (id !== this.id() || !this.isDirty()) draftStorage?.dropDraft(id);
    else draftStorage?.keepDraft(id, this.view.draft, marked.version);
  }

  /** Resolves a conflict in favour of the other grader: drops the local draft and loads the other grader's score. */
  keepTheirs(id: string): void {
    this.options?.draftStorage.dropDraft(id);
    this.dismiss(id);
  }

  /** Drops a save that the server refused for good, and shows the server's state of the answer. */
  dismiss(id: string): void {
    this.queue?.drop(id);
    const finished = [...this.finishes.keys()].find((report) => finishId(report) === id);
    if (finished !== undefined) this.finishes.delete(finished);
    this.states.forget(id);
    this.reload();
  }

  // ---- next answer and next report ---------------------------------------------------------------

  card(): CardButton[] {
    return cardOf(this.view.desk, this.statusOf);
  }

  /** When grading by question: counts per status over all students, including scores given on this page. */
  roundCounts(): StatusCount[] {
    return statusCountsOfQuestion(this.view.desk, this.statusOf);
  }

  private readonly statusOf: StatusOf = (reportId, questionId, onServer) => {
    const { report, questions } = this.view.desk;
    const onDesk = reportId === report.report_id ? questions.find(({ id }) => id === questionId) : undefined;
    return this.states.statusOf(markId(reportId, questionId), onServer, onDesk?.version);
  };

  /** Counts the ungraded reports. The server's count still includes reports finished after this desk was requested. */
  waitingReports(): number {
    const { report, askedAt = 0 } = this.view.desk;
    const since = [...this.finishes.values()].filter(
      ({ assignmentId, savedAt }) =>
        assignmentId === report.assignment_id && (savedAt === undefined || savedAt > askedAt),
    );
    return Math.max(0, report.waiting_count - since.length);
  }

  waitingHere(): number {
    return countWaiting(this.view.desk, this.statusOf);
  }

  /** True if all answers are graded and saved, so only finishing the report is left. */
  isComplete(): boolean {
    return !this.view.desk.round && !this.isDirty() && this.waitingHere() === 0;
  }

  /** Saves and opens the next ungraded answer. */
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

  /** Saves the typed text, then opens the answer with this button id on the answer card. */
  readonly choose = (id: number): void => {
    if (this.save(false)) this.go(id);
  };

  /** Opens the next or previous answer of the answer card. Does nothing at its ends. */
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

  /** Button 跳过该学员: opens the next report and leaves this one out from now on, or warns that there is no next one. */
  readonly skip = (): void => {
    if (!this.save(false)) return;
    const { desk } = this.view;
    const next = this.nextReport();
    if (next === null) this.set({ notice: { kind: 'warning', text: deskMessages.lastStudent } });
    else void this.open(addressOfReport(addressWithReportSkipped(desk.address), next));
  };

  /** Overall comment that was typed and is not sent yet. */
  closingComment(): string {
    return this.options?.draftStorage.closing(this.view.desk.report.report_id) ?? '';
  }

  typeClosingComment(comment: string): void {
    const isKept = this.options?.draftStorage.keepClosing(this.view.desk.report.report_id, comment);
    if (isKept === false) this.set({ hasUnstoredDrafts: true });
  }

  /** Finishes this report and opens the next one. The request is sent in the background. */
  finish(comment: string): void {
    const { desk } = this.view;
    const { report_id, class_id } = desk.address;
    if (!this.save(false)) return;
    const next = this.nextReport();
    const key = newId();
    this.finishes.set(report_id, { assignmentId: desk.report.assignment_id, savedAt: undefined });
    this.queue?.add(finishId(report_id), `${desk.report.nickname} 完成批改`, {
      kind: 'finish',
      report_id,
      class_id,
      skip: [...desk.address.skip],
      comment,
      key,
      last: next === null,
    });
    // The queued save now holds the comment, so its draft can go.
    this.typeClosingComment('');
    if (next === null) void this.leaveWhenSaved('list', desk.address);
    else void this.open(addressOfReport(desk.address, next));
  }

  /** Opens the dialog that grades equal answers together. The dialog receives the typed text. */
  gradeSame(): void {
    const { desk, questionId } = this.view;
    this.isTypedTextCarried = true;
    void this.leaveWhenSaved('same', { ...desk.address, ques_id: questionId, batch: undefined });
  }

  /** Opens the dialog that finishes all completely graded reports. */
  finishAll(): void {
    const { desk } = this.view;
    if (!this.save(false)) return;
    void this.leaveWhenSaved('finish-all', { ...desk.address, batch: undefined });
  }

  editComments(): void {
    const { desk, questionId } = this.view;
    if (!this.save(false)) return;
    void this.leaveWhenSaved('comments', { ...desk.address, ques_id: questionId, batch: undefined });
  }

  private nextReport(): number | null {
    return nextReport(this.view.desk, this.card());
  }

  /** Leaves once everything is saved. If a save fails, the grader stays on the desk. */
  private async leaveWhenSaved(to: LeavePurpose, address: DeskAddress): Promise<void> {
    this.set({ loading: true });
    await this.whenSaved();
    this.set({ loading: false });
    if (this.view.pending.length === 0) this.options?.leave(to, address);
    else this.isTypedTextCarried = false;
  }

  /** Resolves once no save is in flight or ready to be sent. */
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

  // ---- fetching ----------------------------------------------------------------------------------

  /** Opens another report, at once if it was prefetched. */
  private async open(address: DeskAddress): Promise<void> {
    const ready = this.fetcher?.ready(address);
    if (ready) {
      this.showDesk(ready, address);
      return;
    }
    this.set({ loading: true, notice: undefined });
    let reply: SaveReply | undefined;
    try {
      reply = await this.fetcher?.fetch(address);
    } catch {
      // A rejected request means that the network is down.
    }
    if (reply?.status === 200) this.showDesk(reply.data as Desk, address);
    else this.set({ loading: false, notice: { kind: 'bad', text: reply?.msg ?? '网络不可用，请稍后再试' } });
  }

  private showDesk(fetched: Desk, { skip }: DeskAddress): void {
    const desk = { ...fetched, address: { ...fetched.address, skip } };
    const text = otherAssignmentMessage(this.view.desk.report, desk);
    this.fetcher?.forget();
    this.begin(desk);
    if (text && !this.view.notice) this.set({ notice: { kind: 'warning', text } });
    this.prefetch();
  }

  private begin(desk: Desk): void {
    const questionId = desk.address.ques_id ?? desk.questions[0]?.id;
    const question = desk.questions.find(({ id }) => id === questionId);
    const state = question && this.states.of(desk.report.report_id, question);
    this.set({
      desk: withQuestion(desk, questionId),
      questionId,
      draft: draftOf(state),
      seenVersion: state?.version ?? 0,
      fault: undefined,
      scoreChange: false,
      notice: undefined,
      announcement: '',
      loading: false,
      turn: this.view.turn + 1,
    });
    this.options?.show(this.view.desk.address);
    this.restoreDraft();
  }

  private reload(): void {
    this.fetcher?.forget();
    void this.open({ ...this.view.desk.address, ques_id: this.view.questionId });
  }

  /** Prefetches the next report and all images while the grader reads this one. */
  private prefetch(): void {
    const { desk } = this.view;
    this.options?.preload(imagesOf(desk));
    const next = this.nextReport();
    // The address has this report as skipped: once it is finished or skipped, it no longer follows the next one.
    if (next !== null && !closedReason(desk)) {
      this.fetcher?.prefetch(addressOfReport(addressWithReportSkipped(desk.address), next));
    }
  }
}

const imagesOf = (desk: Desk): string[] =>
  desk.questions.flatMap(({ answerImages }) => answerImages.map(({ url, path }) => path || url));
