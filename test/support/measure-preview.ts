import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { previewImport } from '#server/questions/import/preview.ts';

/** Previews a file (arguments: format, path) in a process of its own, and prints what it cost as JSON. */
export interface PreviewCost {
  questions: number;
  faultless: number;
  milliseconds: number;
  /** Longest delay of the event loop in milliseconds, whatever its cause. */
  delay: number;
  /** The same while another thread only counts: the noise of the machine with one busy thread. */
  noise: number;
  /** Longest work of the main thread between two turns of the event loop, in milliseconds. Free of noise. */
  hold: number;
  /** Peak resident memory in bytes. */
  memory: number;
  progress: number;
}

async function watched(work: () => Promise<void>): Promise<{ delay: number; hold: number }> {
  const histogram = monitorEventLoopDelay({ resolution: 5 });
  let hold = 0;
  let last = process.threadCpuUsage();
  const turn = () => {
    const used = process.threadCpuUsage(last);
    hold = Math.max(hold, (used.user + used.system) / 1000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(turn, 2);
  histogram.enable();
  await work();
  turn();
  histogram.disable();
  clearInterval(timer);
  return { delay: histogram.max / 1e6, hold };
}

const [format, path] = process.argv.slice(2);
const bytes = readFileSync(path ?? '');
let progress = 0;
let questions = 0;
let faultless = 0;
const started = performance.now();
const { delay, hold } = await watched(async () => {
  const preview = await previewImport([{ name: format === '1' ? 'a.docx' : 'a.xlsx', bytes }], {
    onProgress: () => {
      progress += 1;
    },
  });
  if ('refused' in preview) throw new Error(preview.refused);
  questions = preview.questions.length;
  faultless = preview.questions.filter((question) => question.errors.length === 0).length;
});
const milliseconds = performance.now() - started;
const memory = process.resourceUsage().maxRSS * 1024;
const { delay: noise } = await watched(async () => {
  // At most one second: that shows the noise of the machine; several seconds would only show its worst moment.
  const counted = Math.ceil(Math.min(milliseconds, 1_000));
  const counting = new Worker(`const until = Date.now() + ${counted}; while (Date.now() < until);`, { eval: true });
  await new Promise((resolve) => counting.on('exit', resolve));
});
const cost: PreviewCost = { questions, faultless, milliseconds, delay, noise, hold, memory, progress };
console.log(JSON.stringify(cost));
