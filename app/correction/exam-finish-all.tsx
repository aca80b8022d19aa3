/** The end of a pass by question over an exam, as a dialog over it. */
import type { Route } from './+types/exam-finish-all';
import { examCalls } from './exam-calls.server.ts';
import { FinishAllPage } from './finish-all-page.tsx';
import { finishAllByForm, openFinishAll } from './finish-route.server.ts';

export const meta: Route.MetaFunction = () => [{ title: '完成批改 · 教学后台' }];

export const loader = ({ context, url }: Route.LoaderArgs) => openFinishAll(examCalls, { context, url });

export const action = ({ request, context, url }: Route.ActionArgs) =>
  finishAllByForm(examCalls, { request, context, url });

export default function FinishAll({ loaderData, actionData }: Route.ComponentProps) {
  return <FinishAllPage {...loaderData} refused={actionData} />;
}
