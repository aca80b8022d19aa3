import { codePoint as symbolOf } from 'dingbat-to-unicode';
import type { OpenedZip } from '#server/platform/files/zip.ts';
import { mainPartOf, type Relationship, readRelationships } from '#server/platform/office/relationships.ts';
import { type ReadAttribute, readXml, type XmlHandler } from '#server/platform/office/xml.ts';
import { appendText, type Line, type Mark, type Segment, type TableCell, type TextLine } from './rich-line.ts';
import { lossMessages } from './rules.ts';
import {
  createCounter,
  type NumberedStyle,
  numberingOfStyle,
  readNumberedStyles,
  readNumbering,
} from './word-numbering.ts';

/**
 * Reads a .docx as lines: a paragraph, or a part of it ended by Shift+Enter. A table counts as one line. Nothing
 * external is fetched and no field evaluated.
 */
export async function readWordLines(zip: OpenedZip, onProgress: (part: number) => void): Promise<Line[]> {
  const main = await mainPartOf(zip, 'word/document.xml');
  const relationships = await readRelationships(zip, main);
  const related = async (type: string) => {
    const found = [...relationships.values()].find((relationship) => relationship.type === type);
    return found && !found.external ? await zip.stream(found.target) : undefined;
  };
  const count = createCounter(await readNumbering(await related('numbering')));
  const styles = await readNumberedStyles(await related('styles'));
  const part = await zip.stream(main);
  if (!part) return [];
  const reader = new DocumentReader(relationships, count, styles);
  const size = zip.sizes.get(main.toLowerCase()) ?? 1;
  let bytes = 0;
  await readXml(part, reader, (more) => {
    bytes += more;
    onProgress(bytes / size);
  });
  return reader.lines;
}

interface Run {
  marks: Mark[];
  hidden: boolean;
  isCapital: boolean;
  symbolFont: string | undefined;
}

interface Paragraph {
  number: number;
  segments: Segment[];
  continues: boolean;
  runs: Run[];
  inProperties: boolean;
  style: string | undefined;
  list: { id?: string; level?: number };
  /** The paragraph mark was deleted with tracked changes, so the paragraph continues in the next. */
  runsOn: boolean;
  /** Lines of its text boxes, which follow it. */
  after: Line[];
  /** Open drawings, innermost last. */
  graphics: Graphic[];
}

interface OpenCell extends TableCell {
  continuesAbove: boolean;
}

interface OpenTable {
  number: number;
  rows: { cells: OpenCell[]; deleted: boolean }[];
}

/** An open drawing, embedded object or VML picture. */
interface Graphic {
  found: boolean;
  width: number | undefined;
  height: number | undefined;
  alt: string;
  program: string;
  segments: Segment[];
  isRule: boolean;
}

/** Elements without document text, or with text deleted by tracked changes. */
const skipped = new Set([
  'w:del',
  'w:moveFrom',
  'w:rPrChange',
  'w:pPrChange',
  'w:tblPrChange',
  'w:trPrChange',
  'w:tcPrChange',
  'w:sectPr',
  'w:sdtPr',
  'w:rt',
  'm:oMath',
]);

/** Supported extensions: their content is read instead of the fallback. */
const understood = /^(?:wps|wpg|wpc|wp14|w14|w15|a14|v)$/;

/** Tables nested deeper are read as text of the surrounding cell. */
const deepestTable = 4;
const pixel = 9525; // English Metric Units per CSS pixel.
const symbolFonts = ['Symbol', 'Wingdings', 'Wingdings 2', 'Wingdings 3', 'Webdings'];
const markOrder: readonly Mark[] = ['strong', 'em', 'u', 's', 'sub', 'sup', 'dot'];

/** Handles the XML events of the document and collects its lines. */
class DocumentReader implements XmlHandler {
  readonly lines: Line[] = [];
  private readonly relationships: ReadonlyMap<string, Relationship>;
  private readonly count: (id: string, level: number) => string;
  private readonly styles: ReadonlyMap<string, NumberedStyle>;
  /** Targets of finished lines: the body, then open cells and text boxes, innermost last. */
  private readonly containers: Line[][] = [this.lines];
  private readonly paragraphs: Paragraph[] = [];
  private readonly tables: OpenTable[] = [];
  private readonly tableIsRead: boolean[] = [];
  private readonly fields: { instruction: string }[] = [];
  private readonly alternatives: { taken: boolean }[] = [];
  private textBoxes = 0;
  private lineNumber = 0;
  private skipDepth = 0;
  private capture: 'text' | 'instruction' | undefined;
  private carried: Segment[] = [];

  constructor(
    relationships: ReadonlyMap<string, Relationship>,
    count: (id: string, level: number) => string,
    styles: ReadonlyMap<string, NumberedStyle>,
  ) {
    this.relationships = relationships;
    this.count = count;
    this.styles = styles;
  }

  private paragraph() {
    return this.paragraphs.at(-1);
  }

  private run() {
    return this.paragraph()?.runs.at(-1);
  }

  private graphic() {
    return this.paragraph()?.graphics.at(-1);
  }

  private container() {
    return this.containers.at(-1) ?? this.lines;
  }

  private nextNumber() {
    // Lines in tables and text boxes have the number of the surrounding line: people cannot count inside them.
    if (this.tables.length === 0 && this.textBoxes === 0) this.lineNumber += 1;
    return this.lineNumber;
  }

  private add(segment: Segment) {
    if (!this.run()?.hidden) (this.graphic()?.segments ?? this.paragraph()?.segments)?.push(segment);
  }

  private addText(text: string) {
    const current = this.run();
    const target = this.paragraph();
    if (!target || current?.hidden) return;
    appendText(target.segments, current?.isCapital ? text.toUpperCase() : text, current?.marks ?? []);
  }

  private breakLine() {
    const target = this.paragraph();
    if (!target) return;
    this.container().push({ number: target.number, segments: target.segments, continues: target.continues });
    target.segments = [];
    target.continues = true;
    target.number = this.nextNumber();
  }

  private openParagraph() {
    this.paragraphs.push({
      number: this.nextNumber(),
      segments: this.carried,
      continues: false,
      runs: [],
      inProperties: false,
      style: undefined,
      list: {},
      runsOn: false,
      after: [],
      graphics: [],
    });
    this.carried = [];
  }

  private closeParagraph() {
    const done = this.paragraphs.pop();
    if (!done) return;
    if (done.runsOn) {
      this.carried = done.segments;
      return;
    }
    const line: TextLine = { number: done.number, segments: done.segments, continues: done.continues };
    this.container().push(line, ...done.after);
  }

  /** The label precedes the text, so it is counted as soon as the paragraph's properties are known. */
  private labelParagraph(target: Paragraph) {
    const inherited = numberingOfStyle(this.styles, target.style);
    const id = target.list.id ?? inherited?.id;
    if (id === undefined || id === '0') return;
    const label = this.count(id, target.list.level ?? inherited?.level ?? 0);
    if (label) appendText(target.segments, `${label} `, []);
  }

  private openGraphic() {
    this.paragraph()?.graphics.push({
      found: false,
      width: undefined,
      height: undefined,
      alt: '',
      program: '',
      segments: [],
      isRule: false,
    });
  }

  private closeGraphic() {
    const done = this.paragraph()?.graphics.pop();
    if (!done) return;
    const outer = this.graphic();
    if (outer) outer.found ||= done.found;
    if (/equation|mathtype|eqnedt|formula/i.test(done.program)) {
      this.add({ lost: lossMessages.formula, shown: '［公式］' });
    } else if (done.segments.length > 0) {
      for (const segment of done.segments) this.add(segment);
    } else if (done.program) {
      this.add({ lost: lossMessages.object, shown: '' });
    } else if (!done.found && !done.isRule) {
      this.add({ lost: lossMessages.shape, shown: '' });
    }
  }

  private addPicture(id: string | undefined, isLink: boolean) {
    const current = this.graphic();
    if (!current) return;
    const relationship = id === undefined ? undefined : this.relationships.get(id);
    const isFirst = !current.found;
    current.found = true;
    if (isLink || relationship?.external) this.add({ lost: lossMessages.linkedPicture, shown: '［图片］' });
    else if (!relationship) this.add({ lost: lossMessages.missingPicture, shown: '［图片］' });
    else {
      this.add({
        picture: {
          part: relationship.target,
          // The size of a group says nothing about its pictures.
          width: isFirst ? current.width : undefined,
          height: isFirst ? current.height : undefined,
          alt: current.alt,
        },
      });
    }
  }

  private closeTable() {
    const table = this.tables.pop();
    if (!table) return;
    const rows = table.rows.filter((row) => !row.deleted && row.cells.length > 0).map((row) => row.cells);
    if (rows.length > 0) this.container().push({ number: table.number, rows: mergedRows(rows) });
  }

  private openTableCell() {
    const cell: OpenCell = { lines: [], columns: 1, rows: 1, continuesAbove: false };
    this.tables.at(-1)?.rows.at(-1)?.cells.push(cell);
    this.containers.push(cell.lines);
  }

  private cell() {
    return this.tableIsRead.at(-1) ? this.tables.at(-1)?.rows.at(-1)?.cells.at(-1) : undefined;
  }

  private openInRun(current: Run, name: string, attribute: ReadAttribute) {
    const value = attribute('w:val');
    const isOn = value !== 'false' && value !== '0' && value !== 'off' && value !== 'none';
    const mark = (which: Mark) => {
      if (isOn) current.marks = markOrder.filter((other) => other === which || current.marks.includes(other));
    };
    switch (name) {
      case 'w:b':
        return mark('strong');
      case 'w:i':
        return mark('em');
      case 'w:u':
        return mark('u');
      case 'w:strike':
      case 'w:dstrike':
        return mark('s');
      case 'w:em':
        return mark('dot');
      case 'w:vertAlign':
        if (value === 'subscript') mark('sub');
        else if (value === 'superscript') mark('sup');
        return;
      // Half points above or below the baseline.
      case 'w:position': {
        const raised = Number(value);
        if (raised !== 0) mark(raised < 0 ? 'sub' : 'sup');
        return;
      }
      case 'w:caps':
        current.isCapital = isOn;
        return;
      case 'w:vanish':
        current.hidden = isOn;
        return;
      case 'w:rFonts': {
        const font = attribute('w:ascii') ?? attribute('w:hAnsi') ?? '';
        current.symbolFont = symbolFontOf(font);
        return;
      }
      case 'w:tab':
        return this.addText('\t');
      case 'w:cr':
        return this.breakLine();
      case 'w:br':
        if ((attribute('w:type') ?? 'textWrapping') === 'textWrapping') this.breakLine();
        return;
      case 'w:noBreakHyphen':
        return this.addText('-');
      case 'w:sym': {
        const symbol = symbolCharacter(attribute('w:font') ?? '', Number.parseInt(attribute('w:char') ?? '', 16));
        if (symbol) this.addText(symbol);
        else this.add({ lost: lossMessages.symbol, shown: '□' });
        return;
      }
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        return this.add({ lost: lossMessages.note, shown: '' });
      case 'w:fldChar':
        return this.openFieldCharacter(attribute('w:fldCharType'));
    }
  }

  private openFieldCharacter(type: string | undefined) {
    if (type === 'begin') this.fields.push({ instruction: '' });
    if (type !== 'end') return;
    // Formulas of old Word versions are EQ fields without a result.
    if (/^\s*EQ\b/i.test(this.fields.pop()?.instruction ?? ''))
      this.add({ lost: lossMessages.formula, shown: '［公式］' });
  }

  private openInGraphic(drawn: Graphic, name: string, attribute: ReadAttribute) {
    switch (name) {
      case 'wp:extent':
        drawn.width = pixels(attribute('cx'));
        drawn.height = pixels(attribute('cy'));
        return;
      case 'wp:docPr':
        drawn.alt = usefulAlt(attribute('descr'));
        return;
      case 'a:blip':
        if (attribute('r:embed')) this.addPicture(attribute('r:embed'), false);
        else if (attribute('r:link')) this.addPicture(undefined, true);
        return;
      case 'v:shape':
      case 'v:rect': {
        const style = attribute('style') ?? '';
        drawn.width = points(/(?:^|;)\s*width:([\d.]+)pt/.exec(style)?.[1]);
        drawn.height = points(/(?:^|;)\s*height:([\d.]+)pt/.exec(style)?.[1]);
        if (attribute('o:hr')) drawn.isRule = true;
        return;
      }
      case 'v:imagedata':
        if (attribute('r:id')) this.addPicture(attribute('r:id'), false);
        else if (attribute('r:href')) this.addPicture(undefined, true);
        return;
      case 'o:OLEObject':
        drawn.program = attribute('ProgID') || 'unknown';
        return;
    }
  }

  private openInParagraphProperties(target: Paragraph, name: string, attribute: ReadAttribute) {
    if (name === 'w:pStyle') target.style = attribute('w:val');
    else if (name === 'w:numId') target.list.id = attribute('w:val');
    else if (name === 'w:ilvl') target.list.level = Number(attribute('w:val'));
    else if (name === 'w:del' || name === 'w:moveFrom') target.runsOn = true;
  }

  private openAlternative(name: string, attribute: ReadAttribute): boolean {
    const alternative = this.alternatives.at(-1);
    if (!alternative || alternative.taken) return false;
    const isUnderstood =
      name === 'mc:Fallback' || (attribute('Requires') ?? '').split(/\s+/).every((p) => understood.test(p));
    alternative.taken = isUnderstood;
    return isUnderstood;
  }

  private openStructure(name: string, attribute: ReadAttribute): boolean {
    switch (name) {
      case 'w:p':
        this.openParagraph();
        return true;
      case 'w:pPr': {
        const target = this.paragraph();
        if (target) target.inProperties = true;
        return true;
      }
      case 'w:r':
        this.paragraph()?.runs.push({ marks: [], hidden: false, isCapital: false, symbolFont: undefined });
        return true;
      case 'w:tbl':
        this.tableIsRead.push(this.tables.length < deepestTable);
        if (this.tableIsRead.at(-1)) this.tables.push({ number: this.nextNumber(), rows: [] });
        return true;
      case 'w:tr':
        if (this.tableIsRead.at(-1)) this.tables.at(-1)?.rows.push({ cells: [], deleted: false });
        return true;
      case 'w:tc':
        if (this.tableIsRead.at(-1)) this.openTableCell();
        return true;
      case 'w:txbxContent': {
        const around = this.graphic();
        if (around) around.found = true;
        this.textBoxes += 1;
        this.containers.push([]);
        return true;
      }
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        this.openGraphic();
        return true;
      case 'mc:AlternateContent':
        this.alternatives.push({ taken: false });
        return true;
      case 'w:gridSpan': {
        const current = this.cell();
        if (current) current.columns = smallCount(attribute('w:val'));
        return true;
      }
      case 'w:vMerge': {
        const current = this.cell();
        if (current) current.continuesAbove = (attribute('w:val') ?? 'continue') === 'continue';
        return true;
      }
    }
    return false;
  }

  open(name: string, attribute: ReadAttribute) {
    if (this.skipDepth > 0) {
      this.skipDepth += 1;
      return;
    }
    const target = this.paragraph();
    if (target?.inProperties) this.openInParagraphProperties(target, name, attribute);
    if (name === 'mc:Choice' || name === 'mc:Fallback') {
      if (!this.openAlternative(name, attribute)) this.skipDepth = 1;
      return;
    }
    if (skipped.has(name)) {
      if (name === 'm:oMath') this.add({ lost: lossMessages.formula, shown: '［公式］' });
      // In row properties, this marks the row itself as deleted.
      else if (name === 'w:rt') this.add({ lost: lossMessages.reading, shown: '' });
      else if (name === 'w:del' && !target) markRowDeleted(this.tables);
      this.skipDepth = 1;
      return;
    }
    if (this.openStructure(name, attribute)) return;
    if (name === 'w:t') this.capture = 'text';
    else if (name === 'w:instrText') this.capture = 'instruction';
    const drawn = this.graphic();
    if (drawn) this.openInGraphic(drawn, name, attribute);
    const current = this.run();
    if (current && !target?.inProperties) this.openInRun(current, name, attribute);
  }

  close(name: string) {
    if (this.skipDepth > 0) {
      this.skipDepth -= 1;
      return;
    }
    switch (name) {
      case 'w:p':
        return this.closeParagraph();
      case 'w:pPr': {
        const target = this.paragraph();
        if (!target) return;
        target.inProperties = false;
        return this.labelParagraph(target);
      }
      case 'w:r':
        this.paragraph()?.runs.pop();
        return;
      case 'w:t':
      case 'w:instrText':
        this.capture = undefined;
        return;
      case 'w:tbl':
        if (this.tableIsRead.pop()) this.closeTable();
        return;
      case 'w:tc':
        if (this.tableIsRead.at(-1)) this.containers.pop();
        return;
      case 'w:txbxContent': {
        const lines = this.containers.pop() ?? [];
        this.textBoxes -= 1;
        this.paragraph()?.after.push(...lines);
        return;
      }
      case 'w:drawing':
      case 'w:pict':
      case 'w:object':
        return this.closeGraphic();
      case 'mc:AlternateContent':
        this.alternatives.pop();
        return;
    }
  }

  text(value: string) {
    if (this.skipDepth > 0 || this.capture === undefined) return;
    if (this.capture === 'instruction') {
      const field = this.fields.at(-1);
      if (field && field.instruction.length < 200) field.instruction += value;
      return;
    }
    const font = this.run()?.symbolFont;
    this.addText(font ? [...value].map((c) => symbolCharacter(font, c.codePointAt(0) ?? 0) ?? c).join('') : value);
  }
}

function markRowDeleted(tables: readonly OpenTable[]): void {
  const row = tables.at(-1)?.rows.at(-1);
  if (row && row.cells.length === 0) row.deleted = true;
}

/** Merges vertically continued cells into the cell above. */
function mergedRows(rows: readonly OpenCell[][]): TableCell[][] {
  const above = new Map<number, OpenCell>();
  return rows.map((row) => {
    const kept: TableCell[] = [];
    let column = 0;
    for (const cell of row) {
      const upper = above.get(column);
      if (cell.continuesAbove && upper) {
        upper.rows += 1;
      } else {
        above.set(column, cell);
        kept.push(cell);
      }
      column += cell.columns;
    }
    return kept;
  });
}

/** Symbol fonts use their own codes, either bare or from U+F000. */
function symbolCharacter(font: string, code: number): string | undefined {
  const inFont = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (!(inFont > 0x20 && inFont <= 0xff)) return code > 0xff ? String.fromCodePoint(code) : undefined;
  const family = symbolFontOf(font);
  const symbol = family === undefined ? undefined : symbolOf(family, inFont)?.string;
  return symbol === undefined ? undefined : (commonSymbols.get(symbol) ?? symbol);
}

/** Replaces the exact Unicode ticks and crosses of Wingdings, which few fonts have, by common ones. */
const commonSymbols: ReadonlyMap<string, string> = new Map([
  ['🗸', '✓'],
  ['🗹', '☑'],
  ['🗴', '✗'],
  ['🗶', '✗'],
  ['🗵', '☒'],
  ['🗷', '☒'],
]);

const symbolFontOf = (font: string): string | undefined =>
  symbolFonts.find((name) => name.toLowerCase() === font.toLowerCase());

function pixels(metricUnits: string | undefined): number | undefined {
  const size = Math.round(Number(metricUnits) / pixel);
  return size > 0 && size < 10_000 ? size : undefined;
}

function points(value: string | undefined): number | undefined {
  const size = Math.round((Number(value) * 4) / 3);
  return size > 0 && size < 10_000 ? size : undefined;
}

const smallCount = (value: string | undefined): number => Math.min(Math.max(Math.trunc(Number(value)) || 1, 1), 100);

/**
 * Drops alternative texts that editors generate: file names, paths and guesses say nothing and may reveal the author.
 */
const usefulAlt = (description: string | undefined): string =>
  description === undefined ||
  /[\\/]|\.\w{3,4}$|^(?:图片|picture|image|img|descript)|[\r\n]|^\w*$/i.test(description.trim())
    ? '图片'
    : description.trim().slice(0, 100);
