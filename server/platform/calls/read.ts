/** Reads what was sent by the schemas of the call. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import type { ReadRequest } from './bind.ts';
import type { AnyCall, Schema } from './call.ts';
import { hasTooManyValues, Id } from './fields.ts';
import { invalid, isRefusal, missing, Refusal } from './outcome.ts';
import { callMessages } from './rules.ts';

/** JSON bodies are small; files have their own calls with their own limits. */
export const jsonLimit = 1024 * 1024;
export const tooMuch = () => new Refusal('too-large', callMessages.tooLarge);

/** What stands in the address and the body of a request. */
export interface SentRequest {
  params: Record<string, unknown>;
  query: unknown;
  body: unknown;
  /** What the call's own schema has read already, in place of the query or the body. */
  filter?: unknown;
}

/** Params that are no such record are 404, anything else that does not fit is 422 at its field. */
export function readRequest(call: AnyCall, sent: SentRequest): ReadRequest | Refusal {
  const params: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(sent.params)) {
    const parsed = v.safeParse(paramSchema(call, name), text);
    if (!parsed.success) return missing();
    params[name] = parsed.output;
  }
  for (const [name, schema] of Object.entries((call.params ?? {}) as Record<string, Schema>)) {
    if (!(name in params)) params[name] = v.parse(schema, undefined);
  }
  if (sent.filter !== undefined) {
    return { params, query: call.query && sent.filter, body: call.query ? undefined : sent.filter };
  }
  const query = readBy(call.query as Schema | undefined, sent.query);
  if (isRefusal(query)) return query;
  const body = readBy(call.body as Schema | undefined, sent.body ?? {});
  return isRefusal(body) ? body : { params, query, body };
}

function readBy(schema: Schema | undefined, sent: unknown): unknown {
  if (!schema) return undefined;
  const read = v.safeParse(schema, sent);
  return read.success ? read.output : invalid(fieldErrors(read.issues));
}

const paramSchema = (call: AnyCall, name: string): Schema =>
  (call.params as Record<string, Schema> | undefined)?.[name] ?? Id;

/** Whose reading, parsing and checking each take some milliseconds: a turn of its own for each. */
const isLong = (text: string): boolean => text.length > jsonLimit / 4;

/** Nothing at all is an object without fields. Refused: 400 no object, 413 too many values. */
export async function readJson(read: () => Promise<string>): Promise<object | Refusal> {
  const text = await read();
  if (isLong(text)) await nextTurn();
  if (text.trim() === '') return {};
  if (hasTooManyValues(text)) return tooMuch();
  try {
    const value: unknown = JSON.parse(text);
    if (isLong(text)) await nextTurn();
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON: said below.
  }
  return new Refusal('malformed', callMessages.malformed);
}

/** Messages by field, `a.0.b` for nested ones. */
export function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const issue of issues) {
    const field = v.getDotPath(issue) ?? 'form';
    // Valibot's own sentences are English; a field without a sentence of its own asks to be completed.
    const message = /[\u4e00-\u9fff]/.test(issue.message) ? issue.message : '请完善信息';
    const messages = errors[field] ?? [];
    if (!messages.includes(message)) errors[field] = [...messages, message];
  }
  return errors;
}
