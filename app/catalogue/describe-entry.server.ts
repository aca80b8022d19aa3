import { type CatalogueRecord, showCatalogueEntry } from '#server/catalogue/contract.ts';
import { catalogueNames } from '#server/catalogue/rules.ts';
import type { ApiClient } from '../api/client.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { catalogue } from './screens.ts';
import { requireEverySchool } from './shared.server.ts';

interface EntryRequest {
  client: ApiClient;
  context: RequestContext;
  url: URL;
  params: { kind?: string | number; id?: string | number };
}

/** Loads the data of a dialog that confirms an action on a catalogue entry. */
export async function describeEntry(
  { client, context, url, params }: EntryRequest,
  verb: string,
  fault: (entry: CatalogueRecord) => string | undefined,
) {
  const { kind } = catalogue.at(url);
  const entry = await client.send(showCatalogueEntry, { params });
  requireEverySchool(context, kind);
  const what = catalogueNames[kind];
  return {
    title: verb + what,
    kind: what,
    name: entry.name,
    details: entry.uses && `正在使用：${entry.uses}。`,
    refusal: fault(entry),
  };
}
