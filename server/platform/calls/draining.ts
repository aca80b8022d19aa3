/** Draining: a process that is about to stop answers 503 on `/readyz`, so that load balancers send no more requests. */
import { refusalResponse } from './envelope.ts';
import { Refusal } from './outcome.ts';

let isLeaving = false;

export function startDraining(): void {
  isLeaving = true;
}

/** Answer of `/readyz` while draining; undefined otherwise. */
export const drainingAnswer = (): Response | undefined =>
  isLeaving ? refusalResponse(new Refusal('away', '正在停止')) : undefined;
