import type { ImportedQuestion, ImportFormat, ImportNote } from './imported-question.ts';

/** Messages between the parser process and the server. */

export interface ParsingTask {
  format: ImportFormat;
  bytes: Uint8Array;
  keepsPictures: boolean;
}

/** From the parser. Messages with an `ask` number wait for a reply, so that the server is not flooded. */
export type FromWorker =
  | { kind: 'progress'; part: number }
  | { kind: 'picture'; ask: number; bytes: Uint8Array; contentType: string }
  | { kind: 'questions'; ask: number; questions: ImportedQuestion[] }
  | { kind: 'done'; errors: ImportNote[] }
  | { kind: 'refused'; message: string }
  | { kind: 'thrown'; error: Error };

/** The task first, then replies. */
export type ToWorker = ParsingTask | Reply;

export interface Reply {
  ask: number;
  /** Address of the stored picture, null if it was refused. */
  url: string | null;
}
