import { Alert } from '@mantine/core';
import { Fragment } from 'react';
import { holidayGapsText } from '#server/settings/rules.ts';
import { holidayAdopt } from '../settings/screens.ts';
import type { PlannedHolidayGaps } from './holiday-gaps.server.ts';

/**
 * Warns that a plan skips no day, or only the days off by law, in some years. `planned`: the years of a preview, used
 * instead of the years around now.
 */
export function HolidayGapNotice({
  of: { gaps, mayAdopt },
  planned,
}: {
  of: PlannedHolidayGaps;
  planned?: { years_without_holidays: number[]; years_by_law: number[] } | undefined;
}) {
  const { none, byLaw } = planned ? { none: planned.years_without_holidays, byLaw: planned.years_by_law } : gaps;
  const years = [...none, ...byLaw];
  if (years.length === 0) return null;
  return (
    <Alert color="orange" role="note">
      {holidayGapsText({ none, byLaw })}。
      {mayAdopt
        ? years.map((year, index) => (
            <Fragment key={year}>
              {index > 0 && '、'}
              <a href={holidayAdopt.href({ year })} target="_blank" rel="noreferrer">
                {none.includes(year) ? `采用${year}年的国家法定节假日` : `查看${year}年的国家法定节假日`}
              </a>
            </Fragment>
          ))
        : '请管理全部学校的教务在“设置-节假日”中添加，或者在下面填写跳过的日期。'}
    </Alert>
  );
}
