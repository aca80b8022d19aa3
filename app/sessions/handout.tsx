/** The upload dialog of a lesson's handout: `/sessions/class/handout?id=`. */
import { data } from 'react-router';
import { handoutFault, sessionDetail } from '#server/sessions/contract.ts';
import { api } from '../api.server.ts';
import { done } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import type { Route } from './+types/handout';
import { behindStep } from './address.ts';
import { sendHandout } from './handout.server.ts';
import { HandoutForm } from './handout-form.tsx';

export const handle: ScreenHandle = { hydrate: true, dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '上传讲义 · 教学后台' }];

const backFrom = (url: URL) => behindStep(url, ['key']);

export async function loader({ context, url }: Route.LoaderArgs) {
  const session = await context.get(api).send(sessionDetail, { params: { id: url.searchParams.get('id') ?? '' } });
  const search = new URLSearchParams(url.search);
  if (!search.has('key')) search.set('key', crypto.randomUUID());
  return { session, back: backFrom(url), address: { pathname: url.pathname, search: `?${search}` } };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const outcome = await sendHandout(context.get(api), request, url);
  if (outcome.ok) return done(context, outcome.msg, backFrom(url));
  return data({ msg: outcome.msg, errors: outcome.errors }, { status: outcome.status });
}

export default function Handout({ loaderData: { session, back, address }, actionData }: Route.ComponentProps) {
  const error = actionData?.errors?.file?.[0];
  const fault = handoutFault(session);
  return (
    <Dialog title="上传讲义" closeHref={back} message={error ? undefined : (actionData?.msg ?? fault)}>
      {fault === undefined ? (
        <HandoutForm session={session} closeHref={back} address={address} refused={error} />
      ) : (
        <DialogClose closeHref={back} words="返回" />
      )}
    </Dialog>
  );
}
