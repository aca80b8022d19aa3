/** Simulates many students at once. They start one after the other, and each works at a pace of its own. */
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { Line, type Sent } from './line.ts';
import type { Scene } from './scene.ts';
import { type Acknowledged, doHomework, type Manner, signedInBefore, takeExam } from './student.ts';

export interface PlayOptions {
  base: () => string;
  /** Seconds from the first student's start to the last hand-in, if the server is quick enough. */
  seconds: number;
  /** True if all students sign in before the measured time begins. The sign-ins are then timed apart (`signingIn`). */
  signedIn?: boolean;
  /** Called when the measured time begins; with `signedIn`, after all students have signed in. */
  onBegin?: () => Promise<unknown>;
  /** Share of the POST calls whose connection is cut before the answer, 0 to 1. */
  lost: number;
  /** Share of the students who send a picture, 0 to 1. */
  pictures: number;
  /** Saves per student. */
  saves: number;
  /** Seconds between two polls of a student for their list; 0: never. */
  poll?: number;
  /** Milliseconds after which a call is abandoned. */
  patience?: number;
  random?: () => number;
  /** TLS certificate that the server shows, if it uses https. */
  ca?: string;
  /** Called for each request that is not cut on purpose. */
  watch?: (sent: Sent) => void;
}

export interface Played {
  tally: Line['tally'];
  acknowledged: Acknowledged[];
  seconds: number;
  /** Seconds that all sign-ins took; only with the option `signedIn`. */
  signingIn?: number;
}

/** Fraction of the run during which students start, evenly spread; the rest is for writing. */
const coming = 0.25;
/** Number of parallel sign-ins before the measured time. */
const signingInAtOnce = 50;
/** Fraction of the writing time that students spend thinking; the rest is left for the saves. */
const pace = 0.9;
/** Fractions of the run. Each student hands in at a random moment between them. */
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

/** Formats the result as lines of text. */
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
