/** Equal answers to a question of an exam, as a dialog over the desk. */
import type { Route } from './+types/exam-same';
import { examCalls } from './exam-calls.server.ts';
import { SamePage } from './same-page.tsx';
import { gradeSameByForm, openSame } from './same-route.server.ts';

export const meta: Route.MetaFunction = () => [{ title: '批改相同的答案 · 教学后台' }];

export const loader = ({ context, url }: Route.LoaderArgs) => openSame(examCalls, { context, url });

export const action = ({ request, context, url }: Route.ActionArgs) =>
  gradeSameByForm(examCalls, { request, context, url });

export default function Same({ loaderData, actionData }: Route.ComponentProps) {
  return <SamePage {...loaderData} refused={actionData} />;
}
