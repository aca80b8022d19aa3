import type { Holiday } from '#server/settings/holidays.contract.ts';
import { weekdayNames } from '#server/settings/rules.ts';
import { Tag } from '../ui/tag.tsx';

/** Tells whether a day is off or a workday, and for a workday which weekday's timetable it follows. */
export function HolidayKind({ of: { is_workday, as_weekday } }: { of: Pick<Holiday, 'is_workday' | 'as_weekday'> }) {
  if (is_workday === 0) return <Tag tone="good">放假</Tag>;
  return (
    <>
      <Tag tone="warn">上课</Tag>
      {as_weekday !== null && ` 按${weekdayNames[as_weekday - 1]}的课表`}
    </>
  );
}
