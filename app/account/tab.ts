/** The tabs of the account: a lecturer has the devices alone (document 3, section 6). */
import type { Tab } from '../ui/tabs.tsx';

type Identity = 'teacher' | 'assist';
export type AccountTab = 'profile' | 'security' | 'devices';

const tabs: (Tab & { key: AccountTab; only?: Identity })[] = [
  { key: 'profile', label: '个人信息', href: '/account', only: 'assist' },
  { key: 'security', label: '账号安全', href: '/account?tab=security', only: 'assist' },
  { key: 'devices', label: '登录设备', href: '/account?tab=devices' },
];

export const accountTabs = (identity: Identity) => tabs.filter(({ only }) => only === undefined || only === identity);

/** Of the address; one that the person does not have shows their first. */
export function tabOf(url: URL, identity: Identity): AccountTab {
  const offered = accountTabs(identity);
  const named = offered.find(({ key }) => key === url.searchParams.get('tab'));
  return named?.key ?? offered[0]?.key ?? 'devices';
}
