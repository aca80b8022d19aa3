import { refusedForm } from '../shell/form-action.server.ts';

/** Puts all messages of a refused import at its file field. */
export const refuseImport = (outcome: Parameters<typeof refusedForm>[0], form: FormData) =>
  refusedForm({ ...outcome, errors: { file: outcome.err ?? [outcome.msg] } }, form);
