/** What has to be right in something written before it is taken, by the schema that its form is held to as well. */
import * as v from 'valibot';
import { fieldErrors } from './read.ts';
import type { FieldErrors } from './rules.ts';

/** As it is kept, or the first broken rule of each field. */
export function complete<const S extends v.GenericSchema>(
  schema: S,
  written: v.InferInput<S>,
): { output: v.InferOutput<S> | undefined; errors: FieldErrors } {
  const { success, output, issues } = v.safeParse(schema, written);
  if (success) return { output, errors: {} };
  const first = Object.entries(fieldErrors(issues)).map(([field, messages]) => [field, messages.slice(0, 1)]);
  return { output: undefined, errors: Object.fromEntries(first) };
}
