/** Builds request bodies from the calls' schemas. */
import * as v from 'valibot';
import { WrittenDay } from '#server/platform/calls/fields.ts';

export interface ReadSchema {
  type?: string;
  entries?: Record<string, ReadSchema>;
  pipe?: ReadSchema[];
  wrapped?: ReadSchema;
  item?: ReadSchema;
  options?: unknown[];
}

/** Returns a value that fits the schema: a known value of this field name, or the simplest value. */
export function sample(schema: unknown, name: string, known: Record<string, unknown>): unknown {
  const { type, entries, pipe, wrapped, item, options } = (schema ?? {}) as ReadSchema;
  if (name in known) return type === 'array' && !Array.isArray(known[name]) ? [known[name]] : known[name];
  if (pipe) return sample(pipe[0], name, known);
  if (wrapped) return sample(wrapped, name, known);
  if (entries)
    return Object.fromEntries(Object.entries(entries).map(([one, inner]) => [one, sample(inner, one, known)]));
  if (type === 'array') return [sample(item, name, known)];
  if (type === 'picklist') return options?.[0];
  if (type === 'union' || type === 'variant') return sample(options?.[0], name, known);
  return type === 'number' ? 1 : '1';
}

/** Extreme days and times that a body or an address may contain. */
export const oddDays: readonly (string | number)[] = [
  '9999-12-31',
  '0000-01-01',
  '2026-02-30',
  '2201-01-01',
  '1969-12-31',
  '+010000-01-01',
  '-000001-01-01',
  '9999-12-31T23:59',
  253_402_300_799,
  8_640_000_000_001,
  -1,
];

const takesOnly = (schema: unknown, good: unknown, bad: unknown) => {
  const parseWith = (value: unknown) => v.safeParse(schema as v.GenericSchema, value).output;
  return parseWith(good) === good && parseWith(bad) !== bad;
};

/** True for fields of days and times, by their schema or their name. */
export const takesDays = (schema: unknown, name: string): boolean =>
  schema === WrittenDay ||
  /(?:^|_)(?:day|days|date|skip)$/.test(name) ||
  takesOnly(schema, '2026-11-20', '9999-12-31') ||
  takesOnly(schema, '2026-11-20T10:00', '9999-12-31T10:00') ||
  takesOnly(schema, 1_800_000_000, 253_402_300_799);

export const fieldsOf = (schema: unknown): Record<string, ReadSchema> => {
  const { entries, pipe } = (schema ?? {}) as ReadSchema;
  return entries ?? (pipe ? fieldsOf(pipe[0]) : {});
};
