/** Fields of a holiday or make-up workday, in the form that adds days and the dialog that edits one. */
import { type editHoliday, weekdays } from '#server/settings/holidays.contract.ts';
import { weekdayNames } from '#server/settings/rules.ts';
import { fieldsOf } from '../ui/fields-of.ts';

const { RadioField, SelectField } = fieldsOf<typeof editHoliday>();

export function ArrangementFields() {
  return (
    <>
      <RadioField
        name="is_workday"
        label="安排"
        inline
        choices={[
          [0, '放假'],
          [1, '调休上课'],
        ]}
      />
      <SelectField
        name="as_weekday"
        label="调休上课时按"
        placeholder="当天的课表"
        choices={weekdays.map((day) => [day, `${weekdayNames[day - 1]}的课表`])}
      />
    </>
  );
}
