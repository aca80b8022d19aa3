/** Counts beside the labels of the tabs, such as how many leaves wait for a decision; 0 and undefined show nothing. */
import { leavePulse } from '#server/attendance/contract.ts';
import type { ClassTab, TabRequest } from './tab.ts';

export async function tabCounts({ client, classId }: TabRequest): Promise<Partial<Record<ClassTab, number>>> {
  const { pending } = await client.send(leavePulse, { params: { classId } });
  return { leave: pending };
}
