import { describe, expect, test } from 'vitest';
import { type PendingSave, SaveQueue, type SaveReply, type SaveTask } from '../../app/grading/desk/save-queue.ts';

const mark = (ques_id: number, user_score: string, version = 0): SaveTask => ({
  kind: 'mark',
  report_id: 1,
  ques_id,
  version,
  type: 2,
  user_score,
  review_comment: '',
  review_attachments: [],
});
const finish: SaveTask = { kind: 'finish', report_id: 1, class_id: 0, skip: [], comment: '', key: 'k', last: false };
const ok = (version: number): SaveReply => ({ status: 200, msg: '', data: { version, status: 5, user_score: 1 } });
const turn = () => new Promise((resolve) => setTimeout(resolve));

/** A queue over a server that answers what the test says, when it says so; `undefined` is a network that is away. */
function queueOver() {
  const sent: { save: SaveTask; answer: (reply: SaveReply | undefined) => Promise<void> }[] = [];
  const timers: { work: () => void; delay: number }[] = [];
  const saved: string[] = [];
  let pending: readonly PendingSave[] = [];
  const queue = new SaveQueue({
    send: (save) =>
      new Promise((resolve, reject) => {
        sent.push({
          save,
          answer: async (reply) => {
            if (reply) resolve(reply);
            else reject(new Error('offline'));
            await turn();
          },
        });
      }),
    later: (work, delay) => timers.push({ work, delay }),
    changed: (now) => {
      pending = now;
    },
    saved: ({ id }) => saved.push(id),
  });
  return { queue, sent, timers, saved, states: () => pending.map(({ id, state }) => `${id} ${state}`) };
}

describe('save queue', () => {
  test('saves one at a time, in order', async () => {
    const { queue, sent, states, saved } = queueOver();
    queue.add('1:2', '', mark(2, '5'));
    queue.add('1:3', '', mark(3, '6'));
    expect(states()).toEqual(['1:2 saving', '1:3 waiting']);
    await sent[0]?.answer(ok(1));
    expect(states()).toEqual(['1:3 saving']);
    await sent[1]?.answer(ok(1));
    expect(saved).toEqual(['1:2', '1:3']);
    expect(sent).toHaveLength(2);
  });

  test("sends a later mark after the first one's version", async () => {
    const { queue, sent } = queueOver();
    queue.add('1:2', '', mark(2, '5'));
    queue.add('1:2', '', mark(2, '6'));
    queue.add('1:2', '', mark(2, '7'));
    await sent[0]?.answer(ok(1));
    expect(sent).toHaveLength(2);
    expect(sent[1]?.save).toMatchObject({ user_score: '7', version: 1 });
  });

  test('retries offline with growing delays', async () => {
    const { queue, sent, timers, states } = queueOver();
    queue.add('1:2', '', mark(2, '5'));
    await sent[0]?.answer(undefined);
    expect(states()).toEqual(['1:2 failed']);
    timers[0]?.work();
    await sent[1]?.answer({ status: 503, msg: '' });
    timers[1]?.work();
    expect(timers.map(({ delay }) => delay)).toEqual([1000, 2000]);
    await sent[2]?.answer(ok(1));
    expect(states()).toEqual([]);
  });

  test("resends over one's own mark after a lost answer", async () => {
    const { queue, sent, states } = queueOver();
    queue.add('1:2', '', mark(2, '5'));
    await sent[0]?.answer(undefined);
    queue.add('1:2', '', mark(2, '6'));
    const conflict = { user_score: 5, name: '我', by_me: 1, version: 1 };
    await sent[1]?.answer({ status: 409, msg: '', data: conflict });
    expect(sent[2]?.save).toMatchObject({ user_score: '6', version: 1 });
    await sent[2]?.answer(ok(2));
    expect(states()).toEqual([]);
  });

  test("holds another's conflict with its report, and continues the rest", async () => {
    const { queue, sent, states } = queueOver();
    queue.add('1:2', '', mark(2, '5'));
    queue.add('finish:1', '', finish);
    queue.add('9:2', '', { ...mark(2, '5'), report_id: 9 } as SaveTask);
    await sent[0]?.answer({ status: 409, msg: '', data: { user_score: 8, name: '吴老师', by_me: 0, version: 3 } });
    await sent[1]?.answer(ok(1));
    expect(states()).toEqual(['1:2 conflict', 'finish:1 waiting']);
    queue.overwrite('1:2');
    expect(sent[2]?.save).toMatchObject({ user_score: '5', version: 3 });
    await sent[2]?.answer(ok(4));
    expect(sent[3]?.save.kind).toBe('finish');
  });

  test('drops the own mark when the other is kept, and frees the report', async () => {
    const { queue, sent, states } = queueOver();
    queue.add('1:2', '', mark(2, '5'));
    queue.add('finish:1', '', finish);
    await sent[0]?.answer({ status: 409, msg: '', data: { user_score: 8, name: '吴老师', by_me: 0, version: 3 } });
    queue.drop('1:2');
    await sent[1]?.answer({ status: 200, msg: '', data: {} });
    expect(states()).toEqual([]);
  });

  test('pauses on an expired session, and resumes on request', async () => {
    const { queue, sent, states } = queueOver();
    queue.add('1:2', '', mark(2, '5'));
    await sent[0]?.answer({ status: 401, msg: '登录已过期' });
    expect(states()).toEqual(['1:2 signed-out']);
    queue.retry();
    await sent[1]?.answer(ok(1));
    expect(states()).toEqual([]);
  });

  test('reports a permanent refusal without retry', async () => {
    const { queue, sent, states, timers } = queueOver();
    queue.add('1:2', '', mark(2, '5'));
    await sent[0]?.answer({ status: 409, msg: '该作业已撤回，不能批改', data: null });
    expect(states()).toEqual(['1:2 refused']);
    expect(timers).toEqual([]);
  });
});
