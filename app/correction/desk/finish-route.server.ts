/** Finishing without client JS: on to the next report, or back to where the pass was entered from. */
import { data, type RouterContextProvider, redirect } from 'react-router';
import { stillWaiting } from '#server/homework/rules.ts';
import { api } from '../../api/client.server.ts';
import { mustBeAllowed } from '../../shell/allowed.server.ts';
import { idempotencyField, refused } from '../../shell/form-action.server.ts';
import { getSession } from '../../shell/session.server.ts';
import { endOfPass, finish, finishAll } from '../screens.ts';
import { addressOfReport } from './address.ts';
import { closedReason, waits } from './desk.ts';
import type { DeskCalls } from './desk-calls.server.ts';
import { openScreen } from './open-desk.server.ts';

/** Before a report is finished, which it is once, and only when none of its answers waits. */
export async function openFinish(calls: DeskCalls, { context, url }: Omit<Acting, 'request'>) {
  const desk = await openScreen(calls, { context, url });
  const opened = finish.opened(url);
  const refusal = closedReason(desk) ?? (desk.subjective.some(waits) ? stillWaiting : undefined);
  mustBeAllowed(context, refusal, opened.closeHref);
  return opened;
}

/** Before all reports that are marked are finished: how many they are. */
export async function openFinishAll(calls: DeskCalls, { context, url }: Omit<Acting, 'request'>) {
  const { report } = await openScreen(calls, { context, url });
  const counted = await calls.countFinishable(context.get(api), calls.screens.desk.at(url));
  if (!counted.ok) throw data({ msg: counted.msg }, { status: counted.status });
  const opened = finishAll.opened(url);
  const none = counted.data === 0 ? `没有可以完成批改的${calls.words.report}` : undefined;
  mustBeAllowed(context, report.isGone ? report.closed : none, opened.closeHref);
  return { ...opened, words: calls.words, count: counted.data };
}

interface Acting {
  request: Request;
  context: Readonly<RouterContextProvider>;
  url: URL;
}

export async function finishByForm(calls: DeskCalls, { request, context, url }: Acting) {
  const form = await request.formData();
  const { screens } = calls;
  const address = calls.screens.desk.at(url);
  const { report_id, class_id, skip } = address;
  const comment = String(form.get('comment') ?? '');
  const sent = { report_id, class_id, skip, comment, idempotencyKey: idempotencyField(form) };
  const outcome = await calls.finish(context.get(api), sent);
  if (!outcome.ok) return refused(outcome, form);
  getSession(context).flash('flash', { kind: 'success', msg: outcome.msg });
  const { next_report_id: next, pile_id = 0 } = outcome.data;
  throw redirect(
    next === null ? endOfPass(screens, address, pile_id) : screens.desk.href(addressOfReport(address, next)),
  );
}

export async function finishAllByForm(calls: DeskCalls, { request, context, url }: Acting) {
  const form = await request.formData();
  const { screens } = calls;
  const address = calls.screens.desk.at(url);
  const { report_id, class_id, skip } = address;
  const sent = { report_id, class_id, skip, idempotencyKey: idempotencyField(form) };
  const outcome = await calls.finishAll(context.get(api), sent);
  if (!outcome.ok) return refused(outcome, form);
  const { count, next_report_id: next, pile_id = 0 } = outcome.data;
  getSession(context).flash('flash', { kind: 'success', msg: `已完成 ${count} 份${calls.words.report}的批改` });
  const onwards = next === null ? undefined : addressOfReport({ ...address, by: undefined, order: undefined }, next);
  throw redirect(onwards ? screens.desk.href(onwards) : endOfPass(screens, address, pile_id));
}
