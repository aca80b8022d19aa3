/**
 * The API within this process, for server-rendered screens. Admission, validation and handlers are the same as over
 * HTTP, but without Request, Response and JSON, which cost a page more than its queries. The user is looked up once per
 * page, and repeated reads are memoised. Only for calls that read; changes and files go through `fetch`.
 */

import { withRequestDeadline } from '#server/platform/db/deadline.ts';
import { memoizePerPage, withPageCache } from '#server/platform/db/page-cache.ts';
import { withReplicaReads } from '#server/platform/db/replica.ts';
import { answerToError, envelopeOf } from './answer.ts';
import type { Backend } from './backend.ts';
import type { BoundCall } from './bind.ts';
import { type AnyCall, fullPathFor, isShared } from './call.ts';
import type { Envelope } from './envelope.ts';
import { isRefusal, missing, type Refusal } from './outcome.ts';
import { readRequest, type UnvalidatedRequest } from './read.ts';

/** The API for one page render of one user. Repeated reads are memoised. Never rejects. */
export interface LocalApi {
  /**
   * Makes a call; the call's schemas parse the input. `params`: text, as in an address. `filter`: already parsed.
   * Returns undefined if the call must go through `fetch`.
   */
  read(call: AnyCall, role: string, sent: UnvalidatedRequest): Promise<Envelope | Refusal> | undefined;
}

/** True if all required path parameters are present. */
const hasAllParams = (path: string, params: Record<string, unknown>): boolean =>
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
    const read = async ({ call, answer }: BoundCall<Given>, role: string, sent: UnvalidatedRequest) => {
      const admitted = backend.admit(call, await person(), isShared(call) ? undefined : role);
      if (isRefusal(admitted)) return admitted;
      // A missing path parameter is 404, as over HTTP.
      if (!hasAllParams(fullPathFor(backend.prefixes, call, role) ?? '', sent.params)) return missing();
      const request = readRequest(call, sent);
      if (isRefusal(request)) return request;
      const context = await backend.contextOf(admitted, backend.now());
      const work = async () => answer({ ...context, ...request, db, files: [] });
      const outcome = await (call.fromReplica ? withReplicaReads(work) : work());
      return isRefusal(outcome) ? outcome : envelopeOf(backend, call, outcome);
    };
    return {
      read(call, role, sent) {
        const bound = boundTo.get(call);
        if (!bound || !isReading(call)) return undefined;
        // Several routes of a page may make the same call.
        return memoizePerPage(db, JSON.stringify([call.method, call.path, role, sent]), () =>
          withRequestDeadline(() => read(bound, role, sent)),
        ).catch((error: unknown) => {
          const route = fullPathFor(backend.prefixes, call, role) ?? '';
          return answerToError(error, backend, { method: call.method, route, requestId });
        });
      },
    };
  };
}
