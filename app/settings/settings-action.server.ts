/**
 * Handles the forms of the settings: saves with a message, tests a service, or returns the form with the typed values.
 */

import { data } from 'react-router';
import { pictureBytes } from '#server/platform/files/rules.ts';
import {
  retentionNumbers,
  saveLiveSettings,
  saveLogo,
  saveMessageSettings,
  saveRetentionSettings,
  saveSchoolSettings,
  saveSignInSettings,
  type TestResult,
  tryLive,
  tryMessages,
} from '#server/settings/contract.ts';
import { settingsMessages } from '#server/settings/rules.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { idempotencyKeyAfter, type Outcome, type RefusedOutcome } from '../api/outcome.server.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { readButton, readPostedForm, redirectWithMessage } from '../shell/form-action.server.ts';
import type { FormRequest } from '../shell/form-request.ts';
import { readFormWithFile } from '../shell/form-with-file.server.ts';
import { storePicture } from '../shell/picture.server.ts';
import { isMultipart } from '../shell/posted-form.server.ts';
import type { SettingsFormResult } from './form-result.ts';
import { type SettingsTab, settings } from './screens.ts';

type Save = (client: ApiClient, form: FormData, idempotencyKey: string | undefined) => Promise<Outcome<unknown>>;

const texts = <const Name extends string>(form: FormData, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, textOf(form, name)])) as Record<Name, string>;

const saving: Record<SettingsTab, Save> = {
  school: (client, form, idempotencyKey) =>
    client.ask(saveSchoolSettings, {
      body: { ...texts(form, 'school_name', 'timezone', 'seen'), switches: form.getAll('switches').map(String) },
      idempotencyKey,
    }),
  'sign-in': (client, form, idempotencyKey) =>
    client.ask(saveSignInSettings, {
      body: texts(form, 'sign_in_tries', 'sign_in_hours', 'second_factor', 'seen'),
      idempotencyKey,
    }),
  keeping: (client, form, idempotencyKey) =>
    client.ask(saveRetentionSettings, {
      body: texts(form, ...retentionNumbers, 'seen'),
      idempotencyKey,
    }),
  messages: (client, form, idempotencyKey) =>
    client.ask(saveMessageSettings, { body: texts(form, 'sms_webhook_url', 'seen'), idempotencyKey }),
  live: (client, form, idempotencyKey) =>
    client.ask(saveLiveSettings, { body: { ...liveOf(form), ...texts(form, 'seen') }, idempotencyKey }),
};

const liveOf = (form: FormData) => ({
  ...texts(form, 'live_url', 'live_playback_url', 'bbb_url'),
  // The field name contains `password`, so that the form never returns its value.
  bbb_secret: textOf(form, 'bbb_secret_password'),
});

const trying: Partial<Record<SettingsTab, (client: ApiClient, form: FormData) => Promise<Outcome<TestResult>>>> = {
  messages: (client, form) => client.ask(tryMessages, { body: texts(form, 'sms_webhook_url', 'mobile') }),
  live: (client, form) => client.ask(tryLive, { body: liveOf(form) }),
};

export async function handleSettingsForm(tab: SettingsTab, { request, context, url }: FormRequest) {
  if (tab === 'school' && isMultipart(request)) return takeLogo({ request, context, url });
  const client = context.get(api);
  const form = await readPostedForm(request, context);
  const [button] = readButton(form, '', 'try');
  const attempt = button === 'try' ? trying[tab] : undefined;
  if (attempt) {
    const outcome = await attempt(client, form);
    return outcome.ok ? data(returnForm(form, { msg: '', tried: outcome.data })) : refusedForm(outcome, form);
  }
  const outcome = await saving[tab](client, form, idempotencyField(form));
  if (outcome.ok) return redirectWithMessage(context, outcome.msg, settings.here(url));
  const { seen } = (outcome.data ?? {}) as { seen?: unknown };
  if (typeof seen === 'string') form.set('seen', seen);
  return refusedForm(outcome, form);
}

/** Returns the form with its typed values, except secrets. */
function returnForm(
  form: FormData,
  more: Pick<SettingsFormResult, 'msg'> & Partial<SettingsFormResult>,
): SettingsFormResult {
  const typed = [...form].flatMap(([name, value]) => (/password/.test(name) ? [] : [[name, String(value)] as const]));
  return { of: 'settings', typed, key: idempotencyField(form), ...more };
}

const refusedForm = (outcome: RefusedOutcome, form: FormData) =>
  data(
    returnForm(form, {
      msg: outcome.msg,
      errors: errorsByField(outcome.errors),
      key: idempotencyKeyAfter(outcome, idempotencyField(form)),
    }),
    {
      status: outcome.status,
    },
  );

const errorsByField = ({ bbb_secret, ...errors }: NonNullable<RefusedOutcome['errors']> = {}) =>
  bbb_secret ? { ...errors, bbb_secret_password: bbb_secret } : errors;

/** Stores the logo, or removes it if the button `remove` was pressed. */
async function takeLogo({ request, context, url }: FormRequest) {
  const client = context.get(api);
  const { fields, file } = await readFormWithFile(request, context, pictureBytes);
  const [button] = readButton(fields, '', 'remove');
  const refusedLogo = ({ status, msg }: RefusedOutcome) =>
    data<SettingsFormResult>({ of: 'logo', msg: '', errors: { logo: [msg] }, typed: [] }, { status });
  if (button === '' && !file) return refusedLogo({ ok: false, status: 422, msg: settingsMessages.notAPicture });
  const stored =
    button === 'remove' || !file
      ? undefined
      : await storePicture(client, file, { extensions: ['png', 'jpg', 'jpeg'], fault: settingsMessages.notAPicture });
  if (stored && !stored.ok) return refusedLogo(stored);
  const outcome = await client.ask(saveLogo, { body: { logo: stored?.data.path ?? '' } });
  return outcome.ok ? redirectWithMessage(context, outcome.msg, settings.here(url)) : refusedLogo(outcome);
}
