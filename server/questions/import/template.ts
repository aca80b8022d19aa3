import { strToU8, zipSync } from 'fflate';
import writeExcelFile, { type Cell, type Sheet, type SheetData } from 'write-excel-file/node';
import { type QuestionType, questionTypeNames } from '#server/questions/rules.ts';
import { importedOptionsMost } from './imported.ts';

/**
 * The templates that staff download (import dialog). Both hold one example of each type and can
 * be imported as they are.
 */

interface ExampleQuestion {
  type: QuestionType;
  stem: string;
  options?: string[];
  answer?: string;
  analysis?: string;
  difficulty: string;
  remark?: string;
  items?: ExampleQuestion[];
}

const examples: readonly ExampleQuestion[] = [
  {
    type: 1,
    stem: '下列词语中，没有错别字的一项是',
    options: ['再接再厉', '一愁莫展', '谈笑风声', '默守成规'],
    answer: 'A',
    analysis: '应为“一筹莫展”“谈笑风生”“墨守成规”。',
    difficulty: '2',
    remark: '第一单元',
  },
  {
    type: 2,
    stem: '地球绕太阳公转一周的时间约为一年。',
    answer: '对',
    analysis: '公转周期约为365天。',
    difficulty: '1',
  },
  {
    type: 3,
    stem: '下列各数中，是质数的有',
    options: ['2', '9', '11', '15'],
    answer: 'A、C',
    analysis: '9和15都能被3整除。',
    difficulty: '2',
  },
  {
    type: 4,
    stem: '下列物质中，属于氧化物的是',
    options: ['水', '氧气', '二氧化碳', '食盐'],
    answer: 'AC',
    analysis: '氧化物由两种元素组成，其中一种是氧元素。',
    difficulty: '3',
  },
  {
    type: 5,
    stem: '简述光合作用的意义。',
    answer: '把无机物转变为有机物，把光能转变为化学能，并维持大气中氧气和二氧化碳的相对平衡。',
    analysis: '答出三点即可得满分。',
    difficulty: '3',
  },
  {
    type: 6,
    stem: '阅读下面的诗句，完成各小题：床前明月光，疑是地上霜。举头望明月，低头思故乡。',
    difficulty: '3',
    remark: '古诗',
    items: [
      {
        type: 1,
        stem: '这首诗的作者是',
        options: ['李白', '杜甫', '白居易', '王维'],
        answer: 'A',
        analysis: '出自李白《静夜思》。',
        difficulty: '1',
      },
      {
        type: 5,
        stem: '这首诗表达了作者怎样的感情？',
        answer: '表达了作者对故乡的思念之情。',
        difficulty: '3',
      },
    ],
  },
  {
    type: 7,
    stem: '中国的首都是____，简称____。',
    answer: '北京@@京',
    analysis: '多个空的答案之间用@@分隔。',
    difficulty: '1',
  },
];

// ---- Word ------------------------------------------------------------------------------------------------------------

const wordRules: readonly (readonly [string, string])[] = [
  ['分隔题目', '每道题之后另起一行，写五个井号 #####'],
  ['分隔小题', '材料题先写材料，每道小题之前另起一行，写四个井号 ####'],
  ['【题型】', `${Object.values(questionTypeNames).join('、')}`],
  ['【题干】', '必填，可以换行，可以插入图片和表格'],
  ['【选项】', `单选题、多选题、不定项选择题必填，每个选项一行，如“A. 内容”，最多${importedOptionsMost}个`],
  ['【答案】', '必填。选择题写字母，如 A 或 A、C；判断题写 对 或 错；填空题的各空之间用 @@ 或 ； 分隔'],
  ['【解析】', '选填'],
  ['【难度】', '必填，1到5，数字越大越难；小题不写时与材料题相同'],
  ['【备注】', '选填，最多20个字'],
  ['说明', '各字段的先后顺序不限；不支持公式，公式请截成图片，或在导入后于题目中编辑；本说明和下面的示例导入前请删除'],
];

function exampleLines(question: ExampleQuestion): string[] {
  const lines = [`【题型】${questionTypeNames[question.type]}`, `【题干】${question.stem}`];
  if (question.options) {
    lines.push('【选项】', ...question.options.map((option, index) => `${letter(index)}. ${option}`));
  }
  if (question.answer !== undefined) lines.push(`【答案】${question.answer}`);
  if (question.analysis !== undefined) lines.push(`【解析】${question.analysis}`);
  lines.push(`【难度】${question.difficulty}`);
  if (question.remark !== undefined) lines.push(`【备注】${question.remark}`);
  for (const item of question.items ?? []) lines.push('####', ...exampleLines(item));
  return lines;
}

const letter = (index: number): string => String.fromCharCode(65 + index);

const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const relationshipTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';

const run = (text: string, bold = false): string =>
  `<w:r>${bold ? '<w:rPr><w:b/></w:rPr>' : ''}<w:t xml:space="preserve">${xmlText(text)}</w:t></w:r>`;

const paragraph = (content: string, style?: string): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}${content}</w:p>`;

/** The name of the field in bold. */
function fieldParagraph(line: string): string {
  const name = /^【.*?】/.exec(line)?.[0] ?? '';
  return paragraph(`${name ? run(name, true) : ''}${run(line.slice(name.length))}`);
}

function rulesTable(): string {
  const cell = (width: number, text: string, bold: boolean) =>
    `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${paragraph(run(text, bold))}</w:tc>`;
  const rows = wordRules.map(([name, rule]) => `<w:tr>${cell(1600, name, true)}${cell(7400, rule, false)}</w:tr>`);
  const borders = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
    .map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="A6A6A6"/>`)
    .join('');
  return (
    `<w:tbl><w:tblPr><w:tblW w:w="9000" w:type="dxa"/><w:tblBorders>${borders}</w:tblBorders></w:tblPr>` +
    `<w:tblGrid><w:gridCol w:w="1600"/><w:gridCol w:w="7400"/></w:tblGrid>${rows.join('')}</w:tbl>`
  );
}

/** A .docx of A4 pages in Song type. */
export async function wordTemplate(): Promise<Buffer> {
  const body = [
    paragraph(run('试题导入模板'), 'Title'),
    rulesTable(),
    fieldParagraph('#####'),
    ...examples.flatMap((question) => [...exampleLines(question).map(fieldParagraph), fieldParagraph('#####')]),
  ];
  const section =
    '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>' +
    '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="851" w:footer="992" w:gutter="0"/></w:sectPr>';
  const fonts = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="宋体" w:cs="Times New Roman"/>';
  return zipped({
    '[Content_Types].xml':
      `<Types xmlns="${packageNamespace}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>' +
      '<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>',
    '_rels/.rels':
      `<Relationships xmlns="${packageNamespace}/relationships">` +
      `<Relationship Id="rId1" Type="${relationshipTypes}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels':
      `<Relationships xmlns="${packageNamespace}/relationships">` +
      `<Relationship Id="rId1" Type="${relationshipTypes}/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml':
      `<w:styles xmlns:w="${wordNamespace}"><w:docDefaults><w:rPrDefault><w:rPr>${fonts}<w:sz w:val="21"/>` +
      '<w:lang w:val="en-US" w:eastAsia="zh-CN"/></w:rPr></w:rPrDefault></w:docDefaults>' +
      '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>' +
      '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/>' +
      '<w:pPr><w:spacing w:after="240"/><w:jc w:val="center"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style></w:styles>',
    'word/document.xml': `<w:document xmlns:w="${wordNamespace}"><w:body>${body.join('')}${section}</w:body></w:document>`,
  });
}

function zipped(parts: Readonly<Record<string, string>>): Buffer {
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(xmlHead + xml)]);
  // A fixed time: the same template is the same file, which caches can tell.
  return Buffer.from(zipSync(Object.fromEntries(files), { mtime: '2024-01-01T00:00:00Z' }));
}

// ---- Excel -----------------------------------------------------------------------------------------------------------

const excelRules: readonly string[] = [
  '每种题型一个工作表，工作表名称和表头请勿修改',
  '每道题一行；材料题每道小题一行，材料、难度、备注只写在第一道小题的行里，其余行留空',
  `单选题、多选题、不定项选择题最多${importedOptionsMost}个选项，不用的选项列留空`,
  '选择题的答案写字母，如 A 或 AC；判断题的答案写 对 或 错；填空题的各空之间用 @@ 或 ； 分隔',
  '难度必填，1到5，数字越大越难；小题难度不写时与材料题相同',
  '备注最多20个字',
  '请填写文字：公式不会计算；示例行导入前请删除',
];

/** Rows of text cells below the example, so that Excel does not make a date of 1-2 or a number of 007. */
const textRows = 100;

const optionTitles = Array.from({ length: importedOptionsMost }, (_, index) => `选项${letter(index)}`);

interface SheetLayout {
  titles: string[];
  rows: string[][];
}

function layoutOf(question: ExampleQuestion): SheetLayout {
  const optionsOf = (options: string[] | undefined) => optionTitles.map((_, index) => options?.[index] ?? '');
  const tail = (one: ExampleQuestion) => [one.answer ?? '', one.analysis ?? '', one.difficulty];
  if (question.type === 6) {
    const ofMaterial = (index: number, text: string | undefined) => (index === 0 ? (text ?? '') : '');
    return {
      titles: ['材料', '难度', '备注', '小题题型', '小题题干', ...optionTitles, '答案', '解析', '小题难度'],
      rows: (question.items ?? []).map((item, index) => [
        ...[question.stem, question.difficulty, question.remark].map((text) => ofMaterial(index, text)),
        questionTypeNames[item.type],
        item.stem,
        ...optionsOf(item.options),
        ...tail(item),
      ]),
    };
  }
  const hasOptionColumns = question.options !== undefined;
  return {
    titles: ['题干', ...(hasOptionColumns ? optionTitles : []), '答案', '解析', '难度', '备注'],
    rows: [
      [
        question.stem,
        ...(hasOptionColumns ? optionsOf(question.options) : []),
        ...tail(question),
        question.remark ?? '',
      ],
    ],
  };
}

const titleCell = (value: string): Cell => ({
  value,
  type: String,
  fontWeight: 'bold',
  backgroundColor: '#e8eef7',
  borderColor: '#a6a6a6',
  borderStyle: 'thin',
});

const textCell = (value: string): Cell => ({ value, type: String, format: '@', wrap: true, alignVertical: 'top' });

const wideColumns = new Set(['题干', '材料', '小题题干', '解析']);

function typeSheet(question: ExampleQuestion): Sheet<Buffer> {
  const { titles, rows } = layoutOf(question);
  const empty = Array.from({ length: textRows }, () => titles.map(() => textCell('')));
  const data: SheetData = [titles.map(titleCell), ...rows.map((row) => row.map(textCell)), ...empty];
  return {
    sheet: questionTypeNames[question.type],
    data,
    columns: titles.map((title) => ({ width: wideColumns.has(title) ? 42 : 14 })),
    stickyRowsCount: 1,
  };
}

/** An .xlsx of one sheet of instructions and one for each type. */
export async function excelTemplate(): Promise<Buffer> {
  const rules: SheetData = [[titleCell('填写说明')], ...excelRules.map((rule) => [textCell(rule)])];
  const sheets: Sheet<Buffer>[] = [
    { sheet: '填写说明', data: rules, columns: [{ width: 90 }] },
    ...examples.map(typeSheet),
  ];
  return await writeExcelFile(sheets, { fontFamily: '宋体', fontSize: 11 }).toBuffer();
}
