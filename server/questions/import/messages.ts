import type { ColumnMapping } from './column-names.ts';
import type { ImportedQuestion, ImportPreview, QuestionsFile } from './imported-question.ts';

/** Messages between the server and the child process that reads files. */

export interface ParsingTask {
  files: readonly QuestionsFile[];
  keepsPictures: boolean;
  mapping?: ColumnMapping | undefined;
}

/**
 * Messages from the child process. It waits for a reply to those with an `ask` number, so that it cannot flood the
 * server.
 */
export type FromWorker =
  | { kind: 'progress'; part: number }
  | { kind: 'picture'; ask: number; bytes: Uint8Array; contentType: string }
  | { kind: 'questions'; ask: number; questions: ImportedQuestion[] }
  | { kind: 'done'; preview: Omit<ImportPreview, 'questions'> }
  | { kind: 'refused'; message: string }
  | { kind: 'thrown'; error: Error };

/** Messages to the child process: first the task, then replies. */
export type ToWorker = ParsingTask | Reply;

export interface Reply {
  ask: number;
  /** URL of the stored picture; null if it was refused. */
  url: string | null;
}
