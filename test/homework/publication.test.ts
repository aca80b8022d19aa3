import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parsePublication, parseQuestions } from '#server/homework/parse-publication.ts';
import { PublishBody } from '#server/homework/publication.contract.ts';
import { questionLimit } from '#server/homework/rules.ts';

const now = 1_795_147_200;
type Sent = Record<string, unknown>;

const readBody = (more: Sent) => {
  const fields = { course_basis_id: 1, publish_scope: 3, type: 1, name: '作业', is_set_score: 2 };
  const body = v.parse(PublishBody, { ...fields, ending_time: now, question: [{}], ...more });
  return parsePublication(body, { now, timezone: 'Asia/Shanghai' });
};

describe('publication fields', () => {
  it('are trimmed', () => {
    const { publication } = readBody({ name: ' 集合\t一 ', remark: ' 第一行\r\n第二行\n ' });
    expect(publication).toMatchObject({ name: '集合 一', remark: '第一行\n第二行' });
  });

  it('allow a thousand questions including parts', () => {
    const material = { ques_item: [{}, {}] };
    const most = [material, ...Array.from({ length: questionLimit - 3 }, () => ({}))];
    expect(readBody({ question: most }).errors).toEqual({});
    const more = { question: ['一份作业最多1000题'] };
    expect(readBody({ question: [...most, {}] })).toEqual({ publication: undefined, errors: more });
    expect(readBody({ question: [material, ...most.slice(0, -2)] }).errors).toEqual(more);
  });

  it('default to a scheduled lesson as origin', () => {
    expect(readBody({}).publication).toMatchObject({ sessionId: undefined, arrangeType: null });
    expect(readBody({ arrange_id: 7 }).publication).toMatchObject({ sessionId: 7, arrangeType: 4 });
    expect(readBody({ arrange_type: 2 }).publication).toMatchObject({ sessionId: undefined, arrangeType: 2 });
  });
});

describe('publication questions', () => {
  it('have a limit on total complexity with parts', async () => {
    const bank = { drafts: new Map(), sources: new Set<number>() };
    const heavy = { ques_type: 5, ques_stem: '<b>字</b>'.repeat(1_700) };
    const refused = { questions: [], errors: { question: ['内容的格式过于复杂，请清除格式或分成几部分后再提交'] } };
    const parsedQuestions = (question: Sent[]) => v.parse(PublishBody, { question }).question;
    const many = Array.from({ length: 20 }, () => heavy);
    expect(await parseQuestions(parsedQuestions(many), 2, bank)).toEqual(refused);
    expect(await parseQuestions(parsedQuestions([{ ques_type: 6, ques_item: many }]), 2, bank)).toEqual(refused);
  });
});
