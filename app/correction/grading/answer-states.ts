/** How answers stand for the grader: as the server said last, with what was marked here since. */

import type { Marked } from '#server/correction/mark.contract.ts';
import { type AnswerStatus, answerStatus, markedStatus, takesMark } from '#server/grading/rules.ts';
import type { DeskQuestion } from './desk.ts';
import type { Draft } from './draft-storage.ts';
import { type Attachment, type MarkedImage, markId, type Save } from './save-queue.ts';

export interface AnswerState {
  status: AnswerStatus;
  /** Points, or percent where rated. */
  user_score: number | null;
  review_comment: string;
  review_attachments: Attachment[];
  images: MarkedImage[];
  version: number;
  reviewer_name: string;
}

export class AnswerStates {
  private readonly marked = new Map<string, AnswerState>();

  /** Of an answer on the desk. */
  of(reportId: number, question: DeskQuestion): AnswerState {
    const marked = this.marked.get(markId(reportId, question.id));
    const onServer = stateOnServer(question);
    return marked && marked.version >= onServer.version ? marked : onServer;
  }

  /** Whether something was marked here; `id` is a `markId`. */
  has = (id: string): boolean => this.marked.has(id);

  /** `onServer` is what the card says; `version` the server's of the same answer, where it lies on the desk. */
  statusOf(id: string, onServer: AnswerStatus, version = 0): AnswerStatus {
    const marked = this.marked.get(id);
    return marked && marked.version >= version ? marked.status : onServer;
  }

  /** Shows a mark as if it were saved. `full`: points of the question, 100 where rated. */
  assumeSaved(save: Extract<Save, { kind: 'mark' }>, state: AnswerState, full: number): void {
    const mark = save.type === 2 ? Number(save.user_score) : state.user_score;
    const images = Array.from(
      { length: Math.max(state.images.length, save.image?.length ?? 0) },
      (_, place) => save.image?.[place] ?? state.images[place] ?? { draw: '', path: '' },
    );
    this.marked.set(markId(save.report_id, save.ques_id), {
      ...state,
      status: save.type === 2 && takesMark(state, mark) ? markedStatus(full, mark) : state.status,
      user_score: mark,
      review_comment: save.review_comment,
      review_attachments: save.review_attachments,
      images,
      version: save.version,
    });
  }

  /** The server has taken a mark. Where it `isLatest`, what the server says counts. */
  saved(id: string, { status, user_score, version }: Marked, isLatest: boolean): void {
    const marked = this.marked.get(id);
    if (marked) this.marked.set(id, isLatest ? { ...marked, status, user_score, version } : { ...marked, version });
  }

  /** The server refused it, or another's mark stands. */
  forget(id: string): void {
    this.marked.delete(id);
  }
}

/** The same object for the same question: what was drawn from it need not be drawn again. */
const statesOnServer = new WeakMap<DeskQuestion, AnswerState>();

function stateOnServer(question: DeskQuestion): AnswerState {
  const known = statesOnServer.get(question);
  if (known) return known;
  const state: AnswerState = {
    status: question.status,
    user_score: question.user_score,
    review_comment: question.review_comment,
    review_attachments: question.review_attachments,
    images: question.answerImages.map(({ draw, path }) => ({ draw, path })),
    version: question.version,
    reviewer_name: question.reviewer_name,
  };
  statesOnServer.set(question, state);
  return state;
}

const emptyDraft: Draft = { user_score: '', review_comment: '', review_attachments: [], image: [] };

/** The panel of an answer before anything is typed. */
export function draftOf(state: AnswerState | undefined): Draft {
  if (!state) return emptyDraft;
  const { user_score, review_comment, review_attachments, status } = state;
  return {
    user_score: user_score === null || status === answerStatus.unanswered ? '' : String(user_score),
    review_comment,
    review_attachments,
    image: [],
  };
}

export const sameDraft = (draft: Draft, other: Draft): boolean =>
  draft.user_score === other.user_score &&
  draft.review_comment === other.review_comment &&
  draft.image.every((image) => image === null) &&
  JSON.stringify(draft.review_attachments) === JSON.stringify(other.review_attachments);
