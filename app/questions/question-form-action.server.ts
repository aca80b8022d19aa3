/** Handles a posted question form: saves it, or returns the form after the operation of a pressed button. */
import { data } from 'react-router';
import { isPhotograph, notAPhotoMessage, pictureBytes } from '#server/platform/files/rules.ts';
import type { QuestionDraft } from '#server/questions/rules.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { idempotencyKeyAfter, type Outcome } from '../api/outcome.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { readButton, readPostedForm, redirectWithMessage } from '../shell/form-action.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { readFormWithFile } from '../shell/form-with-file.server.ts';
import { storePicture } from '../shell/picture.server.ts';
import { isMultipart } from '../shell/posted-form.server.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { displayCall } from './display-call.server.ts';
import { draftForApi, type Fields, readDraft } from './question-codec.ts';
import {
  operationKinds,
  pendingTypeChange,
  type QuestionFormState,
  readOperation,
  reduceQuestionForm,
  withPicture,
} from './question-operations.ts';
import { type RenderedQuestion, renderDraft, textsOf } from './rendered-question.ts';
import { questionList } from './screens.ts';

/** Result of the question form. `state` already has the typed values, so it replaces `typed`. */
export interface QuestionFormAnswer extends Omit<RefusedForm, 'typed'> {
  state: QuestionFormState;
  preview?: RenderedQuestion;
  /** Hidden fields about the record, which the form sends back. */
  hidden?: Record<string, string>;
}

type Save = (
  client: ApiClient,
  draft: QuestionDraft,
  idempotencyKey: string | undefined,
  form: Fields,
) => Promise<Outcome<unknown>>;

/** Names of the hidden fields in the form that edits a question. */
const hiddenFieldNames = ['seen', 'acknowledged'] as const;

export async function questionFormAction(
  { request, context }: { request: Request; context: RequestContext },
  save: Save,
  /** Address to go to after saving. */
  next: string = questionList.href(),
) {
  const sent = isMultipart(request) ? await readFormWithFile(request, context, pictureBytes) : undefined;
  const form: Fields = sent?.fields ?? (await readPostedForm(request, context));
  const key = idempotencyField(form);
  const client = context.get(api);
  readButton(form, '', ...operationKinds);
  const draft = readDraft(form);
  const operation = readOperation(form);
  const hidden = Object.fromEntries(
    hiddenFieldNames.flatMap((name) => {
      const posted = form.get(name);
      return typeof posted === 'string' ? [[name, posted]] : [];
    }),
  );
  const again = (answer: Partial<QuestionFormAnswer>, status = 200) =>
    data<QuestionFormAnswer>({ msg: '', state: { draft }, key, hidden, ...answer }, { status });

  if (operation.kind === 'save') {
    const pending = pendingTypeChange(form, draft);
    if (pending) {
      const state = reduceQuestionForm({ draft }, pending);
      return again({ state: { ...state, message: '题型已切换，请填写后再保存' } });
    }
    const outcome = await save(client, draftForApi(draft), key, form);
    if (outcome.ok) return redirectWithMessage(context, outcome.msg, next);
    const { errors = {}, msg, status } = outcome;
    return again(
      { errors, msg, key: idempotencyKeyAfter(outcome, key), hidden: { ...hidden, ...hiddenFieldsOf(outcome) } },
      status,
    );
  }
  if (operation.kind === 'preview') {
    const shown = await client.send(displayCall(context), { body: { texts: textsOf(draft) } });
    return again({ preview: renderDraft(draft, shown) });
  }
  if (operation.kind === 'upload') {
    const { field } = operation;
    if (!sent?.file) return again({ errors: { [field]: ['请选择要插入的图片'] } }, 422);
    const { file } = sent;
    const isPhoto = file !== 'too-large' && isPhotograph(file);
    const outcome = await storePicture(client, file, { tidy: isPhoto, fault: notAPhotoMessage });
    if (!outcome.ok) return again({ errors: { [field]: [outcome.msg] } }, outcome.status);
    return again({ state: { draft: withPicture(draft, field, outcome.data.path) } });
  }
  return again({ state: reduceQuestionForm({ draft }, operation) });
}

/**
 * Returns hidden fields from the data of a refusal. When the form sends them back, the user has confirmed the change.
 */
function hiddenFieldsOf(outcome: { data?: unknown }): Record<string, string> {
  const errorData = (outcome.data ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    hiddenFieldNames.flatMap((name) => {
      const value = errorData[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
