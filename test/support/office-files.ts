import { strToU8, type Zippable, zipSync } from 'fflate';

/** Builds .docx and .xlsx files as Word, WPS and Excel write them. */

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006';

/** Namespaces that Word and WPS declare. */
const wordNamespaces =
  'xmlns:wpc="http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas" ' +
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:o="urn:schemas-microsoft-com:office:office" ' +
  `xmlns:r="${office}/relationships" xmlns:m="${office}/math" xmlns:v="urn:schemas-microsoft-com:vml" ` +
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:w10="urn:schemas-microsoft-com:office:word" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" ' +
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" ' +
  'xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup" ' +
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" ' +
  'xmlns:wpsCustomData="http://www.wps.cn/officeDocument/2013/wpsCustomData" mc:Ignorable="w14 wpsCustomData"';

export const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const wpsRun =
  '<w:rFonts w:hint="eastAsia" w:ascii="宋体" w:hAnsi="宋体" w:eastAsia="宋体"/><w:lang w:val="en-US" w:eastAsia="zh-CN"/>';

export const run = (text: string, properties = ''): string =>
  `<w:r w:rsidR="00D21C9A"><w:rPr>${properties}${wpsRun}</w:rPr><w:t xml:space="preserve">${xml(text)}</w:t></w:r>`;

export const paragraph = (content: string, properties = ''): string =>
  `<w:p w14:paraId="1A2B3C4D" w:rsidR="00A77427"><w:pPr>${properties}<w:rPr>${wpsRun}</w:rPr></w:pPr>${content}</w:p>`;

/** Content types of the parts; Office and LibreOffice refuse a file without them. */
function contentTypes(overrides: Readonly<Record<string, string>>): Uint8Array {
  const application = 'application/vnd.openxmlformats-officedocument';
  const defaults = {
    rels: 'application/vnd.openxmlformats-package.relationships+xml',
    xml: 'application/xml',
    png: 'image/png',
    emf: 'image/x-emf',
  };
  return strToU8(
    `${head}<Types xmlns="${packages}/content-types">` +
      Object.entries(defaults)
        .map(([ending, type]) => `<Default Extension="${ending}" ContentType="${type}"/>`)
        .join('') +
      Object.entries(overrides)
        .map(([part, type]) => `<Override PartName="/${part}" ContentType="${application}.${type}+xml"/>`)
        .join('') +
      '</Types>',
  );
}

/** Makes each line a paragraph; `|` splits it into runs, as Word does after edits. */
export const paragraphs = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      paragraph(
        line
          .split('|')
          .map((part) => run(part))
          .join('<w:proofErr w:type="gramStart"/>'),
      ),
    )
    .join('');

export interface WordParts {
  body: string;
  numbering?: string;
  styles?: string;
  /** Name in word/media to bytes; the relationship id is the name without its extension. */
  media?: Record<string, Uint8Array>;
  /** Relationship id to external address. */
  links?: Record<string, string>;
  more?: Zippable;
}

export function wordFile({ body, numbering, styles, media = {}, links = {}, more = {} }: WordParts): Uint8Array {
  const relationships = [
    numbering === undefined ? '' : relationship('rIdNumbering', 'numbering', 'numbering.xml'),
    styles === undefined ? '' : relationship('rIdStyles', 'styles', 'styles.xml'),
    ...Object.keys(media).map((name) => relationship(name.replace(/\..*$/, ''), 'image', `media/${name}`)),
    ...Object.entries(links).map(([id, target]) => relationship(id, 'image', target, true)),
  ];
  const files: Zippable = {
    '[Content_Types].xml': contentTypes({
      'word/document.xml': 'wordprocessingml.document.main',
      'word/numbering.xml': 'wordprocessingml.numbering',
      'word/styles.xml': 'wordprocessingml.styles',
    }),
    '_rels/.rels': relationshipsPart([relationship('rId1', 'officeDocument', 'word/document.xml')]),
    'word/document.xml': strToU8(
      `${head}<w:document ${wordNamespaces}><w:body>${body}<w:sectPr/></w:body></w:document>`,
    ),
    'word/_rels/document.xml.rels': relationshipsPart(relationships),
  };
  if (numbering !== undefined)
    files['word/numbering.xml'] = strToU8(`${head}<w:numbering ${wordNamespaces}>${numbering}</w:numbering>`);
  if (styles !== undefined)
    files['word/styles.xml'] = strToU8(`${head}<w:styles ${wordNamespaces}>${styles}</w:styles>`);
  for (const [name, bytes] of Object.entries(media)) files[`word/media/${name}`] = bytes;
  return zipSync({ ...files, ...more });
}

const relationship = (id: string, type: string, target: string, external = false): string =>
  `<Relationship Id="${id}" Type="${office}/relationships/${type}" Target="${xml(target)}"${external ? ' TargetMode="External"' : ''}/>`;

const relationshipsPart = (relationships: string[]): Uint8Array =>
  strToU8(`${head}<Relationships xmlns="${packages}/relationships">${relationships.join('')}</Relationships>`);

/** An inline picture as Word writes it, 96 × 48 pixels. */
export const picture = (id: string, description = ''): string =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="914400" cy="457200"/><wp:docPr id="1" name="图片 1" descr="${xml(description)}"/>` +
  '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill>' +
  `<a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;

export const equation = (text: string): string => `<m:oMath><m:r><m:t>${xml(text)}</m:t></m:r></m:oMath>`;

/** A Windows drawing (WMF) of 40 × 20 pixels with a text, as MathType stores the picture of a formula. */
export function metafile(text: string): Uint8Array {
  const record = (code: number, ...words: number[]) => [words.length + 3, 0, code, ...words];
  const written = text.length % 2 === 0 ? text : `${text} `;
  const letters = Array.from({ length: written.length / 2 }, (_, at) =>
    Buffer.from(written, 'latin1').readUInt16LE(at * 2),
  );
  const records = [
    ...record(0x020b, 0, 0),
    ...record(0x020c, 300, 600),
    ...record(0x0521, text.length, ...letters, 100, 100),
    ...record(0),
  ];
  const placeable = [0xcdd7, 0x9ac6, 0, 0, 0, 600, 300, 1440, 0, 0];
  placeable.push(placeable.reduce((sum, word) => sum ^ word, 0));
  const head = [1, 9, 0x300, records.length + 9, 0, 0, 30, 0, 0];
  const bytes = Buffer.alloc((placeable.length + head.length + records.length) * 2);
  for (const [index, word] of [...placeable, ...head, ...records].entries()) bytes.writeUInt16LE(word, index * 2);
  return Uint8Array.from(bytes);
}

/** One pixel. */
export const png = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);

export interface ExcelParts {
  /** Sheet name to the XML of its rows. */
  sheets: Record<string, string>;
  sharedStrings?: string;
  styles?: string;
  more?: Zippable;
  hidden?: string[];
  /** Relationships of the first sheet. */
  firstSheetRelationships?: string;
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const excelNamespaces = `${main} xmlns:r="${office}/relationships"`;

export function excelFile({
  sheets,
  sharedStrings,
  styles,
  more = {},
  hidden = [],
  firstSheetRelationships,
}: ExcelParts): Uint8Array {
  const names = Object.keys(sheets);
  const files: Zippable = {
    '[Content_Types].xml': contentTypes({
      'xl/workbook.xml': 'spreadsheetml.sheet.main',
      'xl/styles.xml': 'spreadsheetml.styles',
      'xl/sharedStrings.xml': 'spreadsheetml.sharedStrings',
      ...Object.fromEntries(
        names.map((_, index) => [`xl/worksheets/sheet${index + 1}.xml`, 'spreadsheetml.worksheet']),
      ),
    }),
    '_rels/.rels': relationshipsPart([relationship('rId1', 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml': strToU8(
      `${head}<workbook ${excelNamespaces}><sheets>${names
        .map(
          (name, index) =>
            `<sheet name="${xml(name)}" sheetId="${index + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
        )
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relationshipsPart([
      ...names.map((_, index) => relationship(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
      relationship('rIdStrings', 'sharedStrings', 'sharedStrings.xml'),
      relationship('rIdStyles', 'styles', '/xl/styles.xml'),
    ]),
  };
  for (const [index, rows] of Object.values(sheets).entries()) {
    files[`xl/worksheets/sheet${index + 1}.xml`] = strToU8(
      `${head}<worksheet ${excelNamespaces}><sheetData>${rows}</sheetData></worksheet>`,
    );
  }
  if (sharedStrings !== undefined)
    files['xl/sharedStrings.xml'] = strToU8(`${head}<sst ${main}>${sharedStrings}</sst>`);
  if (styles !== undefined) files['xl/styles.xml'] = strToU8(`${head}<styleSheet ${main}>${styles}</styleSheet>`);
  if (firstSheetRelationships) {
    files['xl/worksheets/_rels/sheet1.xml.rels'] = relationshipsPart([firstSheetRelationships]);
  }
  return zipSync({ ...files, ...more });
}

export { relationship, relationshipsPart };

/** A row of cells: text becomes an inline string, null no cell; `<c…` stays as it is. */
export const row = (number: number, cells: (string | number | null)[]): string =>
  `<row r="${number}">${cells
    .map((cell, index) => {
      const address = `${String.fromCharCode(65 + index)}${number}`;
      if (cell === null) return '';
      if (typeof cell === 'number') return `<c r="${address}"><v>${cell}</v></c>`;
      if (cell.startsWith('<c')) return cell.replace('<c', `<c r="${address}"`);
      return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${xml(cell)}</t></is></c>`;
    })
    .join('')}</row>`;

/** Compound files (MS-CFB) of 512-byte sectors: a header, one FAT sector, one directory sector with these streams. */
export function compoundFile(streams: string[]): Uint8Array {
  const bytes = Buffer.alloc(512 * 3, 0);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(1, 48);
  bytes.fill(0xff, 76, 512);
  bytes.writeUInt32LE(0, 76);
  bytes.fill(0xff, 512, 1024);
  bytes.writeUInt32LE(0xfffffffd, 512);
  bytes.writeUInt32LE(0xfffffffe, 516);
  for (const [index, name] of ['Root Entry', ...streams].entries()) {
    const at = 1024 + index * 128;
    bytes.write(name, at, 'utf16le');
    bytes.writeUInt16LE(name.length * 2 + 2, at + 64);
    // The root storage comes first; the others are streams.
    bytes[at + 66] = index === 0 ? 5 : 2;
  }
  return bytes;
}
