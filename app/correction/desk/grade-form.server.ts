/** What a posted panel comes to: saved and on to the next answer, or the panel again with what was typed. */
import { data, type RouterContextProvider, redirect } from 'react-router';
import type { Attachment, MarkBody } from '#server/correction/contract.ts';
import { stillWaiting } from '#server/homework/rules.ts';
import { uploadFile } from '#server/platform/files/contract.ts';
import { type ApiClient, api } from '../../api/client.server.ts';
import type { Outcome } from '../../api/outcome.server.ts';
import { idOf } from '../../lib/search.ts';
import { mustBeThere } from '../../shell/form-action.server.ts';
import { readFormWithFile } from '../../shell/form-with-file.server.ts';
import { type Flash, getSession } from '../../shell/session.server.ts';
import { finish, sameMark } from '../screens.ts';
import { addressOfReport, addressSkipping, type DeskAddress } from './address.ts';
import type { Desk } from './desk.ts';
import type { DeskCalls } from './desk-calls.server.ts';
import { seenPanel } from './grade-panel.tsx';
import type { RefusedMark } from './grading-desk.tsx';
import { isConflict } from './save-queue.ts';
import type { Draft } from './shelf.ts';
import { addressOfPlace, cardOf, nextAnswer, nextReport, waitingOf } from './way.ts';

interface FormContext {
  calls: DeskCalls;
  request: Request;
  context: Readonly<RouterContextProvider>;
  url: URL;
}

/** Bytes of one attachment that comes with the form. */
const attachmentBytes = 20 * 1024 * 1024;

export async function actOnForm({ calls, request, context, url }: FormContext) {
  const client = context.get(api);
  const address = calls.screens.desk.at(url);
  const sent = await readForm(request, context);
  const { intent, typed } = sent;
  if (intent.kind === 'undo') return undo(client, { calls, context }, address);
  if (intent.kind === 'comment') {
    const review_comment = [typed.review_comment, intent.comment].filter(Boolean).join('\n');
    return data<RefusedMark>({ ques_id: sent.ques_id, msg: '', faults: {}, typed: { ...typed, review_comment } });
  }

  const here = { ...address, ques_id: sent.ques_id };
  const attached = await attach(client, sent);
  if ('msg' in attached) {
    return data<RefusedMark>(
      { ques_id: sent.ques_id, msg: attached.msg, faults: { review_attachments: attached.msg }, typed },
      { status: attached.status },
    );
  }
  const draft = { ...typed, review_attachments: attached.files };
  const explicit = intent.kind === 'save';
  if (explicit || differs(draft, sent.seen)) {
    const outcome = await calls.save(client, markBody(sent, draft, address.report_id, explicit));
    if (!outcome.ok) return refusedMark(outcome, sent.ques_id, draft);
  }
  const opened = await calls.open(client, here);
  if (!opened.ok) throw data({ msg: opened.msg }, { status: opened.status });
  return goOn({ calls, context }, intent, opened.data);
}

// ---- reading ------------------------------------------------------------------------------------

type Intent =
  | { kind: 'save' | 'attach' | 'skip' | 'finish' | 'same' | 'undo' }
  | { kind: 'goto'; id: number }
  | { kind: 'comment'; comment: string };

interface Sent {
  intent: Intent;
  ques_id: number;
  version: number | undefined;
  typed: Draft;
  /** What the panel showed before anything was typed. */
  seen: string;
  /** The answer was left blank: the panel had no field for a mark. */
  blank: boolean;
  file: File | undefined;
  tooLarge: boolean;
}

async function readForm(request: Request, context: FormContext['context']): Promise<Sent> {
  const isUpload = (request.headers.get('content-type') ?? '').startsWith('multipart/');
  const sent = isUpload
    ? await readFormWithFile(request, context, attachmentBytes)
    : { fields: new URLSearchParams(await request.text()), file: undefined };
  const text = (name: string) => sent.fields.get(name) ?? '';
  return {
    intent: readIntent(text('intent')),
    ques_id: Number(text('ques_id')) || 0,
    version: text('version') === '0' ? 0 : idOf(text('version')),
    typed: {
      user_score: text('user_score').trim(),
      review_comment: text('review_comment').replaceAll('\r\n', '\n'),
      review_attachments: sent.fields.getAll('keep_attachment').flatMap(readAttachment),
      image: [],
    },
    seen: text('seen'),
    blank: text('blank') === '1',
    file: sent.file === 'too-large' ? undefined : sent.file,
    tooLarge: sent.file === 'too-large',
  };
}

function readIntent(text: string): Intent {
  const id = text.startsWith('goto:') ? idOf(text.slice('goto:'.length)) : undefined;
  if (id) return { kind: 'goto', id };
  if (text.startsWith('comment:')) return { kind: 'comment', comment: text.slice('comment:'.length) };
  const kinds = ['attach', 'skip', 'finish', 'same', 'undo'] as const;
  return { kind: kinds.find((kind) => kind === text) ?? 'save' };
}

/** What is no attachment of ours is left out: the API would refuse it. */
function readAttachment(text: string): Attachment[] {
  try {
    const { name, url, ext } = JSON.parse(text) as Partial<Attachment>;
    return typeof name === 'string' && typeof url === 'string' ? [{ name, url, ext: ext ?? '' }] : [];
  } catch {
    return [];
  }
}

const differs = (draft: Draft, seen: string): boolean => seenPanel(draft) !== seen;

// ---- saving -------------------------------------------------------------------------------------

async function attach(
  client: ApiClient,
  { file, tooLarge, typed }: Sent,
): Promise<{ files: Attachment[] } | { msg: string; status: number }> {
  if (tooLarge) return { msg: '附件不能超过 20 MB', status: 413 };
  if (!file) return { files: typed.review_attachments };
  const form = new FormData();
  form.set('file', file);
  const outcome = await client.upload(uploadFile, form);
  if (!outcome.ok) return { msg: outcome.msg, status: outcome.status };
  const { originalName: name, path: url } = outcome.data;
  return { files: [...typed.review_attachments, { name, url, ext: url.split('.').at(-1) ?? '' }] };
}

/** Merely going on does not ask for a mark. */
function markBody(sent: Sent, draft: Draft, report_id: number, explicit: boolean): MarkBody {
  const { ques_id, version } = sent;
  const marked = draft.user_score !== '';
  return {
    report_id,
    ques_id,
    version,
    type: marked || (explicit && !sent.blank) ? 2 : 1,
    user_score: draft.user_score,
    review_comment: draft.review_comment,
    review_attachments: draft.review_attachments,
  };
}

function refusedMark(outcome: Extract<Outcome<unknown>, { ok: false }>, ques_id: number, typed: Draft) {
  const { errors = {}, status, msg } = outcome;
  const [user_score, review_comment, review_attachments] = [
    errors.user_score?.[0],
    errors.review_comment?.[0],
    Object.entries(errors).find(([name]) => name.startsWith('review_attachments'))?.[1][0],
  ];
  const conflict = isConflict(outcome.data) ? outcome.data : undefined;
  return data<RefusedMark>(
    { ques_id, msg, faults: { user_score, review_comment, review_attachments }, typed, conflict },
    { status },
  );
}

async function undo(client: ApiClient, pass: Pass, address: DeskAddress) {
  const outcome = await pass.calls.undoSame(client, address.batch);
  mustBeThere(outcome);
  const { kept = [] } = outcome.ok ? outcome.data : {};
  const msg = !outcome.ok
    ? outcome.msg
    : kept.length > 0
      ? `已撤销 ${outcome.data.undone} 份；${kept.join('、')}的答案已被再次批改，保持不变`
      : `已撤销 ${outcome.data.undone} 份`;
  return go(pass, { ...address, batch: undefined }, { kind: outcome.ok ? 'success' : 'warning', msg });
}

// ---- going on -----------------------------------------------------------------------------------

type Pass = Pick<FormContext, 'calls' | 'context'>;

function goOn(pass: Pass, intent: Intent, desk: Desk) {
  const { address } = desk;
  switch (intent.kind) {
    case 'goto':
      return go(pass, addressOfPlace(desk, intent.id));
    case 'skip': {
      const next = nextReport(desk, cardOf(desk));
      if (next === null) return go(pass, address, { kind: 'warning', msg: '已是最后一名学员' });
      return go(pass, addressOfReport(addressSkipping(address), next));
    }
    case 'finish':
      if (waitingOf(desk) > 0) return go(pass, address, { kind: 'warning', msg: stillWaiting });
      throw redirect(finish.href(pass.calls.screens.desk.href(address)));
    case 'same':
      throw redirect(sameMark.href(pass.calls.screens.desk.href(address)));
    case 'attach':
      return go(pass, address, { kind: 'success', msg: '上传成功' });
    default:
      return goToNext(pass, desk);
  }
}

function goToNext(pass: Pass, desk: Desk) {
  const next = nextAnswer(desk, cardOf(desk));
  if (next !== undefined) return go(pass, addressOfPlace(desk, next), { kind: 'success', msg: '保存成功' });
  const done = desk.round ? '本题已全部批改' : `本份${desk.words.paper}已全部批改，可以完成批改`;
  return go(pass, desk.address, { kind: 'success', msg: `保存成功，${done}` });
}

function go({ calls, context }: Pass, address: DeskAddress, flash?: Flash['flash']): never {
  if (flash) getSession(context).flash('flash', flash);
  throw redirect(calls.screens.desk.href(address));
}
