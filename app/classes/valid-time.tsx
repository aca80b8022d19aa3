/** Until when a class runs: 长期有效, or its last day, with 已过期 once that is over. */
import { formatTime } from '../lib/dates.ts';
import { Tag } from '../ui/tag.tsx';
import { useTimezone } from '../ui/use-school.ts';

export function ValidTime({ klass, now }: { klass: { valid_type: number; valid_time: number }; now: number }) {
  const timezone = useTimezone();
  if (klass.valid_type !== 2) return '长期有效';
  return (
    <>
      {formatTime(klass.valid_time, timezone)}
      {klass.valid_time <= now && (
        <>
          {' '}
          <Tag tone="bad">已过期</Tag>
        </>
      )}
    </>
  );
}
