/** The end of a report, as a dialog over the desk. */
import { titled } from '../shell/title.ts';
import type { Route } from './+types/finish';
import { callsOf } from './desk/calls.server.ts';
import { FinishPage } from './desk/finish-page.tsx';
import { finishByForm, openFinish } from './desk/finish-route.server.ts';

export const meta: Route.MetaFunction = () => titled('完成批改');

export const loader = ({ context, url }: Route.LoaderArgs) => openFinish(callsOf(url), { context, url });

export const action = ({ request, context, url }: Route.ActionArgs) =>
  finishByForm(callsOf(url), { request, context, url });

export default function Finish({ loaderData, actionData }: Route.ComponentProps) {
  return <FinishPage {...loaderData} refused={actionData} />;
}
