/** The end of an exam report, as a dialog over it. */
import type { Route } from './+types/exam-finish';
import { examCalls } from './exam-calls.server.ts';
import { FinishPage } from './finish-page.tsx';
import { finishByForm, openFinish } from './finish-route.server.ts';

export const meta: Route.MetaFunction = () => [{ title: '完成批改 · 教学后台' }];

export const loader = ({ url }: Route.LoaderArgs) => openFinish(examCalls, url);

export const action = ({ request, context, url }: Route.ActionArgs) =>
  finishByForm(examCalls, { request, context, url });

export default function Finish({ loaderData, actionData }: Route.ComponentProps) {
  return <FinishPage {...loaderData} refused={actionData} />;
}
