/** Schemas of parameters in addresses, for all subjects. */
import * as v from 'valibot';
import { safeRedirect } from './safe-redirect.ts';
import { readMoment } from './zoned.ts';

export const ScreenId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/), v.transform(Number));

/** An optional id. An invalid one is dropped. */
export const OptionalId = v.fallback(v.optional(ScreenId), undefined);

/** Parses an id from a form or button. Undefined if invalid. */
export const idOf = (text: unknown): number | undefined => v.parse(OptionalId, text);

/** Two ids, such as the column and row of a grid cell: `3,5`. */
export const IdPair = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15},\d{1,15}$/),
      v.transform((text) => {
        const [first = 0, second = 0] = text.split(',').map(Number);
        return [first, second] as const;
      }),
    ),
  ),
  undefined,
);

/** Formats and parses the value `3,5` of a checkbox or button. Undefined if invalid. */
export const formatIdPair = (first: number, second: number): string => `${first},${second}`;
export const parseIdPair = (text: unknown): readonly [number, number] | undefined => v.parse(IdPair, text);

/** A required id, or 0 for all records. */
export const ScreenIdOrAll = v.optional(v.pipe(v.string(), v.regex(/^(0|[1-9]\d{0,14})?$/), v.transform(Number)), '0');

/** One of a few words or numbers, such as a tab. `usual` if the parameter is missing or invalid. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const Word extends string | number>(words: readonly Word[], usual: NoInfer<Word>) {
  const match = (text: string) => words.find((word) => String(word) === text) ?? usual;
  return v.fallback(v.optional(v.pipe(v.string(), v.transform(match)), String(usual)), usual as Word);
}

/** Text that was typed on the previous screen, cut to fit into an address. */
export const CarriedText = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.slice(0, 1000) || undefined),
    ),
  ),
  undefined,
);

/** One of a few words. Undefined if the parameter is missing or invalid. */
/* @__NO_SIDE_EFFECTS__ */
export function optionalOneOf<const Word extends string>(words: readonly Word[]) {
  return v.fallback(v.optional(v.picklist(words)), undefined);
}

/** A checkbox that is ticked if the address has 1. */
export const CheckedParam = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text === '1'),
    ),
    '0',
  ),
  false,
);

/**
 * A checkbox that is ticked unless the address has 0. The form sends a hidden 0 before the 1 of the checkbox, and the
 * last value counts.
 */
export const CheckedByDefaultParam = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text !== '0'),
    ),
    '1',
  ),
  true,
);

/**
 * Value of a datetime-local field, `yyyy-mm-ddThh:mm`, or unix seconds. `readMoment` converts it in the school's time
 * zone.
 */
export const MomentText = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.check((text) => readMoment(text, 'UTC') !== undefined),
    ),
  ),
  undefined,
);

/** Address to return to: a page of this site with at most 1,500 printable ASCII characters. Others are dropped. */
export const ReturnAddress = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\/[!-~]{0,1500}$/),
      v.transform((to) => safeRedirect(to, '') || undefined),
    ),
  ),
  undefined,
);
