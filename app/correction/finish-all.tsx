/** The end of a pass by question, as a dialog over the desk. */
import { titled } from '../shell/title.ts';
import type { Route } from './+types/finish-all';
import { callsOf } from './desk/calls.server.ts';
import { FinishAllPage } from './desk/finish-all-page.tsx';
import { finishAllByForm, openFinishAll } from './desk/finish-route.server.ts';

export const meta: Route.MetaFunction = () => titled('完成批改');

export const loader = ({ context, url }: Route.LoaderArgs) => openFinishAll(callsOf(url), { context, url });

export const action = ({ request, context, url }: Route.ActionArgs) =>
  finishAllByForm(callsOf(url), { request, context, url });

export default function FinishAll({ loaderData, actionData }: Route.ComponentProps) {
  return <FinishAllPage {...loaderData} refused={actionData} />;
}
