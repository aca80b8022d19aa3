/**
 * Shows a learner’s text as typed, also if it looks like markup, a formula or JSON: osTicket #3791, stochsd #88,
 * SAK-43394.
 */
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerHtml } from '#server/grading/answer-content.ts';
import { scoreAnswer, subjectiveAnswer } from '#server/grading/scoring.ts';
import {
  fieldOf,
  fieldsOfAnswers,
  readAnswer,
  type SentAnswer,
  serializeAnswer,
} from '../../app/learn/question-answer.ts';
import { addExam } from '../support/exams.ts';
import { applicationOf, type LearnerClient } from '../support/learner.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addPaper } from '../support/paper.ts';
import { noon } from '../support/school.ts';

const proof = '解：因为 0<p<q 且 q>1，又 a<b, 所以 2a>b+1，故 p<1。';
const typed = [
  proof,
  '因为 a<b 且 c>d，所以 <i>=<u> 不成立',
  '<p>我写的是 <img src=x> 标签</p>',
  'if a:\n    if b:\n\tprint("a  b")',
  '&lt; 和 &amp; 是实体，价格从$5到$8，$x^2$',
  '{"content":"x","size":3}',
];

/** Text that a reader of the HTML sees, with its line breaks. */
function visibleText(html: string): string {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  for (const line of document.querySelectorAll('br')) line.replaceWith('\n');
  return document.body.textContent ?? '';
}

const words = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(
        '<',
        '>',
        '<p',
        '<b ',
        '</p>',
        '<img src="/a.png">',
        '&',
        '&nbsp;',
        '$',
        '\\(',
        '\\)',
        '\n',
        '\r\n',
      ),
      fc.constantFrom('  ', '\t', '\u00a0', '\u3000', '"', '{"content":', '[1,3]', '甲'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const lines = (text: string) => text.replace(/\r\n?/g, '\n');

describe('a text answer', () => {
  it('is shown as typed, whatever it contains', () => {
    fc.assert(
      fc.property(words, (content) => {
        const shown = answerHtml(subjectiveAnswer(JSON.stringify({ content, images: [] })));
        expect(visibleText(shown)).toBe(content.trim() === '' ? '' : lines(content));
        expect(shown).not.toMatch(/<(?!br \/>|\/?span\b)/);
      }),
      { numRuns: 300 },
    );
  });

  it('is blank only if it has no visible text', () => {
    const essay = { id: 1, ques_type: 5, right_answer: '', ignore_case: 0, score: 100 };
    const statusOf = (content: string, format?: string) =>
      scoreAnswer(essay, JSON.stringify({ content, images: [], ...(format && { format }) })).status;
    expect(['<p>', '<br>', '&nbsp;', '<i>'].map((content) => statusOf(content))).toEqual([4, 4, 4, 4]);
    expect([statusOf(' \n'), statusOf('<p>&nbsp; <br></p>', 'html'), statusOf('<p>解</p>', 'html')]).toEqual([3, 3, 4]);
  });

  it('returns to the learner’s form as typed, with its declared format', () => {
    const question = { id: 7, ques_type: 5, sort: '1', ques_option: [], blanks: 0 } as never;
    const again = (answer: SentAnswer): SentAnswer | undefined => {
      const fields = fieldsOfAnswers([question], [{ ques_id: 7, user_answer: serializeAnswer(answer) }]);
      const sent = new URLSearchParams(
        Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
      );
      return readAnswer(sent, question);
    };
    fc.assert(
      fc.property(words, fc.boolean(), (content, isHtml) => {
        fc.pre(content.trim() !== '');
        const answer: SentAnswer = { content: lines(content), images: [], ...(isHtml && { format: 'html' as const }) };
        expect(again(answer)).toEqual(answer);
      }),
      { numRuns: 200 },
    );
    expect(fieldsOfAnswers([question], [{ ques_id: 7, user_answer: proof }])[fieldOf(7)]).toBe(proof);
  });
});

onBothEngines('a submitted text answer', (school) => {
  let client: LearnerClient;
  const uid = () => school().students.k1[0] as number;
  const db = () => school().database.db;
  beforeAll(async () => {
    client = await applicationOf(school());
  });

  /** Submits a homework; returns the answer’s HTML for its learner, its grader and the student report. */
  async function homework(user_answer: unknown): Promise<string[]> {
    const { classes } = school();
    const { homeworkId, questions } = await addPaper(school(), { creator: 'teacher', classes: [classes.k1] });
    const sent = await client.post(`homework/${homeworkId}/submission`, {
      uid: uid(),
      answers: [{ ques_id: questions.essay, user_answer }],
    });
    expect(sent.status, sent.body.msg).toBe(200);
    const own = (await client.get(`homework/${homeworkId}?uid=${uid()}`)).body.data;
    const { id } = await db()
      .selectFrom('report')
      .select('id')
      .where('homework_id', '=', homeworkId)
      .where('student_id', '=', uid())
      .executeTakeFirstOrThrow();
    const grader = (await school().as('teacher').post('hw/review/detail', { report_id: id, type: 1 })).body.data;
    const report = (await school().as('teacher').get(`student/report/${id}`)).body;
    const of = (list: { id: number; answer_content: string }[]) =>
      list.find((one) => one.id === questions.essay)?.answer_content ?? 'nothing';
    return [own.questions, grader.list, report.data?.report_questions ?? []].map(of);
  }

  it.each(typed)('is shown as text to its learner, its grader and in the report: %s', async (content) => {
    const shown = await homework({ content, images: [] });
    expect(shown.map(visibleText)).toEqual([content, content, content]);
    expect((await homework({ content, images: [], format: 'text' })).map(visibleText)).toEqual([
      content,
      content,
      content,
    ]);
    expect((await homework(content)).map(visibleText)).toEqual([content, content, content]);
  });

  it('is shown as sanitised HTML if its sender declares that format', async () => {
    const shown = await homework({
      content: '<p>因为 <b>a</b>&lt;b</p><script>alert(1)</script>',
      images: [],
      format: 'html',
    });
    expect(shown).toEqual(Array(3).fill('<p>因为 <strong>a</strong>&lt;b</p>'));
  });

  it('is refused at its field for an unknown format', async () => {
    const { homeworkId, questions } = await addPaper(school(), { creator: 'teacher', classes: [school().classes.k1] });
    const { status, body } = await client.post(`homework/${homeworkId}/submission`, {
      uid: uid(),
      answers: [{ ques_id: questions.essay, user_answer: { content: 'x', format: 'markdown' } }],
    });
    expect([status, body.errors]).toEqual([422, { 'answers.0.user_answer.format': ['答案格式只能是 text 或 html'] }]);
  });

  it('is shown as declared on the answer sheet of an exam', async () => {
    const { school_id } = await db()
      .selectFrom('student')
      .select('school_id')
      .where('id', '=', uid())
      .executeTakeFirstOrThrow();
    const exam = await addExam(db(), {
      creator: school().people.teacher.id,
      school: school_id,
      questions: [{ type: 5, score: 100, right: '略' }],
    });
    await db()
      .updateTable('exam')
      .set({ attempts: 9, published_at: noon, end_at: noon + 86_400 })
      .where('id', '=', exam.id)
      .execute();
    const essay = exam.questions[0];
    for (const [content, format, expected] of [
      [proof, undefined, proof],
      ['<p>甲</p>', 'text', '<p>甲</p>'],
      ['<p>甲</p>', 'html', '甲'],
    ]) {
      const begun = await client.post(`exams/${exam.id}/start`, { uid: uid() });
      expect(begun.status, begun.body.msg).toBe(200);
      const answers = [{ ques_id: essay, user_answer: { content, images: [], ...(format && { format }) }, serial: 1 }];
      const handedIn = await client.post(`exams/${exam.id}/submission`, { uid: uid(), answers });
      expect(handedIn.status, handedIn.body.msg).toBe(200);
      const { id } = await db()
        .selectFrom('exam_report')
        .select('id')
        .where('exam_id', '=', exam.id)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      const sheet = (await school().as('teacher').get(`testDetail/report/${id}`)).body.data;
      const shown = sheet.question.find((one: { id: number }) => one.id === essay).answer_content;
      expect(visibleText(shown)).toBe(expected);
    }
  });
});
