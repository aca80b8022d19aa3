/** Converts stored rich text to paragraphs and tables of a Word document (WordprocessingML). */
import { ommlOfLatex } from '#server/platform/text/omml-write.ts';
import { escapeHtml } from '#server/platform/text/render-math.ts';
import { readHtml } from './portable-html.ts';

/** A picture in the document: its relationship, and its size in CSS pixels. */
export interface PlacedPicture {
  relationship: string;
  number: number;
  width: number;
  height: number;
}

export interface WordHtmlOptions {
  /** Text in front of the first paragraph, such as `1. `. */
  prefix?: string;
  picture(src: string, width?: number, height?: number): PlacedPicture | undefined;
  /** Called for content that Word cannot hold. */
  lose(what: 'formula' | 'picture' | 'list' | 'rule'): void;
}

/** English Metric Units per CSS pixel. */
const emuPerPixel = 9525;

const markOfTag: Readonly<Record<string, string>> = {
  strong: 'b',
  em: 'i',
  s: 'strike',
  u: 'u',
  sub: 'sub',
  sup: 'sup',
};
/** Properties of a run, in the order that the schema asks for. */
const propertyOfMark = [
  ['b', '<w:b/>'],
  ['i', '<w:i/>'],
  ['strike', '<w:strike/>'],
  ['u', '<w:u w:val="single"/>'],
  ['sub', '<w:vertAlign w:val="subscript"/>'],
  ['sup', '<w:vertAlign w:val="superscript"/>'],
  ['dot', '<w:em w:val="dot"/>'],
] as const;

/** Removes the control characters that XML forbids. */
export const xmlText = (text: string): string =>
  escapeHtml(text.replace(/(?![\t\n])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, ''));

export const textRun = (text: string, properties = ''): string =>
  text === ''
    ? ''
    : `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}${text
        .split('\t')
        .map((part) => (part === '' ? '' : `<w:t xml:space="preserve">${xmlText(part)}</w:t>`))
        .join('<w:tab/>')}</w:r>`;

export const paragraph = (content: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;

interface Cell {
  content: string;
  columns: number;
  rows: number;
}

/** Blocks of the document, of a table cell, or of one text. */
interface Container {
  blocks: string[];
  /** Runs of the open paragraph. */
  runs: string;
  hasText: boolean;
  /** The formula of a paragraph that holds nothing else, and is to stand in full size. */
  onlyFormula: string | undefined;
  align: string;
  prefix: string;
}

const newContainer = (prefix: string): Container => ({
  blocks: [],
  runs: '',
  hasText: false,
  onlyFormula: undefined,
  align: '',
  prefix,
});

/** Returns the blocks of a text; at least one paragraph. */
export function wordBlocks(html: string, options: WordHtmlOptions): string {
  const writer = new HtmlWriter(options);
  readHtml(html, writer);
  return writer.end();
}

class HtmlWriter {
  private readonly containers: Container[];
  private readonly tables: Cell[][][] = [];
  private readonly lists: { isOrdered: boolean; count: number }[] = [];
  private marks: { tag: string; mark: string | undefined }[] = [];
  private readonly options: WordHtmlOptions;

  constructor(options: WordHtmlOptions) {
    this.options = options;
    this.containers = [newContainer(options.prefix ?? '')];
  }

  private get container(): Container {
    return this.containers.at(-1) as Container;
  }

  text(text: string): void {
    const collapsed = text.replace(/[ \t\r\n]+/g, ' ');
    const written = this.container.hasText ? collapsed : collapsed.replace(/^ /, '');
    if (written === '') return;
    this.addRun(textRun(written, this.properties()));
  }

  formula(latex: string): void {
    const display = /^\s*\\displaystyle\b\s*/.exec(latex);
    const omml = ommlOfLatex(display ? latex.slice(display[0].length) : latex);
    if (omml === undefined) {
      this.options.lose('formula');
      this.addRun(textRun(`$${latex}$`, this.properties()));
      return;
    }
    const isFirst = !this.container.hasText;
    this.addRun(omml);
    if (display && isFirst) this.container.onlyFormula = omml;
  }

  open(name: string, { src = '', alt = '', width, height, style = '', colspan, rowspan }: Record<string, string>) {
    const mark = /text-emphasis/.test(style) ? 'dot' : markOfTag[name];
    if (name === 'span' || markOfTag[name]) this.marks.push({ tag: name, mark });
    switch (name) {
      case 'p':
      case 'pre':
      case 'caption':
        this.endParagraph();
        this.container.align = /text-align:\s*(left|center|right|justify)/.exec(style)?.[1] ?? '';
        return;
      case 'br':
        this.addRun('<w:r><w:br/></w:r>');
        this.container.hasText = true;
        return;
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
        const placed = this.options.picture(src, Number(width) || undefined, Number(height) || undefined);
        if (placed) return this.addRun(drawing(placed, alt));
        this.options.lose('picture');
        return this.addRun(textRun('［图片］'));
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
          ?.push({ content: '', columns: Number(colspan) || 1, rows: Number(rowspan) || 1 });
        this.containers.push(newContainer(''));
    }
  }

  close(name: string) {
    if (name === 'span' || markOfTag[name]) {
      const at = this.marks.findLastIndex(({ tag }) => tag === name);
      if (at !== -1) this.marks.splice(at, 1);
    }
    switch (name) {
      case 'p':
      case 'pre':
      case 'caption':
      case 'li':
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
        // A cell ends with a paragraph.
        if (cell) cell.content = `${blocks.join('')}${blocks.at(-1)?.startsWith('<w:p>') ? '' : paragraph('')}`;
        return;
      }
      case 'table': {
        const rows = (this.tables.pop() ?? []).filter((cells) => cells.length > 0);
        if (rows.length === 0) return;
        const { container } = this;
        // Two tables in a row would be one, and the number of a question stands before its table.
        if (container.prefix || container.blocks.at(-1)?.startsWith('<w:tbl>')) this.addParagraph();
        container.blocks.push(tableXml(rows));
      }
    }
  }

  end(): string {
    this.endParagraph();
    if (this.container.blocks.length === 0) this.addParagraph();
    return this.container.blocks.join('');
  }

  private openItem(): void {
    this.endParagraph();
    const list = this.lists.at(-1);
    if (!list) return;
    list.count += 1;
    const indent = '\u3000'.repeat(this.lists.length - 1);
    // A number and a full stop would read like the number of a question.
    const label = list.isOrdered && list.count <= 20 ? String.fromCodePoint(0x2460 + list.count - 1) : '•';
    this.addRun(textRun(`${indent}${label} `));
  }

  private properties(): string {
    const names = new Set(this.marks.map(({ mark }) => mark));
    return propertyOfMark.flatMap(([mark, property]) => (names.has(mark) ? [property] : [])).join('');
  }

  private addRun(run: string): void {
    const { container } = this;
    container.runs += run;
    container.hasText = true;
    container.onlyFormula = undefined;
  }

  /** `always` keeps an empty paragraph, which is a blank line. */
  private endParagraph(always = false): void {
    const { container } = this;
    if (container.hasText || (always && container.runs === '' && this.isOpen())) this.addParagraph();
    container.align = '';
  }

  private isOpen(): boolean {
    // An empty paragraph at the start would separate the number from its text.
    return this.container.blocks.length > 0 && this.lists.length === 0;
  }

  private addParagraph(): void {
    const { container } = this;
    const { prefix, runs, onlyFormula, align } = container;
    const content =
      onlyFormula !== undefined && prefix === ''
        ? `<m:oMathPara>${onlyFormula}</m:oMathPara>`
        : `${textRun(prefix)}${runs}`;
    container.blocks.push(paragraph(content, align ? `<w:jc w:val="${align === 'justify' ? 'both' : align}"/>` : ''));
    container.runs = '';
    container.hasText = false;
    container.onlyFormula = undefined;
    container.prefix = '';
  }
}

function drawing({ relationship, number, width, height }: PlacedPicture, alt: string): string {
  const size = `cx="${Math.round(width * emuPerPixel)}" cy="${Math.round(height * emuPerPixel)}"`;
  const name = `${number}.png`;
  return (
    `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent ${size}/>` +
    `<wp:docPr id="${number}" name="图片 ${number}" descr="${xmlText(alt)}"/>` +
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>' +
    `<pic:nvPicPr><pic:cNvPr id="${number}" name="${name}"/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill><a:blip r:embed="${relationship}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>` +
    '</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
  );
}

const borders = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`)
  .join('');

/** Word repeats a cell that spans rows in each of them. */
function tableXml(rows: readonly Cell[][]): string {
  const above = new Map<number, { left: number; columns: number }>();
  let width = 1;
  const written = rows.map((cells) => {
    let xml = '';
    let column = 0;
    const fill = () => {
      for (let span = above.get(column); span && span.left > 0; span = above.get(column)) {
        xml += cellXml(paragraph(''), span.columns, '<w:vMerge/>');
        span.left -= 1;
        column += span.columns;
      }
    };
    for (const { content, columns, rows: height } of cells) {
      fill();
      xml += cellXml(content, columns, height > 1 ? '<w:vMerge w:val="restart"/>' : '');
      above.set(column, { left: height - 1, columns });
      column += columns;
    }
    fill();
    width = Math.max(width, column);
    return `<w:tr>${xml}</w:tr>`;
  });
  const grid = '<w:gridCol/>'.repeat(width);
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblBorders>${borders}</w:tblBorders></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${written.join('')}</w:tbl>`;
}

const cellXml = (content: string, columns: number, merge: string): string =>
  `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/>${columns > 1 ? `<w:gridSpan w:val="${columns}"/>` : ''}${merge}</w:tcPr>${content}</w:tc>`;
