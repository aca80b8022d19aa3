/** Settings for administrators of all schools: name, sign-in, retention, external services. */

import * as v from 'valibot';
import { type SecondFactorRule, secondFactorRules } from '#server/platform/auth/rules.ts';
import { OneLine, TypedText, WholeNumber } from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { schoolNameLimit } from '#server/schools/rules.ts';
import { isRoomAddress, isServiceAddress, outOfRangeMessage, policyLimits, settingsMessages } from './rules.ts';

export const switches = [
  'switch_question_module',
  'class_homework_module',
  'community_module',
  'class_circle',
  'show_grade',
  'show_classify',
  'learn_page',
] as const;
export type Switch = (typeof switches)[number];

export const signInNumbers = ['sign_in_tries', 'sign_in_hours'] as const;
export const retentionNumbers = [
  'keep_sign_ins',
  'keep_messages',
  'keep_imports',
  'keep_uploads',
  'keep_exports',
  'keep_drafts',
  'keep_previews',
] as const;

const recordOf = <const Name extends string, Schema extends v.GenericSchema>(names: readonly Name[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;

/** Version of a group, sent back with its form (optimistic locking). */
const seen = { seen: v.string() };

/**
 * All settings by group. `from_environment` 1: the settings of the group are not set by administrators; an environment
 * variable of the server decides.
 */
export const Settings = v.object({
  school: v.object({
    school_name: v.string(),
    /** Version that the logo's address contains; '' if there is no logo. */
    school_logo: v.string(),
    timezone: v.string(),
    switches: v.array(v.picklist(switches)),
    /** 1: the learners' page is on. LEARN_TOKEN of the server decides over the switch. */
    has_learn_page: v.picklist([0, 1]),
    ...seen,
  }),
  sign_in: v.object({ ...recordOf(signInNumbers, v.number()), second_factor: v.picklist(secondFactorRules), ...seen }),
  keeping: v.object({ ...recordOf(retentionNumbers, v.number()), ...seen }),
  /** `sends_texts` 1: text messages go out; in a demo school into the log. */
  messages: v.object({
    sms_webhook_url: v.string(),
    from_environment: v.picklist([0, 1]),
    sends_texts: v.picklist([0, 1]),
    ...seen,
  }),
  live: v.object({
    live_url: v.string(),
    live_playback_url: v.string(),
    bbb_url: v.string(),
    /** 1: a secret is stored. The secret itself is never shown. */
    has_bbb_secret: v.picklist([0, 1]),
    from_environment: v.picklist([0, 1]),
    ...seen,
  }),
});
export type Settings = v.InferOutput<typeof Settings>;

export const showSettings = adminCall({
  method: 'GET',
  path: 'settings',
  title: '设置',
  needs: 'settings',
  answer: Settings,
});

const saved = { needs: 'settings', method: 'PUT', answer: v.null(), message: '保存成功' } as const;
const sent = { seen: TypedText };

/** A number typed as text; its range is checked when it is saved. */
const Typed = v.fallback(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((number) => String(number).trim()),
  ),
  '',
);
const limitedNumber = (name: keyof typeof policyLimits) =>
  v.pipe(
    v.string(),
    v.check((typed) => v.is(WholeNumber, typed), outOfRangeMessage(name)),
    v.transform(Number),
    v.check(
      (number) => number >= policyLimits[name].least && number <= policyLimits[name].most,
      outOfRangeMessage(name),
    ),
  );
const address = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => text === '' || isServiceAddress(text), settingsMessages.address),
);
const roomAddress = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => text === '' || isRoomAddress(text), settingsMessages.roomAddress),
);

export const WrittenSchool = v.object({
  school_name: TypedText,
  timezone: TypedText,
  switches: v.fallback(v.array(TypedText), []),
  ...sent,
});
export const CompleteSchool = v.object({
  school_name: v.pipe(
    OneLine,
    v.check((name) => lengthOf(name) <= schoolNameLimit, settingsMessages.schoolNameLength),
  ),
  timezone: v.string(),
  switches: v.pipe(
    v.array(v.string()),
    v.transform((on) => switches.filter((name) => on.includes(name))),
  ),
});

export const saveSchoolSettings = adminCall({
  ...saved,
  path: 'settings/school',
  title: '保存学校设置',
  description: 'switches 为开启的开关。',
  body: WrittenSchool,
});

/** Saves the logo, scaled to a height of 64 pixels. Without a picture the school's logo is removed. */
export const saveLogo = adminCall({
  method: 'POST',
  path: 'settings/logo',
  title: '保存校徽',
  description: 'logo 为上传后的地址；空为恢复默认。',
  needs: 'settings',
  body: v.object({ logo: TypedText }),
  answer: v.null(),
  message: '保存成功',
});

export const WrittenSignIn = v.object({ ...recordOf(signInNumbers, Typed), second_factor: TypedText, ...sent });
export const CompleteSignIn = v.object({
  sign_in_tries: limitedNumber('sign_in_tries'),
  sign_in_hours: limitedNumber('sign_in_hours'),
  second_factor: v.pipe(
    v.string(),
    v.check((word) => secondFactorRules.some((rule) => rule === word), settingsMessages.secondFactor),
    v.transform((word) => word as SecondFactorRule),
  ),
});

export const saveSignInSettings = adminCall({
  ...saved,
  path: 'settings/sign-in',
  title: '保存登录设置',
  body: WrittenSignIn,
});

export const WrittenRetention = v.object({ ...recordOf(retentionNumbers, Typed), ...sent });
export const CompleteRetention = v.object({
  keep_sign_ins: limitedNumber('keep_sign_ins'),
  keep_messages: limitedNumber('keep_messages'),
  keep_imports: limitedNumber('keep_imports'),
  keep_uploads: limitedNumber('keep_uploads'),
  keep_exports: limitedNumber('keep_exports'),
  keep_drafts: limitedNumber('keep_drafts'),
  keep_previews: limitedNumber('keep_previews'),
});

export const saveRetentionSettings = adminCall({
  ...saved,
  path: 'settings/keeping',
  title: '保存保留期限',
  description: '单位为天。',
  body: WrittenRetention,
});

export const WrittenMessages = v.object({ sms_webhook_url: TypedText, ...sent });
export const CompleteMessages = v.object({ sms_webhook_url: address });

export const saveMessageSettings = adminCall({
  ...saved,
  path: 'settings/messages',
  title: '保存短信设置',
  body: WrittenMessages,
});

/**
 * Result of a service test. It has the status but not the text of the response, which may contain a secret or internal
 * data.
 */
export const TestResult = v.object({
  ok: v.boolean(),
  status: v.nullable(v.number()),
  /** Duration in milliseconds. */
  took: v.number(),
  /** Sentence why the test failed; '' if the status says enough. */
  said: v.string(),
});
export type TestResult = v.InferOutput<typeof TestResult>;

export const tryMessages = adminCall({
  method: 'POST',
  path: 'settings/messages/try',
  title: '试发短信',
  description: '向所填地址发出一条真实的短信，返回对方应答的状态码。不保存设置。',
  needs: 'settings',
  body: v.object({ sms_webhook_url: TypedText, mobile: TypedText }),
  answer: TestResult,
});

export const CompleteTry = v.object({
  sms_webhook_url: v.pipe(address, v.nonEmpty(settingsMessages.noAddress)),
  mobile: v.pipe(v.string(), v.trim(), v.regex(/^1\d{10}$/, settingsMessages.mobile)),
});

const live = { live_url: TypedText, live_playback_url: TypedText, bbb_url: TypedText };

/**
 * Settings of live rooms as a form sends them. An empty `bbb_secret` keeps the stored secret, as long as there is a
 * server address.
 */
export const WrittenLive = v.object({ ...live, bbb_secret: TypedText, ...sent });
export type WrittenLive = v.InferOutput<typeof WrittenLive>;
export const CompleteLive = v.object({
  live_url: roomAddress,
  live_playback_url: roomAddress,
  bbb_url: address,
  bbb_secret: v.pipe(v.string(), v.trim(), v.maxLength(200, settingsMessages.secretLength)),
});

export const saveLiveSettings = adminCall({
  ...saved,
  path: 'settings/live',
  title: '保存直播设置',
  description: '模板地址优先于 BigBlueButton 服务器；bbb_secret 为空时保留原密钥。',
  body: WrittenLive,
});

export const tryLive = adminCall({
  method: 'POST',
  path: 'settings/live/try',
  title: '试连直播服务',
  description: '向所填的直播服务发出请求，返回对方应答的状态码。不保存设置。',
  needs: 'settings',
  body: v.object({ ...live, bbb_secret: TypedText }),
  answer: TestResult,
});
