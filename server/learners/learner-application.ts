/**
 * Calls of learners to sign in (`POST /api/app/session`), to change their password and to sign out; the list of events
 * for applications.
 */

import { isIP } from 'node:net';
import * as v from 'valibot';
import { PasswordForm } from '#server/account/contract.ts';
import { countAttempt, type Limit, undoAttempt } from '#server/platform/auth/attempts.ts';
import { logFailedSignIn } from '#server/platform/auth/failed-sign-in.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import { type BodyOf, call } from '#server/platform/calls/call.ts';
import { FlagNumber, SearchId, Seconds, TypedText, withoutControls } from '#server/platform/calls/fields.ts';
import { conflict, invalid, isRefusal, missing, Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { ChangeFilter, settlingSeconds } from '#server/school/change-feed.ts';
import { accessMessages } from '#server/school/rules.ts';
import { deliversTextMessages } from '#server/school/settings.ts';
import {
  type ApplicationContext,
  applicationOnly,
  BodyUid,
  handleApplication,
  learnerOf,
  shortBodyBytes,
} from './application.ts';
import { schoolsBoundTo } from './application-schools.ts';
import { eventOf } from './events.ts';
import { changeOwnPassword, ownPassword } from './own-password.ts';
import { deviceHashOf, studentOfPassword } from './password-sign-in.ts';
import { codesOfAddress, codeWaitMessage, passwordMessages, plainNumber } from './rules.ts';
import { endLearnerSession, openLearnerSession } from './sessions.ts';
import { sendLearnerCodes, studentOfCode } from './sign-in-code.ts';

/** Name of an import source; the request also has the student's id in that source. */
const SourceName = v.optional(v.pipe(v.string(), withoutControls, v.trim(), v.maxLength(255)), '');

/** Address of the learner's device, as the application sees it. It is needed for rate limits. */
export const DeviceAddress = v.optional(
  v.pipe(
    v.string(),
    v.trim(),
    v.check((text) => text === '' || isIP(text) !== 0, accessMessages.address),
  ),
  '',
);

/** Random identifier that the application keeps in the learner's browser. It is needed for rate limits. */
export const DeviceMark = v.optional(
  v.pipe(
    v.string(),
    v.trim(),
    v.check((mark) => mark === '' || /^[\w-]{20,100}$/.test(mark), passwordMessages.device),
  ),
  '',
);

const openSession = call({
  method: 'POST',
  path: '/api/app/session',
  title: '学员登录',
  description:
    '以 uid，或导入时的来源 source 与其中的编号 source_id 指明学员；没有自己的账号的应用可以用学号或手机号 number 与收到的验证码 code 或密码 password，并带上学员设备的网络地址 address。密码输错的次数按号码和网络地址限制，不带 address 的合并计算：device 是应用保存在学员设备上的随机标识，学员在该设备上登录过以后，别人在别处输错不影响该设备。用初始密码登录时 must_change_password 为1，取得的令牌在修改密码（/api/app/password）以前只能用于修改密码和退出，其他接口返回403。凭服务令牌取得学员令牌，只在本次应答中出现。学员令牌只能查看和操作该学员自己的数据，12小时未使用即失效；用学员令牌调用其他接口时不需要 uid。',
  bodyLimit: shortBodyBytes,
  body: v.object({
    uid: BodyUid,
    source: SourceName,
    source_id: SourceName,
    number: TypedText,
    code: TypedText,
    password: v.optional(v.string(), ''),
    device: DeviceMark,
    address: DeviceAddress,
  }),
  answer: v.object({
    token: v.string(),
    /** When the sign-in expires if it is not used. */
    ends_at: Seconds,
    /** 1: the learner signed in with a first password and must change it before anything else. */
    must_change_password: FlagNumber,
  }),
  message: '登录成功',
  secret: true,
  example: {
    body: { uid: 12 },
    answer: {
      must_change_password: 0,
      token: 'learner_Zk0x0m6a8mSbn5dWmYQy4k2sWb1xRrYz3o9pQv7cTfE',
      ends_at: 1795190400,
    },
  },
});

const sendCode = call({
  method: 'POST',
  path: '/api/app/session/code',
  title: '发送登录验证码',
  description: `凭服务令牌调用。验证码以短信发到该学员登记的手机（没有时为监护人的手机），10分钟内有效，最多试5次；同一学员1分钟内不重复发送，一天最多10条。是否有该学员不在应答中说明；学校没有开通短信时返回409。应用应带上学员设备的网络地址 address，同一地址10分钟内最多获取${codesOfAddress.max}条未使用的验证码，超过时返回429；不带时由应用自行限制。几名学员的号码相同时每人收到自己的验证码。`,
  bodyLimit: shortBodyBytes,
  body: v.object({ number: TypedText, address: DeviceAddress }),
  answer: v.null(),
  message: '号码已登记的，验证码将发到登记的手机，10分钟内有效。1分钟后可以重新获取',
  example: { body: { number: '13800002026', address: '203.0.113.7' } },
});

const closeSession = call({
  method: 'POST',
  path: '/api/app/session/end',
  title: '学员退出登录',
  description: '凭学员令牌调用，此后该令牌失效。',
  answer: v.null(),
  message: '已退出登录',
  whileSigningIn: 'settling',
  example: {},
});

const showPassword = call({
  method: 'GET',
  path: '/api/app/password',
  title: '学员的密码',
  description: '凭学员令牌调用。asks_old 为1时修改密码须填旧密码；没有密码，或刚用初始密码登录的，不必填。',
  answer: v.object({ must_change_password: FlagNumber, asks_old: FlagNumber }),
  whileSigningIn: 'settling',
  example: { answer: { must_change_password: 0, asks_old: 0 } },
});

const changePassword = call({
  method: 'POST',
  path: '/api/app/password',
  title: '修改学员的密码',
  description: '凭学员令牌调用。该学员的其他登录随即失效，当前令牌继续有效。',
  bodyLimit: shortBodyBytes,
  body: PasswordForm,
  answer: v.null(),
  message: '密码修改成功',
  whileSigningIn: 'settling',
  secret: true,
  example: {
    body: { old_password: '', new_password: 'Xiaoman2026', new_password_confirmation: 'Xiaoman2026' },
  },
});

const Event = v.object({
  id: v.number(),
  event: v.string(),
  at: Seconds,
  uid: v.number(),
  record_id: v.number(),
  details: v.record(v.string(), v.nullable(v.union([v.string(), v.number()]))),
});

const listEvents = call({
  method: 'GET',
  path: '/api/app/events',
  title: '学员的事件',
  description:
    '凭服务令牌按先后取得事件，与通知地址收到的相同；since 为上一次的最后一个事件 id。最近半分钟的事件在下一次取得。事件有 homework.published、report.graded、leave.decided、notice.posted、exam.published，以及不属于某个学员、uid 为 0 的 import.held、import.refused 和 student.erased：后者的 record_id 是已注销学员的 uid，请删除你们保存的该学员的数据。',
  query: v.object({ since: SearchId, limit: ChangeFilter.limit }),
  answer: v.object({ list: v.array(Event), since: v.number(), more: v.picklist([0, 1]) }),
  example: {
    query: { since: 400 },
    answer: {
      list: [
        {
          id: 401,
          event: 'homework.published',
          at: 1795060800,
          uid: 12,
          record_id: 31,
          details: { name: '集合练习', ending_time: 1795233600 },
        },
      ],
      since: 401,
      more: 0,
    },
  },
});

export const learnerSessionCalls = [
  handleApplication(listEvents, async ({ query, ...context }) => applicationOnly(context) ?? events(context, query)),
  handleApplication(sendCode, {
    prepare: async ({ body, ...context }) => {
      const refusal = applicationOnly(context);
      if (refusal) return refusal;
      const { number } = body;
      if (number.trim() === '') return invalid({ number: [accessMessages.noNumber] });
      if (!(await deliversTextMessages(context.db, context.now))) return conflict(accessMessages.noTexts);
      return (
        (await refuseOften(context, askedFrom, body.address)) ??
        new TransactionWork((db) => sendLearnerCodes(db, { ...context, number }))
      );
    },
  }),
  handleApplication(openSession, {
    prepare: async ({ body, ...context }) => {
      const refusal = applicationOnly(context);
      if (refusal) return refusal;
      const named = await namedStudent(context, body);
      if (isRefusal(named)) return named;
      const studentId = await learnerOf(context, named.uid);
      if (isRefusal(studentId)) return studentId;
      const { application, now } = context;
      const { mustChangePassword, passwordHash } = named;
      const deviceHash = deviceHashOf(body.device);
      const opening = { application, studentId, mustChangePassword, deviceHash, passwordHash, now };
      return openLearnerSession(context.db, opening);
    },
  }),
  handleApplication(showPassword, ({ db, learner }) =>
    learner ? ownPassword({ db, learner }) : conflict(accessMessages.learnerAlone),
  ),
  handleApplication(changePassword, {
    prepare: async ({ db, learner, now, body }) =>
      learner ? changeOwnPassword({ db, learner, now }, body) : conflict(accessMessages.learnerAlone),
  }),
  handleApplication(closeSession, async ({ db, learner, now }) => {
    if (!learner) return conflict(accessMessages.learnerAlone);
    await endLearnerSession(db, learner.sessionId, now);
    return null;
  }),
];

/** Lists events without the last seconds: an event with a lower id may not be committed yet. */
async function events(
  { db, application, now }: Pick<ApplicationContext, 'application' | 'now'> & { db: Database },
  { since = 0, limit }: { since?: number | undefined; limit: number },
): Promise<{ list: v.InferOutput<typeof Event>[]; since: number; more: 0 | 1 }> {
  const unsettled = await db
    .selectFrom('learner_event')
    .select(({ fn }) => fn.min('id').as('first'))
    .where('at', '>', now - settlingSeconds)
    .executeTakeFirst();
  const first = unsettled?.first ?? undefined;
  const rows = await db
    .selectFrom('learner_event')
    .selectAll()
    .where('id', '>', since)
    .$if(first !== undefined, (query) => query.where('id', '<', first ?? 0))
    .$if(!application.everySchool, (query) => query.where('school_id', 'in', schoolsBoundTo(db, application)))
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  const list = rows.slice(0, limit).map(eventOf);
  return { list, since: list.at(-1)?.id ?? since, more: rows.length > limit ? 1 : 0 };
}

/** Rate limits per address, for requesting and for trying codes. Successful attempts do not count. */
const askedFrom: Limit = { kind: 'learner-code-address', ...codesOfAddress };
const triedFrom: Limit = { kind: 'learner-code-tries', ...codesOfAddress };

/** Counts an attempt of an address, if the application sent the address. 429: too many attempts. */
async function refuseOften(
  { db, now }: Pick<ApplicationContext, 'now'> & { db: Database },
  limit: Limit,
  address: string,
): Promise<Refusal | undefined> {
  const wait = address === '' ? undefined : await countAttempt(db, limit, address, now);
  return wait === undefined ? undefined : new Refusal('too-many', codeWaitMessage(wait), { retryAfter: wait });
}

interface NamedStudent {
  /** Id of the student; undefined if the request names none. */
  uid: number | undefined;
  mustChangePassword: boolean;
  /** Hash of the password that was checked, if one was. */
  passwordHash?: string;
}

/** Identifies the student who signs in. The attempt stays counted if its code or password is wrong. */
async function namedStudent(
  context: Pick<ApplicationContext, 'application' | 'now' | 'log'> & { db: Database },
  body: BodyOf<typeof openSession>,
): Promise<NamedStudent | Refusal> {
  if (body.uid === undefined && body.source === '' && body.password !== '' && body.number.trim() !== '') {
    const { db, application, now, log } = context;
    const { number, password, device, address } = body;
    const found = await studentOfPassword(db, log, { application, number, password, device, address, now });
    if (isRefusal(found)) return found;
    return { uid: found.studentId, mustChangePassword: found.isFirst, passwordHash: found.passwordHash };
  }
  const uid = await studentNamed(context, body);
  return isRefusal(uid) ? uid : { uid, mustChangePassword: false };
}

async function studentNamed(
  { db, application, now, log }: Pick<ApplicationContext, 'application' | 'now' | 'log'> & { db: Database },
  { uid, source, source_id, number, code, address }: BodyOf<typeof openSession>,
): Promise<number | undefined | Refusal> {
  if (uid !== undefined) return uid;
  if (source !== '')
    return (await importedAs({ db, application }, source, source_id)) ?? missing(accessMessages.student);
  const request = { application, number, code: plainNumber(code), now };
  if (number.trim() === '') return undefined;
  if (request.code === '') return invalid({ code: [accessMessages.noCode] });
  const refusal = await refuseOften({ db, now }, triedFrom, address);
  if (refusal) return refusal;
  const found = await db.transaction().execute((trx) => studentOfCode(trx, request));
  if (found !== null) {
    if (address !== '') for (const limit of [askedFrom, triedFrom]) await undoAttempt(db, limit, address);
    return found;
  }
  logFailedSignIn(log, { identity: 'learner', reason: 'wrong code' });
  return invalid({ code: [accessMessages.wrongCode] });
}

/** Finds a student by the id in an import source; null if the id is unknown or no longer in use. */
async function importedAs(
  { db, application }: Pick<ApplicationContext, 'application'> & { db: Database },
  source: string,
  sourceId: string,
): Promise<number | null> {
  // Import sources of different owners may have the same name.
  const found = await db
    .selectFrom('external_id')
    .innerJoin('import_source', 'import_source.id', 'external_id.source_id')
    .select('external_id.record')
    .where('import_source.name', '=', source)
    .where('external_id.kind', '=', 'student')
    .where('external_id.sourced_id', '=', sourceId)
    .where('external_id.state', '=', 'active')
    .orderBy('import_source.owner')
    .execute();
  const ids = found.flatMap(({ record }) => (/^\d{1,15}$/.test(record) ? [Number(record)] : []));
  if (ids.length === 0) return null;
  const seen = await db
    .selectFrom('student')
    .select('id')
    .where('id', 'in', ids)
    .$if(!application.everySchool, (query) => query.where('school_id', 'in', schoolsBoundTo(db, application)))
    .execute();
  return ids.find((one) => seen.some(({ id }) => id === one)) ?? null;
}
