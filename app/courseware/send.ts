/** Takes the upload form that the browser's own script sends: the answer leaves the screen as it is. */
import { flash } from '../shell/form-action.server.ts';
import type { Route } from './+types/send';
import { sendUpload, uploadPurpose } from './upload.server.ts';

/** Where to go on, or why the file was not taken. */
export type SendAnswer = { to: string } | { msg: string; errors?: Record<string, string[]> };

export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const { outcome } = await sendUpload(context, request, url);
  if (!outcome.ok) {
    const refusal: SendAnswer = { msg: outcome.msg, ...(outcome.errors ? { errors: outcome.errors } : {}) };
    return Response.json(refusal, { status: outcome.status });
  }
  flash(context, 'success', outcome.msg);
  return Response.json({ to: uploadPurpose(url).back } satisfies SendAnswer);
}
