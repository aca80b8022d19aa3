import { refusedForm } from '../shell/form-action.server.ts';

/** Returns a refused import with all its messages at the file field. */
export const refuseImport = (outcome: Parameters<typeof refusedForm>[0], form: FormData) =>
  refusedForm({ ...outcome, errors: { file: outcome.err ?? [outcome.msg] } }, form);
