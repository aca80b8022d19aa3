/** Form that configures an identity provider. The fields depend on its kind. */
import { data } from 'react-router';
import { saveProvider, showIdentity, tryProvider } from '#server/identity/contract.ts';
import {
  fieldName,
  fieldsOfKind,
  missingProvider,
  type ProviderField,
  providerNameLimit,
  providerNames,
} from '#server/identity/rules.ts';
import type { TestResult } from '#server/settings/contract.ts';
import { api } from '../api/client.server.ts';
import { idempotencyKeyAfter, type RefusedOutcome } from '../api/outcome.server.ts';
import { idempotencyField, textOf } from '../lib/form-data.ts';
import { SaveOrTest } from '../settings/save-or-test.tsx';
import { readButton, readPostedForm, redirectWithMessage } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { recordFormClass } from '../ui/record-form.ts';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/provider';
import styles from './identity.posts.module.css';
import { identityScreen, providerScreen } from './screens.ts';
import { fieldNotes, kindNotes } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '设置', href: identityScreen.href() }, { label: '登录方式' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta(loaderData && providerNames[loaderData.provider.kind], '统一登录');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showIdentity);
  const { kind } = providerScreen.at(url);
  const { providers, ways } = await context.get(api).send(showIdentity);
  const provider = providers.find((one) => one.kind === kind);
  if (!provider) throw data({ msg: missingProvider }, { status: 404 });
  return { provider, site: ways.site_address, idempotencyKey: crypto.randomUUID() };
}

interface Sent extends RefusedForm {
  tried?: TestResult;
}

/** Returns the typed values so that the form can be shown again, but never the secret. */
function returnForm(form: FormData, more: Sent): Sent {
  return {
    ...more,
    typed: [...form].flatMap(([name, value]) => (/password/.test(name) ? [] : [[name, String(value)] as const])),
  };
}

const errorsByField = ({ secret, ...errors }: NonNullable<RefusedOutcome['errors']> = {}) =>
  secret ? { ...errors, secret_password: secret } : errors;

export async function action({ request, context, url }: Route.ActionArgs) {
  const { kind } = providerScreen.at(url);
  const client = context.get(api);
  const form = await readPostedForm(request, context);
  const [button] = readButton(form, '', 'try');
  const flag = (name: string) => (textOf(form, name) === '1' ? (1 as const) : (0 as const));
  const body = {
    name: textOf(form, 'name'),
    address: textOf(form, 'address'),
    client_id: textOf(form, 'client_id'),
    // Fields whose name contains `password` are never returned to the page, so the secret is named so.
    secret: textOf(form, 'secret_password'),
    organization: textOf(form, 'organization'),
    scope: textOf(form, 'scope'),
    claim: textOf(form, 'claim'),
    learner_claim: textOf(form, 'learner_claim'),
    asks_code: flag('asks_code'),
  };
  const key = idempotencyField(form);
  if (button === 'try') {
    const outcome = await client.ask(tryProvider, { params: { kind }, body });
    if (outcome.ok) return data(returnForm(form, { msg: '', typed: [], key, tried: outcome.data }));
    return refusedForm(outcome, form);
  }
  const sent = { ...body, is_on: flag('is_on'), for_learners: flag('for_learners'), seen: textOf(form, 'seen') };
  const outcome = await client.ask(saveProvider, { params: { kind }, body: sent, idempotencyKey: key });
  if (outcome.ok) return redirectWithMessage(context, outcome.msg, identityScreen.href());
  const { seen } = (outcome.data ?? {}) as { seen?: unknown };
  if (typeof seen === 'string') form.set('seen', seen);
  return refusedForm(outcome, form);
}

const refusedForm = (outcome: RefusedOutcome, form: FormData) => {
  const { status, msg } = outcome;
  const key = idempotencyKeyAfter(outcome, idempotencyField(form));
  return data(returnForm(form, { msg, errors: errorsByField(outcome.errors), typed: [], key }), { status });
};

const { CheckField, Form, PasswordField, TextField } = formOf<typeof saveProvider, 'secret_password'>();

export default function IdentityProvider({ loaderData, actionData }: Route.ComponentProps) {
  const { provider, site, idempotencyKey } = loaderData;
  const { kind } = provider;
  const { needed, also } = fieldsOfKind[kind];
  const field = (name: ProviderField) => {
    const asterisk = needed.includes(name) && { withAsterisk: true };
    const description = fieldNotes[kind]?.[name];
    if (name === 'secret') {
      return (
        <PasswordField
          key={name}
          name="secret_password"
          label={fieldName(kind, name)}
          description={
            provider.from_environment === 1
              ? '目前使用技术人员在服务器上设置的密钥，不必填写'
              : provider.has_secret === 1
                ? '已设置，留空则不改'
                : undefined
          }
          autoComplete="off"
          {...(provider.has_secret === 0 && asterisk)}
        />
      );
    }
    return (
      <TextField
        key={name}
        name={name}
        label={fieldName(kind, name)}
        description={description}
        autoComplete="off"
        {...asterisk}
      />
    );
  };
  return (
    <Screen title={providerNames[kind]} className={styles.page}>
      <div className={styles.body}>
        <p className={styles.note}>{kindNotes[kind]}</p>
        {site === '' ? (
          <p className={styles.note}>
            启用前请先填写<a href={identityScreen.href()}>本系统的地址</a>。
          </p>
        ) : (
          <div className={styles.addresses}>
            <Facts>
              <Fact term={kind === 'cas' ? '服务地址' : '重定向地址（回调地址）'}>
                <code className={styles.told}>{provider.back}</code>
              </Fact>
              {provider.told && kind === 'oidc' && (
                <Fact term="退出通知地址">
                  <code className={styles.told}>{provider.told}</code>
                </Fact>
              )}
            </Facts>
          </div>
        )}
        <Form
          idempotencyKey={idempotencyKey}
          refused={actionData}
          values={provider}
          className={recordFormClass}
          noValidate
        >
          <HiddenField name="seen" />
          <TextField
            name="name"
            label="按钮名称"
            description="登录页显示为“…登录”"
            withAsterisk
            limit={providerNameLimit}
            autoComplete="off"
          />
          {[...needed, ...also].map(field)}
          <CheckField name="is_on" label="用于教职工：在登录页显示按钮" />
          <CheckField name="asks_code" label="开启了两步验证的教职工，用此方式登录后仍要输入验证码" />
          <CheckField name="for_learners" label="用于学员：在学员端的登录页显示按钮" />
          <SaveOrTest tried={actionData?.tried} />
        </Form>
      </div>
    </Screen>
  );
}
