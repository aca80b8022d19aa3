import { listHolidayYears } from '#server/settings/holidays.contract.ts';
import { api } from '../api/client.server.ts';
import { localDay } from '../lib/dates.ts';
import type { RequestContext } from './form-request.ts';
import { signedInPerson } from './signed-in.server.ts';

export interface MissingHolidays {
  /**
   * Years in which no day off is recorded: the current year and the year in half a year, because plans of a term reach
   * that far.
   */
  years: number[];
  /** True if the user may record holidays. */
  mayAdopt: boolean;
}

const halfYear = 183 * 24 * 60 * 60;

/** Checks which years lack holidays, for screens that plan around holidays. */
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
