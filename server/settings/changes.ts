/** Reads and changes settings, for administrators of all schools. Each change is recorded in the history. */

import type * as v from 'valibot';
import { hasLearnPage } from '#server/learners/learn-page.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { editConflict, mergeEdit, versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { forbidden, invalid, type Refusal, refuseFile } from '#server/platform/calls/outcome.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import { isSettingSet } from '#server/platform/configuration/setting.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { encodeLogo } from '#server/platform/files/image.ts';
import { pictureBytes } from '#server/platform/files/rules.ts';
import { internalAddressMessage, isInternalAddress } from '#server/platform/outgoing/fetch.ts';
import type { RuleContext } from '#server/school/context.ts';
import { withSchoolLock } from '#server/school/school-lock.ts';
import {
  deliversTextMessages,
  type SchoolPolicy,
  type SchoolSettings,
  type SettingName,
  schoolPolicy,
  schoolSettings,
  storedSetting,
  storeSetting,
} from '#server/school/settings.ts';
import {
  CompleteLive,
  CompleteMessages,
  CompleteRetention,
  CompleteSchool,
  CompleteSignIn,
  CompleteTry,
  type Settings,
  type saveLiveSettings,
  type saveSchoolSettings,
  switches,
  type TestResult,
  type tryLive,
  type tryMessages,
} from './contract.ts';
import { settingsMessages } from './rules.ts';
import { testAddress, testBigBlueButton, testMessage } from './service-test.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Refuses administrators of some schools with 403, because settings apply to all schools. */
export const settingsRefusal = ({ actor }: Pick<RequestContext, 'actor'>): Refusal | undefined =>
  actor.everySchool ? undefined : forbidden(settingsMessages.everySchool);

/** Groups of settings, as their forms show and send them. */
const groups = {
  school: (settings: SchoolSettings) => ({
    school_name: settings.school_name,
    timezone: settings.timezone,
    switches: switches.filter((name) => settings[name]),
  }),
  signIn: ({ sign_in_tries, sign_in_hours, second_factor }: SchoolPolicy) => ({
    sign_in_tries,
    sign_in_hours,
    second_factor,
  }),
  keeping: (policy: SchoolPolicy) => ({
    keep_sign_ins: policy.keep_sign_ins,
    keep_messages: policy.keep_messages,
    keep_imports: policy.keep_imports,
    keep_uploads: policy.keep_uploads,
    keep_exports: policy.keep_exports,
    keep_drafts: policy.keep_drafts,
    keep_previews: policy.keep_previews,
  }),
  messages: ({ sms_webhook_url }: SchoolPolicy) => ({ sms_webhook_url }),
  live: ({ live_url, live_playback_url, bbb_url, bbb_secret }: SchoolPolicy) => ({
    live_url,
    live_playback_url,
    bbb_url,
    bbb_secret,
  }),
};

/** Returns all settings. 403: an administrator of some schools. */
export async function readSettings({ db, actor, now }: RequestContext): Promise<Settings | Refusal> {
  const refusal = settingsRefusal({ actor });
  if (refusal) return refusal;
  const [settings, policy] = [await schoolSettings(db, now), await schoolPolicy(db, now)];
  const [school, signIn, keeping] = [groups.school(settings), groups.signIn(policy), groups.keeping(policy)];
  const [messages, live] = [groups.messages(policy), groups.live(policy)];
  const { bbb_secret, ...addresses } = live;
  const [byEnvironment, liveByEnvironment] = [
    isSettingSet('SMS_WEBHOOK_URL'),
    isSettingSet('LIVE_URL') || isSettingSet('LIVE_PLAYBACK_URL') || isSettingSet('BBB_URL'),
  ];
  const isLiveSet = Object.values(live).some((value) => value !== '');
  return {
    school: {
      ...school,
      school_logo: settings.school_logo,
      has_learn_page: (await hasLearnPage(db, now)) ? 1 : 0,
      seen: versionTokenOf(school),
    },
    sign_in: { ...signIn, seen: versionTokenOf(signIn) },
    keeping: { ...keeping, seen: versionTokenOf(keeping) },
    messages: {
      ...messages,
      from_environment: messages.sms_webhook_url === '' && byEnvironment ? 1 : 0,
      sends_texts: (await deliversTextMessages(db, now)) ? 1 : 0,
      seen: versionTokenOf(messages),
    },
    live: {
      ...addresses,
      has_bbb_secret: bbb_secret === '' ? 0 : 1,
      from_environment: !isLiveSet && liveByEnvironment ? 1 : 0,
      seen: versionTokenOf(live),
    },
  };
}

/** Refuses administrators of some schools, and locks the settings, because they are read before they are written. */
async function lockSettings(context: RequestContext): Promise<Refusal | undefined> {
  const refusal = settingsRefusal(context);
  if (!refusal) await withSchoolLock(context.db);
  return refusal;
}

type Value = string | number | readonly string[];
type Fields = Record<string, Value>;

/** Stores a group of settings; 409 if somebody else changed a field meanwhile. */
async function storeSettings<const Group extends Fields>(
  { db, actor, now }: RequestContext,
  { before, written, seen }: { before: Group; written: Group; seen: string },
): Promise<null | Refusal> {
  const { merged, conflicts, both } = mergeEdit(seen, before, written);
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'setting', 1, conflicts)) || '其他人',
      nameOf: settingNamesShown as Record<keyof Group & string, string>,
      shown: (field, value) => shownValue(field, value as Value),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  for (const name of change.names as string[]) {
    for (const [setting, value] of storedOf(name, merged[name] as Value)) await storeSetting(db, setting, value);
  }
  await recordHistory(db, {
    actor,
    now,
    record: 'setting',
    recordId: 1,
    action: 'edit',
    before: withoutSecrets(change.before as Fields),
    after: withoutSecrets(change.after as Fields),
  });
  return null;
}

/** Converts a value to stored settings. A list of switches becomes one setting per switch. */
const storedOf = (name: string, value: Value): [SettingName, string][] =>
  typeof value === 'object'
    ? switches.map((one) => [one, value.includes(one) ? '1' : '0'])
    : [[name as SettingName, String(value)]];

const withoutSecrets = ({ bbb_secret, ...fields }: Fields): Fields =>
  bbb_secret === undefined ? fields : { ...fields, bbb_secret: bbb_secret === '' ? '' : '已设置' };

export const switchNames = {
  switch_question_module: '公共题库',
  class_homework_module: '课次作业',
  community_module: '社区',
  class_circle: '班级圈子',
  show_grade: '年级',
  show_classify: '分类',
  learn_page: '学员端',
} as const;

const settingNamesShown: Record<string, string> = {
  school_name: '名称',
  timezone: '时区',
  switches: '功能开关',
  sign_in_tries: '密码错误次数',
  sign_in_hours: '闲置退出',
  second_factor: '两步验证',
  keep_sign_ins: '登录记录',
  keep_messages: '短信记录',
  keep_imports: '导入文件',
  keep_uploads: '未完成的上传',
  keep_exports: '导出文件',
  keep_drafts: '草稿与撤销记录',
  keep_previews: '未完成的题目导入',
  sms_webhook_url: '短信接口地址',
  live_url: '直播间地址',
  live_playback_url: '回放地址',
  bbb_url: '服务器地址',
  bbb_secret: '服务器密钥',
};
const secondFactorNames: Record<string, string> = { none: '不要求', admin: '要求教务', all: '要求所有人' };

function shownValue(field: string, value: Value): string {
  if (field === 'bbb_secret') return value === '' ? '' : '（已设置）';
  if (typeof value === 'object') return value.map((name) => switchNames[name as keyof typeof switchNames]).join('、');
  return field === 'second_factor' ? (secondFactorNames[value] ?? '') : String(value);
}

/**
 * Saves the settings of the school. 403: an administrator of some schools. 422: errors by field. 409: somebody else
 * changed a field meanwhile.
 */
export async function saveSchool(
  context: RequestContext,
  body: BodyOf<typeof saveSchoolSettings>,
): Promise<null | Refusal> {
  const refusal = await lockSettings(context);
  if (refusal) return refusal;
  const { output, errors } = validateComplete(CompleteSchool, body);
  if (!output) return invalid(errors);
  if (storedSetting('timezone', output.timezone) === undefined)
    return invalid({ timezone: [settingsMessages.timezone] });
  const before = groups.school(await schoolSettings(context.db, context.now));
  return storeSettings<Fields>(context, { before, written: output, seen: body.seen });
}

/** Creates the handler of a group that needs no validation besides its schema. */
const saveOf =
  <const Group extends Fields, Schema extends v.GenericSchema<Record<string, unknown>, Group>>(
    schema: Schema,
    groupOf: (policy: SchoolPolicy) => Group,
  ) =>
  async (context: RequestContext, body: v.InferInput<Schema> & { seen: string }): Promise<null | Refusal> => {
    const refusal = await lockSettings(context);
    if (refusal) return refusal;
    const { output, errors } = validateComplete(schema, body);
    if (!output) return invalid(errors);
    const before = groupOf(await schoolPolicy(context.db, context.now));
    return storeSettings<Fields>(context, { before, written: output, seen: body.seen });
  };

/**
 * Handlers for sign-in, retention and messages. 403: an administrator of some schools. 422: errors by field. 409:
 * somebody else changed a field meanwhile.
 */
export const saveSignIn = saveOf(CompleteSignIn, groups.signIn);
export const saveRetention = saveOf(CompleteRetention, groups.keeping);
const keepMessages = saveOf(CompleteMessages, groups.messages);

/** Saves the settings of messages. Refusals as for `saveSignIn`; 422 also for an internal address. */
export const saveMessages: typeof keepMessages = async (context, body) =>
  settingsRefusal(context) ?? internalRefusal(body.sms_webhook_url) ?? keepMessages(context, body);

const internalRefusal = (address: string): Refusal | undefined =>
  URL.canParse(address) && isInternalAddress(address)
    ? invalid({ sms_webhook_url: [internalAddressMessage] })
    : undefined;

/**
 * Reads the settings of live rooms from a form. An empty secret keeps the stored secret; without a server address the
 * secret is removed.
 */
async function liveOf(context: RequestContext, body: BodyOf<typeof tryLive>) {
  const before = groups.live(await schoolPolicy(context.db, context.now));
  const { output, errors } = validateComplete(CompleteLive, body);
  if (!output) return { errors };
  const secret = output.bbb_secret || before.bbb_secret;
  const bbb_secret = output.bbb_url === '' ? '' : secret;
  if (output.bbb_url !== '' && bbb_secret === '') return { errors: { bbb_secret: [settingsMessages.bothOfLive] } };
  if (output.bbb_url !== '' && isInternalAddress(output.bbb_url))
    return { errors: { bbb_url: [internalAddressMessage] } };
  return { before, written: { ...output, bbb_secret } };
}

/**
 * Saves the settings of live rooms. 403: an administrator of some schools. 422: errors by field. 409: somebody else
 * changed a field meanwhile.
 */
export async function saveLive(
  context: RequestContext,
  body: BodyOf<typeof saveLiveSettings>,
): Promise<null | Refusal> {
  const refusal = await lockSettings(context);
  if (refusal) return refusal;
  const { before, written, errors } = await liveOf(context, body);
  if (!written) return invalid(errors);
  return storeSettings<Fields>(context, { before, written, seen: body.seen });
}

/** Sends a test message. 403: an administrator of some schools. 422: errors by field. */
export async function sendTestMessage(
  context: RuleContext<'actor' | 'now' | 'settings'>,
  body: BodyOf<typeof tryMessages>,
): Promise<TestResult | Refusal> {
  const refusal = settingsRefusal(context);
  if (refusal) return refusal;
  const { output, errors } = validateComplete(CompleteTry, body);
  if (!output) return invalid(errors);
  const internal = internalRefusal(output.sms_webhook_url);
  if (internal) return internal;
  return testMessage(output.sms_webhook_url, { mobile: output.mobile, school: context.settings.school_name });
}

/** Accepts a redirect as success too: a room may send the browser to its sign-in page. */
const roomAnswers = (status: number) => (status < 400 ? undefined : '');

/** Tests the live room service. 403: an administrator of some schools. 422: errors by field. */
export async function testLiveService(
  context: RequestContext,
  body: BodyOf<typeof tryLive>,
): Promise<TestResult | Refusal> {
  const refusal = settingsRefusal(context);
  if (refusal) return refusal;
  const { written, errors } = await liveOf(context, body);
  if (!written) return invalid(errors);
  const { live_url, live_playback_url, bbb_url, bbb_secret } = written;
  const template = live_url || live_playback_url;
  // Fills the placeholders with 0, as if for a room that nobody uses.
  if (template) return testAddress(template.replaceAll(/\{\w+\}/g, '0'), {}, roomAnswers);
  return bbb_url ? testBigBlueButton(bbb_url, bbb_secret) : invalid({ live_url: [settingsMessages.noAddress] });
}

/** Stores the logo, scaled to the header's height on high-density screens. An empty text removes the logo. */
export async function saveSchoolLogo(
  context: RuleContext<'actor' | 'now' | 'storage'>,
  sent: string,
): Promise<TransactionWork<null> | Refusal> {
  const refusal = settingsRefusal(context);
  if (refusal) return refusal;
  const key = /^\/files\/(\d{4}\/\d{2}\/[a-z0-9]{1,40}\.[a-z0-9]{1,8})$/.exec(sent)?.[1];
  const bytes = key === undefined ? null : await context.storage.readWhole(key, pictureBytes);
  const picture = bytes ? await encodeLogo(bytes) : undefined;
  if (sent !== '' && !picture) return invalid({ logo: [settingsMessages.notAPicture] });
  if (picture && !('ok' in picture)) return refuseFile(picture, 'logo');
  const made = picture ? Buffer.from(picture.ok).toString('base64') : '';
  const { actor, now } = context;
  return new TransactionWork(async (db: Database) => {
    const before = (await schoolSettings(db, now)).school_logo;
    await storeSetting(db, 'school_logo', made);
    const after = (await schoolSettings(db, now)).school_logo;
    if (before !== after)
      await recordHistory(db, {
        actor,
        now,
        record: 'setting',
        recordId: 1,
        action: 'edit',
        before: { school_logo: before },
        after: { school_logo: after },
      });
    return null;
  });
}
