import { refused } from '../shell/form-action.server.ts';

/** An import that was refused: of a file there may be said several things. */
export const refusedFile = (outcome: Parameters<typeof refused>[0], form: FormData) =>
  refused({ ...outcome, errors: { file: outcome.err ?? [outcome.msg] } }, form);
