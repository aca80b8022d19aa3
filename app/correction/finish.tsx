/** The end of a homework report, as a dialog over it. */
import type { Route } from './+types/finish';
import { FinishPage } from './finish-page.tsx';
import { finishByForm, openFinish } from './finish-route.server.ts';
import { homeworkCalls } from './homework-calls.server.ts';

export const meta: Route.MetaFunction = () => [{ title: '完成批改 · 教学后台' }];

export const loader = ({ url }: Route.LoaderArgs) => openFinish(homeworkCalls, url);

export const action = ({ request, context, url }: Route.ActionArgs) =>
  finishByForm(homeworkCalls, { request, context, url });

export default function Finish({ loaderData, actionData }: Route.ComponentProps) {
  return <FinishPage {...loaderData} refused={actionData} />;
}
