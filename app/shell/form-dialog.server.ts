/** Makes the loader and the action of a `formDialog`, `confirmDialog` or `formScreen`. */
import type { AnswerOf, AnyCall, BodyOf, RequestOf } from '#server/platform/calls/call.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import type { Outcome } from '../api/outcome.server.ts';
import { readFields } from '../lib/form-data.ts';
import { handleEdit } from './form-action.server.ts';
import type { DialogLoaderData, FormDialogOptions } from './form-dialog.tsx';
import type { FormRequest, RequestContext } from './form-request.ts';
import { type RefusalPreview, requireAllowed, requirePermission } from './permissions.server.ts';
import type { Flash } from './session.server.ts';

interface LoadRequest<C extends AnyCall> {
  client: ApiClient;
  context: RequestContext;
  url: URL;
  /** Parameters of the call's path. */
  params: NonNullable<RequestOf<C>['params']>;
}

/**
 * Makes a loader that requires the permission for the call. If `load` returns a `refusal`, it becomes the error page,
 * unless the form was posted already.
 */
export const dialogLoader =
  <C extends AnyCall, Data extends DialogLoaderData<C> & { refusal?: RefusalPreview }>(
    { call, at, params }: FormDialogOptions<C>,
    load: (request: LoadRequest<C>) => Data | Promise<Data>,
  ) =>
  async ({ context, url }: Pick<FormRequest, 'context' | 'url'>) => {
    requirePermission(context, call as Parameters<typeof requirePermission>[1]);
    const request = { client: context.get(api), context, url, params: params?.(url) ?? {} } as LoadRequest<C>;
    const { refusal, ...data } = await load(request);
    const opened = at.opened(url);
    const behind = 'closeHref' in opened ? opened.closeHref : opened.backHref;
    const { closeHref = behind }: DialogLoaderData<C> = data;
    requireAllowed(context, refusal, closeHref);
    return { ...opened, ...data };
  };

interface ActionOptions<C extends AnyCall> {
  /** Returns the fields of the call's body that are not simply the text of a form field. */
  body?: (form: FormData, sent: Pick<FormRequest, 'context' | 'url'>) => { [Name in keyof BodyOf<C>]?: unknown };
  /** Address to redirect to. Default: the screen below the dialog. */
  next?: (url: URL, answer: AnswerOf<C>) => string;
  /** Link in the message after success. */
  onwards?: (url: URL) => Flash['flash']['onwards'];
}

/** Makes an action that sends the dialog's call. Then it redirects with the message, or shows the form again. */
export const dialogAction =
  <C extends AnyCall>({ call, at, params }: FormDialogOptions<C>, { body, next, onwards }: ActionOptions<C> = {}) =>
  ({ url, ...sent }: FormRequest) =>
    handleEdit<AnswerOf<C>>(
      sent,
      (answer) => next?.(url, answer) ?? at.behind(url),
      (client, idempotencyKey, form) => {
        const request = {
          ...(params && { params: params(url) }),
          ...(call.query && { query: readFields(call.query, form) }),
          ...(call.body && { body: { ...readFields(call.body, form), ...body?.(form, { ...sent, url }) } }),
          idempotencyKey,
        };
        const ask = client.ask as (call: C, sent: object) => Promise<Outcome<AnswerOf<C>>>;
        return ask(call, request);
      },
      onwards?.(url),
    );
