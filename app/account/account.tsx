/** The user's own account: profile, password and devices. */
import { listDevices, showOwnProfile } from '#server/account/contract.ts';
import { listOwnIdentities } from '#server/identity/own-identities.contract.ts';
import { api } from '../api/client.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/account';
import styles from './account.posts.module.css';
import { handleDevicesForm, handleProfileForm, handleSecurityForm } from './account-action.server.ts';
import { DeviceList } from './device-list.tsx';
import { OwnIdentities } from './own-identities.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { account, secondFactor } from './screens.ts';
import { tabs } from './tab.ts';

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta(tabs.find(({ key }) => key === loaderData?.shown.tab)?.label, '我的账号');

export async function loader({ context, url }: Route.LoaderArgs) {
  return { shown: await loadTab(context, url), idempotencyKey: crypto.randomUUID() };
}

async function loadTab(context: RequestContext, url: URL) {
  const client = context.get(api);
  const { tab } = account.at(url);
  if (tab === 'devices')
    return { tab, devices: await client.send(listDevices), timezone: signedInPerson(context).settings.timezone };
  if (tab === 'profile') return { tab, profile: await client.send(showOwnProfile) };
  // Until a new user has chosen a password, the API refuses most calls, so this one is not made.
  const isNew = signedInPerson(context).must_change_password === 1;
  return { tab, identities: isNew ? [] : await client.send(listOwnIdentities) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  return { profile: handleProfileForm, security: handleSecurityForm, devices: handleDevicesForm }[account.at(url).tab]({
    request,
    context,
    url,
  });
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { shown, idempotencyKey } = loaderData;
  return (
    <Screen title="我的账号" className={styles.page}>
      <Tabs label="账号" current={shown.tab} tabs={tabs} />
      <div className={styles.body}>
        {shown.tab === 'profile' && (
          <ProfileForm profile={shown.profile} idempotencyKey={idempotencyKey} refused={actionData} />
        )}
        {shown.tab === 'security' && (
          <>
            <PasswordForm idempotencyKey={idempotencyKey} refused={actionData} />
            <p className={styles.further}>
              <a href={secondFactor.href()}>两步验证</a>：登录时除密码外，还要输入手机上的验证码。
            </p>
            <OwnIdentities identities={shown.identities} />
          </>
        )}
        {shown.tab === 'devices' && (
          <DeviceList devices={shown.devices} timezone={shown.timezone} message={actionData?.msg} />
        )}
      </div>
    </Screen>
  );
}
