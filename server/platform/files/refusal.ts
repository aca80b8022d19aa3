/** Why a file is not taken: the status of the answer and the sentence that the screen shows. */
export interface Refusal {
  refused: 400 | 413 | 415 | 422;
  message: string;
}
