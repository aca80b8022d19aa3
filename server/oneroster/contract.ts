/** Systems that read the school's roster and gradebook by OneRoster: made, bound to schools, and ended by administrators. */
import * as v from 'valibot';
import {
  FlagNumber,
  Named,
  OneLine,
  page,
  paging,
  SearchFlag,
  SearchIds,
  SearchText,
  Seconds,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { clientMessages, clientNameLimit, clientReads } from './rules.ts';

export const clientStates = ['in-use', 'ended'] as const;

export const ClientFilter = v.object({ name: SearchText, state: searchWord(clientStates), ...paging() });
export type ClientFilter = v.InferOutput<typeof ClientFilter>;

export const ClientRow = v.object({
  id: v.number(),
  name: v.string(),
  client_id: v.string(),
  every_school: FlagNumber,
  schools: v.array(Named),
  reads: v.array(v.picklist(clientReads)),
  created_at: Seconds,
  /** Null: never. */
  used_at: v.nullable(Seconds),
  /** Null: it is in use. */
  ended_at: v.nullable(Seconds),
});
export type ClientRow = v.InferOutput<typeof ClientRow>;

export const listClients = adminCall({
  method: 'GET',
  path: 'roster-clients',
  title: '对接系统列表',
  needs: 'settings',
  query: ClientFilter,
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
  answer: v.array(Named),
});

export const NewClient = v.object({
  name: TypedText,
  every_school: SearchFlag,
  school_ids: SearchIds,
  reads: v.fallback(v.optional(v.array(v.string()), []), []),
});
export type NewClient = v.InferOutput<typeof NewClient>;

export const CompleteClient = v.object({
  name: v.pipe(
    OneLine,
    v.nonEmpty(clientMessages.noName),
    v.check((name) => lengthOf(name) <= clientNameLimit, clientMessages.nameLength),
  ),
  every_school: v.optional(FlagNumber, 0),
  school_ids: v.array(v.number()),
  reads: v.pipe(
    v.array(v.string()),
    v.transform((reads) => clientReads.filter((one) => reads.includes(one))),
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
