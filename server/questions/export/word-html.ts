/** Converts stored rich text to paragraphs and tables of a Word document. */
import {
  AlignmentType,
  BorderStyle,
  EmphasisMarkType,
  ImageRun,
  ImportedXmlComponent,
  type IRunOptions,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  UnderlineType,
} from 'docx';
import { ommlOfLatex } from '#server/platform/text/omml-write.ts';
import { readHtml } from './portable-html.ts';

export type Block = Paragraph | Table;

/** A picture with its own size in pixels. */
export interface PlacedPicture {
  data: Uint8Array;
  type: 'png' | 'jpg' | 'gif';
  width: number;
  height: number;
}

export interface WordHtmlOptions {
  /** Text in front of the first paragraph, such as `1. `. */
  prefix: string;
  picture(src: string): PlacedPicture | undefined;
  /** Called for content that Word cannot hold. */
  lose(what: 'formula' | 'picture' | 'list' | 'rule'): void;
}

/** Maximum width of a picture in CSS pixels: the width of the text. */
const maxWidth = 642;

const markOfTag: Readonly<Record<string, IRunOptions>> = {
  strong: { bold: true },
  em: { italics: true },
  s: { strike: true },
  u: { underline: { type: UnderlineType.SINGLE } },
  sub: { subScript: true },
  sup: { superScript: true },
};
const emphasis: IRunOptions = { emphasisMark: { type: EmphasisMarkType.DOT } };

const alignments: Readonly<Record<string, (typeof AlignmentType)[keyof typeof AlignmentType]>> = {
  left: AlignmentType.LEFT,
  center: AlignmentType.CENTER,
  right: AlignmentType.RIGHT,
  justify: AlignmentType.BOTH,
};

/** The types of docx do not name imported XML among the children of a paragraph. */
const importXml = (xml: string): ParagraphChild => ImportedXmlComponent.fromXmlString(xml) as unknown as ParagraphChild;

interface Cell {
  blocks: Block[];
  columns: number;
  rows: number;
}

/** Blocks of the document, of a table cell, or of one text. */
interface Container {
  blocks: Block[];
  /** Runs of the open paragraph. */
  runs: ParagraphChild[];
  /** Formula of a paragraph without other content; written as a display formula. */
  onlyFormula: string | undefined;
  align: string;
  prefix: string;
}

const newContainer = (prefix: string): Container => ({
  blocks: [],
  runs: [],
  onlyFormula: undefined,
  align: '',
  prefix,
});

/** Returns the blocks of a text; at least one paragraph. */
export function wordBlocks(html: string, options: WordHtmlOptions): Block[] {
  const writer = new HtmlWriter(options);
  readHtml(html, writer);
  return writer.end();
}

class HtmlWriter {
  private readonly containers: Container[];
  private readonly tables: Cell[][][] = [];
  private readonly lists: { isOrdered: boolean; count: number }[] = [];
  private isPre = false;
  private marks: { tag: string; mark: IRunOptions }[] = [];
  private readonly options: WordHtmlOptions;

  constructor(options: WordHtmlOptions) {
    this.options = options;
    this.containers = [newContainer(options.prefix)];
  }

  private get container(): Container {
    return this.containers.at(-1) as Container;
  }

  text(text: string) {
    if (this.isPre) return this.addLines(text);
    const collapsed = text.replace(/[ \t\r\n]+/g, ' ');
    const written = this.container.runs.length > 0 ? collapsed : collapsed.replace(/^ /, '');
    if (written !== '') this.addText(written);
  }

  formula(latex: string): void {
    const display = /^\s*\\displaystyle\b\s*/.exec(latex);
    const omml = ommlOfLatex(display ? latex.slice(display[0].length) : latex);
    if (omml === undefined) {
      this.options.lose('formula');
      this.addText(`$${latex}$`);
      return;
    }
    const isFirst = this.container.runs.length === 0;
    this.add(importXml(omml));
    if (display && isFirst) this.container.onlyFormula = omml;
  }

  open(name: string, { src = '', alt = '', width, height, style = '', colspan, rowspan }: Record<string, string>) {
    const mark = /text-emphasis/.test(style) ? emphasis : markOfTag[name];
    if (name === 'span' || mark) this.marks.push({ tag: name, mark: mark ?? {} });
    switch (name) {
      case 'p':
      case 'pre':
      case 'caption':
        this.endParagraph();
        this.isPre = name === 'pre';
        this.container.align = /text-align:\s*(left|center|right|justify)/.exec(style)?.[1] ?? '';
        return;
      case 'br':
        return this.add(new TextRun({ break: 1 }));
      case 'hr':
        this.options.lose('rule');
        return this.endParagraph();
      case 'ul':
      case 'ol':
        this.endParagraph();
        this.options.lose('list');
        this.lists.push({ isOrdered: name === 'ol', count: 0 });
        return;
      case 'li':
        return this.openItem();
      case 'img': {
        const picture = this.options.picture(src);
        if (picture) return this.add(imageRun(picture, alt, Number(width) || undefined, Number(height) || undefined));
        this.options.lose('picture');
        return this.addText('［图片］');
      }
      case 'table':
        this.endParagraph();
        this.tables.push([]);
        return;
      case 'tr':
        this.tables.at(-1)?.push([]);
        return;
      case 'td':
      case 'th':
        this.tables
          .at(-1)
          ?.at(-1)
          ?.push({ blocks: [], columns: Number(colspan) || 1, rows: Number(rowspan) || 1 });
        this.containers.push(newContainer(''));
    }
  }

  close(name: string) {
    const mark = this.marks.findLastIndex(({ tag }) => tag === name);
    if (mark !== -1) this.marks.splice(mark, 1);
    switch (name) {
      case 'p':
      case 'pre':
      case 'caption':
      case 'li':
        this.isPre = false;
        return this.endParagraph(true);
      case 'ul':
      case 'ol':
        this.lists.pop();
        return;
      case 'td':
      case 'th': {
        if (this.containers.length < 2) return;
        this.endParagraph();
        const { blocks } = this.containers.pop() as Container;
        const cell = this.tables.at(-1)?.at(-1)?.at(-1);
        if (cell) cell.blocks = blocks;
        return;
      }
      case 'table': {
        const rows = (this.tables.pop() ?? []).filter((cells) => cells.length > 0);
        if (rows.length === 0) return;
        const { container } = this;
        // Two tables in a row would be one, and the number of a question stands before its table.
        if (container.prefix || container.blocks.at(-1) instanceof Table) this.addParagraph();
        container.blocks.push(tableOf(rows));
      }
    }
  }

  end(): Block[] {
    this.endParagraph();
    if (this.container.blocks.length === 0) this.addParagraph();
    return this.container.blocks;
  }

  private openItem(): void {
    this.endParagraph();
    const list = this.lists.at(-1);
    if (!list) return;
    list.count += 1;
    const indent = '\u3000'.repeat(this.lists.length - 1);
    // A number and a full stop would read like the number of a question.
    const label = list.isOrdered && list.count <= 20 ? String.fromCodePoint(0x2460 + list.count - 1) : '•';
    this.add(new TextRun(`${indent}${label} `));
  }

  /** Keeps the line breaks of a `<pre>`; HTML ignores one at its start. */
  private addLines(text: string): void {
    const lines = (this.container.runs.length > 0 ? text : text.replace(/^\n/, '')).split('\n');
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.add(new TextRun({ break: 1 }));
      if (line !== '') this.addText(line);
    }
  }

  private addText(text: string): void {
    this.add(new TextRun(Object.assign({ text }, ...this.marks.map(({ mark }) => mark))));
  }

  private add(run: ParagraphChild): void {
    const { container } = this;
    container.runs.push(run);
    container.onlyFormula = undefined;
  }

  /** `always` keeps an empty paragraph, which is a blank line. */
  private endParagraph(always = false): void {
    const { container } = this;
    // An empty paragraph at the start would separate the number from its text.
    const isBlankLine = always && container.blocks.length > 0 && this.lists.length === 0;
    if (container.runs.length > 0 || isBlankLine) this.addParagraph();
    container.align = '';
  }

  private addParagraph(): void {
    const { container } = this;
    const { prefix, runs, onlyFormula, align } = container;
    const children =
      onlyFormula !== undefined && prefix === ''
        ? [importXml(`<m:oMathPara>${onlyFormula}</m:oMathPara>`)]
        : [...(prefix === '' ? [] : [new TextRun(prefix)]), ...runs];
    container.blocks.push(new Paragraph({ children, ...(align && { alignment: alignments[align] }) }));
    Object.assign(container, newContainer(''), { blocks: container.blocks });
  }
}

/** The size that the text gives a picture, else its own, but no wider than the page. */
function imageRun({ data, type, ...own }: PlacedPicture, description: string, width?: number, height?: number) {
  const shownWidth = width ?? (height ? (own.width * height) / own.height : own.width);
  const shownHeight = height ?? (width ? (own.height * width) / own.width : own.height);
  const scale = Math.min(1, maxWidth / shownWidth);
  return new ImageRun({
    type,
    data,
    altText: { name: '图片', description },
    transformation: { width: Math.max(shownWidth * scale, 1), height: Math.max(shownHeight * scale, 1) },
  });
}

const line = { style: BorderStyle.SINGLE, size: 4, color: 'auto' };
const borders = { top: line, left: line, bottom: line, right: line, insideHorizontal: line, insideVertical: line };

const tableOf = (rows: readonly Cell[][]): Table =>
  new Table({
    borders,
    rows: rows.map(
      (cells) =>
        new TableRow({
          children: cells.map(
            ({ blocks, columns, rows: height }) =>
              new TableCell({
                // A cell ends with a paragraph.
                children: blocks.at(-1) instanceof Paragraph ? blocks : [...blocks, new Paragraph({})],
                ...(columns > 1 && { columnSpan: columns }),
                ...(height > 1 && { rowSpan: height }),
              }),
          ),
        }),
    ),
  });
