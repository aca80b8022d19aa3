import { readFileSync } from 'node:fs';
import { strToU8 } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readExcelQuestions } from '#server/questions/import/excel.ts';
import { readQuestions } from '#server/questions/import/formats.ts';
import type { ImportPreview } from '#server/questions/import/imported-question.ts';
import { type ExcelParts, excelFile, png, relationship, relationshipsPart, row } from '../support/office-files.ts';

async function readFile(parts: ExcelParts, saved: string[] = []): Promise<ImportPreview> {
  const preview = await readExcelQuestions(excelFile(parts), {
    savePicture: async (_, type) => {
      saved.push(type);
      return `/files/pictures/${saved.length}`;
    },
  });
  if ('refused' in preview) throw new Error(preview.refused);
  return preview;
}

const choiceTitles = row(1, ['题干', '选项A', '选项B', '选项C', '答案', '解析', '难度', '备注']);
const choiceRow = (number: number, cells: Record<string, string | number | null> = {}) =>
  row(
    number,
    Object.entries({ A: '题', B: '甲', C: '乙', D: '丙', E: 'A', F: null, G: 1, H: null, ...cells }).map(
      ([, cell]) => cell,
    ),
  );

async function readChoice(cells: Record<string, string | number | null>, more: Partial<ExcelParts> = {}) {
  const { questions, errors } = await readFile({ sheets: { 单选题: choiceTitles + choiceRow(2, cells) }, ...more });
  expect(errors).toEqual([]);
  const [question] = questions;
  if (!question) throw new Error('no question');
  return question;
}

describe('the Excel template', () => {
  test('reads a question of every type from its sheet', async () => {
    const { questions, errors } = await readFile({
      sheets: {
        填写说明: row(1, ['请填写']),
        单选题: choiceTitles + choiceRow(2),
        判断题: row(1, ['题干', '答案', '难度']) + row(2, ['对不对', '×', '较难']),
        多选题: choiceTitles + choiceRow(2, { E: 'A、C' }),
        不定项选择题: choiceTitles + choiceRow(2, { E: 'b' }),
        简答题: row(1, ['题干', '答案', '难度']) + row(2, ['为什么', '因为\n所以', '★★']),
        材料题:
          row(1, ['材料', '小题题型', '小题题干', '选项A', '选项B', '答案', '解析', '难度', '备注']) +
          row(2, ['材料一', '单选题', '小题1', '甲', '乙', 'B', null, 4, '注']) +
          row(3, [null, '简答题', '小题2', null, null, '答', null, null, null]) +
          row(5, ['材料二', '判断题', '小题3', null, null, '对', null, 2, null]),
        填空题: row(1, ['题干', '答案', '难度']) + row(2, ['__和__', '甲@@乙', '一']),
      },
    });
    expect(errors).toEqual([]);
    expect(questions.flatMap((question) => [...question.errors, ...question.losses])).toEqual([]);
    expect(
      questions.map(({ draft }) => [draft.ques_type, draft.right_answer, draft.facility_value, draft.ques_item.length]),
    ).toEqual([
      [1, '1', 1, 0],
      [2, '2', 4, 0],
      [3, '1,3', 1, 0],
      [4, '2', 1, 0],
      [5, '<p>因为<br />所以</p>', 2, 0],
      [6, '', 4, 2],
      [6, '', 2, 1],
      [7, '甲@@乙', 1, 0],
    ]);
    expect(questions[5]?.draft.remark).toBe('注');
    expect(
      questions[5]?.draft.ques_item.map((item) => [item.ques_type, item.right_answer, item.facility_value]),
    ).toEqual([
      [1, '2', 4],
      [5, '<p>答</p>', 4],
    ]);
  });

  test('reads whether letter case counts, for fill-in questions and those of a material', async () => {
    const { questions, errors } = await readFile({
      sheets: {
        填空题:
          row(1, ['题干', '答案', '难度', '大小写']) +
          row(2, ['首都是____', 'Beijing', 1, '不区分']) +
          row(3, ['首都是____', 'Beijing', 1, null]) +
          row(4, ['首都是____', 'Beijing', 1, '都行']),
        材料题:
          row(1, ['材料', '难度', '小题题型', '小题题干', '答案', '大小写']) +
          row(2, ['材料一', 1, '填空题', '首都是____', 'Beijing', '不区分']) +
          row(3, [null, null, '简答题', '小题', '答', '不区分']),
      },
    });
    expect(errors).toEqual([]);
    const asked = questions.flatMap(({ draft }) => (draft.ques_type === 6 ? draft.ques_item : [draft]));
    expect(asked.map(({ ignore_case }) => ignore_case)).toEqual([1, 0, 0, 1, 0]);
    expect(questions.flatMap((one) => one.errors)).toEqual([
      { where: '填空题!D4', message: '大小写“都行”无法识别，请填写区分或不区分' },
    ]);
  });

  test('reads a difficulty for a sub-question, else that of the material', async () => {
    const titles = row(1, ['材料', '难度', '小题题型', '小题题干', '答案', '小题难度']);
    const { questions } = await readFile({
      sheets: {
        材料题:
          titles + row(2, ['材料', 3, '判断题', '一', '对', 5]) + row(3, [null, null, '判断题', '二', '错', null]),
      },
    });
    expect(questions[0]?.errors).toEqual([]);
    expect(questions[0]?.draft.facility_value).toBe(3);
    expect(questions[0]?.draft.ques_item.map((item) => item.facility_value)).toEqual([5, 3]);
  });

  test('finds columns by titles with spaces, stars, hints and full-width letters, in any order', async () => {
    const titles = row(3, ['难 度：', '*题干（必填）', '选项Ａ', 'B', '正确答案', '序号']);
    const { questions, errors } = await readFile({
      sheets: { ' 单选题 ': row(1, ['请按说明填写']) + titles + row(4, [2, '题', '甲', '乙', '答案：B', '=1']) },
    });
    expect(errors).toEqual([]);
    expect(questions.map(({ draft, source }) => [draft.right_answer, draft.facility_value, source])).toEqual([
      ['2', 2, { sheet: '单选题', row: 4, cell: 'B4' }],
    ]);
  });

  test('skips empty rows and rows that only have a format', async () => {
    const rows = choiceRow(2) + row(3, ['<c s="1"/>', '   ']) + choiceRow(9);
    const { questions } = await readFile({ sheets: { 单选题: choiceTitles + rows } });
    expect(questions.map((question) => question.source)).toEqual([
      { sheet: '单选题', row: 2, cell: 'A2' },
      { sheet: '单选题', row: 9, cell: 'A9' },
    ]);
  });

  test('reports sheets without a stem or answer column, and skips hidden ones', async () => {
    const { questions, errors, leftOut } = await readFile({
      sheets: {
        说明: row(1, ['请填写']),
        判断题: row(1, ['题干', '难度']) + row(2, ['题', 1]),
        简答题: row(1, ['内容', '答案']),
        单选题: choiceTitles + choiceRow(2),
      },
      hidden: ['单选题'],
    });
    expect(questions).toEqual([]);
    expect(errors).toEqual([
      { where: '判断题', message: '没有找到“答案”列，请写明表头' },
      { where: '简答题', message: '没有找到“题干”列，请写明表头' },
    ]);
    expect(leftOut).toEqual([{ where: '说明', message: '没有找到“题干”列，没有读取' }]);
  });
});

describe('sheets without the template', () => {
  test.each([
    ['备选A', '备选B'],
    ['备选项A', '备选项B'],
    ['备选答案1', '备选答案2'],
    ['A选项', 'B选项'],
  ])('reads options from the columns %s and %s', async (...titles) => {
    const { questions, leftOut } = await readFile({
      sheets: { Sheet1: row(1, ['题目内容', ...titles, '答案']) + row(2, ['题一', '甲', '乙', 'B']) },
    });
    expect(leftOut).toEqual([]);
    expect(questions.map(({ draft }) => draft.ques_option.map(({ is_right }) => is_right))).toEqual([[2, 1]]);
  });

  const mixed = row(1, ['题号', '题型', '章节', '题目内容', 'A', 'B', 'C', '正确答案', '答案解析', '分值', '出题人']);

  test('reads all types from one sheet, in any order of columns, with number, score and chapter', async () => {
    const { questions, errors, leftOut, doubts } = await readFile({
      sheets: {
        Sheet1:
          mixed +
          row(2, [1, '单选题', '第一章', '题一', '甲', '乙', '丙', 'B', '因为', '2分', '王']) +
          row(3, [2, '判断', '第一章', '题二', null, null, null, '√', null, 1.5, null]) +
          row(4, [3, '填空题', null, '水是____', null, null, null, 'H2O', null, 'x', null]) +
          row(5, [4, '材料题', null, '材料', null, null, null, null, null, null, null]) +
          row(6, ['4.1', '多选题', null, '小题', '甲', '乙', '丙', 'AC', null, 2, null]) +
          row(7, ['（2）', '简答题', null, '小题', null, null, null, '$x^2$', null, 3, null]) +
          row(8, [5, null, null, '没有题型', '甲', '乙', null, 'A', null, null, null]),
      },
    });
    expect([errors, doubts]).toEqual([[], []]);
    expect(leftOut).toEqual([{ where: 'Sheet1', message: '列“出题人”没有导入' }]);
    expect(questions.map(({ draft, number, score }) => [number, draft.ques_type, draft.right_answer, score])).toEqual([
      ['1', 1, '2', 2],
      ['2', 2, '1', 1.5],
      ['3', 7, 'H2O', undefined],
      ['4', 6, '', 5],
      ['5', 1, '1', undefined],
    ]);
    expect(questions[0]?.draft).toMatchObject({ remark: '第一章', ques_analysis: '<p>因为</p>' });
    expect(questions[3]?.draft.ques_item.map((part) => [part.ques_type, part.right_answer])).toEqual([
      [3, '1,3'],
      [5, '<p><span class="math" data-latex="x^2">x^2</span></p>'],
    ]);
    expect(questions[2]?.losses.map(({ message }) => message)).toContain('分值“x”无法识别，没有保留');
    expect(questions[4]?.doubts).toEqual([{ where: 'Sheet1!D8', message: '没有填写题型，按内容判断，请核对' }]);
  });

  test('splits options that stand in one cell', async () => {
    const cells = ['A.甲 B.乙 C.丙', '甲；乙；丙', '甲|乙|丙', 'A、甲\nB、乙\nC、丙', '甲/乙/丙', '甲\n乙/丙\n丁'];
    const { questions } = await readFile({
      sheets: {
        题库: row(1, ['题目', '选项', '答案']) + cells.map((cell, index) => row(index + 2, ['题', cell, 'B'])).join(''),
      },
    });
    expect(questions.map(({ draft }) => draft.ques_option.map(({ content }) => content).join())).toEqual([
      '甲,乙,丙',
      '甲,乙,丙',
      '甲,乙,丙',
      '甲,乙,丙',
      '甲,乙,丙',
      '甲,乙/丙,丁',
    ]);
    expect(questions.every(({ draft }) => draft.right_answer === '2')).toBe(true);
  });

  test('asks for titles if there are none, and takes a mapping of the columns instead', async () => {
    const sheets = { Sheet1: row(1, ['内容', '甲项', '乙项', '对的']) + row(2, ['题', '甲', '乙', 'B']) };
    const { questions, errors } = await readFile({ sheets });
    expect(questions).toEqual([]);
    expect(errors).toEqual([
      { where: '文件', message: '没有找到“题干”列，请在第一行写明每列的内容，如题型、题干、选项A、答案' },
    ]);
    const mapped = await readExcelQuestions(excelFile({ sheets }), {
      mapping: { Sheet1: { title_row: 1, columns: ['stem', 'option 0', 'option 1', 'answer'] } },
    });
    if ('refused' in mapped) throw new Error(mapped.refused);
    expect(mapped.questions.map(({ draft }) => [draft.ques_type, draft.ques_stem, draft.right_answer])).toEqual([
      [1, '<p>题</p>', '2'],
    ]);
  });

  test('groups rows with the same material on a sheet of all types', async () => {
    const { questions } = await readFile({
      sheets: {
        题目:
          row(1, ['材料', '题型', '题干', 'A', 'B', '答案']) +
          row(2, ['材料一', '单选题', '一', '甲', '乙', 'A']) +
          row(3, ['材料一', '判断题', '二', null, null, '错']) +
          row(4, [null, '判断题', '三', null, null, '对']),
      },
    });
    expect(questions.map(({ draft }) => [draft.ques_type, draft.ques_stem, draft.ques_item.length])).toEqual([
      [6, '<p>材料一</p>', 2],
      [2, '<p>三</p>', 0],
    ]);
  });

  test('reads CSV in GB18030, UTF-16 and UTF-8, with any separator', async () => {
    const text = '题型,题干,A,B,答案\r\n单选题,"题，""一""\n第二行",甲,乙,B\r\n';
    const gb = Buffer.from('zOLQzSzM4rjJLEEsQiy08LC4DQq1pdGhzOIszOIsvNcs0tIsQg0K', 'base64');
    const files: [string, Uint8Array][] = [
      ['a.csv', Buffer.from(`\ufeff${text}`)],
      ['b.csv', Buffer.from(`\ufeff${text.replaceAll(',', '\t')}`, 'utf16le')],
      ['c.csv', Buffer.from(text.replaceAll(',', ';'))],
      ['d.csv', gb],
    ];
    for (const [name, bytes] of files) {
      const preview = await readQuestions([{ name, bytes }]);
      if ('refused' in preview) throw new Error(preview.refused);
      expect([name, preview.format, preview.errors]).toEqual([name, 'csv', []]);
      expect(preview.questions.map(({ draft, source }) => [draft.ques_type, draft.right_answer, source])).toEqual([
        [1, '2', { sheet: 'CSV', row: 2, cell: 'B2' }],
      ]);
      const stem = name === 'd.csv' ? '<p>题</p>' : '<p>题，"一"<br />第二行</p>';
      expect(preview.questions[0]?.draft.ques_stem).toBe(stem);
    }
  });
});

describe('errors of an Excel import', () => {
  test('reports missing and unreadable values at their cell', async () => {
    const { questions } = await readFile({
      sheets: { 单选题: choiceTitles + choiceRow(2, { A: null, C: null, E: 'D', G: '很难说', H: '字'.repeat(21) }) },
    });
    expect(questions[0]?.errors).toEqual([
      { where: '单选题!A2', message: '缺少题干' },
      { where: '单选题!C2', message: '选项B内容不能为空' },
      { where: '单选题!E2', message: '答案D没有对应的选项' },
      { where: '单选题!G2', message: '难度“很难说”无法识别，请填写1到5（易到难）' },
      { where: '单选题!H2', message: '备注不能超过20个字' },
    ]);
  });

  test('takes at most six options', async () => {
    const letters = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    const titles = row(1, ['题干', ...letters.map((letter) => `选项${letter}`), '答案', '难度']);
    const { questions } = await readFile({
      sheets: {
        多选题: titles + row(2, ['题', ...letters, 'AB', 1]) + row(3, ['题', ...letters.slice(0, 6), null, 'AB', 1]),
      },
    });
    expect(questions.map((question) => question.errors)).toEqual([
      [{ where: '多选题!H2', message: '导入的选择题最多6个选项' }],
      [],
    ]);
  });

  test('reports errors of sub-questions at their cell', async () => {
    const titles = row(1, ['材料', '小题题型', '小题题干', '答案', '难度']);
    const { questions } = await readFile({
      sheets: {
        材料题: titles + row(2, ['材料', '判断题', '小题', '也许', null]) + row(3, [null, '材料题', '小题', '答', 2]),
      },
    });
    expect(questions[0]?.errors).toEqual([
      { where: '材料题!B3', message: '小题不能是材料题' },
      { where: '材料题!D2', message: '答案“也许”无法识别，请填写对或错' },
    ]);
  });
});

describe('Excel cells', () => {
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="0.00_ "/><numFmt numFmtId="165" formatCode="m&quot;月&quot;d&quot;日&quot;"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="3"/><xf numFmtId="165"/><xf numFmtId="12"/></cellXfs>';
  const cell = async (xml: string) => {
    const question = await readChoice({ B: xml }, { styles });
    return [question.draft.ques_option[0]?.content, ...question.losses.map((loss) => `${loss.where} ${loss.message}`)];
  };

  test.each([
    ['<c><v>0.30000000000000004</v></c>', '0.3'],
    ['<c><v>100000</v></c>', '100000'],
    ['<c s="1"><v>0.5</v></c>', '50%'],
    ['<c s="2"><v>3.1</v></c>', '3.10'],
    ['<c s="3"><v>1234567</v></c>', '1,234,567'],
    ['<c s="5"><v>0.75</v></c>', '3/4'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="str"><v>文字</v></c>', '文字'],
    ['<c t="inlineStr"><is><t>甲_x000D_乙</t></is></c>', '甲乙'],
  ])('reads %s as it is displayed', async (xml, shown) => {
    expect(await cell(xml)).toEqual([shown]);
  });

  test('warns about a cell that Excel turned into a date', async () => {
    expect(await cell('<c s="4"><v>45355</v></c>')).toEqual([
      '2024-03-04',
      '单选题!B2 单元格是日期格式，按“2024-03-04”读入，请核对；填写时请把单元格设为文本格式',
    ]);
  });

  test('reads shared strings with formats and line breaks, without phonetic hints', async () => {
    const sharedStrings =
      '<si><r><t>H</t></r><r><rPr><vertAlign val="subscript"/></rPr><t>2</t></r><r><rPr><b/></rPr><t>O&lt;b&gt;</t></r></si>' +
      '<si><t>上\n下</t><rPh sb="0" eb="1"><t>ue</t></rPh></si>';
    const question = await readChoice({ B: '<c t="s"><v>0</v></c>', A: '<c t="s"><v>1</v></c>' }, { sharedStrings });
    expect(question.draft.ques_option[0]?.content).toBe('H<sub>2</sub><strong>O&lt;b&gt;</strong>');
    expect(question.draft.ques_stem).toBe('<p>上<br />下</p>');
  });

  test('reads a file saved by LibreOffice 7.4', async () => {
    const preview = await readExcelQuestions(readFileSync(new URL('./fixtures/libreoffice.xlsx', import.meta.url)));
    if ('refused' in preview) throw new Error(preview.refused);
    expect(preview.errors).toEqual([]);
    expect(preview.questions.map(({ draft, errors }) => [draft.ques_type, draft.right_answer, errors])).toEqual([
      [1, '1', []],
      [1, '1', [{ where: '单选题!C3', message: '单元格是公式，公式不会计算，请改为文字' }]],
      [2, '1', []],
    ]);
    expect(preview.questions[0]?.draft.ques_stem).toBe('<p>H<sub>2</sub>O是<strong>什么</strong></p>');
    expect(preview.questions[0]?.draft.ques_option[1]?.content).toBe('50%');
  });
});

describe('formulas in Excel cells', () => {
  test.each([
    ['<c t="str"><f>cmd|\'/C calc\'!A0</f><v>甲</v></c>'],
    ['<c><f>1+1</f><v>2</v></c>'],
    ['<c t="str"><f t="shared" si="0"/><v>甲</v></c>'],
    ['<c t="str"><f>HYPERLINK("http://evil.example","甲")</f><v>甲</v></c>'],
  ])('refuses the formula %s and ignores its cached result', async (xml) => {
    const question = await readChoice({ C: xml, E: xml });
    const message = '单元格是公式，公式不会计算，请改为文字';
    expect(question.errors).toEqual([
      { where: '单选题!C2', message },
      { where: '单选题!E2', message },
    ]);
    expect(JSON.stringify(question.draft)).not.toMatch(/cmd|evil|甲.*甲/);
  });

  test('reads text that begins with = as text', async () => {
    const question = await readChoice({ A: "=cmd|'/C calc'!A0" });
    expect([question.errors, question.draft.ques_stem]).toEqual([[], "<p>=cmd|'/C calc'!A0</p>"]);
  });

  test('reports an error value', async () => {
    const question = await readChoice({ D: '<c t="e"><v>#REF!</v></c>' });
    expect(question.errors).toEqual([{ where: '单选题!D2', message: '单元格是错误值（#REF!）' }]);
  });
});

describe('pictures in an Excel file', () => {
  const namespaces =
    'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

  test('puts a picture over a cell after the text of that cell', async () => {
    const anchor = (column: number, rowIndex: number, content: string) =>
      `<xdr:oneCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:row>${rowIndex}</xdr:row></xdr:from><xdr:ext cx="952500" cy="476250"/>${content}</xdr:oneCellAnchor>`;
    const drawing = `<xdr:wsDr ${namespaces}>${anchor(0, 1, '<xdr:pic><xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill></xdr:pic>')}${anchor(5, 1, '<xdr:graphicFrame/>')}</xdr:wsDr>`;
    const saved: string[] = [];
    const { questions } = await readFile(
      {
        sheets: { 单选题: choiceTitles + choiceRow(2) },
        firstSheetRelationships: relationship('rId1', 'drawing', '../drawings/drawing1.xml'),
        more: {
          'xl/drawings/drawing1.xml': strToU8(drawing),
          'xl/drawings/_rels/drawing1.xml.rels': relationshipsPart([
            relationship('rId1', 'image', '../media/image1.png'),
          ]),
          'xl/media/image1.png': png,
        },
      },
      saved,
    );
    expect(saved).toEqual(['image/png']);
    expect(questions[0]?.draft.ques_stem).toBe(
      '<p>题</p><p><img src="/files/pictures/1" alt="图片" width="100" height="50" /></p>',
    );
    expect(questions[0]?.losses).toEqual([
      { where: '单选题!F2', message: '图形（形状、图表、SmartArt）无法保留，请截成图片后插入' },
    ]);
  });

  test('reads a picture that WPS put in a cell', async () => {
    const images = `<etc:cellImages xmlns:etc="http://www.wps.cn/officeDocument/2017/etCustomData" ${namespaces}><etc:cellImage><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="ID_0A1B"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/></xdr:blipFill></xdr:pic></etc:cellImage></etc:cellImages>`;
    const question = await readChoice(
      { B: '<c t="str"><f>_xlfn.DISPIMG("ID_0A1B",1)</f><v>=DISPIMG("ID_0A1B",1)</v></c>' },
      {
        more: {
          'xl/cellimages.xml': strToU8(images),
          'xl/_rels/cellimages.xml.rels': relationshipsPart([relationship('rId1', 'image', 'media/image1.png')]),
          'xl/media/image1.png': png,
        },
      },
    );
    expect(question.draft.ques_option[0]?.content).toBe('<img src="/files/pictures/1" alt="图片" />');
    expect([question.errors, question.losses]).toEqual([[], []]);
  });

  test('reports that a picture placed in a cell by Excel is lost', async () => {
    const question = await readChoice({ B: '<c t="e" vm="1"><v>#VALUE!</v></c>' });
    expect([question.errors, question.losses]).toEqual([
      [],
      [{ where: '单选题!B2', message: '单元格内的图片没有保留，请改为浮动图片' }],
    ]);
  });
});
