/** Addresses of the grading desk while a grader goes through the reports. */
import type { DeskAddress } from '../screens.ts';

/** Maximum number of skipped reports in an address. Beyond it the oldest are dropped and offered again. */
const skipsKept = 400;

/**
 * Address of another report, with the same grading mode. When grading by student it opens the first ungraded answer.
 */
export function addressOfReport(address: DeskAddress, reportId: number): DeskAddress {
  const ques_id = address.by === 'question' ? address.ques_id : undefined;
  return { ...address, report_id: reportId, type: 1, ques_id, batch: undefined };
}

/** The same address with its report added to the skipped ones. */
export const addressWithReportSkipped = (address: DeskAddress): DeskAddress => ({
  ...address,
  skip: [...address.skip.filter((id) => id !== address.report_id), address.report_id].slice(-skipsKept),
});
