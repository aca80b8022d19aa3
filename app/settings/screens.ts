import { ClientFilter } from '#server/oneroster/contract.ts';
import { missingClient } from '#server/oneroster/rules.ts';
import { SearchYear } from '#server/platform/calls/fields.ts';
import { missingHoliday, missingToken } from '#server/school/rules.ts';
import { TokenFilter } from '#server/school/tokens.contract.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { oneOf, ScreenId } from '../lib/search.ts';

export const settingsTabs = ['school', 'sign-in', 'keeping', 'messages', 'live'] as const;
export type SettingsTab = (typeof settingsTabs)[number];
export const settings = screen(
  'AdminSettings',
  '/admin/settings',
  { tab: oneOf(settingsTabs, 'school') },
  { files: true },
);

export const tokensScreen = screen('AdminTokens', '/admin/tokens', {}, { missing: missingToken });
export const tokenList = listScreen(tokensScreen, TokenFilter);
export const tokenAdd = screen('AdminTokenAdd', '/admin/tokens/add');
export const tokenWebhook = screen(
  'AdminTokenWebhook',
  '/admin/tokens/webhook',
  { token: ScreenId },
  { missing: missingToken },
);
export const tokenEnd = dialog(tokensScreen, 'end', { token: ScreenId }, { missing: missingToken });

export const clientsScreen = screen('AdminRosterClients', '/admin/roster-clients', {}, { missing: missingClient });
export const clientList = listScreen(clientsScreen, ClientFilter);
export const clientAdd = screen('AdminRosterClientAdd', '/admin/roster-clients/add');
export const clientEnd = dialog(clientsScreen, 'end', { client: ScreenId }, { missing: missingClient });

export const systemScreen = screen('AdminSystem', '/admin/system');
export const backups = screen('AdminBackups', '/admin/backups');

export const holidays = screen('AdminHolidays', '/admin/holidays', { year: SearchYear });
export const holidayRemove = dialog(holidays, 'remove', { day: ScreenId }, { missing: missingHoliday });

export const jobsScreen = screen('AdminJobs', '/admin/jobs');
