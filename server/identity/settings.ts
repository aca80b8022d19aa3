/**
 * Settings of providers and of password sign-in, changed by administrators of all schools and recorded in the history.
 */

import { permissionColumns, permissionsOf } from '#server/platform/auth/sign-in.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import type { BodyOf } from '#server/platform/calls/call.ts';
import { editConflict, mergeEdit, versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, forbidden, invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { countOf } from '#server/platform/db/page.ts';
import { internalAddressMessage, isInternalAddress } from '#server/platform/outgoing/fetch.ts';
import type { RuleContext } from '#server/school/context.ts';
import { withSchoolLock } from '#server/school/school-lock.ts';
import { type SchoolPolicy, schoolPolicy, storeSetting } from '#server/school/settings.ts';
import type { TestResult } from '#server/settings/contract.ts';
import { normalizeSite, passwordRules } from '#server/settings/rules.ts';
import {
  CompleteProvider,
  type EditedProvider,
  type IdentitySettings,
  type Provider,
  type tryProvider,
  type WrittenSignInMethods,
} from './contract.ts';
import { protocols } from './protocols.ts';
import { environmentSecret, type KnownProvider, knownProviders, providerOrder, realmOf } from './provider.ts';
import {
  claimFault,
  defaultProviderName,
  fieldName,
  fieldsOfKind,
  isProviderAddress,
  lastProviderMessage,
  noWorkingMethodMessage,
  type ProviderKind,
  passwordsOffFault,
  providerFields,
  providerKinds,
  providerMessages,
  requiredMessage,
} from './rules.ts';
import { backChannelPath, casServicePath, returnPath } from './sign-in.contract.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

const everySchool = ({ actor }: Pick<RequestContext, 'actor'>): Refusal | undefined =>
  actor.everySchool ? undefined : forbidden(providerMessages.everySchool);

export const returnUrlOf = (kind: ProviderKind, site: string): string =>
  site + (kind === 'cas' ? casServicePath : returnPath(kind));

const addressToRegister = (kind: ProviderKind, site: string): string => {
  if (kind === 'oidc') return site + backChannelPath;
  return kind === 'cas' ? site + casServicePath : '';
};

const blank = (kind: ProviderKind): KnownProvider => ({
  kind,
  name: defaultProviderName(kind),
  isOn: false,
  forLearners: false,
  address: '',
  clientId: '',
  secret: '',
  organization: '',
  scope: '',
  claim: '',
  learnerClaim: '',
  asksCode: false,
});

const flagOf = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** The form fields of a provider, without the secret. */
const fieldsOf = (provider: KnownProvider) => ({
  name: provider.name,
  is_on: flagOf(provider.isOn),
  for_learners: flagOf(provider.forLearners),
  address: provider.address,
  client_id: provider.clientId,
  organization: provider.organization,
  scope: provider.scope,
  claim: provider.claim,
  learner_claim: provider.learnerClaim,
  asks_code: flagOf(provider.asksCode),
});
type Fields = ReturnType<typeof fieldsOf>;

const fieldNames = (kind: ProviderKind): Record<keyof Fields, string> => ({
  name: '按钮名称',
  is_on: '用于教职工',
  for_learners: '用于学员',
  asks_code: '两步验证',
  address: fieldName(kind, 'address'),
  client_id: fieldName(kind, 'client_id'),
  organization: fieldName(kind, 'organization'),
  scope: fieldName(kind, 'scope'),
  claim: fieldName(kind, 'claim'),
  learner_claim: fieldName(kind, 'learner_claim'),
});

const waysOf = ({ site_address, password_sign_in, emergency_staff }: SchoolPolicy) => ({
  site_address,
  password_sign_in,
  emergency_staff,
});

/** Lists the administrators who can be the emergency account: those with the rights to repair the sign-in of others. */
async function administratorsLeft(db: Database) {
  const found = await db
    .selectFrom('staff')
    .select(['id', 'real_name', 'username', 'must_change_password', ...permissionColumns])
    .where('identity', '=', 'admin')
    .where('every_school', '=', 1)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute();
  return found.filter((row) => ['people', 'settings'].every((one) => (permissionsOf(row) as string[]).includes(one)));
}

/** Returns the settings. 403: not an administrator of all schools. */
export async function readIdentity(context: RequestContext): Promise<IdentitySettings | Refusal> {
  const { db, now } = context;
  const refusal = everySchool(context);
  if (refusal) return refusal;
  const known = await knownProviders(db);
  const policy = await schoolPolicy(db, now);
  const linked = await db
    .selectFrom('identity_link')
    .select((eb) => ['provider', 'realm', eb.fn.countAll<number>().as('count')])
    .where('state', '=', 'linked')
    .groupBy(['provider', 'realm'])
    .execute();
  const learners = await db
    .selectFrom('learner_link')
    .select((eb) => ['provider', 'realm', eb.fn.countAll<number>().as('count')])
    .where('state', '=', 'linked')
    .groupBy(['provider', 'realm'])
    .execute();
  const administrators = await administratorsLeft(db);
  const ways = waysOf(policy);
  return {
    providers: providerKinds.map((kind): Provider => {
      const set = known.find((one) => one.kind === kind);
      const provider = set ?? blank(kind);
      const fields = fieldsOf(provider);
      const isOf = (one: { provider: string; realm: string }) =>
        one.provider === kind && one.realm === realmOf(provider);
      return {
        ...fields,
        kind,
        is_set: flagOf(set !== undefined),
        has_secret: provider.secret === '' ? 0 : 1,
        from_environment: environmentSecret(kind) === '' ? 0 : 1,
        linked: Number(linked.find(isOf)?.count ?? 0),
        linked_learners: Number(learners.find(isOf)?.count ?? 0),
        back: ways.site_address && returnUrlOf(kind, ways.site_address),
        told: ways.site_address && addressToRegister(kind, ways.site_address),
        seen: versionTokenOf(fields),
      };
    }),
    ways: {
      ...ways,
      administrators: administrators
        .filter(({ must_change_password }) => must_change_password === 0)
        .map(({ id, real_name, username }) => ({ id, name: `${real_name}（${username}）` })),
      seen: versionTokenOf(ways),
    },
  };
}

/**
 * Reads the posted settings of a provider. An empty secret keeps the stored one; one from the environment takes
 * precedence.
 */
async function readProviderForm(db: Database, kind: ProviderKind, body: BodyOf<typeof tryProvider>) {
  const before = (await knownProviders(db)).find((one) => one.kind === kind);
  const { output, errors } = validateComplete(CompleteProvider, body);
  if (!output) return { before, errors };
  const { needed, also } = fieldsOfKind[kind];
  const has = [...needed, ...also];
  const typed = Object.fromEntries(
    providerFields.map((field) => [field, has.includes(field) ? output[field] : '']),
  ) as Record<(typeof providerFields)[number], string>;
  if (kind !== 'oidc') typed.address = typed.address.replace(/\/+$/, '');
  const stored = await db.selectFrom('identity_provider').select('secret').where('kind', '=', kind).executeTakeFirst();
  const secret = typed.secret || (stored?.secret ?? '');
  const provider: KnownProvider = {
    kind,
    name: output.name,
    isOn: before?.isOn ?? false,
    forLearners: before?.forLearners ?? false,
    address: typed.address,
    clientId: typed.client_id,
    secret: environmentSecret(kind) || secret,
    organization: typed.organization,
    scope: typed.scope,
    claim: typed.claim,
    learnerClaim: typed.learner_claim,
    asksCode: output.asks_code === 1,
  };
  const present: Record<(typeof providerFields)[number], string> = { ...typed, secret: provider.secret };
  const faults: FieldErrors = {};
  for (const field of needed) if (present[field] === '') faults[field] = [requiredMessage(kind, field)];
  if (typed.address !== '') {
    if (!isProviderAddress(typed.address)) faults.address = [providerMessages.address];
    else if (isInternalAddress(typed.address)) faults.address = [internalAddressMessage];
  }
  for (const field of ['claim', 'learner_claim'] as const) {
    const fault = typed[field] === '' ? undefined : claimFault(typed[field]);
    if (fault) faults[field] = [fault];
  }
  return Object.keys(faults).length > 0 ? { before, errors: faults } : { before, provider, secret };
}

/**
 * Stores the settings of a provider. 403: not an administrator of all schools. 422: errors by field. 409: edited
 * meanwhile, enabled without a return URL, or disabling the last way to sign in.
 */
export async function storeProvider(
  context: RequestContext,
  kind: ProviderKind,
  body: EditedProvider,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const refusal = everySchool(context);
  if (refusal) return refusal;
  await withSchoolLock(db);
  const typed = await readProviderForm(db, kind, body);
  if (!typed.provider) return invalid(typed.errors);
  const before = fieldsOf(typed.before ?? blank(kind));
  const after = { ...fieldsOf(typed.provider), is_on: flag(body.is_on), for_learners: flag(body.for_learners) };
  const { merged, conflicts, both } = mergeEdit(body.seen, before, after);
  const id = providerOrder(kind);
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'identity_provider', id, conflicts)) || '其他人',
      nameOf: fieldNames(kind),
      shown: (field, value) =>
        ['is_on', 'for_learners', 'asks_code'].includes(field) ? (value === 1 ? '是' : '否') : String(value),
    });
  }
  const policy = await schoolPolicy(db, now);
  if (merged.is_on + merged.for_learners > 0 && policy.site_address === '') return conflict(providerMessages.noSite);
  if (merged.is_on === 0 && before.is_on === 1 && policy.password_sign_in === 'one') {
    const others = (await knownProviders(db)).filter((one) => one.isOn && one.kind !== kind);
    if (others.length === 0) return conflict(lastProviderMessage);
  }
  const change = changedFields(before, merged);
  const isNewSecret = body.secret.trim() !== '';
  if (typed.before && change.names.length === 0 && !isNewSecret) return null;
  const values = { ...merged, secret: typed.secret };
  await db
    .insertInto('identity_provider')
    .values({ id, kind, ...values })
    .onConflict((taken) => taken.column('kind').doUpdateSet(values))
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'identity_provider',
    recordId: id,
    action: typed.before ? 'edit' : 'add',
    before: typed.before ? change.before : null,
    after: { ...(typed.before ? change.after : merged), ...(isNewSecret && { secret: '已设置' }) },
  });
  return null;
}

const flag = (number: number | undefined): 0 | 1 => (number === 1 ? 1 : 0);

const testSignIn = (provider: KnownProvider, site: string): Promise<TestResult> =>
  protocols[provider.kind].attempt(provider, { back: returnUrlOf(provider.kind, site) });

/** Tests the settings without saving. 403: not an administrator of all schools. 422: errors by field. */
export async function testProvider(
  context: RequestContext,
  kind: ProviderKind,
  body: BodyOf<typeof tryProvider>,
): Promise<TestResult | Refusal> {
  const refusal = everySchool(context);
  if (refusal) return refusal;
  const { provider, errors } = await readProviderForm(context.db, kind, body);
  if (!provider) return invalid(errors);
  return testSignIn(provider, (await schoolPolicy(context.db, context.now)).site_address);
}

/** Returns why passwords cannot be turned off; tests every enabled provider for that. */
async function passwordsOffRefusal(db: Database, site: string): Promise<Refusal | undefined> {
  const on = (await knownProviders(db)).filter(({ isOn }) => isOn);
  const kinds = on.map(({ kind }) => kind);
  const signedIn = on.length === 0 ? 0 : await countOf(db.selectFrom('sign_in').where('provider', 'in', kinds));
  const fault = passwordsOffFault({ on: on.length, signedIn });
  if (fault) return conflict(fault);
  const tried = await Promise.all(on.map(async (one) => ({ name: one.name, ...(await testSignIn(one, site)) })));
  if (tried.some(({ ok }) => ok)) return undefined;
  const details = tried
    .map(({ name, status, said: detail }) => `${name}${status === null ? detail : `应答 ${status}`}`)
    .join('；');
  return conflict(noWorkingMethodMessage(details));
}

/**
 * Stores who may sign in with a password. 403: not an administrator of all schools. 422: errors by field. 409: edited
 * meanwhile, or no other way to sign in works.
 */
export async function storeSignInMethods(
  context: RequestContext,
  body: WrittenSignInMethods,
): Promise<TransactionWork<null | Refusal> | Refusal> {
  const { now } = context;
  const refusal = everySchool(context);
  if (refusal) return refusal;
  const before = waysOf(await schoolPolicy(context.db, now));
  const site = body.site_address.trim() === '' ? '' : normalizeSite(body.site_address);
  const rule = passwordRules.find((one) => one === body.password_sign_in) ?? before.password_sign_in;
  const emergency = body.emergency_staff.trim();
  const faults: FieldErrors = {};
  if (site === undefined) faults.site_address = [providerMessages.site];
  if (rule === 'one') {
    const chosen = (await administratorsLeft(context.db)).find(({ id }) => String(id) === emergency);
    if (!chosen) faults.emergency_staff = [providerMessages.emergency];
    else if (chosen.must_change_password === 1) faults.emergency_staff = [providerMessages.emergencyPassword];
  }
  if (Object.keys(faults).length > 0) return invalid(faults);
  const isOn = (await knownProviders(context.db)).some((one) => one.isOn || one.forLearners);
  if (site === '' && isOn) return invalid({ site_address: [providerMessages.site] });
  if (rule === 'one' && before.password_sign_in === 'all') {
    const off = await passwordsOffRefusal(context.db, site ?? '');
    if (off) return off;
  }
  const typed = { site_address: site ?? '', password_sign_in: rule, emergency_staff: emergency };
  return new TransactionWork((db: Database) => storeWays({ ...context, db }, { typed, seen: body.seen }));
}

const wayNames = { site_address: '本系统的地址', password_sign_in: '密码登录', emergency_staff: '应急账号' };
const ruleNames = { all: '所有人', one: '只限应急账号' };

async function storeWays(
  { db, actor, now }: RequestContext,
  { typed, seen }: { typed: ReturnType<typeof waysOf>; seen: string },
): Promise<null | Refusal> {
  await withSchoolLock(db);
  const before = waysOf(await schoolPolicy(db, now));
  const { merged, conflicts, both } = mergeEdit(seen, before, typed);
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'setting', 1, conflicts)) || '其他人',
      nameOf: wayNames,
      shown: (field, value) => (field === 'password_sign_in' ? ruleNames[value as 'all' | 'one'] : String(value)),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  for (const name of change.names) await storeSetting(db, name, merged[name]);
  await recordHistory(db, {
    actor,
    now,
    record: 'setting',
    recordId: 1,
    action: 'edit',
    before: change.before,
    after: change.after,
  });
  return null;
}
