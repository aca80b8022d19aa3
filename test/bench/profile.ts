/** Where the server's time goes: the self time of a CPU profile by the part of the product that spends it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Shares (0 to 1) of the time that was not idle, largest first. */
export function profileShares(folder: string): [part: string, share: number][] {
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  if (!file) throw new Error('no profile was written');
  const profile = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as CpuProfile;
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const spent = new Map<string, number>();
  let total = 0;
  for (const [index, sample] of profile.samples.entries()) {
    const frame = frames.get(sample);
    const part = frame && partOf(frame);
    if (!part) continue;
    const time = profile.timeDeltas[index] ?? 0;
    total += time;
    spent.set(part, (spent.get(part) ?? 0) + time);
  }
  return [...spent].map(([part, time]): [string, number] => [part, time / total]).sort(([, a], [, b]) => b - a);
}

function partOf({ functionName, url }: { functionName: string; url: string }): string | undefined {
  if (functionName === '(idle)' || functionName === '(root)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)') return 'native code (SQLite, gzip, sockets)';
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url);
  if (found) return found[1] as string;
  if (url.startsWith('node:')) return 'node';
  if (url.includes('/build/server/')) return 'app (screens)';
  if (url.includes('/server/')) return 'server (API)';
  return 'native code (SQLite, gzip, sockets)';
}
