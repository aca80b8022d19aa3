/** HomeworkPublish (document 1, section 2): from nothing, from a course, as a copy, from a scheduled lesson. */
import { createContext, data, redirect, type ShouldRevalidateFunctionArgs, useOutlet } from 'react-router';
import { api } from '../../api.server.ts';
import { getSession } from '../../shell/session.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import type { Route } from './+types/publish';
import { emptyForm } from './form.ts';
import { heldField, readFields } from './form-data.ts';
import { packForm, unpackForm } from './held.server.ts';
import { keepForm, startingForm, viewOf } from './load.server.ts';
import { operate, screenOf } from './operations.ts';
import { PublishScreen } from './publish-screen.tsx';
import { afterPublishing, formErrors, sendForm } from './send.server.ts';
import { type PublishView, publishPath, waySearch } from './view.ts';

export const handle = { hydrate: true, crumbs: [{ label: '作业管理', href: '/homework' }, { label: '布置作业' }] };

export const meta: Route.MetaFunction = () => [{ title: '布置作业 · 教学后台' }];

/** What the action made of the form: shown as it is, whatever the address started with. */
const acted = createContext<PublishView | null>(null);

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, permissions, settings } = signedInPerson(context);
  if (!permissions.includes('dispatch')) throw data({ msg: '您没有布置作业的权限' }, { status: 403 });
  const startingView = async () => {
    const client = context.get(api);
    const { form, notice, params } = await startingForm(client, url.searchParams, settings.timezone);
    return { view: await viewOf(client, form, params, { notice }), way: waySearch(params) };
  };
  const shown = context.get(acted);
  const { view, way } = shown ? { view: shown, way: waySearch(url.searchParams) } : await startingView();
  return {
    view,
    held: packForm(view.form),
    way,
    personId: id,
    publicBank: settings.switch_question_module,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { timezone } = signedInPerson(context).settings;
  const params = url.searchParams;
  const sent = await request.formData();
  const held = unpackForm(String(sent.get(heldField) ?? '')) ?? emptyForm;
  const operation = String(sent.get('op') ?? '');
  const form = readFields(sent, held);

  const screen = screenOf(operation);
  if (screen) {
    const draft = await keepForm(client, form);
    throw redirect(publishPath + screen.path + waySearch(params, { ...screen.search, draft }));
  }
  if (operation !== 'publish') {
    const { form: operated, notice } = operate(form, operation);
    context.set(acted, await viewOf(client, operated, params, { notice }));
    return data(null);
  }
  const outcome = await sendForm(client, form, { params, timezone });
  if (outcome.ok) {
    getSession(context).flash('flash', { kind: 'success', msg: outcome.msg });
    throw redirect(afterPublishing);
  }
  const refusal = { msg: outcome.msg, errors: formErrors(outcome.errors ?? {}, form) };
  context.set(acted, await viewOf(client, form, params, { refusal }));
  return data(null, { status: outcome.status });
}

/** Where client JS runs, the form lives in the page: it is read anew only when a dialog has made another one of it. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  const draftOf = (url: URL) => url.searchParams.get('draft');
  return nextUrl.pathname === publishPath && draftOf(nextUrl) !== draftOf(currentUrl);
}

export default function Publish({ loaderData }: Route.ComponentProps) {
  const dialog = useOutlet();
  return <PublishScreen {...loaderData} dialog={dialog} />;
}
