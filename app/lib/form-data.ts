/** What a posted form says: read by actions, and in the browser by what checks a form before it is sent. */
import type { AnyCall, RequestOf, Schema } from '#server/platform/calls/call.ts';

/** A posted form, or the fields of one with files. */
export interface PostedFields extends Iterable<readonly [name: string, value: FormDataEntryValue]> {
  get(name: string): FormDataEntryValue | null;
}

interface FieldsSchema {
  entries: Record<string, Schema>;
}

/** What was typed into a field; nothing where the form does not have it. Lines end as they do everywhere but in forms. */
export const textOf = (form: Pick<PostedFields, 'get'>, name: string): string =>
  String(form.get(name) ?? '').replaceAll('\r\n', '\n');

/** The words of a button's value: what it does, and what it does that to. */
export const wordsOf = (intent: string): string[] => intent.split(' ');

/**
 * Which of the form's buttons was pressed, with what it was pressed for: `start 12 34`. `prefix` stands before every name
 * where a page holds several forms in one.
 */
export const intentOf = (form: Pick<PostedFields, 'get'>, prefix = ''): string[] =>
  wordsOf(textOf(form, `${prefix}intent`));

type Names<Sent> = Sent extends object ? keyof Sent : never;

/** What was typed into the fields that a call takes, of its body and its query: the text of each. */
export function readForm<C extends AnyCall>(call: C, form: PostedFields) {
  const { query, body } = call as { query?: FieldsSchema; body?: FieldsSchema };
  const names = Object.keys({ ...query?.entries, ...body?.entries });
  return Object.fromEntries(names.map((name) => [name, textOf(form, name)])) as Record<
    Names<RequestOf<C>['body' | 'query']>,
    string
  >;
}

/** A list, such as ids, is a field with several values; nothing chosen is an empty list. */
type ReadFields<Entries> = {
  [Name in keyof Entries]: Entries[Name] extends { readonly fallback: readonly unknown[] } ? string[] : string;
};
const isList = (schema: Schema & { fallback?: unknown }): boolean => Array.isArray(schema.fallback);

/** What was typed into the fields of a schema: the text of each, and all that was chosen of a list. */
export const readFields = <Entries extends FieldsSchema['entries']>(schema: { entries: Entries }, form: FormData) =>
  Object.fromEntries(
    Object.entries(schema.entries).map(([name, field]) => [
      name,
      isList(field) ? form.getAll(name).map(String) : textOf(form, name),
    ]),
  ) as ReadFields<Entries>;

export const idempotencyField = (form: Pick<PostedFields, 'get'>): string | undefined =>
  textOf(form, 'idempotency_key') || undefined;
