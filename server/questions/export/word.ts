/** Writes a paper as a Word document (.docx). The document is built in one piece, so a worker thread does it. */
import { invalid, Refusal } from '#server/platform/calls/outcome.ts';
import { createPool, type Pool } from '#server/platform/jobs/pool.ts';
import { exportMessages } from '../export.rules.ts';
import type { ExportedQuestions, ExportOptions, ExportQuestion } from './export-question.ts';
import { readPictures } from './pictures.ts';
import type { writePaper } from './word-paper.ts';

let shared: Pool | undefined;

/** 500 questions with 200 pictures take 3 seconds and 150 MB of heap. */
const pool = (): Pool => {
  shared ??= createPool({ workers: 1, queue: 20, timeLimit: 60_000, memoryLimit: 512, idleTime: 30_000 });
  return shared;
};

/** 422: the document needs too much time or memory. 503: too many documents are waiting. */
export async function writeWord(
  questions: readonly ExportQuestion[],
  options: ExportOptions,
): Promise<ExportedQuestions | Refusal> {
  const { title, variant, reportOnly = false } = options;
  const pictures = variant === 'answer-sheet' ? new Map() : await readPictures(questions, options);
  const input = { title, variant, reportOnly, questions, pictures } satisfies Parameters<typeof writePaper>[0];
  const outcome = await pool().run<ExportedQuestions>({
    module: '#server/questions/export/word-paper.ts',
    run: 'writePaper',
    input,
  });
  if ('ok' in outcome) return outcome.ok;
  return outcome.failed === 'time' || outcome.failed === 'memory'
    ? invalid({ ids: [exportMessages.tooLong] })
    : new Refusal('away', exportMessages.busy, { retryAfter: 10 });
}
