/** Administrators' calls for OneRoster clients, which are systems that read the school's roster and gradebook. */
import * as v from 'valibot';
import { AccessFilter, accessEntries, NewToken, TokenRow } from '#server/learners/tokens.contract.ts';
import { IdAndName, page } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { clientMessages, clientNameLimit, clientPermissions } from './rules.ts';

export const ClientRow = v.object({
  ...TokenRow.entries,
  client_id: v.string(),
  reads: v.array(v.picklist(clientPermissions)),
});
export type ClientRow = v.InferOutput<typeof ClientRow>;

export const listClients = adminCall({
  method: 'GET',
  path: 'roster-clients',
  title: '对接系统列表',
  needs: 'settings',
  query: AccessFilter,
  answer: page(ClientRow),
});

export const showClient = adminCall({
  method: 'GET',
  path: 'roster-clients/:id',
  title: '对接系统详情',
  needs: 'settings',
  answer: ClientRow,
});

export const clientSchools = adminCall({
  method: 'GET',
  path: 'roster-clients/schools',
  title: '可选的学校',
  needs: 'settings',
  answer: v.array(IdAndName),
});

export const NewClient = v.object({ ...NewToken.entries, reads: v.fallback(v.optional(v.array(v.string()), []), []) });
export type NewClient = v.InferOutput<typeof NewClient>;

export const CompleteClient = v.object({
  ...accessEntries(clientMessages, clientNameLimit),
  reads: v.pipe(
    v.array(v.string()),
    v.transform((reads) => clientPermissions.filter((one) => reads.includes(one))),
    v.minLength(1, clientMessages.noReads),
  ),
});

export const MadeClient = v.object({
  id: v.number(),
  name: v.string(),
  client_id: v.string(),
  client_secret: v.string(),
});
export type MadeClient = v.InferOutput<typeof MadeClient>;

export const addClient = adminCall({
  method: 'POST',
  path: 'roster-clients',
  title: '添加对接系统',
  description: '密钥只在本次应答中出现。',
  needs: 'settings',
  body: NewClient,
  answer: MadeClient,
  message: '对接系统已添加',
  secret: true,
});

export const endClient = adminCall({
  method: 'POST',
  path: 'roster-clients/:id/end',
  title: '停用对接系统',
  needs: 'settings',
  answer: v.null(),
  message: '对接系统已停用',
});
