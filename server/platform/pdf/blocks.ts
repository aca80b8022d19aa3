/** Blocks of a document, as content.typ prints them. */

import type { FormulaNode } from './formula.ts';

/**
 * How a text is set: b bold, i italic, u underlined, s struck out, p superscript, d subscript, c code, w with its white
 * space.
 */
export type Flag = 'b' | 'i' | 'u' | 's' | 'p' | 'd' | 'c' | 'w';

/** Parts of a line. content.typ knows these kinds. */
export type Inline =
  | { k: 't'; t: string; f?: string }
  | { k: 'br' }
  /** A blank to write into. `n`: its width in characters. */
  | { k: 'blank'; n: number }
  /** Empty brackets for the letter of a choice. */
  | { k: 'choice' }
  | { k: 'picture'; source: string; width?: number; height?: number }
  | { k: 'formula'; c: FormulaNode }
  /** LaTeX source that could not be converted. It is printed unchanged. */
  | { k: 'source'; t: string };

export type Block =
  | { k: 'p'; c: Inline[]; align?: 'center' | 'right' }
  | { k: 'h'; level: number; c: Inline[] }
  | { k: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { k: 'table'; columns: number; cells: TableCell[] }
  | { k: 'quote'; c: Block[] }
  | { k: 'pre'; t: string }
  /** A displayed formula on its own line. */
  | { k: 'equation'; c: FormulaNode }
  | { k: 'rule' };

export interface TableCell {
  x: number;
  y: number;
  columns: number;
  rows: number;
  head: boolean;
  c: Block[];
}
