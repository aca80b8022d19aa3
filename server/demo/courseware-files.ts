/** Small files as staff have them, made on the spot: every one opens in the program that its ending names. */
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { ZipFile } from 'yazl';

export type DemoFileKind = 'pdf' | 'docx' | 'pptx' | 'png' | 'jpg' | 'zip' | 'mp3' | 'wav';

/** The bytes of one file. `title` is what it shows; `lines` are its paragraphs or slides. */
export function demoFile(kind: DemoFileKind, title: string, lines: readonly string[]): Promise<Uint8Array> {
  switch (kind) {
    case 'pdf':
      return Promise.resolve(pdf());
    case 'docx':
      return zipOf(wordParts([title, ...lines]));
    case 'pptx':
      return zipOf(presentationParts([title, ...lines]));
    case 'zip':
      return zipOf({ 'index.html': animation(title), 'data/title.txt': title });
    case 'mp3':
      return Promise.resolve(silence(3));
    case 'wav':
      return Promise.resolve(tone(2));
    default:
      return picture(kind);
  }
}

async function zipOf(parts: Record<string, string>): Promise<Uint8Array> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

// ---- PDF (ISO 32000-1, 7.5) -----------------------------------------------------------------------------

/** One page with a parabola between its axes: lines need no font. */
function pdf(): Uint8Array {
  const points = Array.from({ length: 41 }, (_, index) => (index - 20) / 5);
  const curve = points
    .map((x, index) => `${(300 + x * 45).toFixed(1)} ${(300 + x * x * 20).toFixed(1)} ${index === 0 ? 'm' : 'l'}`)
    .join('\n');
  const drawing = `1 w\n60 300 m 540 300 l S\n300 200 m 300 680 l S\n0.09 0.39 0.67 RG 2 w\n${curve}\nS\n`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}endstream`,
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

// ---- pictures ------------------------------------------------------------------------------------------

function picture(kind: 'png' | 'jpg'): Promise<Uint8Array> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400">
    <rect width="640" height="400" fill="#f7f9fb"/>
    <path d="M20 340H620M60 20V380" stroke="#556372" stroke-width="2"/>
    <path d="M60 340Q340 340 600 40" stroke="#1864ab" stroke-width="5" fill="none"/>
    <path d="M60 80L600 320" stroke="#b3261e" stroke-width="3" stroke-dasharray="10 6"/>
    <circle cx="352" cy="210" r="9" fill="#0b6b3a"/>
  </svg>`;
  const drawn = sharp(Buffer.from(drawing));
  return (kind === 'png' ? drawn.png({ compressionLevel: 6 }) : drawn.jpeg({ quality: 80 })).toBuffer();
}

// ---- Office Open XML (ECMA-376) --------------------------------------------------------------------------

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const officeFormats = 'http://schemas.openxmlformats.org';
const relationshipTypes = `${officeFormats}/officeDocument/2006/relationships`;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const contentTypes = (parts: readonly [part: string, type: string][]) =>
  `${xml}<Types xmlns="${officeFormats}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts
    .map(
      ([part, type]) =>
        `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
    )
    .join('')}</Types>`;

const relationships = (targets: readonly [type: string, target: string][]) =>
  `${xml}<Relationships xmlns="${officeFormats}/package/2006/relationships">${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${relationshipTypes}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

function wordParts(paragraphs: readonly string[]): Record<string, string> {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${escaped(text)}</w:t></w:r></w:p>`).join('');
  return {
    '[Content_Types].xml': contentTypes([['word/document.xml', 'wordprocessingml.document.main']]),
    '_rels/.rels': relationships([['officeDocument', 'word/document.xml']]),
    'word/document.xml': `${xml}<w:document xmlns:w="${officeFormats}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  };
}

const presentationNames = `xmlns:a="${officeFormats}/drawingml/2006/main" xmlns:r="${relationshipTypes}" xmlns:p="${officeFormats}/presentationml/2006/main"`;
const shapeTree = (shapes: string) =>
  `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`;

function slide(text: string): string {
  const place =
    '<a:xfrm><a:off x="685800" y="1200000"/><a:ext cx="7772400" cy="1470025"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>';
  const shape = `<p:sp><p:nvSpPr><p:cNvPr id="2" name="text"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang="zh-CN" sz="3200"/><a:t>${escaped(text)}</a:t></a:r></a:p></p:txBody></p:sp>`;
  return `${xml}<p:sld ${presentationNames}>${shapeTree(shape)}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`;
}

/** A presentation needs a master, a layout and a theme before any slide. */
function presentationParts(texts: readonly string[]): Record<string, string> {
  const slides = texts.map((text, index) => [`ppt/slides/slide${index + 1}.xml`, slide(text)] as const);
  const colour = (name: string, value: string) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
  const colours = [
    'dk1 000000',
    'lt1 FFFFFF',
    'dk2 1B2733',
    'lt2 F3F5F8',
    'accent1 1864AB',
    'accent2 0B6B3A',
    'accent3 B3261E',
    'accent4 8A4B00',
    'accent5 556372',
    'accent6 8593A3',
    'hlink 1864AB',
    'folHlink 556372',
  ];
  const font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>';
  const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
  const line = `<a:ln>${fill}</a:ln>`;
  const effect = '<a:effectStyle><a:effectLst/></a:effectStyle>';
  const theme = `${xml}<a:theme xmlns:a="${officeFormats}/drawingml/2006/main" name="theme"><a:themeElements><a:clrScheme name="school">${colours
    .map((one) => colour(one.split(' ')[0] ?? '', one.split(' ')[1] ?? ''))
    .join(
      '',
    )}</a:clrScheme><a:fontScheme name="school"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme><a:fmtScheme name="school"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${effect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
  const map =
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';
  const type = (name: string) => `presentationml.${name}`;
  return {
    '[Content_Types].xml': contentTypes([
      ['ppt/presentation.xml', type('presentation.main')],
      ['ppt/slideMasters/slideMaster1.xml', type('slideMaster')],
      ['ppt/slideLayouts/slideLayout1.xml', type('slideLayout')],
      ['ppt/theme/theme1.xml', 'theme'],
      ...slides.map(([part]): [string, string] => [part, type('slide')]),
    ]),
    '_rels/.rels': relationships([['officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': `${xml}<p:presentation ${presentationNames}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>${slides
      .map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 2}"/>`)
      .join(
        '',
      )}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships([
      ['slideMaster', 'slideMasters/slideMaster1.xml'],
      ...slides.map((_, index): [string, string] => ['slide', `slides/slide${index + 1}.xml`]),
    ]),
    'ppt/slideMasters/slideMaster1.xml': `${xml}<p:sldMaster ${presentationNames}>${shapeTree('')}${map}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships([
      ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      ['theme', '../theme/theme1.xml'],
    ]),
    'ppt/slideLayouts/slideLayout1.xml': `${xml}<p:sldLayout ${presentationNames} type="blank">${shapeTree('')}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([
      ['slideMaster', '../slideMasters/slideMaster1.xml'],
    ]),
    'ppt/theme/theme1.xml': theme,
    ...Object.fromEntries(slides),
    ...Object.fromEntries(
      slides.map(([part]) => [
        part.replace('slides/', 'slides/_rels/').concat('.rels'),
        relationships([['slideLayout', '../slideLayouts/slideLayout1.xml']]),
      ]),
    ),
  };
}

function animation(title: string): string {
  return `<!doctype html><meta charset="utf-8"><title>${escaped(title)}</title><style>@keyframes move{to{transform:translateX(300px)}}i{display:block;width:40px;height:40px;background:#1864ab;animation:move 2s infinite alternate}</style><h1>${escaped(title)}</h1><i></i>`;
}

// ---- sound ---------------------------------------------------------------------------------------------

/** MPEG 1 layer III, 128 kbit/s, 44.1 kHz: frames of 417 bytes whose side information says nothing is played. */
function silence(seconds: number): Uint8Array {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0x00]);
  return Buffer.concat(Array.from({ length: Math.ceil((seconds * 44_100) / 1152) }, () => frame));
}

/** 440 Hz, PCM of 8 bits at 8 kHz. */
function tone(seconds: number): Uint8Array {
  const rate = 8000;
  const samples = Buffer.from(
    Array.from(
      { length: seconds * rate },
      (_, index) => 128 + Math.round(60 * Math.sin((index / rate) * 880 * Math.PI)),
    ),
  );
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
