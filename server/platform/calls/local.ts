/**
 * The API for the screens of its own process: the same admission, validation and handlers as over HTTP, without a
 * Request, a Response, JSON and an address in between, which cost a page more than its queries, and with the person
 * looked up once, like all that its calls ask alike. For calls that only read; those that change something, and files,
 * go over `fetch`.
 */

import { withRequestDeadline } from '#server/platform/db/deadline.ts';
import { memo, withPageCache } from '#server/platform/db/page-cache.ts';
import { fromReplica } from '#server/platform/db/replica.ts';
import { answerToError, envelopeOf } from './answer.ts';
import type { Backend } from './backend.ts';
import type { BoundCall } from './bind.ts';
import { type AnyCall, addressIn, isShared } from './call.ts';
import type { Envelope } from './envelope.ts';
import { isRefusal, missing, type Refusal } from './outcome.ts';
import { readRequest, type SentRequest } from './read.ts';

/** The API as one page of one person uses it: who asks the same again is answered as before. Never rejects. */
export interface LocalApi {
  /**
   * What the screen sends is read by the call's schemas, params as the text of an address; a filter that they have
   * read already is taken as it is. Undefined for a call that only `fetch` answers.
   */
  read(call: AnyCall, role: string, sent: SentRequest): Promise<Envelope | Refusal> | undefined;
}

/** Whether every parameter that the path needs is there. */
const isWhole = (path: string, params: Record<string, unknown>): boolean =>
  [...path.matchAll(/:(\w+)(\??)/g)].every(([, name = '', optional]) => optional !== '' || name in params);

const isReading = (call: AnyCall) => !call.changes && !call.upload && !call.file;

export function localApi<Given, Person extends { id: number }>(
  backend: Backend<Given, Person>,
  calls: readonly BoundCall<Given>[],
) {
  const boundTo = new Map(calls.map((bound) => [bound.call, bound]));

  return ({ authorization, requestId }: { authorization: string; requestId: string }): LocalApi => {
    const db = withPageCache(backend.db);
    let lookup: Promise<Person | undefined> | undefined;
    const person = () => {
      lookup ??= backend.personOf(authorization, backend.now());
      return lookup;
    };
    const read = async ({ call, answer }: BoundCall<Given>, role: string, sent: SentRequest) => {
      const admitted = backend.admit(call, await person(), isShared(call) ? undefined : role);
      if (isRefusal(admitted)) return admitted;
      // An address without the id, which over HTTP is no address of the call.
      if (!isWhole(addressIn(backend.prefixes, call, role) ?? '', sent.params)) return missing();
      const request = readRequest(call, sent);
      if (isRefusal(request)) return request;
      const context = await backend.contextOf(admitted, backend.now());
      const work = async () => answer({ ...context, ...request, db, files: [] });
      const outcome = await (call.fromReplica ? fromReplica(work) : work());
      return isRefusal(outcome) ? outcome : envelopeOf(backend, call, outcome);
    };
    return {
      read(call, role, sent) {
        const bound = boundTo.get(call);
        if (!bound || !isReading(call)) return undefined;
        // Two routes of a page may ask for the same.
        return memo(db, JSON.stringify([call.method, call.path, role, sent]), () =>
          withRequestDeadline(() => read(bound, role, sent)),
        ).catch((error: unknown) => {
          const route = addressIn(backend.prefixes, call, role) ?? '';
          return answerToError(error, backend, { method: call.method, route, requestId });
        });
      },
    };
  };
}
