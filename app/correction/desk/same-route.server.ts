/** Equal answers: whose they are, and the form that gives all of them one mark. */
import { data, type RouterContextProvider, redirect } from 'react-router';
import { missingQuestion } from '#server/questions/rules.ts';
import { api } from '../../api/client.server.ts';
import { mustBeAllowed } from '../../shell/allowed.server.ts';
import { idempotencyField, refused } from '../../shell/form-action.server.ts';
import { getSession } from '../../shell/session.server.ts';
import { sameMark } from '../screens.ts';
import { closedReason, isRated } from './desk.ts';
import type { DeskCalls } from './desk-calls.server.ts';
import { openScreen } from './open-desk.server.ts';

interface Acting {
  request: Request;
  context: Readonly<RouterContextProvider>;
  url: URL;
}

export async function openSame(calls: DeskCalls, { context, url }: Omit<Acting, 'request'>) {
  const address = calls.screens.desk.at(url);
  const opened = sameMark.opened(url);
  const desk = await openScreen(calls, { context, url });
  const question = desk.questions.find(({ id }) => id === address.ques_id);
  const answers = await calls.same(context.get(api), address);
  if (!answers.ok) throw data({ msg: answers.msg }, { status: answers.status });
  mustBeAllowed(context, question ? closedReason(desk) : { code: 404, msg: missingQuestion }, opened.closeHref);
  mustBeAllowed(context, answers.data.length === 0 ? '没有相同的答案' : undefined, opened.closeHref);
  return {
    answers: answers.data,
    question,
    isRated: isRated(desk),
    ...opened,
  };
}

export async function gradeSameByForm(calls: DeskCalls, { request, context, url }: Acting) {
  const form = await request.formData();
  const address = calls.screens.desk.at(url);
  const { report_id, class_id, ques_id } = address;
  const answers = form.getAll('answer').flatMap((chosen) => {
    const [id, version] = String(chosen).split(':').map(Number);
    return id && version !== undefined ? [{ report_id: id, version }] : [];
  });
  const outcome = await calls.gradeSame(
    context.get(api),
    {
      report_id,
      class_id,
      ques_id,
      answers,
      version: Number(form.get('version') ?? 0),
      user_score: String(form.get('user_score') ?? ''),
      review_comment: String(form.get('review_comment') ?? ''),
    },
    idempotencyField(form),
  );
  if (!outcome.ok) return refused(outcome, form);
  const { batch_id: batch, count } = outcome.data;
  getSession(context).flash('flash', { kind: 'success', msg: `已为 ${count} 份相同的答案评分` });
  throw redirect(calls.screens.desk.href({ ...address, batch }));
}
