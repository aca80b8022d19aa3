// Jobs for the tests of the pool.

import { setImmediate } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { createInflateRaw } from 'node:zlib';

export function double(input: number): number {
  return input * 2;
}

export async function wait(milliseconds: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return threadId;
}

export function spin(milliseconds: number): number {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
  return threadId;
}

export function fillMemory(): number {
  const kept: unknown[] = [];
  for (;;) kept.push({ text: `${kept.length}`.repeat(50) });
}

export function fail(message: string): never {
  throw new RangeError(message);
}

export function leave(): never {
  process.exit(3);
}

export function bytes(size: number): { all: Uint8Array; size: number } {
  return { all: new Uint8Array(size).fill(7), size };
}

export function sizeOf(input: Uint8Array): number {
  return input.byteLength;
}

export function unsendable(): () => void {
  return () => undefined;
}

/** Opens compression streams without end. */
export async function compressOn(): Promise<never> {
  for (;;) {
    for (let count = 0; count < 200; count += 1) createInflateRaw();
    await setImmediate();
  }
}
