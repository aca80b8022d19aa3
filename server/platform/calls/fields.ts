/** Field schemas that the contracts share. Like them, this file also reaches the browser. */
import * as v from 'valibot';
import { isDay, isYear, latestSecond } from './rules.ts';

/** The largest id that a number holds exactly; a larger one is simply not there. Those of a school year have ten digits. */
export const maxId = Number.MAX_SAFE_INTEGER;

/** The largest of the database's other whole numbers, such as a version. */
export const maxCount = 2_147_483_647;

/** An id in a path: digits only. Anything else is "no such record". */
export const Id = v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.transform(Number), v.minValue(1), v.maxValue(maxId));

/** An id in a body, refused with this sentence. */
/* @__NO_SIDE_EFFECTS__ */
export const bodyId = (message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(maxId, message));

/** Ids separated by commas, each once, in their order; empty text is an empty list. */
export const IdList = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) => text.split(',').filter((part) => part !== '')),
  v.array(Id),
  v.transform((ids) => [...new Set(ids)]),
);

/** Takes away the control characters that no text needs and PostgreSQL does not store. */
export const withoutControls = v.transform((text: string) => text.replace(/[^\P{Cc}\t\n\r]/gu, ''));

/** What was typed. Anything else: ''. */
export const TypedText = v.fallback(v.pipe(v.string(), withoutControls), '');

/** What is kept on one line, such as a title. */
export const OneLine = v.pipe(
  v.string(),
  v.transform((text) => text.replace(/\s+/g, ' ').trim()),
);

/** A number that has to be given; the sentence says which. 0 is none. */
/* @__NO_SIDE_EFFECTS__ */
export function needed(message: string) {
  return v.pipe(
    v.optional(v.number(), 0),
    v.check((number) => number !== 0, message),
  );
}

// ---- days and moments of bodies: what is none is refused with the sentence of its field ----------

/** A day as a body says it; undefined where it says nothing. `neededDay` or `givenDay` tells whether it is one. */
export const WrittenDay = v.pipe(
  v.optional(v.unknown()),
  v.transform((day) => String(day ?? '').trim() || undefined),
);

/** One day or several as typed, '' for none. Other types become text, so that they are refused, not taken for none. */
export const TypedDays = v.pipe(
  v.optional(v.unknown(), ''),
  v.transform((days) => String(days ?? '').trim()),
);

/* @__NO_SIDE_EFFECTS__ */
export const neededDay = (message: string) => v.pipe(v.optional(v.string(), ''), v.check(isDay, message));

/* @__NO_SIDE_EFFECTS__ */
export const givenDay = (message: string) => v.optional(v.pipe(v.string(), v.check(isDay, message)));

/** Days in words or lines of their own. */
/* @__NO_SIDE_EFFECTS__ */
export const dayList = (message: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.split(/[\s,，、;；]+/).filter(Boolean)),
    v.check((days) => days.every(isDay), message),
  );

// ---- filters of lists: blanks and nonsense are dropped, never an error ----------

/**
 * Free text to look for. Without control characters (PostgreSQL refuses NUL), at most 200 characters: no stored
 * name is longer. Blank is no filter.
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

/** A day of the school's calendar, `yyyy-mm-dd`, to filter by. */
export const SearchDay = v.fallback(v.optional(v.pipe(v.string(), v.trim(), v.check(isDay))), undefined);

/** A whole number, or its digits. */
export const WholeNumber = v.union([
  v.pipe(v.number(), v.integer()),
  v.pipe(v.string(), v.trim(), v.regex(/^\d{1,10}$/), v.transform(Number)),
]);

/** The same, below zero too. */
const SignedNumber = v.union([WholeNumber, v.pipe(v.string(), v.trim(), v.regex(/^-\d{1,10}$/), v.transform(Number))]);

/** An id, or its digits. */
export const WrittenId = v.pipe(
  v.union([v.pipe(v.number(), v.integer()), v.pipe(v.string(), v.trim(), v.regex(/^\d{1,16}$/), v.transform(Number))]),
  v.minValue(1),
  v.maxValue(maxId),
);

/** An id to filter by; 0 and blank are no filter. */
export const SearchId = v.fallback(v.optional(WrittenId), undefined);

/** A count to filter by, from 0 on; blank is no filter. Ten times the largest still fits a column of PostgreSQL. */
export const SearchCount = v.fallback(
  v.optional(v.pipe(WholeNumber, v.minValue(0), v.maxValue(100_000_000))),
  undefined,
);

/** Unix seconds to filter by. */
export const SearchSeconds = v.fallback(
  v.optional(v.pipe(WholeNumber, v.minValue(0), v.maxValue(latestSecond))),
  undefined,
);

/** A year to filter by. */
export const SearchYear = v.fallback(
  v.optional(
    v.pipe(
      WholeNumber,
      v.check((year) => isYear(String(year))),
    ),
  ),
  undefined,
);

/** Ids to filter by, in a list or separated by commas, each once; what is no id is left out. */
export const SearchIds = v.fallback(
  v.pipe(
    v.optional(v.union([v.array(v.unknown()), v.string()]), []),
    v.transform((ids) => [
      ...new Set((typeof ids === 'string' ? ids.split(',') : ids).flatMap((id) => v.parse(SearchId, id) ?? [])),
    ]),
  ),
  [],
);

/** One of a few numbers, such as a type or a status. */
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

/** One of a few words, such as a column to sort by. */
/* @__NO_SIDE_EFFECTS__ */
export function searchWord<const W extends string>(words: readonly W[]) {
  return v.fallback(v.optional(v.picklist(words)), undefined);
}

/** `1` where it is switched on. */
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

/** The longest page of every list call: all rows of a list that is never longer. */
export const everyRow = 999_999;

/** `page` and `limit` of every list call: from 1 on, out of range is brought into it. */
/* @__NO_SIDE_EFFECTS__ */
export function paging(defaultLimit = 20) {
  const within = (fallback: number) =>
    v.fallback(
      v.optional(
        v.pipe(
          WholeNumber,
          v.transform((value) => (value < 1 ? fallback : Math.min(value, everyRow))),
        ),
        fallback,
      ),
      fallback,
    );
  return { page: within(1), limit: within(defaultLimit) };
}

/** The filter of a list that nothing narrows: which of its pages. */
/* @__NO_SIDE_EFFECTS__ */
export const pageOnly = (defaultLimit?: number) => v.object(paging(defaultLimit));

/** The schema of a `Page` of rows. */
/* @__NO_SIDE_EFFECTS__ */
export function page<const Row extends v.GenericSchema<unknown, unknown>>(row: Row) {
  return v.object({ list: v.array(row), total: v.number(), page: v.number(), limit: v.number() });
}

/** A rule over several fields of a form; its message stands at the last of them. */
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

export const Named = v.object({ id: v.number(), name: v.string() });
/** What a call would answer now: its status and its sentence; null where it would be done. */
export const Refused = v.nullable(v.object({ code: v.number(), msg: v.string() }));

/** Unix seconds. */
export const Seconds = v.pipe(v.number(), v.integer());
export const FlagNumber = v.picklist([0, 1]);

// ---- how much JSON there may be -------------------------------------------------------------------

/** More than a thousand questions have, each with its fields and options. */
const valuesMost = 50_000;

/**
 * Whether a JSON text has more values than any call has use for. Long texts are read fast, but each value is an object
 * that is checked on its own: eight megabytes of them would keep everybody else waiting for seconds.
 */
export function hasTooManyValues(text: string, most = valuesMost): boolean {
  // Each value but the first of a list takes two characters at least.
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

/** Where the string that begins at `start` ends; -1 where it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
