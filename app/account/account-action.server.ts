/** The forms of the account: done with a message, or refused with what was typed, passwords excepted. */
import type { RouterContextProvider } from 'react-router';
import { signOutDevice, signOutOthers, updatePassword, updateProfile } from '#server/account/contract.ts';
import { accountMessages, avatarExtensions } from '#server/account/rules.ts';
import { uploadFile } from '#server/platform/files/contract.ts';
import { pictureBytes, pictureTooLarge } from '#server/platform/files/rules.ts';
import type { ApiClient } from '../api/client.server.ts';
import { keyAfter, type Outcome } from '../api/outcome.server.ts';
import { readFormWithFile } from '../shell/form-with-file.server.ts';
import { typedForm } from '../shell/posted.server.ts';
import { getSession } from '../shell/session.server.ts';
import type { Refused } from '../ui/form.tsx';

interface AccountPost {
  client: ApiClient;
  context: Readonly<RouterContextProvider>;
  request: Request;
}

/** The form again, with the status of the answer. */
export type Answer = Refused & { status: number };

/** Bytes of a picture; the API says the same. */
const avatarBytes = 20 * 1024 * 1024;

/** An uploaded picture travels on in a hidden field, so that it is not chosen again because of another field. */
export async function actProfile({ client, context, request }: AccountPost): Promise<Answer | undefined> {
  const { fields, file, tooLarge } = await readFormWithFile(request, context, avatarBytes);
  const typed = Object.fromEntries(
    ['avatar', 'real_name', 'introduction'].map((name) => [name, fields.get(name) ?? '']),
  );
  const key = fields.get('idempotency_key') || undefined;
  if (tooLarge) {
    const msg = pictureTooLarge(pictureBytes);
    return { status: 413, msg, errors: { avatar: [msg] }, typed: Object.entries(typed), key };
  }
  const before = typed.avatar ?? '';
  if (file) {
    if (!avatarExtensions.some((extension) => file.name.toLowerCase().endsWith(`.${extension}`))) {
      return {
        status: 415,
        msg: accountMessages.avatar,
        errors: { avatar: [accountMessages.avatar] },
        typed: Object.entries(typed),
        key,
      };
    }
    const form = new FormData();
    form.set('file', file);
    const uploaded = await client.upload(uploadFile, form);
    if (!uploaded.ok) {
      return {
        status: uploaded.status,
        msg: uploaded.msg,
        errors: { avatar: [uploaded.msg] },
        typed: Object.entries(typed),
        key,
      };
    }
    typed.avatar = uploaded.data.path;
  }
  const outcome = await client.ask(updateProfile, { body: typed, idempotencyKey: file ? undefined : key });
  // A picture that was refused is not shown as the avatar, and not sent again.
  if (!outcome.ok && outcome.errors?.avatar) typed.avatar = before;
  return ended(context, outcome, typed, key);
}

export async function actSecurity({ client, context, request }: AccountPost): Promise<Answer | undefined> {
  const form = await typedForm(request);
  const field = (name: string) => String(form.get(name) ?? '');
  const body = {
    old_password: field('old_password'),
    new_password: field('new_password'),
    new_password_confirmation: field('new_password_confirmation'),
  };
  const key = field('idempotency_key') || undefined;
  const outcome = await client.ask(updatePassword, { body, idempotencyKey: key });
  return ended(context, outcome, {}, undefined);
}

export async function actDevices({ client, context, request }: AccountPost): Promise<Answer | undefined> {
  const form = await typedForm(request);
  const id = String(form.get('device') ?? '');
  const outcome =
    id === 'others' ? await client.ask(signOutOthers) : await client.ask(signOutDevice, { params: { id } });
  return ended(context, outcome, {}, undefined);
}

function ended(
  context: Readonly<RouterContextProvider>,
  outcome: Outcome<unknown>,
  typed: Record<string, string>,
  key: string | undefined,
): Answer | undefined {
  if (!outcome.ok) {
    const { status, msg, errors } = outcome;
    return { status, msg, errors, typed: Object.entries(typed), key: keyAfter(outcome, key) };
  }
  getSession(context).flash('flash', { kind: 'success', msg: outcome.msg });
  return undefined;
}
