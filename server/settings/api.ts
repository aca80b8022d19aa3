/** Binds calls to handlers. Calls that contact another service run outside a transaction. */
import { dayOf } from '#server/school/calendar.ts';
import { handle } from '#server/school/context.ts';
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
import { addHolidays, listHolidays, removeHoliday } from './holidays.contract.ts';
import { addDays, holidaysOfYear, removeDay } from './holidays.ts';

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
  handle(listHolidays, ({ db, query, now, settings }) =>
    holidaysOfYear(db, query.year ?? Number(dayOf(now, settings.timezone).slice(0, 4))),
  ),
  handle(addHolidays, ({ body, ...context }) => addDays(context, body)),
  handle(removeHoliday, ({ params, ...context }) => removeDay(context, params.id)),
];
