import * as v from 'valibot';
import { fieldErrors } from './read.ts';
import type { FieldErrors } from './rules.ts';

/** Validates a record by a schema; returns the normalised record, or the first message of each field. */
export function validateComplete<const S extends v.GenericSchema>(
  schema: S,
  written: v.InferInput<S>,
): { output: v.InferOutput<S> | undefined; errors: FieldErrors } {
  const { success, output, issues } = v.safeParse(schema, written);
  if (success) return { output, errors: {} };
  const first = Object.entries(fieldErrors(issues)).map(([field, messages]) => [field, messages.slice(0, 1)]);
  return { output: undefined, errors: Object.fromEntries(first) };
}
