/** Equal answers to a question of homework, as a dialog over the desk. */
import type { Route } from './+types/same';
import { homeworkCalls } from './homework-calls.server.ts';
import { SamePage } from './same-page.tsx';
import { gradeSameByForm, openSame } from './same-route.server.ts';

export const meta: Route.MetaFunction = () => [{ title: '批改相同的答案 · 教学后台' }];

export const loader = ({ context, url }: Route.LoaderArgs) => openSame(homeworkCalls, { context, url });

export const action = ({ request, context, url }: Route.ActionArgs) =>
  gradeSameByForm(homeworkCalls, { request, context, url });

export default function Same({ loaderData, actionData }: Route.ComponentProps) {
  return <SamePage {...loaderData} refused={actionData} />;
}
