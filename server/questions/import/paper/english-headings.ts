/** Recognises English headings: `Part I. Multiple Choice (2 points each)`, `Section A`, `True or False`. */
import type { Heading } from './headings.ts';
import { romanValue } from './numbers.ts';
import type { SectionKind } from './question-kinds.ts';

const kinds: readonly (readonly [RegExp, SectionKind])[] = [
  [/multiple[- ]choice|single[- ]choice/i, 'choice'],
  [/true\s*(?:or|\/)\s*false/i, 2],
  [/fill[- ]in|(?:blank|gap)[- ]filling/i, 7],
  [/reading|cloze/i, 'reading'],
  [/listening|vocabulary/i, 'choice'],
  [/short[- ]answer|essay|translation|writing|calculation/i, 'open'],
];

/** Returns the kind of questions that an English heading names. */
export const englishKindIn = (text: string): SectionKind | undefined =>
  kinds.find(([pattern]) => pattern.test(text))?.[1];

/** `Part I.`, `Section B:`; the rest is the title. */
const divisionPattern = /^\s*(Part|Section)\s+([IVX]{1,4}|[A-H]|\d{1,2})\b\s*[.:：、-]?\s*/i;

/** Maximum length of a heading. */
const maxHeading = 90;

export function englishHeadingIn(text: string): Heading | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxHeading || /[?？]|_{2}/.test(trimmed) || !/^[A-Za-z]/.test(trimmed)) return undefined;
  const division = divisionPattern.exec(trimmed);
  const title = trimmed.slice(division?.[0].length ?? 0).replace(/\s*[(（].*$/, '');
  const kind = englishKindIn(title);
  // Without `Part` or `Section`, a few words that name a type are a heading.
  if (!division && (kind === undefined || title.split(/\s+/).length > 5 || /[.!]$/.test(title))) return undefined;
  const each = /(\d+(?:\.\d+)?)\s*(?:points?|marks?)\s*(?:each|per|for each)/i.exec(trimmed)?.[1];
  const count = /(\d{1,3})\s*questions/i.exec(trimmed)?.[1];
  const spelled = division?.[2] ?? '';
  return {
    rank: /^part/i.test(division?.[1] ?? '') ? 0 : division ? 2 : 1,
    ordinal: romanValue(spelled.toUpperCase()) ?? (Number(spelled) || undefined),
    title,
    kind,
    each: each === undefined ? undefined : Number(each),
    perBlank: undefined,
    scores: new Map(),
    count: count === undefined ? undefined : Number(count),
    isCertain: true,
  };
}
