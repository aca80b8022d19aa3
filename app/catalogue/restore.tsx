import { restoreCatalogueEntry, showCatalogueEntry } from '#server/catalogue/contract.ts';
import { catalogueNames, restoreFault } from '#server/catalogue/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import type { Route } from './+types/restore';
import { ConfirmEntry } from './confirm-entry.tsx';
import { catalogue, entryRestore } from './screens.ts';
import { mustShare } from './shared.server.ts';

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titled(`恢复${catalogueNames[loaderData?.kind ?? 'grades']}`);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, restoreCatalogueEntry);
  const { kind } = catalogue.at(url);
  const params = { kind, id: entryRestore.at(url).id };
  const entry = await context.get(api).send(showCatalogueEntry, { params });
  mustShare(context, kind);
  mustBeAllowed(context, restoreFault(entry));
  return { kind, entry, ...entryRestore.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, entryRestore.behind(url), (client, idempotencyKey) =>
    client.ask(restoreCatalogueEntry, {
      params: { kind: catalogue.at(url).kind, id: entryRestore.at(url).id },
      idempotencyKey,
    }),
  );

export default function RestoreEntry(props: Route.ComponentProps) {
  return <ConfirmEntry verb="恢复" question="恢复后重新提供选择，确定恢复吗？" {...props} />;
}
