import { readFileSync } from 'node:fs';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';
import type { ImportPreview } from '#server/questions/import/imported-question.ts';
import { readWordQuestions } from '#server/questions/import/word.ts';
import { checkQuestion } from '#server/questions/rules.ts';
import {
  equation,
  metafile,
  paragraph,
  paragraphs,
  picture,
  png,
  run,
  type WordParts,
  wordFile,
} from '../support/office-files.ts';

async function readFile(parts: string | WordParts, saved: string[] = []): Promise<ImportPreview> {
  const file = wordFile(typeof parts === 'string' ? { body: paragraphs(parts) } : parts);
  const preview = await readWordQuestions(file, {
    savePicture: async (_, type) => {
      saved.push(type);
      return `/files/pictures/${saved.length}`;
    },
  });
  if ('refused' in preview) throw new Error(preview.refused);
  return preview;
}

/** Reads a file of one question. */
async function readOne(parts: string | WordParts, saved: string[] = []) {
  const { questions, errors } = await readFile(parts, saved);
  expect(errors).toEqual([]);
  expect(questions).toHaveLength(1);
  const [question] = questions;
  if (!question) throw new Error('no question');
  return question;
}

const contents = (question: { draft: { ques_option: { content: string }[] } }) =>
  question.draft.ques_option.map((option) => option.content);

const choice = `【题型】单选题
【题干】下列哪个最大？
【选项】
A. 一
B. 二
C. 三
【答案】C
【解析】三最大。
【难度】2
【备注】第一课`;

describe('the Word template', () => {
  test('reads a question with every field', async () => {
    const { draft, errors, losses, source } = await readOne(choice);
    expect([errors, losses, source]).toEqual([[], [], { line: 1 }]);
    expect(draft).toEqual({
      ques_type: 1,
      ques_stem: '<p>下列哪个最大？</p>',
      ques_option: [
        { id: 1, content: '一', is_right: 2 },
        { id: 2, content: '二', is_right: 2 },
        { id: 3, content: '三', is_right: 1 },
      ],
      right_answer: '3',
      ignore_case: 0,
      ques_analysis: '<p>三最大。</p>',
      facility_value: 2,
      remark: '第一课',
      ques_item: [],
    });
  });

  test('reads from a fill-in question whether letter case counts', async () => {
    const blank = (letterCase: string) =>
      readOne(`【题型】填空题\n【题干】首都是____\n【答案】Beijing\n【难度】1${letterCase}`);
    expect((await blank('')).draft.ignore_case).toBe(0);
    expect((await blank('\n【大小写】区分')).draft.ignore_case).toBe(0);
    expect((await blank('\n【大小写】不区分')).draft.ignore_case).toBe(1);
    expect((await blank('\n【大小写】不区分大小写')).draft.ignore_case).toBe(1);
    expect((await blank('\n【大小写】随便')).errors).toEqual([
      { where: '第5行', message: '大小写“随便”无法识别，请填写区分或不区分' },
    ]);
    expect((await readOne(`${choice}\n【大小写】不区分`)).draft.ignore_case).toBe(0);
  });

  test('splits questions at five or more hashes, half or full width, spaced or not; fewer are text', async () => {
    const { questions } = await readFile(
      `${choice}\n#####\n${choice}\n＃＃＃＃＃\n${choice}\n # # # # # # \n${choice}\n###`,
    );
    expect(questions).toHaveLength(4);
    expect(questions[3]?.draft.remark).toContain('###');
  });

  test('splits the sub-questions of a material at four hashes; they inherit its difficulty', async () => {
    const { draft, errors } = await readOne(`【题型】材料题
【题干】读材料。
【难度】4
####
【题型】判断题
【题干】第一小题
【答案】×
＃＃＃＃
【题型】填空题
【题干】第二小题____和____
【答案】甲；乙
【难度】1
#####`);
    expect(errors).toEqual([]);
    expect([draft.ques_type, draft.right_answer]).toEqual([6, '']);
    expect(draft.ques_item.map((item) => [item.ques_type, item.right_answer, item.facility_value])).toEqual([
      [2, '2', 4],
      [7, '甲@@乙', 1],
    ]);
  });

  test('reads fields in any order, in brackets of any form, several on a line', async () => {
    const { draft, errors } = await readOne(`1. [难度]难  【答案】：AB 【备注】b
［题型］：多选题
［选项］
A、甲
B、乙
〖题干〗题
【解 析】说明`);
    expect(errors).toEqual([]);
    expect([draft.ques_type, draft.facility_value, draft.right_answer, draft.remark]).toEqual([3, 5, '1,2', 'b']);
    expect([draft.ques_stem, draft.ques_analysis]).toEqual(['<p>题</p>', '<p>说明</p>']);
  });

  test('keeps brackets that name no field as text', async () => {
    const { draft } = await readOne(choice.replace('下列哪个最大？', '【甲】与[乙]，数组a[答案]，【注】下'));
    expect(draft.ques_stem).toBe('<p>【甲】与[乙]，数组a[答案]，【注】下</p>');
  });

  test('infers a missing question type from the options and the answer', async () => {
    const type = async (text: string) => (await readOne(`【题干】题\n【难度】1\n${text}`)).draft.ques_type;
    expect(await type('【选项】\nA. 甲\nB. 乙\n【答案】A')).toBe(1);
    expect(await type('【选项】\nA. 甲\nB. 乙\n【答案】AB')).toBe(3);
    expect(await type('【选项】\nA. 对\nB. 错\n【答案】A')).toBe(2);
    expect(await type('【答案】√')).toBe(2);
    expect(await type('【答案】甲@@乙')).toBe(7);
    expect(await type('【答案】论述如下')).toBe(5);
  });

  test('ignores text before the first question and reports stray text after it', async () => {
    const { questions, errors } = await readFile(
      `题库说明\n请勿外传\n#####\n${choice}\n#####\n二、选择题\n${choice}\n#####\n随便写的`,
    );
    expect(questions.map((question) => question.losses)).toEqual([
      [],
      [{ where: '第15行', message: '“二、选择题”不在任何字段里，没有导入' }],
    ]);
    expect(errors).toEqual([{ where: '第27行', message: '没有识别到【题干】等字段，这一段没有导入' }]);
  });

  test('reports a file without questions', async () => {
    expect(await readFile('通知\n明天放假')).toMatchObject({
      questions: [],
      errors: [{ where: '文件', message: '没有识别到题目，请按模板填写' }],
    });
  });
});

describe('options of a Word question', () => {
  const options = async (lines: string) =>
    contents(await readOne(`【题型】单选题\n【题干】题\n【选项】${lines}\n【答案】A\n【难度】1`));

  test.each([
    ['\nA. 一\nB. 二'],
    ['\nA、一\nB、二'],
    ['\nＡ．一\nＢ．二'],
    ['\n(A)一\n（B） 二'],
    ['\nA）一\nb) 二'],
    ['\nA：一\nB: 二'],
    ['A. 一\tB. 二'],
    ['A、一　　　B、二'],
    ['A 一    B 二'.replaceAll(/(?<=[AB]) /g, '\t')],
    ['A.一 B.二'],
    ['\n一\n二'],
  ])('reads the options %j', async (lines) => {
    expect(await options(lines)).toEqual(['一', '二']);
  });

  test('reads © as option C, because Word turns a typed (C) into it', async () => {
    expect(await options('\n(A) 一\n(B) 二\n© 三\n(D) 四')).toEqual(['一', '二', '三', '四']);
  });

  test('keeps a letter out of order, or in the middle of a line, as text', async () => {
    expect(await options('\nA. 细菌\nE. coli\nB. 维生素C. 一种\nC. 答A.或B.')).toEqual([
      '<p>细菌</p><p>E. coli</p>',
      '维生素C. 一种',
      '答A.或B.',
    ]);
  });

  test('reads options lettered by a Word list', async () => {
    const numbering =
      '<w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperLetter"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>' +
      '<w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num>' +
      '<w:num w:numId="8"><w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>';
    const item = (text: string, list: number) =>
      paragraph(run(text), `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>`);
    const question = (list: number) =>
      paragraphs('【题型】单选题\n【题干】题\n【选项】') +
      ['甲', '乙', '丙'].map((text) => item(text, list)).join('') +
      paragraphs('【答案】B\n【难度】1\n#####');
    const { questions } = await readFile({ body: question(7) + question(8), numbering });
    expect(questions.map(contents)).toEqual([
      ['甲', '乙', '丙'],
      ['甲', '乙', '丙'],
    ]);
    expect(questions.map((q) => [q.draft.right_answer, q.errors])).toEqual([
      ['2', []],
      ['2', []],
    ]);
  });

  test('reads options from the cells of a table', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(run(text))}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell('A. 甲')}${cell('B. 乙')}</w:tr><w:tr>${cell('C. 丙')}${cell('D. 丁')}</w:tr></w:tbl>`;
    const body = paragraphs('【题型】单选题\n【题干】题\n【选项】') + table + paragraphs('【答案】D\n【难度】1');
    const question = await readOne({ body });
    expect(contents(question)).toEqual(['甲', '乙', '丙', '丁']);
    expect(question.errors).toEqual([]);
  });

  test('reads a true/false answer by letter, whatever the order of the options', async () => {
    const answer = async (options: string, letter: string) =>
      (await readOne(`【题型】判断题\n【题干】题\n【选项】\n${options}\n【答案】${letter}\n【难度】1`)).draft
        .right_answer;
    expect(await answer('A. 正确\nB. 错误', 'A')).toBe('1');
    expect(await answer('A. 错误\nB. 正确', 'A')).toBe('2');
  });
});

describe('errors of a Word import', () => {
  const errorsOf = async (text: string) => (await readOne(text)).errors;

  test('reports missing fields at the first line of the question', async () => {
    expect(await errorsOf('\n\n【题型】单选题\n【备注】x')).toEqual(
      ['缺少题干', '缺少选项', '缺少答案'].map((message) => ({ where: '第3行', message })),
    );
  });

  test('reports unreadable values at the line of their field', async () => {
    expect(
      await errorsOf(
        '【题型】选做题\n【题干】题\n【选项】\nA. 甲\nB.\nC. 丙\n【答案】D\n【难度】特别难\n【备注】一二三四五六七八九十一二三四五六七八九十一',
      ),
    ).toEqual([
      { where: '第1行', message: '题型“选做题”无法识别' },
      { where: '第5行', message: '选项B内容不能为空' },
      { where: '第7行', message: '答案D没有对应的选项' },
      { where: '第8行', message: '难度“特别难”无法识别，请填写1到5（易到难）' },
      { where: '第9行', message: '备注不能超过20个字' },
    ]);
  });

  test('reports a wrong number of right answers', async () => {
    expect(await errorsOf(choice.replace('【答案】C', '【答案】AC'))).toEqual([
      { where: '第7行', message: '请选择一个正确答案' },
    ]);
    expect(await errorsOf(choice.replace('单选题', '多选题'))).toEqual([
      { where: '第7行', message: '请至少选择两个正确答案' },
    ]);
  });

  test('reports more than six options', async () => {
    const seven = choice.replace('C. 三', 'C. 三\nD. 四\nE. 五\nF. 六\nG. 七');
    expect(await errorsOf(seven)).toEqual([{ where: '第10行', message: '导入的选择题最多6个选项' }]);
  });

  test('reports a repeated field as a missing separator', async () => {
    expect((await errorsOf(`${choice}\n【题干】下一题`))[0]).toEqual({
      where: '第11行',
      message: '【题干】重复，前一题后面可能缺少分隔行“#####”',
    });
  });

  test('reports errors of sub-questions at their own lines', async () => {
    const material =
      '【题型】材料题\n【题干】材料\n【难度】1\n####\n【题型】单选题\n【题干】小题\n【选项】A. 甲 B. 乙\n【答案】C\n####\n【题型】材料题\n【题干】又一个';
    expect(await errorsOf(material)).toEqual([
      { where: '第8行', message: '答案C没有对应的选项' },
      { where: '第10行', message: '小题不能是材料题' },
    ]);
    expect(await errorsOf('【题型】材料题\n【题干】材料\n【难度】1')).toEqual([
      { where: '第1行', message: '至少保留一道小题' },
    ]);
  });

  test('counts lines broken by Shift+Enter', async () => {
    const broken = paragraph(
      ['【题型】单选题', '【题干】题', '【选项】A. 甲 B. 乙', '【答案】9', '【难度】1']
        .map((line) => run(line))
        .join('<w:r><w:br/></w:r>'),
    );
    expect((await readOne({ body: broken })).errors).toEqual([{ where: '第4行', message: '答案I没有对应的选项' }]);
  });
});

describe('Word files as Word, WPS and LibreOffice write them', () => {
  test('joins words that Word split into runs, also within markers', async () => {
    const { draft, errors } = await readOne(
      choice
        .replace('【题型】单选题', '【题|型】|单|选题')
        .replace('【答案】C', '【|答案|】|Ｃ')
        .replace('A. 一', 'A|. |一'),
    );
    expect(errors).toEqual([]);
    expect([draft.ques_type, draft.right_answer, draft.ques_option[0]?.content]).toEqual([1, '3', '一']);
  });

  test('reads formats, underlined blanks, emphasis dots, symbols and tracked changes', async () => {
    const stem = [
      run('【题干】'),
      run('粗', '<w:b/>'),
      run('斜', '<w:i/><w:b w:val="0"/>'),
      run('x'),
      run('2', '<w:vertAlign w:val="superscript"/>'),
      run('      ', '<w:u w:val="single"/>'),
      run('点', '<w:em w:val="dot"/>'),
      run('藏', '<w:vanish/>'),
      '<w:r><w:sym w:font="Wingdings 2" w:char="F050"/></w:r>',
      '<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>',
      '<w:del><w:r><w:br/><w:tab/><w:delText>删</w:delText></w:r></w:del><w:ins><w:r><w:t>增</w:t></w:r></w:ins>',
      '<w:ruby><w:rt><w:r><w:t>zi</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>字</w:t></w:r></w:rubyBase></w:ruby>',
    ].join('');
    const body = paragraphs('【题型】填空题') + paragraph(stem) + paragraphs('【答案】甲\n【难度】1');
    expect((await readOne({ body })).draft.ques_stem).toBe(
      '<p><strong>粗</strong><em>斜</em>x<sup>2</sup>______' +
        '<span style="text-emphasis:filled dot;text-emphasis-position:under right">点</span>✓α增字</p>',
    );
  });

  test('keeps tables, with their merged cells', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(run(text))}</w:tc>`;
    const table =
      `<w:tbl><w:tr>${cell('甲', '<w:gridSpan w:val="2"/>')}</w:tr>` +
      `<w:tr>${cell('乙', '<w:vMerge w:val="restart"/>')}${cell('1')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('【答案】2')}</w:tr></w:tbl>`;
    const body = paragraphs('【题型】简答题\n【题干】看表') + table + paragraphs('【答案】答\n【难度】1');
    expect((await readOne({ body })).draft.ques_stem).toBe(
      '<p>看表</p><table><tbody><tr><td colspan="2">甲</td></tr><tr><td rowspan="2">乙</td><td>1</td></tr>' +
        '<tr><td>【答案】2</td></tr></tbody></table>',
    );
  });

  test('reads a text box once, although Word writes it twice', async () => {
    const box = `<w:txbxContent>${paragraph(run('【题干】框里的题'))}</w:txbxContent>`;
    const drawing =
      `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp><wps:txbx>${box}` +
      `</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>` +
      `<mc:Fallback><w:pict><v:shape><v:textbox>${box}</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    const question = await readOne({
      body: paragraphs('【题型】判断题') + paragraph(drawing) + paragraphs('【答案】对\n【难度】1'),
    });
    expect(question.draft.ques_stem).toBe('<p>框里的题</p>');
    expect([question.errors, question.losses]).toEqual([[], []]);
  });

  test('reads strict OOXML, and a document part with a number in its name', async () => {
    const body = paragraphs(choice);
    const strict = Buffer.from(wordFile({ body }));
    expect((await readOne({ body })).errors).toEqual([]);
    const parts = unzipSync(strict);
    const document = strFromU8(parts['word/document.xml'] as Uint8Array).replaceAll(
      'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
      'http://purl.oclc.org/ooxml/wordprocessingml/main',
    );
    delete parts['word/document.xml'];
    parts['word/document2.xml'] = strToU8(document);
    for (const list of ['[Content_Types].xml', '_rels/.rels']) {
      parts[list] = strToU8(strFromU8(parts[list] as Uint8Array).replace('document.xml', 'document2.xml'));
    }
    const preview = await readWordQuestions(zipSync(parts));
    expect('questions' in preview && preview.questions[0]?.draft.right_answer).toBe('3');
  });

  test('reads a file saved by LibreOffice 7.4', async () => {
    const preview = await readWordQuestions(readFileSync(new URL('./fixtures/libreoffice.docx', import.meta.url)), {
      savePicture: async () => '/files/1',
    });
    if ('refused' in preview) throw new Error(preview.refused);
    expect(preview.questions.map((question) => question.errors)).toEqual([[], []]);
    const [first, second] = preview.questions.map((question) => question.draft);
    expect(first?.ques_stem).toBe(
      '<p>看图并计算x<sup>2</sup><img src="/files/1" alt="示意图" width="96" height="48" />' +
        '<span style="text-emphasis:filled dot;text-emphasis-position:under right">加点</span></p>' +
        '<table><tbody><tr><td colspan="2">上</td></tr><tr><td rowspan="2">左</td><td>右</td></tr><tr><td>下</td></tr></tbody></table>',
    );
    expect(first?.ques_option.map((option) => option.content)).toEqual(['甲', '<strong>乙</strong>', '丙']);
    expect(second?.right_answer).toBe('北京@@东京');
  });
});

describe('formulas of a Word file', () => {
  test('become the formulas of the editor, in full size where they have a line of their own', async () => {
    const half =
      '<m:oMath><m:f>\n  <m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>x&lt;2</m:t></m:r></m:den></m:f></m:oMath>';
    const body =
      paragraphs('【题型】填空题') +
      paragraph(run('【题干】求') + half + run('与')) +
      paragraph(`<m:oMathPara><m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr>${half}</m:oMathPara>`) +
      paragraph(`${run('【答案】')}${equation('3')}${run('；')}${half}`) +
      paragraphs('【难度】1');
    const { draft, errors, losses } = await readOne({ body });
    expect([errors, losses]).toEqual([[], []]);
    const latex = '\\frac{1}{x&lt;2}';
    const full = `\\displaystyle ${latex}`;
    expect(draft.ques_stem).toBe(
      `<p>求<span class="math" data-latex="${latex}">${latex}</span>与</p>` +
        `<p><span class="math" data-latex="${full}">${full}</span></p>`,
    );
    expect(draft.right_answer).toBe('3@@$\\frac{1}{x<2}$');
    expect(sanitizeRichText(draft.ques_stem)).toBe(draft.ques_stem);
  });

  test('keeps a formula whole when it is cut from its line', async () => {
    const body =
      paragraphs('【题型】单选题\n【题干】题') +
      paragraph(`${run('【选项】A. ')}${equation('a+b')}${run('\tB. ')}${equation('b')}`) +
      paragraphs('【答案】A\n【难度】1');
    expect(contents(await readOne({ body }))).toEqual(
      ['a+b', 'b'].map((latex) => `<span class="math" data-latex="${latex}">${latex}</span>`),
    );
  });
});

describe('losses of a Word import', () => {
  test('reports formulas of an unknown kind, and those of which only the picture is kept', async () => {
    const mathType = (id: string) =>
      `<w:r><w:object><v:shape style="width:20pt;height:10pt"><v:imagedata r:id="${id}"/></v:shape><o:OLEObject ProgID="Equation.DSMT4"/></w:object></w:r>`;
    const field =
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> EQ \\z(1,2) </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
    const body =
      paragraphs('【题型】单选题') +
      paragraph(`${run('【题干】求')}<m:oMath><m:r><m:t>y</m:t></m:r><m:new/></m:oMath>`) +
      paragraph(run('【选项】A. ') + mathType('formula')) +
      paragraph(run('B. ') + field) +
      paragraph(run('C. ') + mathType('damaged')) +
      paragraphs('【答案】A\n【难度】1');
    const question = await readOne({ body, media: { 'formula.wmf': metafile('x'), 'damaged.wmf': Uint8Array.of(1) } });
    const lost = '公式无法保留，请导入后在题目中用公式编辑重新输入';
    expect(question.losses).toEqual([
      { where: '第2行', message: lost },
      { where: '第3行', message: '公式（MathType、公式编辑器 3.0）按图片保留，不能再编辑' },
      { where: '第4行', message: lost },
      { where: '第5行', message: lost },
    ]);
    expect(question.errors).toEqual([]);
    expect([question.draft.ques_stem, ...contents(question)]).toEqual([
      '<p>求［公式：y］</p>',
      '<img src="/files/pictures/1" alt="公式" width="27" height="13" />',
      '［公式：EQ \\z(1,2)］',
      '［公式］',
    ]);
  });

  test('saves a repeated picture once, with the type of its content', async () => {
    const saved: string[] = [];
    const body =
      paragraphs('【题型】判断题') +
      paragraph(run('【题干】看图') + picture('image1', 'C:\\Users\\王\\图.png') + picture('image1')) +
      paragraphs('【答案】对\n【难度】1');
    const question = await readOne({ body, media: { 'image1.emf': png } }, saved);
    expect(saved).toEqual(['image/png']);
    const img = '<img src="/files/pictures/1" alt="图片" width="96" height="48" />';
    expect(question.draft.ques_stem).toBe(`<p>看图${img}${img}</p>`);
    expect(question.losses).toEqual([]);
  });

  test('reports unsupported, external, missing, drawn and refused pictures', async () => {
    const external = '<w:r><w:drawing><wp:inline><a:blip r:link="outside"/></wp:inline></w:drawing></w:r>';
    const chart = '<w:r><w:drawing><wp:inline><a:graphic><a:graphicData/></a:graphic></wp:inline></w:drawing></w:r>';
    const lines = [picture('metafile'), external, picture('nowhere'), chart];
    const body =
      paragraphs('【题型】简答题\n【题干】题') +
      lines.map((line) => paragraph(line)).join('') +
      paragraphs('【答案】答\n【难度】1');
    const media = { 'metafile.emf': Uint8Array.of(1, 0, 0, 0) };
    const question = await readOne({ body, media, links: { outside: 'http://10.0.0.1/x.png' } });
    expect(question.losses).toEqual([
      { where: '第3行', message: '图片格式（EMF）浏览器无法显示，没有保留，请换成 PNG 或 JPG' },
      { where: '第4行', message: '链接到外部的图片没有保留，请把图片插入文件中' },
      { where: '第5行', message: '文件中缺少这张图片' },
      { where: '第6行', message: '图形（形状、图表、SmartArt）无法保留，请截成图片后插入' },
    ]);
    const refused = await readWordQuestions(
      wordFile({
        body: paragraphs('【题型】简答题\n【题干】题') + paragraph(picture('a')) + paragraphs('【答案】答\n【难度】1'),
        media: { 'a.png': png },
      }),
      { savePicture: async () => null },
    );
    expect('questions' in refused && refused.questions[0]?.losses).toEqual([
      { where: '第3行', message: '图片没有保留' },
    ]);
  });

  test('refuses a picture as the answer of a blank', async () => {
    const body =
      paragraphs('【题型】填空题\n【题干】题') + paragraph(run('【答案】') + picture('a')) + paragraphs('【难度】1');
    expect((await readOne({ body, media: { 'a.png': png } })).errors).toEqual([
      { where: '第3行', message: '填空题的答案只能是文字，不能是图片' },
    ]);
  });
});

describe('markup in a Word file', () => {
  test('keeps markup in the text as text; the result needs no further sanitizing', async () => {
    const { draft } = await readOne(
      choice
        .replace('下列哪个最大？', '<script>alert(1)</script><img src=x onerror=alert(1)> "a" & $x<y$')
        .replace('一', '<b onclick=x>一</b>'),
    );
    expect(draft.ques_stem).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; "a" &amp; $x&lt;y$</p>',
    );
    for (const html of [draft.ques_stem, ...draft.ques_option.map((option) => option.content)]) {
      expect(sanitizeRichText(html)).toBe(html);
    }
  });

  test('does not expand entities of a document type', async () => {
    const parts = unzipSync(wordFile({ body: paragraphs(choice) }));
    parts['word/document.xml'] = strToU8(
      strFromU8(parts['word/document.xml'] as Uint8Array)
        .replace('<w:document', '<!DOCTYPE d [<!ENTITY a "boom"><!ENTITY f SYSTEM "file:///etc/passwd">]><w:document')
        .replace('下列', '&a;&f;&#128512;下列'),
    );
    const preview = await readWordQuestions(zipSync(parts));
    expect('questions' in preview && preview.questions[0]?.draft.ques_stem).toBe(
      '<p>&amp;a;&amp;f;😀下列哪个最大？</p>',
    );
  });
});

test('a Word question is free of import errors exactly when it passes the form’s rules', async () => {
  const { questions } = await readFile(`${choice}\n#####\n【题干】x\n#####\n${choice.replace('【答案】C', '')}`);
  for (const { draft, errors } of questions) {
    expect(errors.length === 0).toBe(Object.keys(checkQuestion(draft)).length === 0);
  }
});
