/** Account: assistants' profile and password, and for both identities the devices that they are signed in on. */
import { information, listDevices } from '#server/account/contract.ts';
import { api } from '../api/client.server.ts';
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
  const { identity, settings } = signedInPerson(context);
  const tab = tabOf(url, identity);
  const client = context.get(api);
  const idempotencyKey = crypto.randomUUID();
  if (tab === 'devices') {
    return {
      tab,
      identity,
      idempotencyKey,
      devices: await client.send(listDevices),
      timezone: settings.timezone,
    } as const;
  }
  if (tab === 'profile') return { tab, identity, idempotencyKey, profile: await client.send(information) } as const;
  return { tab, identity, idempotencyKey } as const;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const tab = tabOf(url, context.get(api).identity);
  return { profile: actProfile, security: actSecurity, devices: actDevices }[tab]({ request, context, url });
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { identity, idempotencyKey } = loaderData;
  return (
    <Screen title="我的账号" className={styles.page}>
      <Tabs label="账号" current={loaderData.tab} tabs={tabsOf(identity)} />
      <div className={styles.body}>
        {loaderData.tab === 'profile' && (
          <ProfileForm profile={loaderData.profile} idempotencyKey={idempotencyKey} refused={actionData} />
        )}
        {loaderData.tab === 'security' && <PasswordForm idempotencyKey={idempotencyKey} refused={actionData} />}
        {loaderData.tab === 'devices' && (
          <DeviceList devices={loaderData.devices} timezone={loaderData.timezone} message={actionData?.msg} />
        )}
      </div>
    </Screen>
  );
}
