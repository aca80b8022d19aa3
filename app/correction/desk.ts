/**
 * What lies on the grading desk: one report, or one student's answer to one question. The screen knows only this, so
 * that the correction of homework and that of exams are the same screen over two sets of calls.
 */
import type {
  AnswerStatus,
  CardItem,
  CourseArrange,
  QuestionRound,
  ReportInfo,
  ReviewQuestion,
} from '#server/correction/contract.ts';
import type { DeskAddress } from './address.ts';

export interface Desk {
  address: DeskAddress;
  report: ReportInfo;
  arrange: CourseArrange | null;
  /** Of the tab that the address names; by question the one question. */
  questions: ReviewQuestion[];
  subjective: CardItem[];
  objective: CardItem[];
  nextReportId: number | null;
  /** Where this student stands among all, by question. */
  round: QuestionRound | undefined;
}

/** The addresses of one kind of correction. */
export interface DeskPlaces {
  /** The screen itself; `/save`, `/report`, `/same`, `/finish` and `/image` are below it. */
  base: string;
  /** Where a pass ends. */
  list: string;
  listLabel: string;
  /** The report as it is read. */
  view: (reportId: number, classId: number) => string;
}

/** is_set_score 1: rates instead of points. */
export const isRated = (desk: Desk): boolean => desk.report.is_set_score === 1;

/** Why nothing can be graded here, or undefined. */
export function closedReason({ report }: Desk): string | undefined {
  if (report.hw_status === 2) return '该作业已撤回，不能批改';
  if (report.test_status === 1) return '该学员未提交作业，不能批改';
  if (report.test_status === 3) return '该作业已批改完成';
  return undefined;
}

export const waits = (item: { status: AnswerStatus }): boolean => item.status === 4;

/** The status of an answer that was just given this mark, until the server says it (decisions, section 4). */
export function statusAfter(status: AnswerStatus, mark: number | null, full: number): AnswerStatus {
  if (mark === null || status === 3) return status;
  if (mark >= full) return 1;
  return mark <= 0 ? 2 : 5;
}

/** The first that waits after `here`, going round; undefined where none does. */
export function nextWaiting<Item extends { status: AnswerStatus }>(
  items: readonly Item[],
  isHere: (item: Item) => boolean,
): Item | undefined {
  const at = items.findIndex(isHere);
  return [...items.slice(at + 1), ...items.slice(0, Math.max(0, at))].find(waits);
}
