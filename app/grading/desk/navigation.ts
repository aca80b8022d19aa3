/**
 * Order of answers and reports, the same with and without client JS. By student: the answers of one report, then the
 * next report. By question: the same question of one student after another. Pure functions. `statusOf` returns the
 * status of an answer where the browser knows more than the server.
 */
import type { AnswerStatus } from '#server/grading/rules.ts';
import type { DeskAddress } from '../screens.ts';
import { answerStatusNames, type StatusCount } from '../terms.ts';
import { addressOfReport } from './address.ts';
import { type Desk, isWaiting } from './desk.ts';

/**
 * A button of the answer card. It opens a question of the report or, when grading by question, another student's
 * report.
 */
export interface CardButton {
  /** Question id, or report id when grading by question. */
  id: number;
  label: string;
  status: AnswerStatus;
  here: boolean;
  /** True if the student flagged the question while answering. */
  signed?: boolean;
}

export type StatusOf = (reportId: number, questionId: number, onServer: AnswerStatus) => AnswerStatus;

const asOnServer: StatusOf = (_reportId, _questionId, onServer) => onServer;

export function cardOf({ report, address, round, subjective }: Desk, statusOf = asOnServer): CardButton[] {
  if (round) {
    return round.list.map(({ report_id, position, status }) => ({
      id: report_id,
      label: String(position + 1),
      status: statusOf(report_id, address.ques_id ?? 0, status),
      here: report_id === report.report_id,
    }));
  }
  return subjective.map(({ question_id, sort, status }) => ({
    id: question_id,
    label: sort,
    status: statusOf(report.report_id, question_id, status),
    here: question_id === address.ques_id,
  }));
}

/**
 * When grading by question: counts per status over all students, also over those that the answer card does not show.
 */
export function statusCountsOfQuestion({ address, round }: Desk, statusOf = asOnServer): StatusCount[] {
  const counts = round?.counts;
  const onServer = {
    1: counts?.right,
    2: counts?.wrong,
    3: counts?.unanswered,
    4: counts?.waiting,
    5: counts?.reviewed,
  };
  const moved = (status: AnswerStatus) =>
    (round?.list ?? []).reduce((sum, { report_id, status: before }) => {
      const now = statusOf(report_id, address.ques_id ?? 0, before);
      return sum + (now === status ? 1 : 0) - (before === status ? 1 : 0);
    }, 0);
  return ([5, 4, 1, 2, 3] as const).map((status) => ({
    status,
    name: answerStatusNames[status],
    count: (onServer[status] ?? 0) + moved(status),
  }));
}

export const countWaiting = ({ report, subjective }: Desk, statusOf = asOnServer): number =>
  subjective.filter(({ question_id, status }) => isWaiting({ status: statusOf(report.report_id, question_id, status) }))
    .length;

/**
 * Returns the id of the next ungraded answer on the answer card, wrapping around, or undefined. When grading by
 * question it leaves out skipped students, and before it wraps it looks at students beyond those on the card.
 */
export function nextAnswer({ address, round }: Desk, card: readonly CardButton[]): number | undefined {
  const at = card.findIndex((place) => place.here);
  const isOpen = (place: CardButton) => isWaiting(place) && !(round && address.skip.includes(place.id));
  const after = card.slice(at + 1).find(isOpen);
  if (after) return after.id;
  const beyond = round?.next_report_id;
  if (beyond && !round.list.some(({ report_id }) => report_id === beyond)) return beyond;
  return card.slice(0, Math.max(0, at)).find(isOpen)?.id;
}

/** Returns the id of the report to grade after this one, or null after the last. */
export const nextReport = (desk: Desk, card: readonly CardButton[]): number | null =>
  desk.round ? (nextAnswer(desk, card) ?? null) : desk.nextReportId;

/** Address of the desk for a button of the answer card. */
export const addressOfPlace = ({ address, round }: Desk, id: number): DeskAddress =>
  round ? addressOfReport(address, id) : { ...address, ques_id: id, batch: undefined };
