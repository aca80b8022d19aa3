/** Shows until when a class goes on: 长期有效 or its last day, with 已过期 if that day is past. */
import { formatTime } from '../lib/dates.ts';
import { Tag } from '../ui/tag.tsx';
import { useTimezone } from '../ui/use-school.ts';

export function ValidTime({ theClass, now }: { theClass: { valid_type: number; valid_time: number }; now: number }) {
  const timezone = useTimezone();
  if (theClass.valid_type !== 2) return '长期有效';
  return (
    <>
      {formatTime(theClass.valid_time, timezone)}
      {theClass.valid_time <= now && (
        <>
          {' '}
          <Tag tone="bad">已过期</Tag>
        </>
      )}
    </>
  );
}
