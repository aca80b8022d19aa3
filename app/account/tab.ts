/** The tabs of the account: a lecturer has the devices alone. */
import type { Identity } from '#server/school/call.ts';
import type { Tab } from '../ui/tabs.tsx';
import { type AccountTab, account } from './screens.ts';

const tabs: (Tab & { key: AccountTab; only?: Identity })[] = [
  { key: 'profile', label: '个人信息', href: account.href(), only: 'assist' },
  { key: 'security', label: '账号安全', href: account.href({ tab: 'security' }), only: 'assist' },
  { key: 'devices', label: '登录设备', href: account.href({ tab: 'devices' }) },
];

export const tabsOf = (identity: Identity) => tabs.filter(({ only }) => only === undefined || only === identity);

/** Of the address; one that the person does not have shows their first. */
export function tabOf(url: URL, identity: Identity): AccountTab {
  const offered = tabsOf(identity);
  const named = offered.find(({ key }) => key === account.at(url).tab);
  return named?.key ?? offered[0]?.key ?? 'devices';
}
