import { Alert } from '@mantine/core';
import { Fragment } from 'react';
import { holidaysMissingText } from '#server/settings/rules.ts';
import { holidayAdopt } from '../settings/screens.ts';
import type { MissingHolidays as Missing } from './missing-holidays.server.ts';

/**
 * Warns that some years have no holidays, so a plan skips no day in them. `planned`: the years of a preview, used
 * instead of `years`.
 */
export function MissingHolidays({
  of: { years, mayAdopt },
  planned = years,
}: {
  of: Missing;
  planned?: number[] | undefined;
}) {
  if (planned.length === 0) return null;
  return (
    <Alert color="orange" role="note">
      {holidaysMissingText(planned)}。
      {mayAdopt
        ? planned.map((year, index) => (
            <Fragment key={year}>
              {index > 0 && '、'}
              <a href={holidayAdopt.href({ year })} target="_blank" rel="noreferrer">
                采用{year}年的国家法定节假日
              </a>
            </Fragment>
          ))
        : '请管理全部学校的教务在“设置-节假日”中添加，或者在下面填写跳过的日期。'}
    </Alert>
  );
}
