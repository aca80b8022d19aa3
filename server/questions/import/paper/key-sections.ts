/** Sections of the paper that a key belongs to, and the current one while the key is read. */
import type { Heading } from './headings.ts';

/** Questions of the paper whose numbers do not repeat. */
export interface KeySection {
  id: number;
  heading: Heading | undefined;
  /** Heading of the part of the paper that the section is in: A卷. */
  outer?: Heading;
  /** Numbers of the questions; none for a section that is one question without a number. */
  values: readonly number[];
}

export const isWhole = ({ values }: KeySection): boolean => values.length === 0;

export class KeySections {
  /** True if no number occurs twice, so that a number alone names its question. */
  readonly isUnique: boolean;
  private readonly sections: readonly KeySection[];
  private at = 0;

  constructor(sections: readonly KeySection[]) {
    this.sections = sections;
    const values = sections.flatMap((section) => section.values);
    this.isUnique = new Set(values).size === values.length;
  }

  get current(): KeySection | undefined {
    return this.sections[this.at];
  }

  get next(): KeySection | undefined {
    return this.sections[this.at + 1];
  }

  goTo(section: KeySection): void {
    this.at = this.sections.indexOf(section);
  }

  goToFirst(): void {
    this.at = 0;
  }

  goToNext(): void {
    this.at = Math.min(this.at + 1, this.sections.length - 1);
  }

  /** True if a question has this number: of any section if numbers are unique, else of the current one. */
  has(value: number): boolean {
    const sections = this.isUnique ? this.sections : this.sections.slice(this.at, this.at + 1);
    return sections.some(({ values }) => values.includes(value));
  }

  /** Goes to a later section that begins with this number; false if there is none. */
  goToLater(value: number): boolean {
    const later = this.sections.findIndex(({ values }, index) => index > this.at && values[0] === value);
    if (later === -1) return false;
    this.at = later;
    return true;
  }

  /** Moves to the next section with this number, unless the current one has it. `isRestart`: moves in any case. */
  goToValue(value: number, isRestart: boolean): void {
    const has = (section: KeySection | undefined) => section?.values.includes(value) ?? false;
    if (!isRestart && has(this.current)) return;
    const later = this.sections.findIndex((section, index) => index > this.at && has(section));
    if (later !== -1) this.at = later;
    else if (!has(this.current)) this.at = Math.max(0, this.sections.findIndex(has));
  }

  /** Finds the section with this number in the paper: 一、 (rank 1) or （一） (rank 3); the next one first. */
  withOrdinal(ordinal: number, rank: number): KeySection | undefined {
    return this.first(({ heading }) => heading?.ordinal === ordinal && heading.rank === rank);
  }

  /** Finds the section without numbers whose title a line begins with: `书面表达：略`. */
  titledIn(text: string): KeySection | undefined {
    const line = text.trimStart();
    return this.sections.find((section) => {
      const title = section.heading?.title ?? '';
      return isWhole(section) && title !== '' && line.startsWith(title) && /^[:：]/.test(line.slice(title.length));
    });
  }

  /** Finds the section that a heading of the key names: by its number and title, its number, its title or its kind. */
  named(heading: Heading): KeySection | undefined {
    const isSame = ({ heading: own }: KeySection) =>
      heading.ordinal !== undefined && own?.ordinal === heading.ordinal && own.rank === heading.rank;
    const isTitled = ({ heading: own }: KeySection) => heading.title !== '' && own?.title === heading.title;
    const isInside = ({ outer }: KeySection) => heading.rank === 0 && outer?.ordinal === heading.ordinal;
    const isOfKind = ({ heading: own }: KeySection) => heading.kind !== undefined && own?.kind === heading.kind;
    return (
      this.sections.find((section) => isSame(section) && isTitled(section)) ??
      this.first(isSame) ??
      this.first(isTitled) ??
      this.sections.slice(this.at).find(isInside) ??
      this.sections.find(isOfKind)
    );
  }

  /** The first section from the current one on, else the first of all. */
  private first(is: (section: KeySection) => boolean): KeySection | undefined {
    return this.sections.slice(this.at).find(is) ?? this.sections.find(is);
  }
}
