/** Signs the learner out. Revokes the token on the server, not only this browser's copy. */
import { redirect } from 'react-router';
import { readButton, readPostedForm } from '../shell/form-action.server.ts';
import { getRequestId } from '../shell/protection.server.ts';
import { getSession } from '../shell/session.server.ts';
import type { Route } from './+types/sign-out';
import { EmptyAnswer } from './api-answers.ts';
import { callLearnerApi } from './client.server.ts';
import { learnHome, learnSignIn } from './screens.ts';

export async function action({ request, context }: Route.ActionArgs) {
  readButton(await readPostedForm(request, context), '');
  const session = getSession(context);
  const token = session.get('learner');
  if (token)
    await callLearnerApi({ token, requestId: getRequestId(context) }, { path: 'session/end', body: {} }, EmptyAnswer);
  session.unset('learner');
  session.set('left', true);
  throw redirect(learnSignIn.href());
}

export function loader() {
  throw redirect(learnHome.href());
}
