/** Whether this process is about to end, and answers while it lasts: `/readyz` says so to those who send it requests. */
import { refusalResponse } from './envelope.ts';
import { Refusal } from './outcome.ts';

let isLeaving = false;

/** It is from now on. */
export function leave(): void {
  isLeaving = true;
}

/** What `/readyz` is answered with then; undefined until then. */
export const leavingAnswer = (): Response | undefined =>
  isLeaving ? refusalResponse(new Refusal('away', '正在停止')) : undefined;
