/** A file that is being made when it is asked for: waits for it, as a browser does. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';

export async function madeFile(ask: () => Promise<Response>): Promise<Response> {
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
