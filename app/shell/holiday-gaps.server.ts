import { listHolidayYears } from '#server/settings/holidays.contract.ts';
import type { HolidayGaps } from '#server/settings/rules.ts';
import { api } from '../api/client.server.ts';
import { localDay } from '../lib/dates.ts';
import type { RequestContext } from './form-request.ts';
import { signedInPerson } from './signed-in.server.ts';

export interface PlannedHolidayGaps {
  /** Gaps of this year, and of the year that is reached in six months: plans of a term go that far. */
  gaps: HolidayGaps;
  /** True if the user may record holidays. */
  mayAdopt: boolean;
}

const halfYear = 183 * 24 * 60 * 60;

/** Checks which years lack holidays or an announced arrangement, for screens that plan around holidays. */
export async function findHolidayGaps(context: RequestContext): Promise<PlannedHolidayGaps> {
  const client = context.get(api);
  const { settings, permissions, every_school } = signedInPerson(context);
  const [known, byLaw] = await Promise.all([
    client.send(listHolidayYears),
    client.send(listHolidayYears, { query: { by_law: 1 } }),
  ]);
  const planned = [client.now(), client.now() + halfYear].map((at) =>
    Number(localDay(at, settings.timezone).slice(0, 4)),
  );
  const years = [...new Set(planned)];
  return {
    gaps: {
      none: years.filter((year) => !known.includes(year)),
      byLaw: years.filter((year) => byLaw.includes(year)),
    },
    mayAdopt: permissions.includes('settings') && every_school === 1,
  };
}
