/** Schemas of address params, for all subjects. */
import * as v from 'valibot';
import { safeRedirect } from './safe-redirect.ts';
import { readMoment } from './zoned.ts';

export const ScreenId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/), v.transform(Number));

/** Optional id; invalid ones are dropped. */
export const OptionalId = v.fallback(v.optional(ScreenId), undefined);

/** Parses an id from a form or button; undefined if invalid. */
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

/** Formats and parses the value `3,5` of a checkbox or button; undefined if invalid. */
export const formatIdPair = (first: number, second: number): string => `${first},${second}`;
export const parseIdPair = (text: unknown): readonly [number, number] | undefined => v.parse(IdPair, text);

/** Required id, or 0 for all records. */
export const ScreenIdOrAll = v.optional(v.pipe(v.string(), v.regex(/^(0|[1-9]\d{0,14})?$/), v.transform(Number)), '0');

/** One of a few words or numbers, such as a tab; `usual` if missing or invalid. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const Word extends string | number>(words: readonly Word[], usual: NoInfer<Word>) {
  const said = (text: string) => words.find((word) => String(word) === text) ?? usual;
  return v.fallback(v.optional(v.pipe(v.string(), v.transform(said)), String(usual)), usual as Word);
}

/** Text carried over from the previous screen, cut to fit an address. */
export const CarriedText = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.slice(0, 1000) || undefined),
    ),
  ),
  undefined,
);

/** One of a few words, or undefined. */
/* @__NO_SIDE_EFFECTS__ */
export function optionalOneOf<const Word extends string>(words: readonly Word[]) {
  return v.fallback(v.optional(v.picklist(words)), undefined);
}

/** A checkbox: ticked if the address has 1. */
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
 * A checkbox that is ticked unless the address has 0. Its form sends a hidden 0 before the checkbox's 1, and the last
 * value counts.
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
 * Value of a datetime-local field, `yyyy-mm-ddThh:mm`, or unix seconds; `readMoment` converts it in the school's time
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

/** Address to return to: a page of this site in at most 1,500 printable ASCII characters; others are dropped. */
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
