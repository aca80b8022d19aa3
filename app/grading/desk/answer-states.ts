/**
 * States of answers as the grader sees them: the server's, overlaid with scores and comments given on this page since.
 */

import { type AnswerStatus, acceptsMark, answerStatus, markedStatus } from '#server/grading/rules.ts';
import type { SavedMark } from '#server/grading-desk/mark.contract.ts';
import type { DeskQuestion } from './desk.ts';
import type { Draft } from './draft-storage.ts';
import { type Attachment, type MarkedImage, markId, type SaveTask } from './save-queue.ts';

export interface AnswerState {
  status: AnswerStatus;
  /** Points, or percent in rated homework. Null if not graded. */
  user_score: number | null;
  review_comment: string;
  review_attachments: Attachment[];
  images: MarkedImage[];
  version: number;
  reviewer_name: string;
}

export class AnswerStates {
  private readonly marked = new Map<string, AnswerState>();

  /** Returns the state of an answer of the open report. */
  of(reportId: number, question: DeskQuestion): AnswerState {
    const marked = this.marked.get(markId(reportId, question.id));
    const onServer = stateOnServer(question);
    return marked && marked.version >= onServer.version ? marked : onServer;
  }

  /** True if the answer was graded on this page. `id` is a `markId`. */
  has = (id: string): boolean => this.marked.has(id);

  /**
   * Returns the status of an answer: of the grade given on this page, unless the server has a newer version. `onServer`
   * is the status on the card. `version` is known only for the open report.
   */
  statusOf(id: string, onServer: AnswerStatus, version = 0): AnswerStatus {
    const marked = this.marked.get(id);
    return marked && marked.version >= version ? marked.status : onServer;
  }

  /**
   * Optimistic update: shows a grade as saved before the server has it. `full` is the question's points, or 100 in
   * rated homework.
   */
  assumeSaved(save: Extract<SaveTask, { kind: 'mark' }>, state: AnswerState, full: number): void {
    const mark = save.type === 2 ? Number(save.user_score) : state.user_score;
    const images = Array.from(
      { length: Math.max(state.images.length, save.image?.length ?? 0) },
      (_, place) => save.image?.[place] ?? state.images[place] ?? { draw: '', path: '' },
    );
    this.marked.set(markId(save.report_id, save.ques_id), {
      ...state,
      status: save.type === 2 && acceptsMark(state, mark) ? markedStatus(full, mark) : state.status,
      user_score: mark,
      review_comment: save.review_comment,
      review_attachments: save.review_attachments,
      images,
      version: save.version,
    });
  }

  /**
   * The server accepted a grade. Takes over its values if no later grade of the answer is queued (`isLatest`), else
   * only the version.
   */
  saved(id: string, { status, user_score, version }: SavedMark, isLatest: boolean): void {
    const marked = this.marked.get(id);
    if (marked) this.marked.set(id, isLatest ? { ...marked, status, user_score, version } : { ...marked, version });
  }

  /** Drops a grade that the server refused or that lost a conflict. */
  forget(id: string): void {
    this.marked.delete(id);
  }
}

/** Memoised per question object, so that memoised components do not render again. */
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

/** Returns the initial content of the grading panel for an answer. */
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

export const isSameDraft = (draft: Draft, other: Draft): boolean =>
  draft.user_score === other.user_score &&
  draft.review_comment === other.review_comment &&
  draft.image.every((image) => image === null) &&
  JSON.stringify(draft.review_attachments) === JSON.stringify(other.review_attachments);
