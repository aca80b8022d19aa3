import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { openZip } from '#server/platform/files/zip.ts';
import { createPictureStore } from '#server/questions/import/pictures.ts';
import { isTable, type Line, picturesIn, type Segment, type TextLine } from '#server/questions/import/rich-line.ts';
import { readWordQuestions } from '#server/questions/import/word.ts';
import { readWordLines } from '#server/questions/import/word-reader.ts';
import {
  metafile,
  paragraph,
  paragraphs,
  picture,
  png,
  run,
  type WordParts,
  wordFile,
} from '../support/office-files.ts';

async function linesOf(parts: WordParts): Promise<Line[]> {
  const opened = await openZip(wordFile(parts), 'docx');
  if ('refused' in opened) throw new Error(opened.message);
  try {
    return await readWordLines(opened.ok, () => {});
  } finally {
    await opened.ok.close();
  }
}

const isTextLine = (line: Line): line is TextLine => !isTable(line);
const shown = (segment: Segment): string =>
  'text' in segment
    ? segment.text
    : 'formula' in segment
      ? `$${segment.formula}$`
      : 'picture' in segment
        ? `[${segment.picture.part.replace('word/media/', '')}]`
        : `[${segment.lost}]`;
const textsOf = async (body: string, media = {}) =>
  (await linesOf({ body, media })).filter(isTextLine).map(({ segments }) => segments.map(shown).join(''));

const character = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const code = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const field = (instruction: string, result = '') =>
  `${character('begin')}${instruction.startsWith('<') ? instruction : code(instruction)}${result ? `${character('separate')}${run(result)}` : ''}${character('end')}`;

describe('fields of a Word file', () => {
  test.each([
    [' EQ \\f(1,2) ', '$\\frac{1}{2}$'],
    ['EQ \\r(3,x+1)', '$\\sqrt[3]{x+1}$'],
    ['eq \\r(2)', '$\\sqrt{2}$'],
    ['EQ \\f(\\r(5)-1,2)', '$\\frac{\\sqrt{5}-1}{2}$'],
    ['EQ x\\s\\up5(2)+y\\s\\do3(1)', '$x{}^{2}+y{}_{1}$'],
    ['EQ \\b\\lc\\{(\\a\\al(x+y=3,x-y=1))', '$\\begin{cases}x+y=3 \\\\ x-y=1\\end{cases}$'],
    ['EQ \\i\\su(i=1,n,i)', '$∑_{i=1}^{n}i$'],
    ['EQ \\x\\to(AB)', '$\\overline{AB}$'],
    ['EQ \\b\\bc\\|(\\f(a,b))', '$\\left| \\frac{a}{b} \\right|$'],
    ['EQ \\f(f(x),g(x\\,y))', '$\\frac{f(x)}{g(x,y)}$'],
    ['EQ \\f(速度,时间)', '$\\frac{\\text{速度}}{\\text{时间}}$'],
    ['EQ \\o\\ac(○,3)', '③'],
    [
      'EQ \\* jc2 \\* "Font:宋体" \\* hps10 \\o\\ad(\\s\\up 9(zì),字)',
      '字[字上的拼音（拼音指南）无法保留，请写在括号里]',
    ],
    ['EQ \\q(1)', '[公式无法保留，请导入后在题目中用公式编辑重新输入]'],
  ])('show the formula %s', async (instruction, result) => {
    expect(await textsOf(paragraph(run('求') + field(instruction.replaceAll('&', '&amp;')) + run('的值')))).toEqual([
      `求${result}的值`,
    ]);
  });

  test('show a formula whose root is a field of its own', async () => {
    const nested = code('EQ \\f(') + field('EQ \\r(2)') + code(',2)');
    expect(await textsOf(paragraph(field(nested)))).toEqual(['$\\frac{\\sqrt{2}}{2}$']);
  });

  test('keep their results, except page numbers', async () => {
    const body =
      paragraph(run('第') + field(' PAGE  \\* MERGEFORMAT ', '12') + run('页，') + field(' REF a \\h ', '图1')) +
      paragraph(
        `<w:fldSimple w:instr=" NUMPAGES ">${run('9')}</w:fldSimple><w:fldSimple w:instr=" SEQ 图 ">${run('2')}</w:fldSimple>`,
      ) +
      paragraph(`<w:hyperlink r:id="x">${run('链接')}</w:hyperlink>`);
    expect(await textsOf(body)).toEqual(['第页，图1', '2', '链接']);
  });
});

describe('tracked changes of a Word file', () => {
  test('are read as accepted: inserted and moved text stays, deleted text, paragraph ends and rows go', async () => {
    const deletedEnd = '<w:rPr><w:del w:id="1"/></w:rPr>';
    const row = (text: string, properties = '') =>
      `<w:tr><w:trPr>${properties}</w:trPr><w:tc>${paragraph(run(text))}</w:tc></w:tr>`;
    const body =
      `<w:p><w:pPr>${deletedEnd}</w:pPr>${run('前半')}</w:p>` +
      paragraph(
        `${run('后半')}<w:ins w:id="2">${run('增')}</w:ins><w:del w:id="3"><w:r><w:delText>删</w:delText></w:r></w:del>`,
      ) +
      paragraph(`<w:moveFrom w:id="4">${run('旧处')}</w:moveFrom><w:moveTo w:id="5">${run('新处')}</w:moveTo>`) +
      `<w:tbl>${row('留')}${row('删', '<w:del w:id="6"/>')}</w:tbl>`;
    const lines = await linesOf({ body });
    expect(lines.filter(isTextLine).map(({ segments }) => segments.map(shown).join(''))).toEqual([
      '前半后半增',
      '新处',
    ]);
    expect(lines.filter(isTable).map(({ rows }) => rows.length)).toEqual([1]);
  });
});

describe('text of a Word file', () => {
  test('stays in nested content controls and smart tags, and leaves out soft hyphens and hidden text', async () => {
    const sdt = (content: string) =>
      `<w:sdt><w:sdtPr><w:alias w:val="名"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const body =
      sdt(sdt(paragraph(sdt(run('甲')) + run('乙')))) +
      paragraph(
        `<w:smartTag w:element="x">${run('丙')}</w:smartTag><w:r><w:softHyphen/><w:t>丁</w:t><w:noBreakHyphen/><w:tab/></w:r>${run('藏', '<w:vanish/>')}`,
      );
    expect(await textsOf(body)).toEqual(['甲乙', '丙丁-\t']);
  });

  test('has a large first letter in its word', async () => {
    const body =
      paragraph(run('D', '<w:position w:val="-9"/>'), '<w:framePr w:dropCap="drop" w:lines="3"/>') +
      paragraph(run('rop cap'));
    expect(await textsOf(body)).toEqual(['Drop cap']);
  });

  test('keeps its column where a table row leaves out the first ones', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(run(text))}</w:tc>`;
    const body = `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('c')}</w:tr></w:tbl>`;
    const [table] = (await linesOf({ body })).filter(isTable);
    expect(table?.rows.map((cells) => cells.length)).toEqual([2, 2]);
    expect(table?.rows[1]?.[0]?.lines).toEqual([]);
  });
});

describe('pictures of a Word file', () => {
  const picturesOf = async (body: string, media: WordParts['media'] = { 'a.png': png, 'b.png': png }) =>
    (await linesOf({ body, media }))
      .filter(isTextLine)
      .flatMap(({ segments }) => segments.flatMap((segment) => ('picture' in segment ? [segment.picture] : [])));
  const blip = (id: string, more = '', size = '') =>
    `<pic:pic><pic:blipFill><a:blip r:embed="${id}"/>${more}</pic:blipFill><pic:spPr><a:xfrm>${size}</a:xfrm></pic:spPr></pic:pic>`;
  const drawing = (content: string, frame = 'anchor') =>
    `<w:r><w:drawing><wp:${frame}><wp:extent cx="1905000" cy="952500"/>${content}</wp:${frame}></w:drawing></w:r>`;

  test('have their size, inline and floating', async () => {
    const found = await picturesOf(paragraph(picture('a') + drawing(blip('b'))));
    expect(found.map(({ width, height }) => [width, height])).toEqual([
      [96, 48],
      [200, 100],
    ]);
  });

  test('have their own size in a group', async () => {
    const group =
      '<wpg:wgp><wpg:grpSpPr><a:xfrm><a:ext cx="1905000" cy="952500"/><a:chExt cx="4000" cy="2000"/></a:xfrm></wpg:grpSpPr>' +
      `${blip('a', '', '<a:ext cx="1000" cy="2000"/>')}${blip('b', '', '<a:ext cx="20" cy="20"/>')}</wpg:wgp>`;
    const found = await picturesOf(
      paragraph(
        `<w:r><mc:AlternateContent><mc:Choice Requires="wpg">${drawing(group).replace(/^<w:r>|<\/w:r>$/g, '')}</mc:Choice>` +
          '<mc:Fallback><w:pict><v:group><v:shape><v:imagedata r:id="a"/></v:shape></v:group></w:pict></mc:Fallback></mc:AlternateContent></w:r>',
      ),
    );
    expect(found.map(({ part, width, height }) => [part, width, height])).toEqual([
      ['word/media/a.png', 50, 100],
      ['word/media/b.png', 1, 1],
    ]);
  });

  test('have the size of their VML style in any unit', async () => {
    const vml = (style: string) =>
      `<w:r><w:pict><v:shape style="${style}"><v:imagedata r:id="a"/></v:shape></w:pict></w:r>`;
    const found = await picturesOf(
      paragraph(
        ['width:30pt;height:15pt', 'position:absolute;width:1in;height:2.54cm', 'width:2000;height:1000']
          .map(vml)
          .join(''),
      ),
    );
    expect(found.map(({ width, height }) => [width, height])).toEqual([
      [40, 20],
      [96, 96],
      [undefined, undefined],
    ]);
  });

  test('are stored as they are cut', async () => {
    const whole = await sharp({ create: { width: 100, height: 50, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const cut = '<a:srcRect l="25000" b="50000"/>';
    const body = paragraph(drawing(blip('a', cut), 'inline') + drawing(blip('a'), 'inline'));
    const file = wordFile({ body, media: { 'a.png': whole } });
    const opened = await openZip(file, 'docx');
    if ('refused' in opened) throw new Error(opened.message);
    const sizes: (number | undefined)[][] = [];
    const store = createPictureStore(opened.ok, async (bytes) => {
      const { width, height } = await sharp(bytes).metadata();
      sizes.push([width, height]);
      return '/files/x';
    });
    await store.keep(picturesIn(await readWordLines(opened.ok, () => {})));
    await opened.ok.close();
    expect(sizes).toEqual([
      [75, 25],
      [100, 50],
    ]);
  });

  test('become PNG if they are drawings of Windows, with their text', async () => {
    const file = wordFile({
      body:
        paragraphs('【题型】简答题') +
        paragraph(run('【题干】看图') + picture('a')) +
        paragraphs('【答案】答\n【难度】1'),
      media: { 'a.wmf': metafile('ABC') },
    });
    const saved: Uint8Array[] = [];
    const preview = await readWordQuestions(file, {
      savePicture: async (bytes) => {
        saved.push(bytes);
        return '/files/1';
      },
    });
    expect('questions' in preview && preview.questions[0]?.losses).toEqual([]);
    const { width, height } = await sharp(saved[0]).metadata();
    expect([width, height]).toEqual([80, 40]);
    const [red] = (await sharp(saved[0]).stats()).channels;
    // Dark letters on white.
    expect(red?.min).toBeLessThan(50);
    expect(red?.mean).toBeGreaterThan(150);
  });
});

test('a document whose text is an embedded page is refused with the way to save it', async () => {
  const preview = await readWordQuestions(wordFile({ body: '<w:altChunk r:id="page"/>' }));
  expect(preview).toEqual({
    refused: '文档的正文是嵌入的网页，无法读取。请用 Word 或 WPS 打开，另存为 .docx 后再导入',
  });
});

test('a formula nested without end is lost and does not stop the reading', async () => {
  const deep = `<m:oMath>${'<m:d><m:e>'.repeat(5_000)}<m:r><m:t>x</m:t></m:r>${'</m:e></m:d>'.repeat(5_000)}</m:oMath>`;
  expect(await textsOf(paragraph(run('甲') + deep + run('乙')))).toEqual([
    '甲[公式无法保留，请导入后在题目中用公式编辑重新输入]乙',
  ]);
});
