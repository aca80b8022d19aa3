import { refused } from '../shell/form-action.server.ts';

/** Puts all messages of a refused import at its file field. */
export const refusedFile = (outcome: Parameters<typeof refused>[0], form: FormData) =>
  refused({ ...outcome, errors: { file: outcome.err ?? [outcome.msg] } }, form);
