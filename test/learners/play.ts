/** Many students at once, who come one after the other and go on at their own pace. */
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { Line, type Sent } from './line.ts';
import type { Scene } from './scene.ts';
import { type Acknowledged, doHomework, type Manner, signedInBefore, takeExam } from './student.ts';

export interface PlayOptions {
  base: () => string;
  /** From the first who comes to the last hand-in, where the school keeps pace. */
  seconds: number;
  /** They have a token when the time begins, as on a day after the first: signing in has a time of its own. */
  signedIn?: boolean;
  /** Told when all of them have signed in, and the time begins. */
  onBegin?: () => Promise<unknown>;
  /** Shares. */
  lost: number;
  pictures: number;
  saves: number;
  /** Seconds between two looks of a student at their list; 0: never. */
  poll?: number;
  /** Milliseconds after which a call is given up. */
  patience?: number;
  random?: () => number;
  /** As of a line. */
  ca?: string;
  watch?: (sent: Sent) => void;
}

export interface Played {
  tally: Line['tally'];
  acknowledged: Acknowledged[];
  seconds: number;
  /** How long it took them all to sign in, where that came before. */
  signingIn?: number;
}

/** Fraction of the run in which students arrive evenly; the rest is for writing. */
const coming = 0.25;
/** How many sign in at once before the time begins. */
const signingInAtOnce = 50;
/** A save takes its time, too. */
const pace = 0.9;
/** Parts of the time between which each has a moment at which they want to have handed in. */
const end = { first: 0.87, last: 0.97 };

/** A photograph of a page, 1200 × 900. */
export const photograph = (): Promise<Buffer> =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: '#f4f1e8' } })
    .jpeg()
    .toBuffer();

export async function playLearners({ token, exam, homework }: Scene, options: PlayOptions): Promise<Played> {
  const { base, seconds, lost, saves, poll = 0, patience, random = Math.random, ca, watch, onBegin } = options;
  const line = new Line({
    base,
    lost,
    random,
    ...(patience && { patience }),
    ...(ca && { ca }),
    ...(watch && { watch }),
  });
  const milliseconds = seconds * 1_000;
  const manner: Manner = {
    saves,
    think: (milliseconds * (1 - coming) * pace) / (saves + 1),
    end: Number.POSITIVE_INFINITY,
    poll: poll * 1_000,
    pictures: options.pictures,
    picture: await photograph(),
    random,
  };
  const plays = [
    ...(exam?.uids ?? []).map((uid) => ({ uid, begin: takeExam, id: exam?.id ?? 0 })),
    ...(homework?.uids ?? []).map((uid) => ({ uid, begin: doHomework, id: homework?.id ?? 0 })),
  ];
  try {
    const begun = performance.now();
    const tokens = new Map<number, string | undefined>();
    if (options.signedIn) {
      const waiting = plays.map(({ uid }) => uid);
      const signIn = async () => {
        for (let uid = waiting.pop(); uid !== undefined; uid = waiting.pop())
          tokens.set(uid, await signedInBefore({ uid, line, application: token, manner }));
      };
      await Promise.all(Array.from({ length: signingInAtOnce }, signIn));
    }
    const signedIn = performance.now();
    await onBegin?.();
    const began = performance.now();
    const acknowledged = await Promise.all(
      plays.map(async ({ uid, begin, id }) => {
        await pause(random() * milliseconds * coming);
        const own = { ...manner, end: began + milliseconds * (end.first + (end.last - end.first) * random()) };
        return begin({ uid, line, application: token, manner: own, token: tokens.get(uid) }, id);
      }),
    );
    return {
      tally: line.tally,
      acknowledged,
      seconds: (performance.now() - began) / 1_000,
      ...(options.signedIn && { signingIn: (signedIn - begun) / 1_000 }),
    };
  } finally {
    line.close();
  }
}

/** Percentile of the values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** As lines of text. */
export function reportOf({ tally, acknowledged, seconds, signingIn }: Played): string[] {
  const calls = [...tally.times].map(([call, times]) => [
    call,
    String(times.length),
    ...[0.5, 0.95, 0.99, 1].map((part) => quantile(times, part).toFixed(1)),
  ]);
  const rows = [['call', 'times', 'p50 ms', 'p95 ms', 'p99 ms', 'most ms'], ...calls];
  const handedIn = acknowledged.filter(({ report }) => report !== undefined).length;
  const answers = acknowledged.reduce((sum, one) => sum + one.answers.size, 0);
  const pictures = acknowledged.reduce((sum, one) => sum + one.pictures.length, 0);
  const statuses = [...tally.statuses].sort(([one], [other]) => one - other);
  return [
    ...rows.map(([call = '', ...numbers]) => call.padEnd(18) + numbers.map((one) => one.padStart(9)).join('')),
    ...(signingIn === undefined ? [] : [`signed in before the time began, within ${signingIn.toFixed(1)} s`]),
    `${acknowledged.length} students in ${seconds.toFixed(1)} s; acknowledged: ${handedIn} handed in, ${answers} answers, ${pictures} pictures`,
    `answers by status: ${statuses.map(([status, times]) => `${status} ${times}×`).join(', ')}; lines cut ${tally.cut}, broken ${tally.broken}, calls sent again ${tally.again}`,
    `${tally.faults.length} faults${tally.faults.length > 0 ? ':' : ''}`,
    ...tally.faults.slice(0, 20).map((fault) => `  ${fault}`),
  ];
}
