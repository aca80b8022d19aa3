import { schoolChoices } from '#server/school/admin-schools.ts';
import { handle } from '#server/school/context.ts';
import { clientOf, clientPage, createClient, endClientOf } from './clients.ts';
import { addClient, clientSchools, endClient, listClients, showClient } from './contract.ts';

export const rosterClientCalls = [
  handle(listClients, ({ query, ...context }) => clientPage(context, query)),
  handle(clientSchools, ({ db, actor }) => schoolChoices(db, actor)),
  handle(showClient, ({ params, ...context }) => clientOf(context, params.id)),
  handle(addClient, ({ body, ...context }) => createClient(context, body)),
  handle(endClient, ({ params, ...context }) => endClientOf(context, params.id)),
];
