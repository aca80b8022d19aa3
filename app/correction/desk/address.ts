/** The address of the grading desk: which answer lies on it, and how the grader goes through the pile. */

export interface DeskAddress {
  report_id: number;
  /** 0 for all classes; exams have none. */
  class_id?: number | undefined;
  /** 1 subjective, 2 objective. */
  type: 1 | 2;
  ques_id?: number | undefined;
  /** One question over all students. */
  by?: 'question' | undefined;
  /** By question: not in the order of the list. */
  order?: 'shuffled' | undefined;
  /** Reports that were skipped in this pass, in their order. */
  skip: readonly number[];
  /** Equal answers that were just graded together and can be taken back. */
  batch?: number | undefined;
  /** Where the pass was entered from, and where it ends: an address of this site. */
  back?: string | undefined;
}

/** An address holds so many skipped reports; of a longer pass the first are offered again. */
const skipsKept = 400;

/** Another report of the same pass. In the way by student it begins with its first waiting answer. */
export function addressOfReport(address: DeskAddress, reportId: number): DeskAddress {
  const ques_id = address.by === 'question' ? address.ques_id : undefined;
  return { ...address, report_id: reportId, type: 1, ques_id, batch: undefined };
}

/** The same pass without this report. */
export const addressSkipping = (address: DeskAddress): DeskAddress => ({
  ...address,
  skip: [...address.skip.filter((id) => id !== address.report_id), address.report_id].slice(-skipsKept),
});
