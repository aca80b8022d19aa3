/**
 * Runs in vitest's worker: each test file once as it is, which shows what its tests reach of the mutated files and how
 * long they take; then, for one mutant after the other, the tests that reach it, the quickest file first and up to the
 * first test that fails.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { inject, type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner, vi } from 'vitest';
import { startTests } from 'vitest/internal/browser';
import type { Mutant } from './mutants.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** All mutants, which tell what a test reaches, and ids of those to try. */
    mutation: { mutants: Mutant[]; tried: number[]; testFiles: number; journal: string };
  }
}

/** What a run writes down as it goes, one line each; another worker goes on from it when one hangs. */
export type Entry =
  | { event: 'worker'; pid: number }
  | { event: 'file'; file: string; seconds: number; tests: number; reached: number[] }
  | { event: 'broken'; file: string; why: string }
  | { event: 'try'; mutant: number; file: string }
  | { event: 'killed'; mutant: number; by: string }
  | { event: 'survived'; mutant: number }
  | { event: 'done' };

declare global {
  var __mutant__: (id: number) => boolean;
  var __mutantLoops__: () => void;
}

/** The switch: which mutant is on, and which were asked for. */
let active = -1;
let asked = new Set<number>();
let deadline = Number.POSITIVE_INFINITY;
globalThis.__mutant__ = (id) => {
  asked.add(id);
  return id === active;
};
globalThis.__mutantLoops__ = () => {
  if (active >= 0 && Date.now() > deadline) throw new Error('a loop without end');
};

const print = { error: console.error, log: console.log, warn: console.warn };
const mute = () => Object.assign(console, { error: () => {}, log: () => {}, warn: () => {} });

/** What one test file showed when it ran as it is. */
interface Trial {
  file: RunnerTestFile & { fileTags?: string[] };
  /** Passing tests with what they take (ms) and the mutants that each asks for. */
  tests: { id: string; duration: number; reached: Set<number> }[];
  /** Asked for while the file was loaded and in its hooks: by all of its tests. */
  around: Set<number>;
  reached: Set<number>;
  /** Milliseconds besides the tests. */
  overhead: number;
  seconds: number;
  /** Choices of tests that pass without a mutant. */
  passing: Set<string>;
}

const { mutants, tried, journal, testFiles } = inject('mutation');
const write = (entry: Entry) => appendFileSync(journal, `${JSON.stringify(entry)}\n`);
write({ event: 'worker', pid: process.pid });

/** Milliseconds of tests after which a mutant that three files did not notice is given up. */
const patience = 10_000;
const trials: Trial[] = [];
let seen = 0;

// biome-ignore lint/style/noDefaultExport: vitest takes a runner so.
export default class MutationRunner extends TestRunner {
  #reach = new Map<string, Set<number>>();
  #around = new Set<number>();

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    Object.assign(console, print);
    this.#reach = new Map();
    asked = this.#around = new Set();
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    asked = new Set();
    this.#reach.set(test.id, asked);
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test);
    asked = this.#around;
  }

  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    for (const file of files) {
      this.#note(file);
      seen += 1;
    }
    if (seen === testFiles) await this.#tryMutants();
    super.onAfterRunFiles(files);
  }

  #note(file: RunnerTestFile): void {
    // Under this runner or on this machine it fails as it is: it cannot tell anything.
    for (const { name, result } of [file, ...testsOf(file)])
      if (result?.state === 'fail' && result.errors?.[0])
        write({ event: 'broken', file: file.name, why: `${name}: ${result.errors[0].message}` });
    const tests = testsOf(file)
      .filter(({ result }) => result?.state === 'pass')
      .map(({ id, result }) => ({ id, duration: result?.duration ?? 0, reached: this.#reach.get(id) ?? new Set() }));
    const all = file.result?.duration ?? 0;
    const overhead = Math.max(20, all - tests.reduce((sum, { duration }) => sum + duration, 0));
    const reached = new Set([...this.#around, ...tests.flatMap((test) => [...test.reached])]);
    trials.push({ file, tests, around: this.#around, reached, overhead, seconds: all / 1000, passing: new Set() });
    write({ event: 'file', file: file.name, seconds: all / 1000, tests: tests.length, reached: [...reached] });
  }

  async #tryMutants(): Promise<void> {
    const killed = new Set(readJournal().flatMap((entry) => (entry.event === 'killed' ? [entry.mutant] : [])));
    for (const mutant of mutants.filter(({ id }) => tried.includes(id) && !killed.has(id))) {
      const by = await this.#noticed(mutant);
      write(by ? { event: 'killed', mutant: mutant.id, by } : { event: 'survived', mutant: mutant.id });
    }
    write({ event: 'done' });
  }

  /**
   * Asks the test files that reach the mutant: first those that are quick and reach much of its source file, for they
   * are about it. What everything reaches is not tried with everything.
   */
  async #noticed(mutant: Mutant): Promise<string | undefined> {
    const ofSource = new Set(mutants.filter(({ file }) => file === mutant.file).map(({ id }) => id));
    const candidates = trials
      .map((trial) => {
        const touches = (ids: Set<number>) => (mutant.atLoad ? countIn(ofSource, ids) > 0 : ids.has(mutant.id));
        const chosen = touches(trial.around) ? trial.tests : trial.tests.filter(({ reached }) => touches(reached));
        const nearness = countIn(ofSource, trial.reached) / ofSource.size;
        const cost = trial.overhead + chosen.reduce((sum, { duration }) => sum + duration, 0);
        return { trial, chosen, cost, rank: cost * (1.2 - nearness) ** 2 };
      })
      .filter(({ chosen }) => chosen.length > 0)
      .sort((one, other) => one.rank - other.rank)
      .slice(0, mutant.atLoad ? 4 : 8);
    let spent = 0;
    try {
      for (const [index, { trial, chosen, cost }] of candidates.entries()) {
        if (index > 2 && spent > patience) break;
        spent += cost;
        write({ event: 'try', mutant: mutant.id, file: trial.file.name });
        const by = await this.#noticedIn(
          trial,
          mutant,
          chosen.map(({ id }) => id),
        );
        if (by !== undefined) return `${trial.file.name}: ${by}`;
      }
      return undefined;
    } finally {
      if (mutant.atLoad) vi.resetModules();
    }
  }

  /**
   * The test of a file that notices the mutant. Tests may build upon those before them: what fails among the chosen
   * ones counts only when they pass without the mutant; where they do not, all tests of the file decide.
   */
  async #noticedIn(trial: Trial, mutant: Mutant, ids: string[]): Promise<string | undefined> {
    const by = await this.#run(trial, ids, mutant);
    if (by === undefined || ids.length === trial.tests.length) return by;
    const key = ids.join();
    if (trial.passing.has(key)) return by;
    if ((await this.#run(trial, ids, undefined)) === undefined) {
      trial.passing.add(key);
      return by;
    }
    return this.#run(
      trial,
      trial.tests.map(({ id }) => id),
      mutant,
    );
  }

  /** The name of the first test that fails. */
  async #run(
    { file: { filepath, fileTags = [] }, seconds }: Trial,
    testIds: string[],
    mutant: Mutant | undefined,
  ): Promise<string | undefined> {
    mute();
    const again = new Again(this.config);
    // What vitest gives to the runner that it makes itself.
    const { moduleRunner, _otel } = this as unknown as Record<'moduleRunner' | '_otel', unknown>;
    Object.assign(again, { moduleRunner, _otel });
    if (mutant?.atLoad) vi.resetModules();
    active = mutant?.id ?? -1;
    asked = new Set();
    deadline = Date.now() + 1000 * (20 + 5 * seconds);
    try {
      const files = await startTests([{ filepath, fileTags, testIds, testLocations: undefined }], again);
      return files.map(failureIn).find((name) => name !== undefined);
    } finally {
      active = -1;
      vi.restoreAllMocks();
      vi.useRealTimers();
      vi.unstubAllEnvs();
      vi.unstubAllGlobals();
      Object.assign(console, print);
    }
  }
}

/** One more run of a file, that nobody is told about and that ends with the first failure. */
class Again extends TestRunner {
  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test);
    if (test.result?.state === 'fail') this.cancel('test-failure');
  }
}

const countIn = (some: Set<number>, others: Set<number>): number => [...some].filter((id) => others.has(id)).length;

const testsOf = (suite: RunnerTestSuite): RunnerTestCase[] =>
  suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]));

function failureIn(suite: RunnerTestSuite): string | undefined {
  for (const task of suite.tasks) {
    const inner = task.type === 'suite' ? failureIn(task) : task.result?.state === 'fail' ? task.name : undefined;
    if (inner) return inner;
  }
  return suite.result?.state === 'fail' ? suite.name : undefined;
}

const readJournal = (): Entry[] =>
  readFileSync(journal, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Entry);
