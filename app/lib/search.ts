/** What the params of an address may say, for every subject. */
import * as v from 'valibot';
import { safeRedirect } from './safe-redirect.ts';
import { readMoment } from './zoned.ts';

/** The record that a screen is about. */
export const ScreenId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/), v.transform(Number));

/** A record that may be named as well; what is no id is dropped. */
export const MaybeId = v.fallback(v.optional(ScreenId), undefined);

/** An id that a form or a button names; undefined where it is none. */
export const idOf = (text: unknown): number | undefined => v.parse(MaybeId, text);

/** Two numbers, such as the ids that name the cell of a grid by its column and its row: `3,5`. */
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

/** What a box or a button says of two numbers, and what it said; undefined where it is no pair. */
export const idPair = (first: number, second: number): string => `${first},${second}`;
export const idPairOf = (text: unknown): readonly [number, number] | undefined => v.parse(IdPair, text);

/** A record, or 0 where it is about all of them; an address always says which. */
export const ScreenIdOrAll = v.optional(v.pipe(v.string(), v.regex(/^(0|[1-9]\d{0,14})?$/), v.transform(Number)), '0');

/** One of a few words or numbers, such as a tab; anything else is the usual one. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const Word extends string | number>(words: readonly Word[], usual: NoInfer<Word>) {
  const said = (text: string) => words.find((word) => String(word) === text) ?? usual;
  return v.fallback(v.optional(v.pipe(v.string(), v.transform(said)), String(usual)), usual as Word);
}

/** Text typed on the screen before, cut to fit an address. */
export const TypedOnAddress = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.slice(0, 1000) || undefined),
    ),
  ),
  undefined,
);

/** One of a few words, or none. */
/* @__NO_SIDE_EFFECTS__ */
export function maybeOneOf<const Word extends string>(words: readonly Word[]) {
  return v.fallback(v.optional(v.picklist(words)), undefined);
}

/** A box that is ticked where the address says 1. */
export const Ticked = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text === '1'),
    ),
    '0',
  ),
  false,
);

/** A box that is ticked unless the address says 0. Its form sends 0 before the box's own 1, and the last one counts. */
export const UsuallyTicked = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text !== '0'),
    ),
    '1',
  ),
  true,
);

/** A moment as a date field has it, `yyyy-mm-ddThh:mm`, or unix seconds; `readMoment` reads it in the school's zone. */
export const MomentText = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.check((text) => readMoment(text, 'UTC') !== undefined),
    ),
  ),
  undefined,
);

/**
 * Where a screen was entered from, and leads back to: a page of ours in at most 1,500 printable ASCII characters,
 * anything else is dropped.
 */
export const OwnAddress = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\/[!-~]{0,1500}$/),
      v.transform((to) => safeRedirect(to, '') || undefined),
    ),
  ),
  undefined,
);
