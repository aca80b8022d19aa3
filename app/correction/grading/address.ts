/** Addresses of the grading desk within one run through the reports. */
import type { DeskAddress } from '../screens.ts';

/** Skipped reports that fit into an address. Beyond it the oldest are dropped and offered again. */
const skipsKept = 400;

/** Another report of the same run. By student it opens the first unmarked answer. */
export function addressOfReport(address: DeskAddress, reportId: number): DeskAddress {
  const ques_id = address.by === 'question' ? address.ques_id : undefined;
  return { ...address, report_id: reportId, type: 1, ques_id, batch: undefined };
}

/** The same run with this report marked as skipped. */
export const addressWithReportSkipped = (address: DeskAddress): DeskAddress => ({
  ...address,
  skip: [...address.skip.filter((id) => id !== address.report_id), address.report_id].slice(-skipsKept),
});
