/** Status codes of attendance and lessons, as fields of calls. */

import * as v from 'valibot';
import { WholeNumber } from '#server/platform/calls/fields.ts';
import { type OpStatus, opStatuses } from './rules.ts';

export const OpStatusCode = v.picklist(opStatuses);

/** Status of a lesson: 1 not started, 2 in progress, 3 ended. */
export const LessonStatus = v.picklist([1, 2, 3]);

/** Schema that accepts one of two states. */
export const oneOf = <const S extends OpStatus>(states: readonly [S, S], message: string) =>
  v.pipe(
    WholeNumber,
    v.check((status) => (states as readonly number[]).includes(status), message),
    v.transform((status) => status as S),
  );
