/** The address of the grading desk: which answer lies on it, and how the grader goes through the pile. */
import type { DeskAddress } from '../screens.ts';

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
