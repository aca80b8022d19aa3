/** The end of a pass by question over a homework, as a dialog over it. */
import type { Route } from './+types/finish-all';
import { FinishAllPage } from './finish-all-page.tsx';
import { finishAllByForm, openFinishAll } from './finish-route.server.ts';
import { homeworkCalls } from './homework-calls.server.ts';

export const meta: Route.MetaFunction = () => [{ title: '完成批改 · 教学后台' }];

export const loader = ({ context, url }: Route.LoaderArgs) => openFinishAll(homeworkCalls, { context, url });

export const action = ({ request, context, url }: Route.ActionArgs) =>
  finishAllByForm(homeworkCalls, { request, context, url });

export default function FinishAll({ loaderData, actionData }: Route.ComponentProps) {
  return <FinishAllPage {...loaderData} refused={actionData} />;
}
