/** Fields of a period, or of each period of a series. */

import { offlineCourse } from '#server/classes/rules.ts';
import type { ChapterRow } from '#server/courses/chapters.contract.ts';
import type { EditedPeriod, editPeriod } from '#server/courses/periods.contract.ts';
import { maxEntryAdvance, periodMinutes } from '#server/courses/rules.ts';
import { textOf } from '../lib/form-data.ts';
import { readMoment } from '../lib/zoned.ts';
import { fieldsOf } from '../ui/fields-of.ts';
import { choicesOf } from '../ui/filter-form.tsx';
import { kindChoicesWith } from './terms.ts';

const { CheckField, NumberField, SelectField } = fieldsOf<typeof editPeriod>();

interface PeriodFieldsProps {
  chapters: readonly ChapterRow[];
  lecturers: readonly { id: number; name: string }[];
  type: number;
  /** Type of the course. Face-to-face courses have no live rooms, so some fields are left out. */
  courseType: number;
}

export function PeriodFields({ chapters, lecturers, type, courseType }: PeriodFieldsProps) {
  return (
    <>
      <NumberField
        name="minutes"
        label="时长（分钟）"
        withAsterisk
        min={periodMinutes.min}
        max={periodMinutes.max}
        inputMode="numeric"
      />
      <SelectField name="lecturer_id" label="讲师" placeholder="暂不安排" choices={choicesOf(lecturers)} />
      <SelectField
        name="periods_type"
        label="课时类型"
        withAsterisk
        placeholder="请选择"
        choices={kindChoicesWith(type)}
      />
      <SelectField
        name="chapter_id"
        label="章节"
        placeholder="无"
        choices={chapters.map(({ id, title }) => [id, title] as const)}
      />
      {courseType !== offlineCourse && (
        <>
          <NumberField
            name="advance_time"
            label="学员可提前进入直播间（分钟）"
            min={0}
            max={maxEntryAdvance}
            inputMode="numeric"
          />
          <CheckField name="periods_extend" label="开放助教直播间" />
          <CheckField name="is_playback" label="可看回放" />
          <CheckField name="allow_enter" label="暂不开放进入" />
        </>
      )}
    </>
  );
}

const numberOf = (form: FormData, name: string) => {
  const text = textOf(form, name).trim();
  return text === '' ? undefined : Number(text);
};
const readCheckbox = (form: FormData, name: string) => (textOf(form, name) === '1' ? (1 as const) : undefined);

/** Reads the values that a period and a series share, in the form that the calls take. */
export const readCommonFields = (form: FormData) => ({
  chapter_id: numberOf(form, 'chapter_id'),
  lecturer_id: numberOf(form, 'lecturer_id'),
  periods_type: numberOf(form, 'periods_type'),
  minutes: numberOf(form, 'minutes'),
  advance_time: numberOf(form, 'advance_time'),
  allow_enter: readCheckbox(form, 'allow_enter'),
  is_playback: readCheckbox(form, 'is_playback'),
  periods_extend: readCheckbox(form, 'periods_extend'),
  acknowledged: textOf(form, 'acknowledged'),
});

export const readPeriod = (form: FormData, timezone: string): EditedPeriod => ({
  ...readCommonFields(form),
  title: textOf(form, 'title'),
  start_play: readMoment(textOf(form, 'start_play'), timezone),
  seen: textOf(form, 'seen'),
});
