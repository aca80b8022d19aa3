import { missingClient } from '#server/oneroster/rules.ts';
import { SearchYear } from '#server/platform/calls/fields.ts';
import { missingHoliday, missingToken } from '#server/school/rules.ts';
import { AccessFilter } from '#server/school/tokens.contract.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { oneOf, ScreenId } from '../lib/search.ts';

export const settingsTabs = ['school', 'sign-in', 'keeping', 'messages', 'live'] as const;
export type SettingsTab = (typeof settingsTabs)[number];
export const settings = screen(
  'AdminSettings',
  '/admin/settings',
  'settings.tsx',
  { tab: oneOf(settingsTabs, 'school') },
  { files: true },
);

export const tokensScreen = screen('AdminTokens', '/admin/tokens', 'tokens.tsx', {}, { missing: missingToken });
export const tokenList = listScreen(tokensScreen, AccessFilter);
export const tokenAdd = screen('AdminTokenAdd', '/admin/tokens/add', 'token-add.tsx');
export const tokenWebhook = screen(
  'AdminTokenWebhook',
  '/admin/tokens/webhook',
  'token-webhook.tsx',
  { token: ScreenId },
  { missing: missingToken },
);
export const tokenEnd = dialog(tokensScreen, 'end', 'token-end.tsx', { token: ScreenId }, { missing: missingToken });

export const clientsScreen = screen(
  'AdminRosterClients',
  '/admin/roster-clients',
  'roster-clients.tsx',
  {},
  { missing: missingClient },
);
export const clientList = listScreen(clientsScreen, AccessFilter);
export const clientAdd = screen('AdminRosterClientAdd', '/admin/roster-clients/add', 'roster-client-add.tsx');
export const clientEnd = dialog(
  clientsScreen,
  'end',
  'roster-client-end.tsx',
  { client: ScreenId },
  { missing: missingClient },
);

export const systemScreen = screen('AdminSystem', '/admin/system', 'system.tsx');
export const backups = screen('AdminBackups', '/admin/backups', 'backups.tsx');

export const holidays = screen('AdminHolidays', '/admin/holidays', 'holidays.tsx', { year: SearchYear });
export const holidayRemove = dialog(
  holidays,
  'remove',
  'holiday-remove.tsx',
  { day: ScreenId },
  { missing: missingHoliday },
);

export const jobsScreen = screen('AdminJobs', '/admin/jobs', 'jobs.tsx');
