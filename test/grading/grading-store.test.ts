import { describe, expect, test } from 'vitest';
import type { ReviewQuestion } from '#server/grading-desk/homework.contract.ts';
import type { Desk, DeskReport } from '../../app/grading/desk/desk.ts';
import { DraftStorage } from '../../app/grading/desk/draft-storage.ts';
import { GradingStore } from '../../app/grading/desk/grading-store.ts';
import type { SaveReply, SaveTask } from '../../app/grading/desk/save-queue.ts';
import type { DeskAddress } from '../../app/grading/screens.ts';

const question = (id: number, more: Partial<ReviewQuestion> = {}): ReviewQuestion => ({
  id,
  sort: String(id),
  parent_id: null,
  parent_ques_item: '',
  ques_type: 5,
  ques_stem: '',
  ques_option: [],
  right_answer: '',
  right_answer_shown: '',
  ques_analysis: '',
  facility_value: 3,
  ques_score: 10,
  user_answer: '',
  answer_content: '答',
  answerImages: [],
  user_score: null,
  status: 4,
  is_review: 2,
  review_comment: '',
  review_attachments: [],
  version: 0,
  reviewer_name: '',
  same_count: 0,
  my_comments: [],
  ...more,
});

function deskOf(reportId: number, questions: ReviewQuestion[], more: Partial<Desk> = {}): Desk {
  const report = { report_id: reportId, nickname: `学员${reportId}`, is_set_score: 2 };
  const card = questions.map(({ id, sort, status, is_review }) => ({ question_id: id, sort, status, is_review }));
  return {
    address: { report_id: reportId, class_id: 0, type: 1, skip: [], ques_id: questions[0]?.id },
    report: report as DeskReport,
    submitted: '2026-11-21 08:30',
    lesson: undefined,
    questions,
    subjective: card,
    objective: [],
    nextReportId: null,
    pinned: { q: '很好', w: '步骤不全', e: '', r: '', t: '', y: '', u: '', i: '', o: '' },
    words: { assignment: '作业', paper: '作业', report: '报告' },
    round: undefined,
    ...more,
  };
}

class Box {
  readonly kept = new Map<string, string>();
  get length() {
    return this.kept.size;
  }
  key = (place: number) => [...this.kept.keys()][place] ?? null;
  getItem = (name: string) => this.kept.get(name) ?? null;
  setItem = (name: string, value: string) => void this.kept.set(name, value);
  removeItem = (name: string) => void this.kept.delete(name);
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

function open(desk: Desk, box = new Box(), desks: Desk[] = []) {
  const store = new GradingStore(desk);
  const sent: SaveTask[] = [];
  const shown: DeskAddress[] = [];
  const left: string[] = [];
  const server = { reply: undefined as ((save: SaveTask) => SaveReply | undefined) | undefined };
  store.start({
    draftStorage: new DraftStorage(box, 7),
    send: async (save) => {
      sent.push(save);
      const version = save.kind === 'mark' ? save.version + 1 : 0;
      const data = { version, status: 5, user_score: save.kind === 'mark' ? Number(save.user_score) : null };
      const reply = server.reply ? server.reply(save) : { status: 200, msg: '', data };
      if (!reply) throw new Error('offline');
      return reply;
    },
    load: async ({ report_id }) => {
      const found = desks.find(({ report }) => report.report_id === report_id);
      return found ? { status: 200, msg: '', data: found } : { status: 404, msg: '作业不存在' };
    },
    show: (address) => shown.push(address),
    leave: (to) => left.push(to),
    preload: () => {},
    whenQuiet: (work) => work(),
  });
  return { store, sent, shown, left, box, server };
}

const cards = (store: GradingStore) =>
  store.card().map(({ label, status, here }) => `${label}:${status}${here ? '*' : ''}`);

describe('grading store', () => {
  test('shows the next answer before the save ends, and counts the mark at once', async () => {
    const { store, sent } = open(deskOf(1, [question(1), question(2), question(3)]));
    store.type({ user_score: '7.5' });
    store.saveAndGo();
    expect(cards(store)).toEqual(['1:5', '2:4*', '3:4']);
    expect(store.snapshot().draft.user_score).toBe('');
    await turn();
    expect(sent[0]).toMatchObject({ ques_id: 1, user_score: '7.5', type: 2, version: 0 });
    expect(store.hasUnsaved()).toBe(false);
  });

  test('requires a mark for saving, not for moving on', async () => {
    const { store, sent } = open(deskOf(1, [question(1), question(2)]));
    store.saveAndGo();
    expect(store.snapshot()).toMatchObject({ fault: '请填写本题得分', questionId: 1 });
    store.type({ review_comment: '看不清' });
    store.choose(2);
    expect(store.snapshot()).toMatchObject({ fault: undefined, questionId: 2 });
    await turn();
    expect(sent).toEqual([expect.objectContaining({ ques_id: 1, type: 1, review_comment: '看不清' })]);
    store.choose(1);
    await turn();
    expect(sent).toHaveLength(1);
  });

  test('saves a blank answer without a mark', () => {
    const { store } = open(deskOf(1, [question(1, { status: 3, is_review: 1 }), question(2)]));
    store.type({ review_comment: '为什么没做？' });
    store.saveAndGo();
    expect(store.snapshot().questionId).toBe(2);
  });

  test('restores typed text after a lost page', () => {
    const box = new Box();
    const first = open(deskOf(1, [question(1)]), box);
    first.store.type({ user_score: '6', review_comment: '步骤' });
    const again = open(deskOf(1, [question(1)]), box);
    expect(again.store.snapshot().draft).toMatchObject({ user_score: '6', review_comment: '步骤' });
    expect(again.store.snapshot().notice?.text).toBe('已恢复上次未保存的内容');
    const other = new GradingStore(deskOf(1, [question(1)]));
    expect(other.snapshot().draft.user_score).toBe('');
  });

  test("saves a lost page's marks on the next", async () => {
    const box = new Box();
    const first = open(deskOf(1, [question(1), question(2)]), box);
    first.server.reply = () => undefined;
    first.store.type({ user_score: '6' });
    first.store.saveAndGo();
    await turn();
    expect(first.store.hasUnsaved()).toBe(true);
    const again = open(deskOf(1, [question(1), question(2)]), box);
    await turn();
    expect(again.sent).toEqual([expect.objectContaining({ ques_id: 1, user_score: '6', version: 0 })]);
    expect(again.store.hasUnsaved()).toBe(false);
  });

  test('asks before sign-in only if storage failed', async () => {
    const full = new Box();
    full.setItem = () => {
      throw new Error('full');
    };
    for (const [box, asks] of [
      [new Box(), false],
      [full, true],
    ] as const) {
      const { store, server } = open(deskOf(1, [question(1), question(2)]), box);
      server.reply = () => ({ status: 401, msg: '登录已过期' });
      store.type({ user_score: '6' });
      store.saveAndGo();
      expect(store.asksBeforeLeaving()).toBe(true);
      await turn();
      expect(store.hasUnsaved()).toBe(true);
      expect(store.asksBeforeLeaving()).toBe(asks);
    }
  });

  test('sends an outdated draft with the version its writer saw', async () => {
    const box = new Box();
    open(deskOf(1, [question(1)]), box).store.type({ user_score: '6' });
    const overtaken = question(1, { version: 3, user_score: 9, status: 5, reviewer_name: '吴老师' });
    const { store, sent } = open(deskOf(1, [overtaken]), box);
    store.saveAndGo();
    await turn();
    expect(sent[0]).toMatchObject({ version: 0, user_score: '6' });
  });

  test('prefetches the next report, and shows it at once', async () => {
    const desks = [deskOf(2, [question(1)])];
    const { store, sent, shown } = open(deskOf(1, [question(1)], { nextReportId: 2 }), new Box(), desks);
    await turn();
    store.type({ user_score: '10' });
    store.saveAndGo();
    expect(store.isComplete()).toBe(true);
    store.finish('好');
    expect(store.snapshot().desk.report.report_id).toBe(2);
    expect(shown.at(-1)).toMatchObject({ report_id: 2, class_id: 0, ques_id: 1, skip: [] });
    await turn();
    await turn();
    expect(sent.map(({ kind }) => kind)).toEqual(['mark', 'finish']);
  });

  test('announces a reduced score, and does not save on the next Enter', async () => {
    const { store, sent } = open(deskOf(1, [question(1, { ques_score: 12 }), question(2)]));
    store.typeScore('1');
    store.typeScore('15');
    expect(store.snapshot()).toMatchObject({ draft: { user_score: '12' }, fault: '超过满分，已按 12.0 分计' });
    store.saveAndGo();
    await turn();
    expect([sent, cards(store)]).toEqual([[], ['1:4*', '2:4']]);
    expect(store.snapshot().fault).toBe('超过满分，已按 12.0 分计');
    store.saveAndGo();
    await turn();
    expect(sent[0]).toMatchObject({ ques_id: 1, user_score: '12', type: 2 });
    // The next answer starts clean: a number typed there counts as typed, not as reduced.
    expect(store.snapshot()).toMatchObject({ fault: undefined, scoreChange: false });
    store.typeScore('99');
    store.typeScore('9');
    expect(store.snapshot()).toMatchObject({ draft: { user_score: '9' }, fault: undefined });
    store.saveAndGo();
    await turn();
    expect(sent[1]).toMatchObject({ ques_id: 2, user_score: '9' });
  });

  test.each([
    ['.5', '5', '已去掉小数点'],
    ['-4', '4', '已去掉负号'],
    ['－4', '4', '已去掉负号'],
  ])('does not save %s, typed key by key, as %s before review', async (keys, value, told) => {
    const { store, sent } = open(deskOf(1, [question(1, { ques_score: 12 }), question(2)]));
    for (const key of keys) store.typeScore(store.snapshot().draft.user_score + key);
    expect(store.snapshot()).toMatchObject({ draft: { user_score: value }, fault: told });
    store.saveAndGo();
    await turn();
    expect([sent, store.snapshot().fault]).toEqual([[], told]);
    store.saveAndGo();
    await turn();
    expect(sent[0]).toMatchObject({ ques_id: 1, user_score: value, type: 2 });
  });

  test('saves 12.0, typed key by key, as full score 12', async () => {
    const { store, sent } = open(deskOf(1, [question(1, { ques_score: 12 }), question(2)]));
    for (const key of '12.0') store.typeScore(store.snapshot().draft.user_score + key);
    expect(store.snapshot()).toMatchObject({ draft: { user_score: '12' }, fault: undefined });
    store.saveAndGo();
    await turn();
    expect(sent[0]).toMatchObject({ ques_id: 1, user_score: '12', type: 2 });
  });

  test('excludes a finished report from a prefetched count', async () => {
    const deskWithCount = (id: number, waiting_count: number): Desk => {
      const desk = deskOf(id, [question(1)], { nextReportId: id + 1 });
      return { ...desk, report: { ...desk.report, assignment_id: 9, waiting_count, submitted_count: 5 } };
    };
    const { store } = open(deskWithCount(1, 3), new Box(), [deskWithCount(2, 3)]);
    await turn();
    store.type({ user_score: '10' });
    store.saveAndGo();
    store.finish('');
    expect([store.snapshot().desk.report.report_id, store.waitingReports()]).toEqual([2, 2]);
  });

  test('announces that the next report is rated homework', async () => {
    const next = deskOf(2, [question(1)]);
    const rated: Desk = {
      ...next,
      report: { ...next.report, assignment_id: 2, assignment_name: '周末作业', is_set_score: 1 },
    };
    const first = deskOf(1, [question(1)], { nextReportId: 2 });
    const { store } = open({ ...first, report: { ...first.report, assignment_id: 1 } }, new Box(), [rated]);
    await turn();
    store.skip();
    await turn();
    expect(store.snapshot().notice?.text).toBe('已进入另一份作业：周末作业，改为按正确率评分（%）');
  });

  test('saves nothing on the way to equal answers, and keeps typed text', async () => {
    const { store, sent, left, box } = open(deskOf(1, [question(1)]));
    store.type({ user_score: '5' });
    expect(store.asksBeforeLeaving()).toBe(true);
    store.gradeSame();
    await turn();
    expect([sent, left, store.asksBeforeLeaving()]).toEqual([[], ['same'], false]);
    expect(open(deskOf(1, [question(1)]), box).store.snapshot().draft.user_score).toBe('5');
  });

  test('keeps a mark sent while another person was signed in', async () => {
    const { store, sent, server, box } = open(deskOf(1, [question(1)]));
    server.reply = () => ({ status: 409, msg: '此内容由王老师填写', owner: '王老师' });
    store.type({ user_score: '5' });
    store.saveAndGo();
    await turn();
    expect(store.snapshot().pending).toMatchObject([{ state: 'signed-out', message: '此内容由王老师填写' }]);
    const again = open(deskOf(1, [question(1)]), box);
    await turn();
    expect([sent.length, again.sent]).toEqual([1, [expect.objectContaining({ user_score: '5' })]]);
  });

  test('does not save a just reduced score when moving on', async () => {
    const desks = [deskOf(2, [question(1)])];
    const { store, sent } = open(deskOf(1, [question(1), question(2)], { nextReportId: 2 }), new Box(), desks);
    store.typeScore('11');
    store.choose(2);
    await turn();
    expect([sent, cards(store)]).toEqual([[], ['1:4*', '2:4']]);
    store.typeScore('11');
    store.skip();
    await turn();
    expect([sent.length, store.snapshot().desk.report.report_id]).toEqual([0, 1]);
    store.choose(2);
    await turn();
    expect(sent[0]).toMatchObject({ ques_id: 1, user_score: '10' });
  });

  test('reports a finish while showing the next report', async () => {
    const desks = [deskOf(2, [question(1)])];
    const { store, server } = open(deskOf(1, [question(1, { status: 5 })], { nextReportId: 2 }), new Box(), desks);
    await turn();
    server.reply = () => ({ status: 200, msg: '操作成功', data: {} });
    store.finish('');
    expect(store.snapshot()).toMatchObject({ announcement: '', desk: { report: { report_id: 2 } } });
    await turn();
    expect(store.snapshot().announcement).toBe('操作成功');
    store.typeScore('5');
    expect(store.snapshot().announcement).toBe('');
  });

  test('returns to the list after the last save', async () => {
    const { store, left } = open(deskOf(1, [question(1)]));
    store.type({ user_score: '10' });
    store.saveAndGo();
    store.finish('');
    expect(left).toEqual([]);
    await turn();
    await turn();
    await turn();
    expect(left).toEqual(['list']);
  });

  test('saves on skip and moves on, or says that nobody is left', async () => {
    const desks = [deskOf(2, [question(1)])];
    const { store, sent, shown } = open(deskOf(1, [question(1)], { nextReportId: 2 }), new Box(), desks);
    await turn();
    store.type({ review_comment: '再看' });
    store.skip();
    expect(shown.at(-1)).toMatchObject({ report_id: 2, skip: [1], ques_id: 1 });
    await turn();
    expect(sent[0]).toMatchObject({ type: 1, review_comment: '再看' });
    store.skip();
    expect(store.snapshot().notice).toEqual({ kind: 'warning', text: '已是最后一名学员' });
  });

  test('toggles a frequent comment with one key', () => {
    const { store } = open(deskOf(1, [question(1)]));
    store.type({ review_comment: '好' });
    store.toggleComment('步骤不全');
    expect(store.snapshot().draft.review_comment).toBe('好\n步骤不全');
    store.toggleComment('步骤不全');
    expect(store.snapshot().draft.review_comment).toBe('好');
  });

  test('survives full storage with a message', () => {
    const box = new Box();
    box.setItem = () => {
      throw new Error('QuotaExceededError');
    };
    const { store } = open(deskOf(1, [question(1)]), box);
    store.type({ user_score: '6' });
    expect(store.snapshot()).toMatchObject({ hasUnstoredDrafts: true, draft: { user_score: '6' } });
  });
});
