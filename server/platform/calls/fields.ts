/** Field schemas shared by contracts: ids, texts, days, filters, paging. This file also reaches the browser. */
import * as v from 'valibot';
import { isDay, isYear, latestSecond } from './rules.ts';

/**
 * Largest id: the largest integer that JavaScript represents exactly. Ids in tables partitioned by school year have ten
 * digits.
 */
export const maxId = Number.MAX_SAFE_INTEGER;

/** Largest 32-bit integer, which limits numbers that are no ids, such as a version. */
export const maxCount = 2_147_483_647;

/** An id in a path: digits only. Anything else is 404. */
export const Id = v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number), v.minValue(1), v.maxValue(maxId));

/** Schema of an id in a body. `message`: shown if it is invalid. */
/* @__NO_SIDE_EFFECTS__ */
export const bodyId = (message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(maxId, message));

/** Ids separated by commas, in order and each once; '' is an empty list. */
export const IdList = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) => text.split(',').filter((part) => part !== '')),
  v.array(Id),
  v.transform((ids) => [...new Set(ids)]),
);

/** Removes control characters; PostgreSQL cannot store NUL. */
export const withoutControls = v.transform((text: string) => text.replace(/[^\P{Cc}\t\n\r]/gu, ''));

/** Text as typed; '' if the value is no text. */
export const TypedText = v.fallback(v.pipe(v.string(), withoutControls), '');

/** Text on one line, such as a title: white space becomes single spaces. */
export const OneLine = v.pipe(
  v.string(),
  v.transform((text) => text.replace(/\s+/g, ' ').trim()),
);

/** Schema of a number that must be given; 0 counts as missing. `message`: shown if it is missing. */
/* @__NO_SIDE_EFFECTS__ */
export function required(message: string) {
  return v.pipe(
    v.optional(v.number(), 0),
    v.check((number) => number !== 0, message),
  );
}

// ---- Days and times in bodies: invalid ones are refused with the field's message ----------------

/**
 * A day in a body as text, not validated yet; undefined if missing. `requiredDay` or `optionalDay` then validates it.
 */
export const WrittenDay = v.pipe(
  v.optional(v.unknown()),
  v.transform((day) => String(day ?? '').trim() || undefined),
);

/**
 * One or several days as typed; '' if there are none. Values of other types become text, so that validation can refuse
 * them.
 */
export const TypedDays = v.pipe(
  v.optional(v.unknown(), ''),
  v.transform((days) => String(days ?? '').trim()),
);

/* @__NO_SIDE_EFFECTS__ */
export const requiredDay = (message: string) => v.pipe(v.optional(v.string(), ''), v.check(isDay, message));

/* @__NO_SIDE_EFFECTS__ */
export const optionalDay = (message: string) => v.optional(v.pipe(v.string(), v.check(isDay, message)));

/** List of days, separated by spaces or line breaks. */
/* @__NO_SIDE_EFFECTS__ */
export const dayList = (message: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.split(/[\s,，、;；]+/).filter(Boolean)),
    v.check((days) => days.every(isDay), message),
  );

// ---- List filters: blank and invalid values are ignored, never an error ----------

/**
 * Search text without control characters, which PostgreSQL refuses, and of at most 200 characters, because no stored
 * name is longer. A blank text is no filter.
 */
export const SearchText = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.transform(
        (text) =>
          text
            .replace(/\p{Cc}/gu, '')
            .trim()
            .slice(0, 200) || undefined,
      ),
    ),
  ),
  undefined,
);

/** A day `yyyy-mm-dd`. */
export const SearchDay = v.fallback(v.optional(v.pipe(v.string(), v.trim(), v.check(isDay))), undefined);

/** An integer, or its digits as text. */
export const WholeNumber = v.union([
  v.pipe(v.number(), v.integer()),
  v.pipe(v.string(), v.trim(), v.regex(/^\d{1,10}$/), v.transform(Number)),
]);

/** An integer that may be negative, or its text. */
const SignedNumber = v.union([WholeNumber, v.pipe(v.string(), v.trim(), v.regex(/^-\d{1,10}$/), v.transform(Number))]);

/** An id, or its digits as text. */
export const WrittenId = v.pipe(
  v.union([v.pipe(v.number(), v.integer()), v.pipe(v.string(), v.trim(), v.regex(/^\d{1,16}$/), v.transform(Number))]),
  v.minValue(1),
  v.maxValue(maxId),
);

/** An id as a filter; 0 and a blank value are no filter. */
export const SearchId = v.fallback(v.optional(WrittenId), undefined);

/**
 * A count from 0 as a filter; a blank value is no filter. Even multiplied by ten, as filters for scores are (tenths of
 * a point), it fits a 32-bit column.
 */
export const SearchCount = v.fallback(
  v.optional(v.pipe(WholeNumber, v.minValue(0), v.maxValue(100_000_000))),
  undefined,
);

export const SearchSeconds = v.fallback(
  v.optional(v.pipe(WholeNumber, v.minValue(0), v.maxValue(latestSecond))),
  undefined,
);

export const SearchYear = v.fallback(
  v.optional(
    v.pipe(
      WholeNumber,
      v.check((year) => isYear(String(year))),
    ),
  ),
  undefined,
);

/** Ids as a list or separated by commas, each once; invalid ones are dropped. */
export const SearchIds = v.fallback(
  v.pipe(
    v.optional(v.union([v.array(v.unknown()), v.string()]), []),
    v.transform((ids) => [
      ...new Set((typeof ids === 'string' ? ids.split(',') : ids).flatMap((id) => v.parse(SearchId, id) ?? [])),
    ]),
  ),
  [],
);

/** Filter for one of `numbers`, such as a type or a status. */
/* @__NO_SIDE_EFFECTS__ */
export function searchOneOf<const N extends number>(numbers: readonly N[]) {
  return v.fallback(
    v.optional(
      v.pipe(
        SignedNumber,
        v.check((value) => (numbers as readonly number[]).includes(value)),
        v.transform((value) => value as N),
      ),
    ),
    undefined,
  );
}

/** Filter for one of `words`, such as a sort column. */
/* @__NO_SIDE_EFFECTS__ */
export function searchWord<const W extends string>(words: readonly W[]) {
  return v.fallback(v.optional(v.picklist(words)), undefined);
}

/** A switch: 1 if it is on; otherwise undefined. */
export const SearchFlag = v.fallback(
  v.optional(
    v.pipe(
      v.union([v.number(), v.string(), v.boolean()]),
      v.transform((value) => (String(value) === '1' || value === true ? (1 as const) : undefined)),
    ),
  ),
  undefined,
);

export const SortDirection = searchWord(['asc', 'desc']);

/** Largest `limit` of a list; asks for all rows of a list that is short. */
export const maxListLimit = 999_999;

/** Schema of `page` (from 1) and `limit` of a list; values out of range become the nearest allowed ones. */
/* @__NO_SIDE_EFFECTS__ */
export function paging(defaultLimit = 20) {
  const within = (fallback: number) =>
    v.fallback(
      v.optional(
        v.pipe(
          WholeNumber,
          v.transform((value) => (value < 1 ? fallback : Math.min(value, maxListLimit))),
        ),
        fallback,
      ),
      fallback,
    );
  return { page: within(1), limit: within(defaultLimit) };
}

/** Filter of a list that has nothing but paging. */
/* @__NO_SIDE_EFFECTS__ */
export const pageOnly = (defaultLimit?: number) => v.object(paging(defaultLimit));

/** Schema of a `Page` of rows. */
/* @__NO_SIDE_EFFECTS__ */
export function page<const Row extends v.GenericSchema<unknown, unknown>>(row: Row) {
  return v.object({ list: v.array(row), total: v.number(), page: v.number(), limit: v.number() });
}

/** A rule over several fields of a form. Its message appears at the last of these fields. */
export const fieldsRule = <
  Form extends Record<string, unknown>,
  const Names extends readonly (keyof Form & string)[] = readonly (keyof Form & string)[],
>(
  names: Names & readonly (keyof Form & string)[],
  isRight: (fields: Pick<Form, Names[number]>) => boolean,
  message: string,
): v.BaseValidation<Form, Form, v.BaseIssue<unknown>> =>
  v.forward(
    v.partialCheck(names.map((name) => [name]) as never, isRight as never, message) as never,
    [names.at(-1)] as never,
  );

export const IdAndName = v.object({ id: v.number(), name: v.string() });
/** Status and message with which a call would be refused now; null if it would succeed. */
export const RefusalPreview = v.nullable(v.object({ code: v.number(), msg: v.string() }));

/** Unix seconds. */
export const Seconds = v.pipe(v.number(), v.integer());
export const FlagNumber = v.picklist([0, 1]);

// ---- Limit for the size of JSON ----------------------------------------------------------------

/** Maximum values of a body; enough for a thousand questions with their fields and options. */
const maxValues = 50_000;

/**
 * True if a JSON text has more values than any call needs. Each value is checked on its own: eight megabytes of small
 * values would block all other requests for seconds.
 */
export function hasTooManyValues(text: string, most = maxValues): boolean {
  // A text this short cannot have too many values: each value after the first takes two characters or more.
  if (text.length <= most) return false;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === comma || code === bracket || code === brace) {
      count += 1;
      if (count > most) return true;
    }
  }
  return false;
}

const quote = 0x22;
const comma = 0x2c;
const bracket = 0x5b;
const backslash = 0x5c;
const brace = 0x7b;

/** Index of the closing quote of the string at `start`; -1 if it is not closed. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
