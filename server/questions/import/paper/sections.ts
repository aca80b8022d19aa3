/** Divides a paper into sections at its headings. */
import type { Fact } from './facts.ts';
import { readPoints } from './heading-points.ts';
import type { Heading } from './headings.ts';
import type { QuestionRange } from './numbers.ts';
import type { SectionKind } from './question-kinds.ts';

export interface Section {
  id: number;
  heading: Heading | undefined;
  /** Heading of the section around it, if that is a part of the paper such as A卷. */
  outer?: Heading;
  /** Index of the heading's line; -1 for the section before the first heading. */
  at: number;
  /** Kind of the section itself or of the one around it. */
  kind: SectionKind | undefined;
  each: number | undefined;
  perBlank: number | undefined;
  scores: ReadonlyMap<number, number>;
  /** Questions that the heading names: 三、阅读下文，完成8～10题. */
  range: QuestionRange | undefined;
}

/** Returns the sections in order; the first stands before any heading. */
export function sectionsOf(facts: readonly Fact[]): Section[] {
  const sections: Section[] = [
    {
      id: 0,
      heading: undefined,
      at: -1,
      kind: undefined,
      each: undefined,
      perBlank: undefined,
      scores: new Map(),
      range: undefined,
    },
  ];
  let around: Section[] = [];
  facts.forEach((fact, at) => {
    const heading = fact.heading && withScoresBelow(fact.heading, facts[at + 1]);
    if (!heading || !(heading.isCertain || isPlausible(facts, at, sections))) return;
    around = around.filter((outer) => (outer.heading?.rank ?? 0) < heading.rank);
    const outer = around.at(-1);
    const section: Section = {
      id: sections.length,
      heading,
      at,
      kind: heading.kind ?? outer?.kind,
      each: heading.each ?? (heading.kind === undefined ? outer?.each : undefined),
      perBlank: heading.perBlank,
      scores: new Map([...(outer?.scores ?? []), ...heading.scores]),
      range: fact.range,
      ...(outer?.heading?.rank === 0 && { outer: outer.heading }),
    };
    sections.push(section);
    around.push(section);
  });
  return sections;
}

/** Points in a line of their own below the heading: （本大题共10小题，每小题2分）. */
function withScoresBelow(heading: Heading, below: Fact | undefined): Heading {
  const hasScores = heading.each !== undefined || heading.perBlank !== undefined || heading.scores.size > 0;
  if (hasScores || !below || !/^[\s\u3000]*[（(][^（()）]*分[^（()）]*[)）][\s\u3000]*$/.test(below.text))
    return heading;
  const { count, ...scores } = readPoints(below.text);
  return { ...heading, ...scores, count: heading.count ?? count };
}

/** A numbered line without further signs is a heading if it continues the headings and questions begin below it. */
function isPlausible(facts: readonly Fact[], at: number, sections: readonly Section[]): boolean {
  const heading = facts[at]?.heading;
  const before = sections.findLast((section) => section.heading?.rank === heading?.rank)?.heading?.ordinal ?? 0;
  if (heading?.ordinal !== before + 1 && heading?.ordinal !== 1) return false;
  // In an answer, 一、 二、 三、 follow each other: “答：一、…”.
  const above = facts.slice(0, at).findLast((fact) => !fact.isBlank);
  const below = facts.slice(at + 1).find((fact) => !fact.isBlank);
  const isListed = (fact: Fact | undefined) =>
    fact?.heading !== undefined && !fact.heading.isCertain && fact.heading.rank === heading.rank;
  if (isListed(above) || isListed(below) || /[:：][\s\u3000]*[（(]?一[)）、]/.test(above?.text ?? '')) return false;
  const next = facts.slice(at + 1, at + 6).find((fact) => !fact.isBlank && !fact.heading);
  return (
    next !== undefined &&
    (next.number?.style === 'dot' || next.range !== undefined || /^[\s\u3000]*(?:阅读|根据)/.test(next.text))
  );
}
