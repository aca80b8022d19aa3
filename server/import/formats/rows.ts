/**
 * Stores rows packed as bytes. Lists are read several times, and one object per cell would take ten times the memory.
 */
const cellEnd = '\u001f';
const rowEnd = '\u001e';
const chunkLength = 2 ** 16;

export class PackedRow {
  /** Number of the row in the upload, from 1, including headings. */
  readonly row: number;
  readonly #text: string;

  constructor(text: string) {
    const end = text.indexOf(cellEnd);
    this.row = Number(text.slice(0, end));
    this.#text = text.slice(end + 1);
  }

  /** Returns a cell; '' if it is missing. Scans the row, which is fast enough for a few cells. */
  cell(place: number): string {
    if (place < 0) return '';
    let from = 0;
    for (let passed = 0; passed < place; passed += 1) {
      const end = this.#text.indexOf(cellEnd, from);
      if (end < 0) return '';
      from = end + 1;
    }
    const end = this.#text.indexOf(cellEnd, from);
    return this.#text.slice(from, end < 0 ? undefined : end);
  }

  get cells(): string[] {
    return this.#text.split(cellEnd);
  }
}

export class PackedRows implements Iterable<PackedRow> {
  length = 0;
  #chunks: Buffer[] = [];
  #open = '';

  add(row: number, cells: readonly string[]): void {
    const isClean = !cells.some((cell) => cell.includes(cellEnd) || cell.includes(rowEnd));
    this.#open += `${row}${cellEnd}${(isClean ? cells : cells.map(withoutMarks)).join(cellEnd)}${rowEnd}`;
    this.length += 1;
    if (this.#open.length < chunkLength) return;
    this.#chunks.push(Buffer.from(this.#open));
    this.#open = '';
  }

  *[Symbol.iterator](): Generator<PackedRow> {
    for (const chunk of this.#chunks) yield* unpacked(chunk.toString());
    yield* unpacked(this.#open);
  }
}

const withoutMarks = (cell: string): string => cell.replaceAll(cellEnd, '').replaceAll(rowEnd, '');

function* unpacked(text: string): Generator<PackedRow> {
  let from = 0;
  for (let end = text.indexOf(rowEnd); end >= 0; end = text.indexOf(rowEnd, from)) {
    yield new PackedRow(text.slice(from, end));
    from = end + 1;
  }
}

/** Copies a substring, because V8 would keep the whole text that it is part of in memory. */
export const copyText = (text: string): string => Buffer.from(text).toString();
