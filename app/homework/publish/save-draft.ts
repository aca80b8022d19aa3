/** Stores the hydrated form as a draft on the server, so that any browser can continue it. Or deletes that draft. */

import { deletePublishDraft } from '#server/homework/drafts.contract.ts';
import { callMessages } from '#server/platform/calls/rules.ts';
import { api } from '../../api/client.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { publishDraft } from '../screens.ts';
import type { Route } from './+types/save-draft';
import { storeDraft } from './load.server.ts';
import { parseForm } from './parse-form.ts';

export async function action({ request, context, url }: Route.ActionArgs): Promise<Response> {
  const client = context.get(api);
  const form = parseForm(await request.text());
  if (!form || form.submit_key === '') return Response.json({ msg: callMessages.malformed }, { status: 400 });
  const { given_up, ...place } = publishDraft.at(url);
  const outcome =
    given_up === 'yes'
      ? await client.ask(deletePublishDraft, { body: { key: form.submit_key } })
      : await storeDraft(client, form, { ...place, draft: undefined }, signedInPerson(context).settings.timezone);
  return Response.json({ msg: outcome.msg }, { status: outcome.ok ? 200 : outcome.status });
}
