/** Lists the JSX elements in the source of all screens, for tests of rules that every element must follow. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

const app = path.resolve(import.meta.dirname, '../../app');
/** All modules of app/, each with its path below app/ and its source. */
export const sources = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => [file, readFileSync(path.join(app, file), 'utf8')] as const);

/** A JSX element with its tag, its attributes and the tags of its ancestors. */
export interface Written {
  file: string;
  tag: string;
  /** Source text of each attribute's value. A string keeps its quotes. */
  attributes: Map<string, string>;
  within: string[];
}

function elementsOf(file: string, text: string): Written[] {
  const found: Written[] = [];
  const visit = (value: unknown, within: string[]): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, within);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    let around = within;
    if (value.type === 'JSXOpeningElement') return;
    if (value.type === 'JSXElement') {
      const { name, attributes } = (value as unknown as { openingElement: OpeningElement }).openingElement;
      const textOf = ({ start, end }: Span) => text.slice(start, end);
      found.push({
        file,
        tag: textOf(name),
        attributes: new Map(
          attributes.flatMap((one) => (one.name ? [[textOf(one.name), one.value ? textOf(one.value) : '']] : [])),
        ),
        within,
      });
      around = [...within, textOf(name)];
      for (const { value: held } of attributes) visit(held, around);
    }
    for (const part of Object.values(value)) visit(part, around);
  };
  visit(parseSync(file, text).program, []);
  return found;
}

interface Span {
  start: number;
  end: number;
}
interface OpeningElement {
  name: Span;
  attributes: { name?: Span; value?: Span | null }[];
}

export const elements = sources
  .filter(([file]) => file.endsWith('.tsx'))
  .flatMap(([file, text]) => elementsOf(file, text));
