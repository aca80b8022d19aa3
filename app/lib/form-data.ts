/** Reads posted forms: in actions, and in the browser for checks before sending. */
import type { AnyCall, RequestOf, Schema } from '#server/platform/calls/call.ts';

/** A posted form, or the text fields of a form with files. */
export interface PostedFields extends Iterable<readonly [name: string, value: FormDataEntryValue]> {
  get(name: string): FormDataEntryValue | null;
}

interface FieldsSchema {
  entries: Record<string, Schema>;
}

/** Returns the text of a field, or '' if the form lacks it. Converts CRLF, which browsers post, to LF. */
export const textOf = (form: Pick<PostedFields, 'get'>, name: string): string =>
  String(form.get(name) ?? '').replaceAll('\r\n', '\n');

/** Splits the value of a button into its operation and the keys that it applies to. */
export const splitIntent = (intent: string): string[] => intent.split(' ');

/** Returns the operation of the pressed button and its keys, such as `start 12 34`. */
export const readIntent = (form: Pick<PostedFields, 'get'>): string[] => splitIntent(textOf(form, 'intent'));

type Names<Sent> = Sent extends object ? keyof Sent : never;

/** Returns the text of each field that a call takes in its body or query. */
export function readForm<C extends AnyCall>(call: C, form: PostedFields) {
  const { query, body } = call as { query?: FieldsSchema; body?: FieldsSchema };
  const names = Object.keys({ ...query?.entries, ...body?.entries });
  return Object.fromEntries(names.map((name) => [name, textOf(form, name)])) as Record<
    Names<RequestOf<C>['body' | 'query']>,
    string
  >;
}

/** A list, such as ids, is a field with several values. It is empty if none is chosen. */
type ReadFields<Entries> = {
  [Name in keyof Entries]: Entries[Name] extends { readonly fallback: readonly unknown[] } ? string[] : string;
};
const isList = (schema: Schema & { fallback?: unknown }): boolean => Array.isArray(schema.fallback);

/** Returns the text of each field of a schema. A list becomes an array. */
export const readFields = <Entries extends FieldsSchema['entries']>(schema: { entries: Entries }, form: FormData) =>
  Object.fromEntries(
    Object.entries(schema.entries).map(([name, field]) => [
      name,
      isList(field) ? form.getAll(name).map(String) : textOf(form, name),
    ]),
  ) as ReadFields<Entries>;

export const idempotencyField = (form: Pick<PostedFields, 'get'>): string | undefined =>
  textOf(form, 'idempotency_key') || undefined;
