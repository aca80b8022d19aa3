import { deleteCatalogueEntry, showCatalogueEntry } from '#server/catalogue/contract.ts';
import { catalogueNames, inUseFault } from '#server/catalogue/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import type { Route } from './+types/delete';
import { ConfirmEntry } from './confirm-entry.tsx';
import { catalogue, entryDelete } from './screens.ts';
import { mustShare } from './shared.server.ts';

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titled(`删除${catalogueNames[loaderData?.kind ?? 'grades']}`);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, deleteCatalogueEntry);
  const { kind } = catalogue.at(url);
  const params = { kind, id: entryDelete.at(url).id };
  const entry = await context.get(api).send(showCatalogueEntry, { params });
  mustShare(context, kind);
  mustBeAllowed(context, inUseFault(entry.uses), entryDelete.behind(url));
  return { kind, entry, ...entryDelete.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, entryDelete.behind(url), (client, idempotencyKey) =>
    client.ask(deleteCatalogueEntry, {
      params: { kind: catalogue.at(url).kind, id: entryDelete.at(url).id },
      idempotencyKey,
    }),
  );

export default function DeleteEntry(props: Route.ComponentProps) {
  return <ConfirmEntry verb="删除" question="删除后不能恢复，确定删除吗？" {...props} />;
}
