/** Tabs of the account page. */
import type { Tab } from '../ui/tabs.tsx';
import { type AccountTab, account } from './screens.ts';

export const tabs: (Tab & { key: AccountTab })[] = [
  { key: 'profile', label: '个人信息', href: account.href() },
  { key: 'security', label: '账号安全', href: account.href({ tab: 'security' }) },
  { key: 'devices', label: '登录设备', href: account.href({ tab: 'devices' }) },
];
