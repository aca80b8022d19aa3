/** Finishing without client JS: on to the next report, or back to the list (document 1, section 2). */
import { data, type RouterContextProvider, redirect } from 'react-router';
import { api } from '../api.server.ts';
import { idempotencyField, refused } from '../shell/dialog-action.server.ts';
import { getSession } from '../shell/session.server.ts';
import { addressOfReport, addressSearch } from './address.ts';
import type { DeskCalls } from './desk-calls.server.ts';

export const openFinish = ({ places, readAddress }: DeskCalls, url: URL) => ({
  closeHref: `${places.base}${addressSearch(readAddress(url.searchParams))}`,
  idempotencyKey: crypto.randomUUID(),
});

/** Before all reports that are marked are finished: how many they are. */
export async function openFinishAll(calls: DeskCalls, { context, url }: Omit<Acting, 'request'>) {
  const counted = await calls.countFinishable(context.get(api), calls.readAddress(url.searchParams));
  if (!counted.ok) throw data({ msg: counted.msg }, { status: counted.status });
  return { ...openFinish(calls, url), words: calls.words, count: counted.data };
}

interface Acting {
  request: Request;
  context: Readonly<RouterContextProvider>;
  url: URL;
}

export async function finishByForm(calls: DeskCalls, { request, context, url }: Acting) {
  const form = await request.formData();
  const { places } = calls;
  const address = calls.readAddress(url.searchParams);
  const { report_id, class_id, skip } = address;
  const comment = String(form.get('comment') ?? '');
  const sent = { report_id, class_id, skip, comment, idempotencyKey: idempotencyField(form) };
  const outcome = await calls.finish(context.get(api), sent);
  if (!outcome.ok) return refused(outcome, form);
  getSession(context).flash('flash', { kind: 'success', msg: outcome.msg });
  const { next_report_id: next, pile_id = 0 } = outcome.data;
  throw redirect(
    next === null ? places.list(pile_id) : `${places.base}${addressSearch(addressOfReport(address, next))}`,
  );
}

export async function finishAllByForm(calls: DeskCalls, { request, context, url }: Acting) {
  const form = await request.formData();
  const { places } = calls;
  const address = calls.readAddress(url.searchParams);
  const { report_id, class_id, skip } = address;
  const sent = { report_id, class_id, skip, idempotencyKey: idempotencyField(form) };
  const outcome = await calls.finishAll(context.get(api), sent);
  if (!outcome.ok) return refused(outcome, form);
  const { count, next_report_id: next, pile_id = 0 } = outcome.data;
  getSession(context).flash('flash', { kind: 'success', msg: `已完成 ${count} 份${calls.words.report}的批改` });
  const onwards = next === null ? undefined : addressOfReport({ ...address, by: undefined }, next);
  throw redirect(onwards ? `${places.base}${addressSearch(onwards)}` : places.list(pile_id));
}
