/** Stores a file that client JS uploads. Responds with `{path, originalName}`, or with `{msg}` if refused. */
import { uploadFile } from '#server/platform/files/contract.ts';
import { api } from '../api/client.server.ts';
import type { Route } from './+types/upload';

export async function action({ request, context }: Route.ActionArgs) {
  const outcome = await context.get(api).upload(uploadFile, request);
  return outcome.ok ? Response.json(outcome.data) : Response.json({ msg: outcome.msg }, { status: outcome.status });
}
