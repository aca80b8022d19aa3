/** Parses and validates a request by the call's schemas. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import type { ReadRequest } from './bind.ts';
import type { AnyCall, Schema } from './call.ts';
import { hasTooManyValues, Id } from './fields.ts';
import { invalid, isRefusal, missing, Refusal } from './outcome.ts';
import { callMessages } from './rules.ts';

/** Maximum bytes of a JSON body. Files have their own calls and limits. */
export const jsonLimit = 1024 * 1024;
export const payloadTooLarge = () => new Refusal('too-large', callMessages.tooLarge);

/** Parameters and body of a request, not validated. */
export interface UnvalidatedRequest {
  params: Record<string, unknown>;
  query: unknown;
  body: unknown;
  /** Already parsed by the call's own schema; takes the place of query or body. */
  filter?: unknown;
}

/**
 * Parses a request by the call's schemas. 404: an invalid path parameter. 422: messages by field for everything else.
 */
export function readRequest(call: AnyCall, sent: UnvalidatedRequest): ReadRequest | Refusal {
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

/** Long bodies take milliseconds to read, parse and check; each step gets its own turn of the event loop. */
const isLong = (text: string): boolean => text.length > jsonLimit / 4;

/** Parses a JSON body; an empty one is {}. 400: not an object. 413: too many values. */
export async function readJson(read: () => Promise<string>): Promise<object | Refusal> {
  const text = await read();
  if (isLong(text)) await nextTurn();
  if (text.trim() === '') return {};
  if (hasTooManyValues(text)) return payloadTooLarge();
  try {
    const value: unknown = JSON.parse(text);
    if (isLong(text)) await nextTurn();
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Text that is no JSON gets the 400 below.
  }
  return new Refusal('malformed', callMessages.malformed);
}

/** Converts issues to messages by field; a nested field has a path such as `a.0.b`. */
export function fieldErrors(issues: readonly v.BaseIssue<unknown>[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const issue of issues) {
    const field = v.getDotPath(issue) ?? 'form';
    // The default messages of valibot are English, so a Chinese one replaces them.
    const message = /[\u4e00-\u9fff]/.test(issue.message) ? issue.message : '请完善信息';
    const messages = errors[field] ?? [];
    if (!messages.includes(message)) errors[field] = [...messages, message];
  }
  return errors;
}
