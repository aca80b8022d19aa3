import type { ImportedQuestion, ImportFormat, ImportNote } from './imported-question.ts';

/** What the parsing process and the server say to each other. */

export interface ParsingTask {
  format: ImportFormat;
  bytes: Uint8Array;
  keepsPictures: boolean;
}

/** From the process that parses. Those with an `ask` number wait for their reply: the server takes in no more than it can. */
export type FromWorker =
  | { kind: 'progress'; part: number }
  | { kind: 'picture'; ask: number; bytes: Uint8Array; contentType: string }
  | { kind: 'questions'; ask: number; questions: ImportedQuestion[] }
  | { kind: 'done'; errors: ImportNote[] }
  | { kind: 'refused'; message: string }
  | { kind: 'thrown'; error: Error };

/** The task comes first, then the replies. */
export type ToWorker = ParsingTask | Reply;

export interface Reply {
  ask: number;
  /** The address of a kept picture, null where it was refused. */
  url: string | null;
}
