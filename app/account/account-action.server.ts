/**
 * Handles the forms of the account page. On success it redirects with a message; otherwise it shows the form again with
 * the typed values, except passwords.
 */
import { signOutDevice, signOutOthers, updatePassword, updateProfile } from '#server/account/contract.ts';
import { accountMessages, avatarExtensions } from '#server/account/rules.ts';
import { unlinkOwn } from '#server/identity/own-identities.contract.ts';
import { pictureBytes } from '#server/platform/files/rules.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField, readForm } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm, redirectBack, refusedForm } from '../shell/form-action.server.ts';
import type { FormRequest } from '../shell/form-request.ts';
import { readFormWithFile } from '../shell/form-with-file.server.ts';
import { startScreenOf } from '../shell/navigation.ts';
import { storePicture } from '../shell/picture.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { account } from './screens.ts';

/** A hidden field keeps the address of an uploaded picture, so that an error in another field does not lose it. */
export async function handleProfileForm({ request, context, url }: FormRequest) {
  const client = context.get(api);
  const { fields, file } = await readFormWithFile(request, context, pictureBytes);
  readButton(fields, '');
  const before = fields.get('avatar') ?? '';
  if (file) {
    const terms = { extensions: avatarExtensions, fault: accountMessages.avatar };
    const stored = await storePicture(client, file, terms);
    if (!stored.ok) return refusedForm({ ...stored, errors: { avatar: [stored.msg] } }, fields);
    fields.set('avatar', stored.data.path);
  }
  const idempotencyKey = file ? undefined : idempotencyField(fields);
  const outcome = await client.ask(updateProfile, { body: readForm(updateProfile, fields), idempotencyKey });
  // A refused picture is dropped: the form shows the previous one, and the next submit does not send the refused one
  // again.
  if (!outcome.ok && outcome.errors?.avatar) fields.set('avatar', before);
  return finishForm(context, outcome, account.here(url), fields);
}

export async function handleSecurityForm({ request, context, url }: FormRequest) {
  const form = await readPostedForm(request, context);
  const [button, provider = ''] = readButton(form, '', 'unlink');
  if (button === 'unlink') redirectBack(context, await context.get(api).ask(unlinkOwn, { params: { provider } }), url);
  const callRequest = { body: readForm(updatePassword, form), idempotencyKey: idempotencyField(form) };
  // The password form is shown empty again: passwords are never sent to the page. The next submit gets a new
  // idempotency key.
  const outcome = await context.get(api).ask(updatePassword, callRequest);
  // After a mandatory change of the password, the user continues to the start page.
  const person = signedInPerson(context);
  const next = person.must_change_password === 1 ? startScreenOf(person).href() : account.here(url);
  return finishForm(context, outcome, next, new FormData());
}

export async function handleDevicesForm({ request, context, url }: FormRequest) {
  const client = context.get(api);
  const form = await readPostedForm(request, context);
  const [, id = ''] = readButton(form, 'sign-out');
  const outcome =
    id === 'others' ? await client.ask(signOutOthers) : await client.ask(signOutDevice, { params: { id } });
  return finishForm(context, outcome, account.here(url), form);
}
