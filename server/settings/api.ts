/** Binds the calls of settings to their handlers. Calls that contact another service run outside a transaction. */
import { dayOf } from '#server/school/calendar.ts';
import { handle, type SchoolContext } from '#server/school/context.ts';
import {
  readSettings,
  saveLive,
  saveMessages,
  saveRetention,
  saveSchool,
  saveSchoolLogo,
  saveSignIn,
  sendTestMessage,
  testLiveService,
} from './changes.ts';
import {
  saveLiveSettings,
  saveLogo,
  saveMessageSettings,
  saveRetentionSettings,
  saveSchoolSettings,
  saveSignInSettings,
  showSettings,
  tryLive,
  tryMessages,
} from './contract.ts';
import {
  addHolidays,
  adoptHolidays,
  editHoliday,
  listHolidays,
  listHolidayYears,
  listNationalHolidays,
  removeHoliday,
  showHoliday,
} from './holidays.contract.ts';
import {
  addHolidayDays,
  adoptDays,
  editHolidayDay,
  listYear,
  nationalHolidays,
  removeHolidayDay,
  showHolidayDay,
  yearsWithHolidays,
} from './holidays.ts';

const currentYear = ({ now, settings }: Pick<SchoolContext, 'now' | 'settings'>): number =>
  Number(dayOf(now, settings.timezone).slice(0, 4));

export const settingsCalls = [
  handle(showSettings, readSettings),
  handle(saveSchoolSettings, ({ body, ...context }) => saveSchool(context, body)),
  handle(saveLogo, { prepare: ({ body, ...context }) => saveSchoolLogo(context, body.logo) }),
  handle(saveSignInSettings, ({ body, ...context }) => saveSignIn(context, body)),
  handle(saveRetentionSettings, ({ body, ...context }) => saveRetention(context, body)),
  handle(saveMessageSettings, ({ body, ...context }) => saveMessages(context, body)),
  handle(tryMessages, { prepare: ({ body, ...context }) => sendTestMessage(context, body) }),
  handle(saveLiveSettings, ({ body, ...context }) => saveLive(context, body)),
  handle(tryLive, { prepare: ({ body, ...context }) => testLiveService(context, body) }),
  handle(listHolidays, ({ query, ...context }) => listYear(context, query.year ?? currentYear(context))),
  handle(listNationalHolidays, ({ query, ...context }) =>
    nationalHolidays(context, query.year ?? currentYear(context)),
  ),
  handle(listHolidayYears, ({ db, query }) => yearsWithHolidays(db, query)),
  handle(adoptHolidays, ({ body, ...context }) => adoptDays(context, body)),
  handle(addHolidays, ({ body, ...context }) => addHolidayDays(context, body)),
  handle(showHoliday, ({ params, ...context }) => showHolidayDay(context, params.id)),
  handle(editHoliday, ({ params, body, ...context }) => editHolidayDay(context, params.id, body)),
  handle(removeHoliday, ({ params, ...context }) => removeHolidayDay(context, params.id)),
];
