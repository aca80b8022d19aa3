/** Waits for a generated file as a browser does: asks again until it is ready. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';

export async function waitForFile(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask();
    if (response.status !== 202) {
      expect(response.status).toBe(200);
      return response;
    }
    await response.body?.cancel();
    await wait(100);
  }
}

export const bytesOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());
