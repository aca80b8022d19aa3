/** Handles the upload form that client JS sends. */
import { jsonAnswer } from '../shell/json-answer.server.ts';
import type { Route } from './+types/send';
import { forwardUpload, uploadPurpose } from './upload.server.ts';

export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const { outcome } = await forwardUpload(context, request, url);
  return jsonAnswer(context, outcome, uploadPurpose(url).back);
}
