/** Reads HEIC photographs, the format of many phones. The decoder runs in one worker thread, which ends when idle. */
import type { FileRefusal } from '#server/platform/calls/outcome.ts';
import { createPool, type Pool } from '#server/platform/jobs/pool.ts';
import type { DecodedHeic, decodeHeic, HeicSource } from './heic-thread.ts';
import { damagedPicture } from './image.ts';

/** Maximum pixels; the largest photographs of phones have as many. */
const maxPixels = 50_000_000;
/** Maximum bytes of the decoder's memory: 50 million pixels need 390 MB, 12 million 100 MB. */
const maxBytes = 400 * 1024 * 1024;

const tooLarge: FileRefusal = {
  refused: 422,
  message: '这张HEIC照片超过5000万像素，请在手机上转为JPEG后再上传',
};
const busy: FileRefusal = { refused: 503, message: '正在处理的照片较多，请稍后再试' };

let shared: Pool | undefined;

/** The thread ends soon after its last picture, because the decoder's memory never shrinks. */
function pool(): Pool {
  shared ??= createPool({ workers: 1, queue: 50, timeLimit: 60_000, idleTime: 5_000 });
  return shared;
}

/** A decoded picture; `pixels`: RGB. */
type RawPicture = Exclude<DecodedHeic, { failed: unknown }>;

/**
 * Decodes the main picture of a HEIC file, upright. 422: damaged or too large. 503: many other pictures are waiting.
 */
export async function readHeic(
  path: string,
  limits: Omit<HeicSource, 'path'> = { maxPixels, maxBytes },
): Promise<{ ok: RawPicture } | FileRefusal> {
  const input = { path, ...limits } satisfies Parameters<typeof decodeHeic>[0];
  const job = { module: '#server/platform/files/heic-thread.ts', run: 'decodeHeic', input } as const;
  const outcome = await pool().run<DecodedHeic>(job);
  if ('failed' in outcome) return outcome.failed === 'time' ? damagedPicture : busy;
  if (!('failed' in outcome.ok)) return { ok: outcome.ok };
  return outcome.ok.failed === 'too large' ? tooLarge : damagedPicture;
}
