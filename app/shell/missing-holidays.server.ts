import { listHolidayYears } from '#server/settings/holidays.contract.ts';
import { api } from '../api/client.server.ts';
import { localDay } from '../lib/dates.ts';
import type { RequestContext } from './form-request.ts';
import { signedInPerson } from './signed-in.server.ts';

export interface MissingHolidays {
  /** Years without any day off, among those of today and of half a year on: a term's plan reaches so far. */
  years: number[];
  /** May record them. */
  mayAdopt: boolean;
}

const halfYear = 183 * 24 * 60 * 60;

/** For screens that plan around holidays. */
export async function missingHolidays(context: RequestContext): Promise<MissingHolidays> {
  const client = context.get(api);
  const { settings, permissions, every_school } = signedInPerson(context);
  const known = await client.send(listHolidayYears);
  const planned = [client.now(), client.now() + halfYear].map((at) =>
    Number(localDay(at, settings.timezone).slice(0, 4)),
  );
  return {
    years: [...new Set(planned)].filter((year) => !known.includes(year)),
    mayAdopt: permissions.includes('settings') && every_school === 1,
  };
}
