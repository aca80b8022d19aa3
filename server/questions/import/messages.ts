import type { ImportedQuestion, ImportFormat, ImportNote } from './imported.ts';

/** What the parsing thread and the server say to each other. */

export interface ParsingTask {
  format: ImportFormat;
  bytes: Uint8Array;
  keepsPictures: boolean;
}

/** From the thread. Those with an `ask` number wait for their reply: the server takes in no more than it can. */
export type FromWorker =
  | { kind: 'progress'; part: number }
  | { kind: 'picture'; ask: number; bytes: Uint8Array; contentType: string }
  | { kind: 'questions'; ask: number; questions: ImportedQuestion[] }
  | { kind: 'done'; errors: ImportNote[] }
  | { kind: 'refused'; message: string };

export interface ToWorker {
  ask: number;
  /** The address of a kept picture, null where it was refused. */
  url: string | null;
}
