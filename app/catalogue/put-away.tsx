import { putAwayCatalogueEntry, showCatalogueEntry } from '#server/catalogue/contract.ts';
import { catalogueNames, putAwayFault } from '#server/catalogue/rules.ts';
import { api } from '../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import type { Route } from './+types/put-away';
import { ConfirmEntry } from './confirm-entry.tsx';
import { catalogue, entryPutAway } from './screens.ts';
import { mustShare } from './shared.server.ts';

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titled(`停用${catalogueNames[loaderData?.kind ?? 'grades']}`);

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, putAwayCatalogueEntry);
  const { kind } = catalogue.at(url);
  const params = { kind, id: entryPutAway.at(url).id };
  const entry = await context.get(api).send(showCatalogueEntry, { params });
  mustShare(context, kind);
  mustBeAllowed(context, putAwayFault(entry));
  return { kind, entry, ...entryPutAway.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, entryPutAway.behind(url), (client, idempotencyKey) =>
    client.ask(putAwayCatalogueEntry, {
      params: { kind: catalogue.at(url).kind, id: entryPutAway.at(url).id },
      idempotencyKey,
    }),
  );

export default function PutAwayEntry(props: Route.ComponentProps) {
  return (
    <ConfirmEntry
      verb="停用"
      question="停用后不再提供选择，下级也一并停用；已使用的保持不变，可以随时恢复。确定停用吗？"
      {...props}
    />
  );
}
