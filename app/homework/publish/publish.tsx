/**
 * Page that publishes homework: a new one, for a course, a copy, remedial homework, or homework for a scheduled lesson.
 */
import { createContext, data, redirect, useOutlet } from 'react-router';
import { publishHomework } from '#server/homework/publication.contract.ts';
import { type ApiClient, api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { readButton, readPostedForm, redirectWithMessage } from '../../shell/form-action.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Hydrated } from '../../ui/hydrated.tsx';
import { homeworkManage, type PublishAddress, publish } from '../screens.ts';
import type { Route } from './+types/publish';
import { deadlinePresets } from './deadlines.ts';
import { dialogPlace, islandName } from './dialogs.ts';
import { exchangeInForm } from './exchange.server.ts';
import { checkForm } from './faults.ts';
import { emptyForm, type PublishForm } from './form.ts';
import { confirmedField, packedFormField, readFields, withPlace } from './form-data.ts';
import { linksOf, screenOfOperation } from './links.server.ts';
import { loadChoices, loadStartingForm, loadView, storeDraft, storeForm } from './load.server.ts';
import { applyOperation, operationNames } from './operations.ts';
import { packForm, unpackForm } from './packed-form.server.ts';
import { PublishScreen } from './publish-screen.tsx';
import { sendForm } from './send.server.ts';
import { audienceKey, audienceOf, type PublishView } from './view.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '作业管理', href: homeworkManage.href() }, { label: '布置作业' }],
};

export const meta: Route.MetaFunction = () => titleMeta('布置作业');

/** View that the action returns. It replaces the view that the address describes. */
const actionView = createContext<PublishView | null>(null);

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, name, settings } = signedInPerson(context);
  requirePermission(context, publishHomework);
  const startingView = async () => {
    const client = context.get(api);
    const { form, notice, place } = await loadStartingForm(client, publish.at(url), settings.timezone);
    return { view: await loadView(client, form, place, { notice }), place };
  };
  const shown = context.get(actionView);
  const { view, place } = shown ? { view: shown, place: publish.at(url) } : await startingView();
  return {
    view,
    packedForm: await packForm(view.form),
    // The page itself holds the form, so its links do not contain the id of the stored form.
    links: linksOf({ ...place, draft: undefined }),
    draftId: place.draft ?? null,
    person: { id, name },
    publicBank: settings.switch_question_module,
    presets: deadlinePresets(context.get(api).now(), settings.timezone),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { timezone } = signedInPerson(context).settings;
  const place = publish.at(url);
  const sent = await readPostedForm(request, context);
  const hiddenForm = (await unpackForm(textOf(sent, packedFormField))) ?? emptyForm;
  const operation = withPlace(readButton(sent, 'publish', ...operationNames), sent);
  const form = readFields(sent, hiddenForm);

  const screen = screenOfOperation(operation);
  if (screen) {
    const draft = await storeForm(client, form, place, timezone);
    throw redirect(screen({ ...place, draft }));
  }
  const isConfirmed = operation[0] === 'confirm-publish';
  if (operation[0] !== 'publish' && !isConfirmed) {
    const { form: operated, notice } =
      operation[0] === 'exchange'
        ? await exchangeInForm(client, form, Number(operation[1]))
        : applyOperation(form, operation);
    await storeDraft(client, operated, place, timezone);
    context.set(actionView, await loadView(client, operated, place, { notice }));
    return data(null);
  }
  if (!isConfirmed && (await isAudienceUnannounced(client, form, place, textOf(sent, confirmedField)))) {
    const asking: PublishForm = { ...form, panel: { kind: 'publish', past: false } };
    await storeDraft(client, form, place, timezone);
    context.set(actionView, await loadView(client, asking, place));
    return data(null);
  }
  const outcome = await sendForm(client, isConfirmed ? form : { ...form, panel: null }, { place, timezone });
  if (outcome.ok) return redirectWithMessage(context, outcome.msg, outcome.to, outcome.onwards);
  await storeDraft(client, outcome.form, place, timezone);
  context.set(actionView, await loadView(client, outcome.form, place, { refusal: outcome.refusal }));
  return data(null, { status: outcome.status });
}

/**
 * True if the audience differs from the classes that the user was shown. Without client JS, the page then shows the
 * classes before it publishes.
 */
async function isAudienceUnannounced(
  client: ApiClient,
  form: PublishForm,
  { arrange_id }: PublishAddress,
  told: string,
) {
  if (Object.keys(checkForm(form)).length > 0) return false;
  const audience = audienceOf(form, await loadChoices(client, form, arrange_id));
  return audience.length > 0 && audienceKey(audience) !== told;
}

export default function Publish({ loaderData }: Route.ComponentProps) {
  const dialog = useOutlet();
  return (
    <>
      <Hydrated name={islandName} component={PublishScreen} props={{ ...loaderData, covered: dialog !== null }} />
      <div {...dialogPlace}>{dialog}</div>
    </>
  );
}
