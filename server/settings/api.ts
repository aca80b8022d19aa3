/** Binds the calls of settings to their handlers. Calls that contact another service run outside a transaction. */
import { dayOf } from '#server/school/calendar.ts';
import { handle, type SchoolContext } from '#server/school/context.ts';
import {
  keepLogo,
  readSettings,
  saveKeeping,
  saveLive,
  saveMessages,
  saveSchool,
  saveSignIn,
  tryLiveService,
  tryMessage,
} from './changes.ts';
import {
  saveKeepingSettings,
  saveLiveSettings,
  saveLogo,
  saveMessageSettings,
  saveSchoolSettings,
  saveSignInSettings,
  showSettings,
  tryLive,
  tryMessages,
} from './contract.ts';
import {
  addHolidays,
  adoptHolidays,
  listHolidays,
  listHolidayYears,
  listNationalHolidays,
  removeHoliday,
} from './holidays.contract.ts';
import { addDays, adoptDays, listYear, nationalHolidays, removeDay, yearsWithHolidays } from './holidays.ts';

const thisYear = ({ now, settings }: Pick<SchoolContext, 'now' | 'settings'>): number =>
  Number(dayOf(now, settings.timezone).slice(0, 4));

export const settingsCalls = [
  handle(showSettings, readSettings),
  handle(saveSchoolSettings, ({ body, ...context }) => saveSchool(context, body)),
  handle(saveLogo, { prepare: ({ body, ...context }) => keepLogo(context, body.logo) }),
  handle(saveSignInSettings, ({ body, ...context }) => saveSignIn(context, body)),
  handle(saveKeepingSettings, ({ body, ...context }) => saveKeeping(context, body)),
  handle(saveMessageSettings, ({ body, ...context }) => saveMessages(context, body)),
  handle(tryMessages, { prepare: ({ body, ...context }) => tryMessage(context, body) }),
  handle(saveLiveSettings, ({ body, ...context }) => saveLive(context, body)),
  handle(tryLive, { prepare: ({ body, ...context }) => tryLiveService(context, body) }),
  handle(listHolidays, ({ query, ...context }) => listYear(context, query.year ?? thisYear(context))),
  handle(listNationalHolidays, ({ query, ...context }) => nationalHolidays(context, query.year ?? thisYear(context))),
  handle(listHolidayYears, ({ db }) => yearsWithHolidays(db)),
  handle(adoptHolidays, ({ body, ...context }) => adoptDays(context, body)),
  handle(addHolidays, ({ body, ...context }) => addDays(context, body)),
  handle(removeHoliday, ({ params, ...context }) => removeDay(context, params.id)),
];
