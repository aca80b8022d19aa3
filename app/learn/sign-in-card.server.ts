/** Data of the sign-in card: the ways to sign in, and the learners of a demo school. */
import { demoLearners } from '../api/process.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { Ways } from './api-answers.ts';
import { applicationContext, callLearnerApi } from './client.server.ts';

export async function readSignInCard(context: RequestContext) {
  const [ways, learners] = await Promise.all([
    callLearnerApi(context.get(applicationContext), { path: 'session/ways' }, Ways),
    demoLearners(),
  ]);
  // If the API does not answer, the page offers codes as usual.
  return {
    sendsCodes: !ways.ok || ways.data.code === 1,
    providers: ways.ok ? ways.data.providers : [],
    site: ways.ok ? ways.data.site : '',
    learners,
  };
}
export type SignInCardData = Awaited<ReturnType<typeof readSignInCard>>;
