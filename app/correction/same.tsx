/** Equal answers to a question, as a dialog over the desk. */
import { titled } from '../shell/title.ts';
import type { Route } from './+types/same';
import { callsOf } from './desk/calls.server.ts';
import { SamePage } from './desk/same-page.tsx';
import { gradeSameByForm, openSame } from './desk/same-route.server.ts';

export const meta: Route.MetaFunction = () => titled('批改相同的答案');

export const loader = ({ context, url }: Route.LoaderArgs) => openSame(callsOf(url), { context, url });

export const action = ({ request, context, url }: Route.ActionArgs) =>
  gradeSameByForm(callsOf(url), { request, context, url });

export default function Same({ loaderData, actionData }: Route.ComponentProps) {
  return <SamePage {...loaderData} refused={actionData} />;
}
