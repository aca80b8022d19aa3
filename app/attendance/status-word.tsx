/** A student's status in a period. Hover and focus show the reason of a leave. */
import { type OpStatus, statusName } from '#server/attendance/rules.ts';
import { Hint } from '../ui/hint.tsx';
import { Tag, type TagTone } from '../ui/tag.tsx';

const tones: Partial<Record<OpStatus, TagTone>> = { 0: 'good', 1: 'warn', 2: 'accent', 3: 'bad', 5: 'bad' };

/** `id` is the element id of the hint, unique on the page. */
export function StatusWord({
  id,
  status,
  cause,
  courseType,
}: {
  id: string;
  status: OpStatus;
  cause: string;
  courseType: number;
}) {
  const word = <Tag tone={tones[status] ?? 'plain'}>{statusName(status, courseType)}</Tag>;
  const isLeave = status >= 1 && status <= 4;
  if (!isLeave || cause === '') return word;
  return (
    <Hint id={id} content={`请假原因：${cause}`}>
      {word}
    </Hint>
  );
}
