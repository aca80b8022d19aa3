/** Times in the time zone of the learner's school. */
import { formatTimeLeft } from '../lib/dates.ts';
import { NearMoment } from '../ui/moment.tsx';
import { useLearner } from './layout.tsx';

export function LearnerTime({ at }: { at: number }) {
  const me = useLearner();
  return <NearMoment at={at} {...(me && { now: me.now, timezone: me.timezone })} />;
}

export function TimeUntil({ at, over }: { at: number; over: string }) {
  const now = useLearner()?.now ?? 0;
  return (
    <>
      <LearnerTime at={at} />（{formatTimeLeft(at, now) ?? over}）
    </>
  );
}
