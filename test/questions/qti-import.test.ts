import { strToU8 } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readQuestions } from '#server/questions/import/formats.ts';
import type { ImportedQuestion, ImportPreview } from '#server/questions/import/imported-question.ts';
import { previewImport } from '#server/questions/import/preview.ts';
import { checkQuestion } from '#server/questions/rules.ts';
import { png } from '../support/office-files.ts';
import {
  award,
  canvasBank,
  canvasChoice,
  canvasItem,
  canvasQuiz,
  equals,
  escaped,
  manifest,
  material,
  packageOf,
  qti2Choice,
  qti2Item,
  response,
} from '../support/qti-files.ts';

async function readFile(content: string | Uint8Array, name = 'quiz.xml'): Promise<ImportPreview> {
  const bytes = typeof content === 'string' ? strToU8(content) : content;
  let saved = 0;
  const preview = await readQuestions([{ name, bytes }], {
    savePicture: async () => {
      saved += 1;
      return `/files/pictures/${saved}.png`;
    },
  });
  if ('refused' in preview) throw new Error(preview.refused);
  return preview;
}

const readZip = (files: Readonly<Record<string, string | Uint8Array>>, name = 'quiz.zip') =>
  readFile(packageOf(files), name);

async function readOne(content: string): Promise<ImportedQuestion> {
  const { questions, errors, leftOut } = await readFile(content);
  expect([errors, leftOut]).toEqual([[], []]);
  expect(questions).toHaveLength(1);
  return questions[0] as ImportedQuestion;
}

const readCanvas = (type: string, item: Parameters<typeof canvasItem>[1]) =>
  readOne(canvasQuiz(canvasItem(type, item)));

const options = ({ draft }: Pick<ImportedQuestion, 'draft'>) =>
  draft.ques_option.map(({ content, is_right }) => (is_right === 1 ? `*${content}` : content));

const messages = (notes: readonly { message: string }[]) => notes.map(({ message }) => message);

const notes = ({ losses, doubts }: ImportedQuestion) => messages([...losses, ...doubts]);

describe('QTI 1.2 of Canvas', () => {
  test('reads a multiple choice question with its points and feedback', async () => {
    const question = await readCanvas('multiple_choice', {
      points: 2.5,
      text: '<div><p>H<sub>2</sub>O 是</p></div>',
      responses: canvasChoice(['水', '油']),
      processing: award(equals('1')),
      feedback: `<itemfeedback ident="general_fb"><flow_mat>${material('<p>水的化学式</p>')}</flow_mat></itemfeedback>
        <itemfeedback ident="2_fb"><flow_mat>${material('<p>再想想</p>')}</flow_mat></itemfeedback>`,
    });
    expect(question.draft).toMatchObject({
      ques_type: 1,
      ques_stem: '<p>H<sub>2</sub>O 是</p>',
      right_answer: '1',
      ques_analysis: '<p>水的化学式</p><p>选项B：</p><p>再想想</p>',
      facility_value: 3,
    });
    expect([question.score, options(question), question.errors]).toEqual([2.5, ['*水', '油'], []]);
    expect(question.source).toEqual({ place: '第1题“Question”' });
  });

  test('reads True and False in either order as a true/false question', async () => {
    const question = await readCanvas('true_false', {
      text: '地球是平的',
      responses: canvasChoice(['False', 'True']),
      processing: award(equals('1')),
    });
    expect([question.draft.ques_type, question.draft.right_answer]).toEqual([2, '2']);
  });

  test('reads multiple answers without those inside not', async () => {
    const question = await readCanvas('multiple_answers', {
      text: '质数',
      responses: canvasChoice(['2', '3', '4'], { multiple: true }),
      processing: award(`<and>${equals('1')}${equals('2')}<not>${equals('3')}</not></and>`),
    });
    expect([question.draft.ques_type, options(question), notes(question)]).toEqual([3, ['*2', '*3', '4'], []]);
  });

  test('reads multiple answers of which one is right as 不定项', async () => {
    const question = await readCanvas('multiple_answers', {
      text: '偶数',
      responses: canvasChoice(['2', '3'], { multiple: true }),
      processing: award(`<and>${equals('1')}<not>${equals('2')}</not></and>`),
    });
    expect(question.draft.ques_type).toBe(4);
  });

  test('doubts partial credit and keeps the best answer', async () => {
    const question = await readCanvas('multiple_choice', {
      text: '最好的',
      responses: canvasChoice(['甲', '乙']),
      processing: award(equals('1'), 50) + award(equals('2'), 100),
    });
    expect(options(question)).toEqual(['甲', '*乙']);
    expect(notes(question)).toEqual(['文件中部分答对也给分，导入后只保留正确答案，请核对']);
  });

  test('marks the blank of a short answer, and names other accepted answers', async () => {
    const question = await readCanvas('short_answer', {
      text: '<p>中国的首都是</p>',
      responses:
        '<response_str ident="response1" rcardinality="Single"><render_fib><response_label ident="a"/></render_fib></response_str>',
      processing: award(equals('Beijing') + equals('beijing') + equals('北京')),
    });
    expect(question.draft).toMatchObject({
      ques_type: 7,
      ques_stem: '<p>中国的首都是</p><p>____</p>',
      right_answer: 'Beijing',
      ignore_case: 1,
    });
    expect(notes(question)).toEqual(['第1空还接受“北京”，没有保留，请核对']);
  });

  test('reads several blanks in the order of the text', async () => {
    const blank = (name: string, answer: string) =>
      `<response_lid ident="response_${name}">${material(name)}<render_choice><response_label ident="x${name}">${material(answer)}</response_label></render_choice></response_lid>`;
    const question = await readCanvas('fill_in_multiple_blanks', {
      text: '<p>[a]是红的，[b]是蓝的</p>',
      responses: blank('b', '天') + blank('a', '花'),
      processing: award(equals('xa', 'response_a'), 50, 'Add') + award(equals('xb', 'response_b'), 50, 'Add'),
    });
    expect(question.draft).toMatchObject({ ques_stem: '<p>____是红的，____是蓝的</p>', right_answer: '花@@天' });
    expect(question.errors).toEqual([]);
  });

  test('reads menus in a text as a material whose parts are the menus', async () => {
    const question = await readCanvas('multiple_dropdowns', {
      text: '<p>花是[a]</p>',
      responses: canvasChoice(['红的', '蓝的'], { ident: 'response_a' }),
      processing: award(equals('2', 'response_a')),
    });
    expect(question.draft).toMatchObject({
      ques_type: 6,
      ques_stem: '<p>花是（1）____</p>',
      ques_item: [{ ques_type: 1, ques_stem: '第1空', right_answer: '2' }],
    });
    expect(question.errors).toEqual([]);
  });

  test('keeps the exact number and doubts the range around it', async () => {
    const range = '<vargte respident="response1">41.5</vargte><varlte respident="response1">42.5</varlte>';
    const question = await readCanvas('numerical', {
      text: '42 是____',
      responses:
        '<response_str ident="response1"><render_fib fibtype="Decimal"><response_label ident="a"/></render_fib></response_str>',
      processing: award(`<or>${equals('42.0')}<and>${range}</and></or>`),
    });
    expect([question.draft.ques_type, question.draft.right_answer]).toEqual([7, '42']);
    expect(notes(question)).toEqual(['答案接受一个范围（≥41.5 ≤42.5），没有保留，请核对']);
  });

  test('says that an essay lacks its answer', async () => {
    const question = await readCanvas('essay', { text: '写一篇作文' });
    expect([question.draft.ques_type, messages(question.errors)]).toEqual([5, ['缺少答案']]);
  });

  test('reads a matching question as a material with a choice for each item', async () => {
    const row = (ident: string, text: string) =>
      canvasChoice(['喵', '汪', '嗷'], { ident: `response_${ident}` }).replace(
        '<render_choice>',
        `${material(text)}<render_choice>`,
      );
    const question = await readCanvas('matching', {
      text: '<p>配对</p>',
      responses: row('1', '猫') + row('2', '狗'),
      processing: award(equals('1', 'response_1'), 50, 'Add') + award(equals('2', 'response_2'), 50, 'Add'),
    });
    expect(question.draft).toMatchObject({
      ques_type: 6,
      ques_stem: '<p>配对</p>',
      ques_item: [
        { ques_type: 1, ques_stem: '猫', right_answer: '1' },
        { ques_type: 1, ques_stem: '狗', right_answer: '2' },
      ],
    });
    expect([notes(question), question.errors]).toEqual([['匹配题按材料题导入，每项一道单选题，请核对'], []]);
  });

  test('names the questions that cannot be imported, and makes no empty ones', async () => {
    const quiz = ['categorization', 'calculated', 'file_upload', 'hot_spot'].map((type) =>
      canvasItem(type, { title: type, text: '题干' }),
    );
    const { questions, errors, leftOut } = await readFile(canvasQuiz(quiz.join('')));
    expect(questions).toEqual([]);
    expect(leftOut).toEqual([
      { where: '第1题“categorization”', message: '题型“分类题”（categorization_question）无法导入' },
      { where: '第2题“calculated”', message: '题型“公式计算题”（calculated_question）无法导入' },
      { where: '第3题“file_upload”', message: '题型“文件上传题”（file_upload_question）无法导入' },
      { where: '第4题“hot_spot”', message: '题型“热点题”（hot_spot_question）无法导入' },
    ]);
    expect(messages(errors)).toEqual(['没有识别到题目：文件中有4道题，题型都无法导入']);
  });

  test('joins a text and the questions that refer to it to a material question', async () => {
    const part = (title: string) =>
      canvasItem('true_false', {
        title,
        text: title,
        metadata: { parent_stimulus_item_ident: 'text' },
        responses: canvasChoice(['True', 'False']),
        processing: award(equals('1')),
      });
    const text = canvasItem('text_only', { ident: 'text', text: '<p>从前有座山</p>' });
    const question = await readOne(canvasQuiz(text + part('有山') + part('有庙')));
    expect(question.draft).toMatchObject({
      ques_type: 6,
      ques_stem: '<p>从前有座山</p>',
      ques_item: [{ ques_stem: '有山' }, { ques_stem: '有庙' }],
    });
    expect([question.score, question.errors]).toEqual([2, []]);
  });

  test('gives the points of a group to its questions', async () => {
    const item = canvasItem('true_false', {
      text: '对',
      responses: canvasChoice(['True', 'False']),
      processing: award(equals('1')),
    });
    const group = `<section ident="g"><selection_ordering><selection><selection_number>1</selection_number><selection_extension><points_per_item>4.0</points_per_item></selection_extension></selection></selection_ordering>${item}</section>`;
    const { questions, doubts } = await readFile(canvasQuiz(group));
    expect(questions.map(({ score }) => score)).toEqual([4]);
    expect(messages(doubts)).toEqual(['原试卷从中随机抽取1题，已全部导入', '文件中没有难度，题目按3星导入，请核对']);
  });
});

describe('other QTI 1.2', () => {
  const plain = (presentation: string, processing: string) =>
    `<questestinterop><item ident="q" title="题">${presentation}<resprocessing>${processing}</resprocessing></item></questestinterop>`;

  test('reads blanks between pieces of text; case matters where the file says so', async () => {
    const blank = (ident: string) =>
      `<response_str ident="${ident}"><render_fib><response_label ident="A"/></render_fib></response_str>`;
    const text = (content: string) => `<material><mattext>${content}</mattext></material>`;
    const { draft, errors } = await readOne(
      plain(
        `<presentation>${text('Now is the ')}${blank('F1')}${text(' of our discontent, ')}${blank('F2')}</presentation>`,
        award(
          '<varequal respident="F1" case="Yes">winter</varequal><varequal respident="F2" case="Yes">York</varequal>',
          2,
        ),
      ),
    );
    expect(draft).toMatchObject({
      ques_type: 7,
      ques_stem: 'Now is the ____ of our discontent, ____',
      right_answer: 'winter@@York',
      ignore_case: 0,
    });
    expect(errors).toEqual([]);
  });

  test('shows tags in plain text as they are written', async () => {
    const { draft } = await readOne(
      plain(
        `<presentation><material><mattext texttype="text/plain">&lt;b&gt; 是什么标签</mattext></material>${canvasChoice(['粗体', '斜体'])}</presentation>`,
        award(equals('1')),
      ),
    );
    expect(draft.ques_stem).toBe('&lt;b&gt; 是什么标签');
  });

  test('reads the names of Blackboard, which writes files that end in .dat', async () => {
    const item = `<item><itemmetadata><bbmd_questiontype>Multiple Answer</bbmd_questiontype><qmd_absolutescore_max>3</qmd_absolutescore_max></itemmetadata>
      <presentation><flow class="Block"><flow class="QUESTION_BLOCK"><material><mat_extension><mat_formattedtext type="HTML">&lt;p&gt;选两个&lt;/p&gt;</mat_formattedtext></mat_extension></material></flow>${canvasChoice(['甲', '乙', '丙'], { multiple: true })}</flow></presentation>
      <resprocessing><respcondition title="correct"><conditionvar><and>${equals('1')}${equals('3')}<not>${equals('2')}</not></and></conditionvar><setvar variablename="SCORE" action="Set">SCORE.max</setvar></respcondition></resprocessing></item>`;
    const { questions } = await readZip({
      'imsmanifest.xml':
        '<manifest><resources><resource bb:file="res00001.dat" type="assessment/x-bb-qti-pool" identifier="r"/></resources></manifest>',
      'res00001.dat': `<questestinterop><assessment title="题库"><section>${item}</section></assessment></questestinterop>`,
    });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({
      score: 3,
      draft: { ques_type: 3, ques_stem: '<p>选两个</p>', right_answer: '1,3' },
    });
  });

  test('reads Brightspace, which gives points for wrong answers to another variable', async () => {
    const item = (type: string, presentation: string, rest: string) =>
      `<item title="${type}"><itemmetadata><qtimetadata><qti_metadatafield><fieldlabel>qmd_questiontype</fieldlabel><fieldentry>${type}</fieldentry></qti_metadatafield><qti_metadatafield><fieldlabel>qmd_weighting</fieldlabel><fieldentry>2.0</fieldentry></qti_metadatafield></qtimetadata></itemmetadata><presentation><flow>${presentation}</flow></presentation>${rest}</item>`;
    const add = (condition: string, name: string) =>
      `<respcondition><conditionvar>${condition}</conditionvar><setvar varname="${name}" action="Add">1</setvar></respcondition>`;
    const { questions, leftOut } = await readFile(
      canvasQuiz(
        item(
          'Multi-Select',
          material('选') + canvasChoice(['甲', '乙', '丙'], { multiple: true }),
          `<resprocessing>${add(equals('1'), 'D2L_Correct')}${add(`<not>${equals('2')}</not>`, 'D2L_Correct')}${add(equals('2'), 'D2L_Incorrect')}${add(equals('3'), 'D2L_Correct')}</resprocessing>`,
        ) +
          item(
            'Long Answer',
            `${material('说说')}<response_str ident="E"><render_fib rows="5"/></response_str>`,
            `<answer_key><answer_key_material><flow_mat>${material('<p>要点</p>')}</flow_mat></answer_key_material></answer_key>`,
          ) +
          item('Ordering', material('排'), ''),
      ),
    );
    expect(questions.map(({ draft, score }) => [draft.ques_type, draft.right_answer, score])).toEqual([
      [3, '1,3', 2],
      [5, '<p>要点</p>', 2],
    ]);
    expect(messages(leftOut)).toEqual(['题型“排序题”（Ordering）无法导入']);
  });

  test('reads a file in GBK by its declaration', async () => {
    const ascii = plain(
      `<presentation>${'<material><mattext>XX</mattext></material>'}${canvasChoice(['1', '2'])}</presentation>`,
      award(equals('1')),
    );
    const bytes = Buffer.from(`<?xml version="1.0" encoding="GB2312"?>${ascii}`, 'latin1');
    // 中文 in GBK, in place of XX and the byte before and after it.
    const at = bytes.indexOf('XX');
    const file = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xd6, 0xd0, 0xce, 0xc4]), bytes.subarray(at + 2)]);
    expect((await readFile(file)).questions[0]?.draft.ques_stem).toBe('中文');
  });
});

describe('Common Cartridge', () => {
  const judgement = (ident: string, text: string, copyOf?: string) =>
    canvasItem('true_false', {
      ident,
      text,
      ...(copyOf && { metadata: { assessment_question_identifierref: copyOf } }),
      responses: canvasChoice(['True', 'False']),
      processing: award(equals('1')),
    });

  test('reads each quiz once, and a question of a bank that a quiz repeats once', async () => {
    const { questions, format, errors } = await readZip(
      {
        'imsmanifest.xml': manifest([], 'IMS Common Cartridge'),
        'q1/assessment_qti.xml': canvasQuiz(judgement('q', '简化的')),
        'non_cc_assessments/q1.xml.qti': canvasQuiz(judgement('q', '地球是圆的', 'b')),
        'non_cc_assessments/bank.xml.qti': canvasBank(judgement('b', '地球是圆的') + judgement('c', '只在题库中')),
      },
      'course.imscc',
    );
    expect(errors).toEqual([]);
    expect(format).toBe('imscc');
    expect(questions.map(({ draft }) => draft.ques_stem)).toEqual(['地球是圆的', '只在题库中']);
  });

  test('says that a quiz only refers to a bank that is not in the file', async () => {
    const group = `<section ident="g"><selection_ordering><selection><selection_number>5</selection_number><sourcebank_ref>elsewhere</sourcebank_ref></selection></selection_ordering></section>`;
    const { questions, errors, leftOut } = await readFile(canvasQuiz(group, '期中'));
    expect(questions).toEqual([]);
    expect(messages(errors)).toEqual(['试卷中没有题目；题库未导出']);
    expect(leftOut).toEqual([{ where: '期中', message: '从题库抽题，文件中没有这个题库，题目没有导入' }]);
  });

  test('is never a success without questions', async () => {
    expect(messages((await readFile(canvasQuiz(''))).errors)).toEqual(['没有识别到题目：试卷中没有题目']);
    const other = await readZip({ 'imsmanifest.xml': manifest([]), 'page.html': '<p>课程</p>' });
    expect(messages(other.errors)).toEqual(['没有识别到题目：压缩包中没有 QTI 文件，只有imsmanifest.xml、page.html']);
  });
});

describe('QTI 2 items', () => {
  test('reads a choice with a prompt and feedback; feedback does not show in the question', async () => {
    const question = await readOne(
      qti2Item({
        declarations: response(['B']),
        body: `<p>看图</p>${qti2Choice('选哪个？', ['甲<feedbackInline outcomeIdentifier="F" identifier="A">不对</feedbackInline>', '乙'])}`,
        after: '<modalFeedback outcomeIdentifier="F" identifier="CORRECT" showHide="show">很好</modalFeedback>',
      }),
    );
    expect(question.draft).toMatchObject({
      ques_type: 1,
      ques_stem: '<p>看图</p><p>选哪个？</p>',
      ques_analysis: '<p>选项A：</p><p>不对</p><p>答对时：</p><p>很好</p>',
    });
    expect([options(question), question.errors]).toEqual([['甲', '*乙'], []]);
  });

  test('reads several right choices, and doubts a mapping that gives partial credit', async () => {
    const mapping =
      '<mapping defaultValue="0"><mapEntry mapKey="A" mappedValue="1"/><mapEntry mapKey="C" mappedValue="1"/></mapping>';
    const question = await readOne(
      qti2Item({
        declarations: response(['A', 'C'], { mapping }),
        body: qti2Choice('选', ['甲', '乙', '丙'], { maxChoices: 0 }),
        after: '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/>',
      }),
    );
    expect([question.draft.ques_type, question.draft.right_answer]).toEqual([3, '1,3']);
    expect(notes(question)).toEqual(['文件中部分答对也给分，导入后只保留正确答案，请核对']);
  });

  test('reads blanks in their places, and takes case from the mapping', async () => {
    const mapping =
      '<mapping><mapEntry mapKey="York" mappedValue="1" caseSensitive="false"/><mapEntry mapKey="Kent" mappedValue="0.5"/></mapping>';
    const question = await readOne(
      qti2Item({
        declarations: response(['York'], { type: 'string', mapping }),
        body: '<p>this sun of <textEntryInteraction responseIdentifier="RESPONSE" expectedLength="15"/>;</p>',
      }),
    );
    expect(question.draft).toMatchObject({
      ques_type: 7,
      ques_stem: '<p>this sun of ____;</p>',
      right_answer: 'York',
      ignore_case: 1,
    });
    expect(notes(question)).toEqual(['文件中“Kent”也得部分分数，没有保留，请核对']);
  });

  test('reads one menu as a single choice, and choices in a text by underlining them', async () => {
    const menu =
      '<inlineChoiceInteraction responseIdentifier="RESPONSE" shuffle="false"><inlineChoice identifier="A">红</inlineChoice><inlineChoice identifier="B">蓝</inlineChoice></inlineChoiceInteraction>';
    const one = await readOne(qti2Item({ declarations: response(['B']), body: `<p>天是${menu}的</p>` }));
    expect([one.draft.ques_type, one.draft.ques_stem, options(one)]).toEqual([1, '<p>天是____的</p>', ['红', '*蓝']]);
    const hottext =
      '<hottextInteraction responseIdentifier="RESPONSE" maxChoices="1"><prompt>哪里错了</prompt><p>他<hottext identifier="A">的</hottext>跑<hottext identifier="B">的</hottext>快</p></hottextInteraction>';
    const other = await readOne(qti2Item({ declarations: response(['B']), body: hottext }));
    expect(other.draft.ques_stem).toBe('<p>哪里错了</p><p>他<u>的</u>跑<u>的</u>快</p>');
  });

  test('reads the model answer and the scoring rubric of an essay', async () => {
    const question = await readOne(
      qti2Item({
        declarations: response(['因为'], { type: 'string' }),
        body: '<rubricBlock view="scorer"><p>每点2分</p></rubricBlock><rubricBlock view="candidate"><p>不少于100字</p></rubricBlock><p>为什么</p><extendedTextInteraction responseIdentifier="RESPONSE"/>',
      }),
    );
    expect(question.draft).toMatchObject({
      ques_type: 5,
      ques_stem: '<p>不少于100字</p><p>为什么</p>',
      right_answer: '因为',
      ques_analysis: '<p>每点2分</p>',
    });
  });

  test('splits an item with several interactions into a material and its parts', async () => {
    const question = await readOne(
      qti2Item({
        declarations: response(['A'], { identifier: 'R1' }) + response(['山'], { identifier: 'R2', type: 'string' }),
        body: `<p>从前有座山。</p>${qti2Choice('有什么？', ['山', '海'], { identifier: 'R1' })}<p>填空：<textEntryInteraction responseIdentifier="R2"/></p>`,
      }),
    );
    expect(question.draft).toMatchObject({
      ques_type: 6,
      ques_stem: '<p>从前有座山。</p>',
      ques_item: [
        { ques_type: 1, ques_stem: '有什么？', right_answer: '1' },
        { ques_type: 7, ques_stem: '<p>填空：____</p>', right_answer: '山' },
      ],
    });
    expect([notes(question), question.errors]).toEqual([['一道题有多处作答，按材料题导入，请核对各小题的题干'], []]);
  });

  test('numbers several menus in one text, each as one part', async () => {
    const menu = (identifier: string) =>
      `<inlineChoiceInteraction responseIdentifier="${identifier}"><inlineChoice identifier="A">甲</inlineChoice><inlineChoice identifier="B">乙</inlineChoice></inlineChoiceInteraction>`;
    const { draft } = await readOne(
      qti2Item({
        declarations: response(['A'], { identifier: 'R1' }) + response(['B'], { identifier: 'R2' }),
        body: `<div>先${menu('R1')}后${menu('R2')}</div>`,
      }),
    );
    expect(draft.ques_stem).toBe('<p>先（1）____后（2）____</p>');
    expect(draft.ques_item.map(({ ques_stem, right_answer }) => [ques_stem, right_answer])).toEqual([
      ['第1空', '1'],
      ['第2空', '2'],
    ]);
  });

  test('reads a matching question as a material with a choice for each item', async () => {
    const side = (...names: string[]) =>
      `<simpleMatchSet>${names.map((name) => `<simpleAssociableChoice identifier="${name}" matchMax="1">${name}</simpleAssociableChoice>`).join('')}</simpleMatchSet>`;
    const body = `<matchInteraction responseIdentifier="RESPONSE"><prompt>配对</prompt>${side('猫', '狗', '鱼')}${side('喵', '汪')}</matchInteraction>`;
    const question = await readOne(
      qti2Item({ declarations: response(['猫 喵', '狗 汪'], { type: 'directedPair' }), body }),
    );
    expect(question.draft).toMatchObject({
      ques_type: 6,
      ques_stem: '配对',
      ques_item: [
        { ques_type: 1, ques_stem: '喵', right_answer: '1' },
        { ques_type: 1, ques_stem: '汪', right_answer: '2' },
      ],
    });
    expect([notes(question), question.errors]).toEqual([['匹配题按材料题导入，每项一道单选题，请核对'], []]);
  });

  test('reads a text with gaps and words as a material with a choice for each gap', async () => {
    const body =
      '<gapMatchInteraction responseIdentifier="RESPONSE"><prompt>填词</prompt><gapText identifier="W" matchMax="1">冬</gapText><gapText identifier="S" matchMax="1">夏</gapText><p>先<gap identifier="G1"/>后<gap identifier="G2"/></p></gapMatchInteraction>';
    const question = await readOne(
      qti2Item({ declarations: response(['S G1', 'W G2'], { type: 'directedPair' }), body }),
    );
    expect(question.draft).toMatchObject({
      ques_stem: '<p>填词</p><p>先（1）____后（2）____</p>',
      ques_item: [
        { ques_stem: '第1空', right_answer: '2' },
        { ques_stem: '第2空', right_answer: '1' },
      ],
    });
    expect([notes(question), question.errors]).toEqual([['拖放填空题按材料题导入，每空一道单选题，请核对'], []]);
  });

  test.each([
    ['associateInteraction', '题型“连线题”（associateInteraction）无法导入'],
    ['orderInteraction', '题型“排序题”（orderInteraction）无法导入'],
    ['portableCustomInteraction', '题型“自定义互动题”（portableCustomInteraction）无法导入'],
    ['newInteraction', '题型“newInteraction”无法导入'],
  ])('names a %s by its question', async (name, message) => {
    const { leftOut, questions } = await readFile(
      qti2Item({ title: '第一关', body: `<${name} responseIdentifier="RESPONSE"><p>内容</p></${name}>` }),
    );
    expect([leftOut, questions]).toEqual([[{ where: '第1题“第一关”', message }], []]);
  });

  test('says that a choice without a declared answer lacks it', async () => {
    const { errors } = await readOne(
      qti2Item({
        declarations: '<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"/>',
        body: qti2Choice('选', ['甲', '乙']),
      }),
    );
    expect(messages(errors)).toEqual(['缺少答案']);
  });
});

describe('QTI packages', () => {
  const item = (title: string) =>
    qti2Item({ title, declarations: response(['A']), body: qti2Choice(title, ['甲', '乙']) });

  test('follows the order and weights of the test, and adds items that it does not name', async () => {
    const files = {
      'imsmanifest.xml': manifest([{ href: 'items/1.xml' }, { href: 'items/2.xml' }, { href: 'items/3.xml' }]),
      'items/1.xml': item('一'),
      'items/2.xml': item('二'),
      'items/3.xml': item('三'),
      'test.xml': `<assessmentTest xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" title="卷"><testPart><assessmentSection title="A"><rubricBlock view="candidate"><p>请作答</p></rubricBlock>
        <assessmentItemRef identifier="i3" href="items/3.xml"><weight identifier="W" value="2.5"/></assessmentItemRef>
        <assessmentItemRef identifier="i1" href="items/1.xml"/><assessmentItemRef identifier="i9" href="items/9.xml"/></assessmentSection></testPart></assessmentTest>`,
    };
    const { questions, leftOut, format } = await readZip(files);
    expect(questions.map(({ draft, score }) => [draft.ques_stem, score])).toEqual([
      ['三', 2.5],
      ['一', undefined],
      ['二', undefined],
    ]);
    expect(messages(leftOut)).toEqual(['文件中缺少试卷用到的题目：items/9.xml', '说明文字没有导入：“请作答”']);
    expect(format).toBe('qti21');
  });

  test('takes difficulty and keywords from the metadata', async () => {
    const metadata =
      '<imsmd:lom><imsmd:general><imsmd:keyword><imsmd:string>电路</imsmd:string></imsmd:keyword></imsmd:general><imsmd:educational><imsmd:difficulty><imsmd:source>LOMv1.0</imsmd:source><imsmd:value>very difficult</imsmd:value></imsmd:difficulty></imsmd:educational></imsmd:lom>';
    const { questions } = await readZip({
      'imsmanifest.xml': manifest([{ href: '1.xml', metadata }]),
      '1.xml': item('一'),
    });
    expect(questions[0]).toMatchObject({ losses: [], draft: { facility_value: 5, remark: '电路' } });
    const { questions: both } = await readZip({
      'imsmanifest.xml': manifest([{ href: '1.xml', metadata }, { href: '2.xml' }]),
      '1.xml': item('一'),
      '2.xml': item('二'),
    });
    expect(both.map(({ losses }) => messages(losses))).toEqual([[], ['没有填写难度，按3星导入，请核对']]);
  });

  test('joins the items of QTI 3 that share a text', async () => {
    const qti3 = (title: string) =>
      `<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="${title}" title="${title}"><qti-response-declaration identifier="RESPONSE" cardinality="single" base-type="identifier"><qti-correct-response><qti-value>A</qti-value></qti-correct-response></qti-response-declaration><qti-assessment-stimulus-ref identifier="s" href="texts/s.xml"/><qti-item-body><qti-choice-interaction response-identifier="RESPONSE" max-choices="1"><qti-prompt>${title}</qti-prompt><qti-simple-choice identifier="A">甲</qti-simple-choice><qti-simple-choice identifier="B">乙</qti-simple-choice></qti-choice-interaction></qti-item-body></qti-assessment-item>`;
    const { questions, format } = await readZip({
      'imsmanifest.xml': manifest([{ href: '1.xml' }, { href: '2.xml' }]),
      '1.xml': qti3('一'),
      '2.xml': qti3('二'),
      'texts/s.xml':
        '<qti-assessment-stimulus xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="s" title="文"><qti-stimulus-body><p>从前</p><img src="pic.png" alt="山"/></qti-stimulus-body></qti-assessment-stimulus>',
      'texts/pic.png': png,
    });
    expect(format).toBe('qti30');
    expect(questions).toHaveLength(1);
    expect(questions[0]?.draft).toMatchObject({
      ques_type: 6,
      ques_stem: '<p>从前</p><p><img src="/files/pictures/1.png" alt="山" /></p>',
      ques_item: [{ ques_stem: '一' }, { ques_stem: '二' }],
    });
  });

  test('stores pictures of the package, however their addresses are written', async () => {
    const quiz = canvasItem('true_false', {
      text: [
        '<img src="$IMS-CC-FILEBASE$/a%20b.png?canvas_download=1" alt="一">',
        '<img src="%24IMS-CC-FILEBASE%24/a%20b.png">',
        '<img src="../web_resources/c.png">',
        `<img src="data:image/png;base64,${Buffer.from(png).toString('base64')}">`,
        '<img src="https://example.org/x.png">',
        '<img src="gone.png">',
      ].join(''),
      responses: canvasChoice(['True', 'False']),
      processing: award(equals('1')),
    });
    const { questions } = await readZip({
      'imsmanifest.xml': manifest([]),
      'quiz/quiz.xml': canvasQuiz(quiz),
      'web_resources/a b.png': png,
      'web_resources/c.png': png,
    });
    const [question] = questions as [ImportedQuestion];
    expect(question.draft.ques_stem).toBe(
      '<img src="/files/pictures/1.png" alt="一" /><img src="/files/pictures/1.png" alt="图片" /><img src="/files/pictures/2.png" alt="图片" /><img src="/files/pictures/3.png" alt="图片" />［图片］［图片］',
    );
    expect(notes(question)).toEqual(['链接到外部的图片没有保留，请把图片插入文件中', '文件中缺少这张图片']);
  });

  test('reads LaTeX in the text, and keeps sums of money', async () => {
    const { draft } = await readCanvas('true_false', {
      text: '<p>\\(a<b\\)，$5 和 $6$ 元</p>'.replace('<b', '&lt;b'),
      responses: canvasChoice(['True', 'False']),
      processing: award(equals('1')),
    });
    expect(draft.ques_stem).toBe('<p><span class="math" data-latex="a&lt;b">a&lt;b</span>，$5 和 \\$6\\$ 元</p>');
  });

  test('reads MathML, and the equation images of Canvas', async () => {
    const { draft } = await readCanvas('true_false', {
      text: '<img class="equation_image" src="/equation_images/%255Cfrac%257B1%257D%257B2%257D?scale=1" alt="LaTeX: \\frac{1}{2}">，<img class="equation_image" data-equation-content="x&amp;lt;1" src="e.png">，<math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>',
      responses: canvasChoice(['True', 'False']),
      processing: award(equals('1')),
    });
    expect([...draft.ques_stem.matchAll(/data-latex="([^"]*)"/g)].map(([, latex]) => latex)).toEqual([
      '\\frac{1}{2}',
      'x&amp;lt;1',
      'x^{2}',
    ]);
  });

  test('reads MathML whose LaTeX KaTeX does not know', async () => {
    const math = (annotation: string) =>
      `<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><semantics><mi>e</mi><annotation encoding="application/x-tex">${annotation}</annotation></semantics></math>`;
    const { draft } = await readOne(
      qti2Item({
        declarations: response(['A']),
        body: `<p>${math('\\[\\sqrt{2}\\]')}${math('\\unknowncommand{e}')}</p>${qti2Choice('', ['甲', '乙'])}`,
      }),
    );
    expect([...draft.ques_stem.matchAll(/data-latex="([^"]*)"/g)].map(([, latex]) => latex)).toEqual([
      '\\displaystyle \\sqrt{2}',
      '\\displaystyle e',
    ]);
  });

  test('names a damaged document and reads the others', async () => {
    const { questions, errors } = await readZip({
      'imsmanifest.xml': manifest([]),
      '1.xml': '<assessmentItem><itemBody>',
      '2.xml': item('二'),
    });
    expect(questions).toHaveLength(1);
    expect(errors).toEqual([{ where: '1.xml', message: '不是有效的 XML，没有读取' }]);
  });
});

describe('safety of QTI files', () => {
  const readBytes = (content: string) => readQuestions([{ name: 'a.xml', bytes: strToU8(content) }]);

  test('refuses a file that declares entities, and reads one that only names its type', async () => {
    const quiz = canvasQuiz(canvasItem('essay', { text: '&lol;' })).replace(/^<\?xml.*\n/, '');
    const bomb = '<!DOCTYPE questestinterop [<!ENTITY a "ha"><!ENTITY lol "&a;&a;&a;">]>';
    const file = '<!DOCTYPE questestinterop [\n<!-- secrets -->\n<!ENTITY lol SYSTEM "file:///etc/passwd">\n]>';
    const refused = { refused: '文件含有实体声明（DOCTYPE），不安全，已拒绝' };
    expect(await readBytes(bomb + quiz)).toEqual(refused);
    expect(await readBytes(file + quiz)).toEqual(refused);
    const named = await readFile(`<!DOCTYPE questestinterop SYSTEM "ims_qtiasiv1p2.dtd">${quiz}`);
    expect(named.questions).toHaveLength(1);
  });

  test('drops scripts, styles and handlers, and says so', async () => {
    const question = await readCanvas('multiple_choice', {
      text: '<p onclick="steal()">题<script>steal()</script><style>p{}</style><a href="https://example.org">网址</a><iframe src="//example.org"></iframe></p>',
      responses: canvasChoice(['<img src=x onerror=steal()>甲', '乙']),
      processing: award(equals('1')),
    });
    expect(JSON.stringify(question.draft)).not.toMatch(/steal|onerror|iframe|script/);
    expect(question.draft.ques_stem).toBe('<p>题网址</p>');
    expect(notes(question)).toEqual([
      '脚本没有导入',
      '链接没有保留，只保留了文字',
      '音频、视频和网页无法保留',
      '文件中缺少这张图片',
    ]);
  });

  test('refuses a damaged file', async () => {
    expect(await readBytes(`${canvasQuiz('').slice(0, -30)}`)).toEqual({
      refused: '文件不是有效的 XML，无法读取，请重新导出',
    });
  });
});

test('reads 500 items of a package in the child process', async () => {
  const files: Record<string, string> = {};
  for (let index = 0; index < 500; index += 1) {
    files[`items/${String(index).padStart(3, '0')}.xml`] = qti2Item({
      title: `第${index}`,
      declarations: response(['A']),
      body: `<p>题干${index}<sup>2</sup>，${escaped('a<b')}</p>${qti2Choice('选', ['甲', '乙', '丙', '丁'])}`,
    });
  }
  const bytes = packageOf({ 'imsmanifest.xml': manifest(Object.keys(files).map((href) => ({ href }))), ...files });
  const preview = await previewImport([{ name: 'a.zip', bytes }]);
  if ('refused' in preview) throw new Error(preview.refused);
  expect(preview.questions).toHaveLength(500);
  expect(preview.questions.flatMap(({ draft }) => Object.keys(checkQuestion(draft)))).toEqual([]);
});
