/** Tabs of the settings. Only administrators of all schools see the tabs that concern all schools. */
import { identityScreen } from '../identity/screens.ts';
import { Tabs } from '../ui/tabs.tsx';
import { usePerson } from '../ui/use-school.ts';
import {
  backups,
  clientsScreen,
  holidays,
  jobsScreen,
  type SettingsTab,
  settings,
  systemScreen,
  tokensScreen,
} from './screens.ts';

const ofAll: { key: SettingsTab; label: string; href: string }[] = [
  { key: 'school', label: '学校', href: settings.href() },
  { key: 'sign-in', label: '登录', href: settings.href({ tab: 'sign-in' }) },
  { key: 'keeping', label: '保留期限', href: settings.href({ tab: 'keeping' }) },
  { key: 'messages', label: '短信', href: settings.href({ tab: 'messages' }) },
  { key: 'live', label: '直播', href: settings.href({ tab: 'live' }) },
];

export const settingsTabOf = (tab: SettingsTab | undefined) => ofAll.find(({ key }) => key === tab)?.label;

export function SettingsTabs({
  current,
}: {
  current: SettingsTab | 'holidays' | 'tokens' | 'clients' | 'backups' | 'jobs' | 'system' | 'identity';
}) {
  const isOfAll = usePerson()?.every_school === 1;
  const tabs = [
    ...(isOfAll ? [...ofAll, { key: 'identity' as const, label: '统一登录', href: identityScreen.href() }] : []),
    { key: 'holidays', label: '节假日', href: holidays.href() },
    { key: 'tokens', label: '应用令牌', href: tokensScreen.href() },
    { key: 'clients', label: '数据对接', href: clientsScreen.href() },
    ...(isOfAll ? [{ key: 'jobs', label: '任务', href: jobsScreen.href() }] : []),
    ...(isOfAll ? [{ key: 'backups', label: '备份', href: backups.href() }] : []),
    ...(isOfAll ? [{ key: 'system', label: '系统', href: systemScreen.href() }] : []),
  ];
  return <Tabs label="设置" current={current} tabs={tabs} />;
}
