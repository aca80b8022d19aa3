/** Takes one photograph from the script of a form of answers. */
import { pictureBytes, pictureTooLargeMessage } from '#server/platform/files/rules.ts';
import { requireOwnRequest } from '../shell/form-owner.server.ts';
import { readFormWithFiles } from '../shell/form-with-file.server.ts';
import type { Route } from './+types/picture';
import { pictureFaultOf } from './answer-form.server.ts';
import { learnerContext } from './client.server.ts';

export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  requireOwnRequest(context, request);
  let answer = Response.json({ msg: '照片没有收到' }, { status: 400 });
  await readFormWithFiles(request, context, pictureBytes, async (file) => {
    if (file === 'too-large') {
      answer = Response.json({ msg: pictureTooLargeMessage(pictureBytes) }, { status: 413 });
      return;
    }
    const outcome = await context.get(learnerContext).picture(file);
    answer = outcome.ok
      ? Response.json({ path: outcome.data.path })
      : Response.json({ msg: pictureFaultOf(outcome) }, { status: outcome.status });
  });
  return answer;
}
