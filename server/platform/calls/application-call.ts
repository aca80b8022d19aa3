/** Calls of the learners' own application: by a service token, outside what signed-in staff are offered. */
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as v from 'valibot';
import { applicationOf } from '#server/platform/auth/service-token.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { ApiRouter } from './answer.ts';
import { envelopeResponse, refusalResponse, success } from './envelope.ts';
import { maxId } from './fields.ts';
import { invalid, isRefusal, Refusal } from './outcome.ts';
import { fieldErrors, readJson } from './read.ts';
import { callMessages } from './rules.ts';
import { inTransaction } from './transaction.ts';

const bodyBytes = 64 * 1024;

/** An id as the application names it, refused with this sentence. */
export const someId = (message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(maxId, message));

/** A `POST` of the learners' application, as the description of the API has it. */
export interface ApplicationCall {
  path: string;
  /** One Chinese phrase for the API page. */
  title: string;
  description?: string;
  body?: v.GenericSchema<unknown, unknown>;
  /** Name of the form field of the file, where it takes one. */
  file?: string;
  answer?: v.GenericSchema<unknown, unknown>;
  /** The sentence of a success. */
  message: string;
}

const declared = new WeakMap<ApiRouter, ApplicationCall[]>();

/** Notes a call that is mounted, so that it stands in the description of the API. */
export function declareForApplication(api: ApiRouter, call: ApplicationCall): void {
  declared.set(api, [...applicationCallsOf(api), call]);
}

export const applicationCallsOf = (api: ApiRouter): readonly ApplicationCall[] => declared.get(api) ?? [];

/**
 * `POST path`: reads a body for an application that may send it, and answers what `act` comes to in one transaction.
 * `now` in unix seconds.
 */
export function takeFromApplication<S extends v.GenericSchema<unknown, unknown>>(
  api: ApiRouter,
  { database: { db }, now: clock }: { database: { db: Database }; now: () => number },
  call: ApplicationCall & { body: S },
  act: (db: Database, sent: v.InferOutput<S>, now: number) => Promise<null | Refusal>,
): void {
  declareForApplication(api, call);
  const { path, body, message } = call;
  const limit = bodyLimit({
    maxSize: bodyBytes,
    onError: () => refusalResponse(new Refusal('too-large', callMessages.tooLarge)),
  });
  api.post(path, limit, async (context: Context) => {
    const now = clock();
    if (!(await applicationOf(db, context.req.header('authorization'), now))) {
      return refusalResponse(new Refusal('signed-out', '应用令牌无效'));
    }
    const json = await readJson(context);
    if (isRefusal(json)) return refusalResponse(json);
    const sent = v.safeParse(body, json);
    if (!sent.success) return refusalResponse(invalid(fieldErrors(sent.issues)));
    const outcome = await inTransaction(db, (trx) => act(trx, sent.output, now));
    return isRefusal(outcome) ? refusalResponse(outcome) : envelopeResponse(success(null, message));
  });
}
