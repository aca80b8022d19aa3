/** Mantine's calendar with time, in Chinese. Loaded when it is first opened. */
import './date-calendar.script.css';
import 'dayjs/locale/zh-cn.js';
import { DatesProvider, InlineDateTimePicker } from '@mantine/dates';
import { useClickOutside } from '@mantine/hooks';
import dayjs from 'dayjs';
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { isComposing } from '../../lib/composing.ts';
import styles from './date-field.module.css';

interface DateCalendarProps {
  label: string;
  /** Value when the calendar opens: `yyyy-mm-ddThh:mm`, or empty. */
  opened: string;
  /** The button that opens and closes the calendar. */
  button: RefObject<HTMLElement | null>;
  /** Called with the new value of the field. */
  onChange: (moment: string) => void;
  onClose: () => void;
}

const words = {
  previousMonth: '上个月',
  nextMonth: '下个月',
  previousYear: '上一年',
  nextYear: '下一年',
  previousDecade: '前十年',
  nextDecade: '后十年',
};

export default function DateCalendar({ label, opened, button, onChange, onClose }: DateCalendarProps) {
  const [value, setValue] = useState<string | null>(opened ? `${opened.replace('T', ' ')}:00` : null);
  const [place, setPlace] = useState<HTMLDivElement | null>(null);
  useClickOutside(onClose, null, [place, button.current]);
  useEffect(() => {
    // Skips days of adjacent months: they are hidden, but in the DOM.
    const days = ['[data-selected]', '[data-today]', 'table button:not([data-outside])'];
    days
      .map((day) => place?.querySelector<HTMLElement>(day))
      .find(Boolean)
      ?.focus();
  }, [place]);
  const change = (moment: string | null) => {
    setValue(moment);
    onChange(moment ? moment.slice(0, 16).replace(' ', 'T') : '');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <div ref={setPlace} role="dialog" aria-label={`${label}：日历`} className={styles.calendar} onKeyDown={onKeyDown}>
      <DatesProvider settings={{ locale: 'zh-cn', firstDayOfWeek: 1, weekendDays: [] }}>
        <InlineDateTimePicker
          value={value}
          defaultTimeValue={opened.slice(11) || '00:00'}
          onChange={change}
          onSubmit={onClose}
          highlightToday
          // Hides days of adjacent months, because Mantine's colours for them have too little contrast.
          hideOutsideDates
          ariaLabels={words}
          monthLabelFormat="YYYY年M月"
          yearLabelFormat="YYYY年"
          decadeLabelFormat="YYYY年"
          monthsListFormat="M月"
          weekdayFormat="dd"
          getDayAriaLabel={(day) => dayjs(day).format('YYYY年M月D日')}
          timePickerProps={{ hoursInputLabel: '时', minutesInputLabel: '分', 'aria-label': '时间' }}
          submitButtonProps={{ 'aria-label': '完成' }}
        />
      </DatesProvider>
    </div>
  );
}
