/** Time left in an exam, as of the page load. With client JS it counts down. */
import { Island } from '../ui/island.tsx';
import { useLearner } from './layout.tsx';
import styles from './learn.learn.module.css';
import { LearnerTime } from './moment.tsx';
import { learnExamTime } from './screens.ts';
import { formatTimeLeft } from './time-left.ts';

/** `end` is in unix seconds. */
export function ExamClock({ id, end }: { id: number; end: number }) {
  const left = end - (useLearner()?.now ?? 0);
  return (
    <>
      <p className={styles.clock}>
        截止 <LearnerTime at={end} />，<strong data-time-left="">{formatTimeLeft(left)}</strong>
      </p>
      {left > 0 && (
        <Island name="exam-clock.island" props={{ left, time: learnExamTime.href({ id }) }} fallback={null} />
      )}
    </>
  );
}
