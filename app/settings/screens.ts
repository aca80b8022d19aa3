import { missingToken } from '#server/learners/rules.ts';
import { AccessFilter } from '#server/learners/tokens.contract.ts';
import { missingClient } from '#server/oneroster/rules.ts';
import { SearchYear } from '#server/platform/calls/fields.ts';
import { missingHoliday } from '#server/settings/rules.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { oneOf, ScreenId } from '../lib/search.ts';

export const settingsTabs = ['school', 'sign-in', 'keeping', 'messages', 'live'] as const;
export type SettingsTab = (typeof settingsTabs)[number];
export const settings = screen(
  'AdminSettings',
  '/admin/settings',
  'settings',
  { tab: oneOf(settingsTabs, 'school') },
  { files: true },
);

/** Address and QR code of the learners' pages, to print. */
export const learnPoster = screen('AdminLearnPoster', '/admin/settings/learn', 'learn-poster');

export const tokensScreen = screen('AdminTokens', '/admin/tokens', 'tokens', {}, { missing: missingToken });
export const tokenList = listScreen(tokensScreen, AccessFilter);
export const tokenAdd = screen('AdminTokenAdd', '/admin/tokens/add', 'token-add');
export const tokenWebhook = screen(
  'AdminTokenWebhook',
  '/admin/tokens/webhook',
  'token-webhook',
  { token: ScreenId },
  { missing: missingToken },
);
export const tokenEnd = dialog(tokensScreen, 'end', 'token-end', { token: ScreenId }, { missing: missingToken });

export const clientsScreen = screen(
  'AdminRosterClients',
  '/admin/roster-clients',
  'roster-clients',
  {},
  { missing: missingClient },
);
export const clientList = listScreen(clientsScreen, AccessFilter);
export const clientAdd = screen('AdminRosterClientAdd', '/admin/roster-clients/add', 'roster-client-add');
export const clientEnd = dialog(
  clientsScreen,
  'end',
  'roster-client-end',
  { client: ScreenId },
  { missing: missingClient },
);

export const systemScreen = screen('AdminSystem', '/admin/system', 'system');
export const backups = screen('AdminBackups', '/admin/backups', 'backups');

export const holidays = screen('AdminHolidays', '/admin/holidays', 'holidays', { year: SearchYear });
export const holidayAdopt = screen('AdminHolidayAdopt', '/admin/holidays/national', 'holiday-adopt', {
  year: SearchYear,
});
export const holidayEdit = dialog(holidays, 'edit', 'holiday-edit', { day: ScreenId }, { missing: missingHoliday });
export const holidayRemove = dialog(
  holidays,
  'remove',
  'holiday-remove',
  { day: ScreenId },
  { missing: missingHoliday },
);

export const jobsScreen = screen('AdminJobs', '/admin/jobs', 'jobs');
