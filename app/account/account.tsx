/** Account: assistants' profile and password, and for both identities the devices that they are signed in on. */
import { information, listDevices } from '#server/account/contract.ts';
import { api } from '../api/client.server.ts';
import type { RequestContext } from '../shell/form-request.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Screen } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/account';
import styles from './account.module.css';
import { actDevices, actProfile, actSecurity } from './account-action.server.ts';
import { DeviceList } from './device-list.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { tabOf, tabsOf } from './tab.ts';

export const meta: Route.MetaFunction = () => titled('我的账号');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { identity } = signedInPerson(context);
  return { identity, shown: await loadTab(context, url), idempotencyKey: crypto.randomUUID() };
}

async function loadTab(context: RequestContext, url: URL) {
  const { identity, settings } = signedInPerson(context);
  const client = context.get(api);
  const tab = tabOf(url, identity);
  if (tab === 'devices') return { tab, devices: await client.send(listDevices), timezone: settings.timezone };
  if (tab === 'profile') return { tab, profile: await client.send(information) };
  return { tab };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const tab = tabOf(url, context.get(api).identity);
  return { profile: actProfile, security: actSecurity, devices: actDevices }[tab]({ request, context, url });
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { identity, shown, idempotencyKey } = loaderData;
  return (
    <Screen title="我的账号" className={styles.page}>
      <Tabs label="账号" current={shown.tab} tabs={tabsOf(identity)} />
      <div className={styles.body}>
        {shown.tab === 'profile' && (
          <ProfileForm profile={shown.profile} idempotencyKey={idempotencyKey} refused={actionData} />
        )}
        {shown.tab === 'security' && <PasswordForm idempotencyKey={idempotencyKey} refused={actionData} />}
        {shown.tab === 'devices' && (
          <DeviceList devices={shown.devices} timezone={shown.timezone} message={actionData?.msg} />
        )}
      </div>
    </Screen>
  );
}
