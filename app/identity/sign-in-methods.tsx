/** Form for the sign-in methods: the school's identity providers, and who may also use a password. */

import { type IdentitySettings, type Provider, saveSignInMethods, showIdentity } from '#server/identity/contract.ts';
import { providerMessages, providerNames } from '#server/identity/rules.ts';
import { countsText } from '#server/school/rules.ts';
import { passwordRules } from '#server/settings/rules.ts';
import { api } from '../api/client.server.ts';
import { originOf } from '../api/process.server.ts';
import { textOf } from '../lib/form-data.ts';
import { SettingsTabs } from '../settings/settings-tabs.tsx';
import { handleEdit } from '../shell/form-action.server.ts';
import { forbiddenIfFault, requireAllowed, requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { recordFormClass } from '../ui/record-form.ts';
import { Screen } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/sign-in-methods';
import styles from './identity.posts.module.css';
import { identityScreen, learnerLinkList, linkList, providerScreen } from './screens.ts';
import { passwordLabels } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('统一登录', '设置');

export async function loader({ request, context }: Route.LoaderArgs) {
  requirePermission(context, showIdentity);
  const person = signedInPerson(context);
  requireAllowed(context, forbiddenIfFault(person.every_school === 1 ? undefined : providerMessages.everySchool));
  return {
    identity: await context.get(api).send(showIdentity),
    here: originOf(request),
    decides: person.permissions.includes('people'),
    idempotencyKey: crypto.randomUUID(),
  };
}

export const action = (sent: Route.ActionArgs) =>
  handleEdit(sent, identityScreen.href(), (client, idempotencyKey, form) =>
    client.ask(saveSignInMethods, {
      body: {
        site_address: textOf(form, 'site_address'),
        password_sign_in: textOf(form, 'password_sign_in'),
        emergency_staff: textOf(form, 'emergency_staff'),
        seen: textOf(form, 'seen'),
      },
      idempotencyKey,
    }),
  );

const { Form, RadioField, SelectField, TextField } = formOf<typeof saveSignInMethods>();

export default function AdminIdentity({ loaderData, actionData }: Route.ComponentProps) {
  const { identity, here, decides, idempotencyKey } = loaderData;
  const { providers, ways } = identity;
  return (
    <Screen title="设置" className={styles.page}>
      <SettingsTabs current="identity" />
      <div className={styles.body}>
        <p className={styles.note}>
          教职工和学员用学校已有的身份登录：按工号对应到“人员”中的用户名，按学号对应到学员。对应不上的人要等教务确认。
        </p>
        {decides && (
          <p className={styles.requests}>
            <a href={linkList.href({ state: 'waiting' })}>教职工的登录申请</a>
            <a href={learnerLinkList.href({ state: 'waiting' })}>学员的登录申请</a>
          </p>
        )}
        <Providers providers={providers} />
        <Ways ways={ways} here={here} form={{ idempotencyKey, refused: actionData }} />
      </div>
    </Screen>
  );
}

function stateOf({ is_set, is_on, for_learners }: Provider) {
  const users = [is_on === 1 && '教职工', for_learners === 1 && '学员'].filter(Boolean).join('、');
  if (users) return <Tag tone="good">{`已启用：${users}`}</Tag>;
  return <Tag tone="plain">{is_set === 1 ? '未启用' : '未设置'}</Tag>;
}

const linkedOf = ({ linked, linked_learners }: Provider): string =>
  countsText([
    [linked, '名教职工'],
    [linked_learners, '名学员'],
  ]);

function Providers({ providers }: { providers: readonly Provider[] }) {
  return (
    <ul className={styles.providers} aria-label="登录方式">
      {providers.map((provider) => (
        <li key={provider.kind}>
          <a href={providerScreen.href({ kind: provider.kind })}>{providerNames[provider.kind]}</a>
          {stateOf(provider)}
          <span>{linkedOf(provider) && `已关联${linkedOf(provider)}`}</span>
        </li>
      ))}
    </ul>
  );
}

interface WaysProps {
  ways: IdentitySettings['ways'];
  here: string;
  form: Pick<Parameters<typeof Form>[0], 'idempotencyKey' | 'refused'>;
}

function Ways({ ways, here, form }: WaysProps) {
  return (
    <Form
      {...form}
      values={{ ...ways, site_address: ways.site_address || here }}
      className={recordFormClass}
      noValidate
    >
      <HiddenField name="seen" />
      <TextField
        name="site_address"
        label="本系统的地址"
        description="人员在浏览器中打开本系统的地址，只有域名，以 https:// 开头。登录后由此返回，须与各平台登记的一致。"
        inputMode="url"
        autoComplete="off"
        withAsterisk
      />
      <RadioField
        name="password_sign_in"
        label="密码登录"
        description="只对教职工。关闭前，须至少有一种登录方式已启用、能连通，并且有人用它登录过。"
        choices={passwordRules.map((rule) => [rule, passwordLabels[rule]])}
      />
      <SelectField
        name="emergency_staff"
        label="应急账号"
        description="关闭密码登录后，只有这位教务还能用密码登录，以便统一身份认证不可用时处理"
        placeholder="请选择"
        choices={ways.administrators.map(({ id, name }) => [id, name])}
      />
      <Submit>保存</Submit>
    </Form>
  );
}
