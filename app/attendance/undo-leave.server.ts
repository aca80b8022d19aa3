import { undoLeaveBatch } from '#server/attendance/contract.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { ended, pressed, typedForm } from '../shell/form-action.server.ts';
import type { FormRequest } from '../shell/form-request.ts';

/** 撤销: the batch that was decided waits again, and the list is shown. */
export async function undoLeave({ request, context }: Pick<FormRequest, 'request' | 'context'>, list: string) {
  const form = await typedForm(request, context);
  const [, batchId = ''] = pressed(form, 'undo');
  const outcome = await context.get(api).ask(undoLeaveBatch, {
    params: { batchId },
    idempotencyKey: idempotencyField(form),
  });
  return ended(context, outcome, list, form);
}
