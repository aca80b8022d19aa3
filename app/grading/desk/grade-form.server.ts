/** Handles the posted grading form: saves and leads to the next answer, or returns the form with the typed values. */

import { data, redirect } from 'react-router';
import { ungradedAnswersMessage } from '#server/grading/rules.ts';
import { uploadFile } from '#server/platform/files/contract.ts';
import { noFileMessage } from '#server/platform/files/rules.ts';
import { type ApiClient, api } from '../../api/client.server.ts';
import { answerOrErrorPage, type RefusedOutcome } from '../../api/outcome.server.ts';
import { idOf } from '../../lib/search.ts';
import { flashMessage, readButton, readPostedForm, requireAvailable } from '../../shell/form-action.server.ts';
import type { FormRequest } from '../../shell/form-request.ts';
import { readFormSendingFile } from '../../shell/form-with-file.server.ts';
import { isMultipart } from '../../shell/posted-form.server.ts';
import type { Flash } from '../../shell/session.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { type DeskAddress, equalAnswers, finish, pinnedComments } from '../screens.ts';
import { deskMessages } from '../terms.ts';
import { addressOfReport, addressWithReportSkipped } from './address.ts';
import type { Desk } from './desk.ts';
import { callsOf, type DeskCalls, nextAssignmentMessage } from './desk-calls.server.ts';
import type { Draft } from './draft-storage.ts';
import { panelFingerprint } from './grade-panel.tsx';
import { addressOfPlace, cardOf, countWaiting, nextAnswer, nextReport } from './navigation.ts';
import { draftOfFields, fieldsOf, type RefusedMark } from './refused-mark.ts';
import { isConflict } from './save-queue.ts';

export async function handlePanelForm({ request, context, url }: FormRequest) {
  const calls = callsOf(url);
  const client = context.get(api);
  const address = calls.screens.desk.at(url);
  const panel = await readPanel(request, context);
  const { intent, ques_id, draft, refusal } = panel;
  if (intent.kind === 'undo') return undo(client, { calls, context }, address);
  if (intent.kind === 'rejudge' || intent.kind === 'unjudge') {
    return judge(client, { calls, context }, address, intent, panel);
  }
  if (refusal) return refusedMark({ ...refusal, errors: { review_attachments: [refusal.msg] } }, ques_id, draft);
  if (intent.kind === 'comment') {
    const review_comment = [draft.review_comment, intent.comment].filter(Boolean).join('\n');
    return data<RefusedMark>({ ques_id, msg: '', typed: fieldsOf({ ...draft, review_comment }) });
  }
  const explicit = intent.kind === 'save';
  // The button for equal answers saves nothing here: their dialog saves once the grader confirms it.
  const isSaved = explicit || (intent.kind !== 'same' && panelFingerprint(draft) !== panel.seen);
  if (isSaved) {
    const outcome = await calls.save(client, markBody(panel, address.report_id, explicit));
    if (!outcome.ok) return refusedMark(outcome, ques_id, draft);
  }
  const opened = answerOrErrorPage(await calls.open(client, { ...address, ques_id }, signedInPerson(context).settings));
  return redirectAfterIntent({ calls, context }, intent, opened.data, draft);
}

// ---- reading the form --------------------------------------------------------------------------

type Intent =
  | { kind: 'save' | 'attach' | 'skip' | 'finish' | 'same' | 'comments' | 'undo' }
  | { kind: 'rejudge'; id: number; right: string }
  | { kind: 'unjudge'; id: number }
  | { kind: 'goto'; id: number }
  | { kind: 'comment'; comment: string };

interface Panel {
  intent: Intent;
  ques_id: number;
  version: number | undefined;
  draft: Draft;
  refusal: RefusedOutcome | undefined;
  /** Id of the blank to overrule. */
  blank_id: string;
  reason: string;
  /** panelFingerprint of the panel as rendered. If the posted panel differs, something was typed. */
  seen: string;
  /** True if the student left the answer blank: the panel then had no score field. */
  blank: boolean;
}

const withoutFile: RefusedOutcome = { ok: false, status: 422, msg: noFileMessage };

async function readPanel(request: Request, context: FormRequest['context']): Promise<Panel> {
  const { fields, outcome } = isMultipart(request)
    ? await readFormSendingFile(request, context, uploadFile)
    : { fields: await readPostedForm(request, context), outcome: undefined };
  const text = (name: string) => String(fields.get(name) ?? '');
  const draft = draftOfFields([...fields].map(([name, value]) => [name, String(value)] as const));
  if (outcome?.ok) {
    const { originalName: name, path: url } = outcome.data;
    draft.review_attachments = [...draft.review_attachments, { name, url, ext: url.split('.').at(-1) ?? '' }];
  }
  const intent = intentIn(fields);
  return {
    intent,
    ques_id: Number(text('ques_id')) || 0,
    version: text('version') === '0' ? 0 : idOf(text('version')),
    draft,
    refusal: outcome?.ok === false ? outcome : intent.kind === 'attach' && !outcome ? withoutFile : undefined,
    blank_id: text('blank'),
    reason: text('reason'),
    seen: text('seen'),
    blank: text('blank') === '1',
  };
}

/** Enter in a field submits without a button and saves. */
function intentIn(fields: Pick<FormData, 'get'>): Intent {
  const buttons = [
    '',
    'save',
    'goto',
    'comment',
    'attach',
    'skip',
    'finish',
    'same',
    'comments',
    'undo',
    'rejudge',
    'unjudge',
  ] as const;
  const [button, ...rest] = readButton(fields, ...buttons);
  const words = rest.join(' ');
  if (button === 'comment') return { kind: button, comment: words };
  if (button === 'rejudge') return { kind: button, id: idOf(rest[0]) ?? 0, right: rest[1] ?? '' };
  if (button === 'unjudge') return { kind: button, id: idOf(rest[0]) ?? 0 };
  if (button !== 'goto') return { kind: button || 'save' };
  const id = idOf(words);
  return id ? { kind: button, id } : { kind: 'save' };
}

// ---- saving -------------------------------------------------------------------------------------

/** A save requires a score (type 2). Going to another answer does not: then only the comment is saved (type 1). */
function markBody({ ques_id, version, draft, blank }: Panel, report_id: number, explicit: boolean) {
  const { user_score, review_comment, review_attachments } = draft;
  const type = user_score !== '' || (explicit && !blank) ? 2 : 1;
  return { report_id, ques_id, version, type, user_score, review_comment, review_attachments } as const;
}

function refusedMark({ errors, status, msg, data: answer }: RefusedOutcome, ques_id: number, draft: Draft) {
  const conflict = isConflict(answer) ? answer : undefined;
  return data<RefusedMark>({ ques_id, msg, errors, typed: fieldsOf(draft), conflict }, { status });
}

async function judge(
  client: ApiClient,
  pass: Pass,
  address: DeskAddress,
  intent: Extract<Intent, { kind: 'rejudge' | 'unjudge' }>,
  { blank_id: blank, reason }: Panel,
) {
  if (intent.kind === 'unjudge') {
    const outcome = await pass.calls.undoRejudge(client, intent.id);
    requireAvailable(outcome);
    const msg = outcome.ok ? `${outcome.msg}，${outcome.data.count}份答案的得分已改变` : outcome.msg;
    return redirectToDesk(pass, address, { kind: outcome.ok ? 'success' : 'warning', msg });
  }
  const { id: ques_id, right } = intent;
  const body = { report_id: address.report_id, ques_id, blank, right: right === '1' ? 1 : 2, reason } as const;
  const outcome = await pass.calls.rejudge(client, body);
  if (outcome.ok) {
    return redirectToDesk(pass, address, {
      kind: 'success',
      msg: `${outcome.msg}，${outcome.data.count}份答案的得分已改变`,
    });
  }
  const { status, msg, errors } = outcome;
  const typed = Object.entries({ blank, reason });
  return data<RefusedMark>({ ques_id, msg, errors, typed }, { status });
}

async function undo(client: ApiClient, pass: Pass, address: DeskAddress) {
  const outcome = await pass.calls.undoSame(client, address.batch);
  requireAvailable(outcome);
  const { kept = [] } = outcome.ok ? outcome.data : {};
  const msg = !outcome.ok
    ? outcome.msg
    : kept.length > 0
      ? `已撤销 ${outcome.data.undone} 份；${kept.join('、')}的答案已被再次批改，保持不变`
      : `已撤销 ${outcome.data.undone} 份`;
  return redirectToDesk(pass, { ...address, batch: undefined }, { kind: outcome.ok ? 'success' : 'warning', msg });
}

// ---- going to the next answer ------------------------------------------------------------------

interface Pass extends Pick<FormRequest, 'context'> {
  calls: DeskCalls;
}

async function redirectAfterIntent(pass: Pass, intent: Intent, desk: Desk, draft: Draft) {
  const { address } = desk;
  switch (intent.kind) {
    case 'goto':
      return redirectToDesk(pass, addressOfPlace(desk, intent.id));
    case 'skip': {
      const next = nextReport(desk, cardOf(desk));
      if (next === null) return redirectToDesk(pass, address, { kind: 'warning', msg: deskMessages.lastStudent });
      const settings = signedInPerson(pass.context).settings;
      const msg = await nextAssignmentMessage(pass.calls, pass.context.get(api), { address, next, settings });
      return redirectToDesk(
        pass,
        addressOfReport(addressWithReportSkipped(address), next),
        msg ? { kind: 'warning', msg } : undefined,
      );
    }
    case 'finish':
      if (countWaiting(desk) > 0)
        return redirectToDesk(pass, address, { kind: 'warning', msg: ungradedAnswersMessage });
      throw redirect(finish.href(pass.calls.screens.desk.href(address)));
    case 'same':
      throw redirect(
        equalAnswers.href(
          pass.calls.screens.desk.href({
            ...address,
            typed_score: draft.user_score,
            typed_comment: draft.review_comment,
          }),
        ),
      );
    case 'comments':
      throw redirect(pinnedComments.href(pass.calls.screens.desk.href(address)));
    case 'attach':
      return redirectToDesk(pass, address, { kind: 'success', msg: '上传成功' });
    default:
      return goToNext(pass, desk);
  }
}

function goToNext(pass: Pass, desk: Desk) {
  const next = nextAnswer(desk, cardOf(desk));
  if (next !== undefined) return redirectToDesk(pass, addressOfPlace(desk, next), { kind: 'success', msg: '保存成功' });
  const done = desk.round ? deskMessages.questionDone : `${deskMessages.paperDone(desk.words.paper)}，可以完成批改`;
  return redirectToDesk(pass, desk.address, { kind: 'success', msg: `保存成功，${done}` });
}

function redirectToDesk({ calls, context }: Pass, address: DeskAddress, said?: Flash['flash']): never {
  if (said) flashMessage(context, said.kind, said.msg);
  throw redirect(calls.screens.desk.href(address));
}
