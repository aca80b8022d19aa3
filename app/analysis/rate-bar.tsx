/** A bar for a rate, with the number and a word for its level. */
import { ShareBar } from '../ui/share-bar.tsx';
import { SampleSize, smallSample } from './population.tsx';
import { scoreRateLevel } from './terms.ts';

interface RateBarProps {
  /** Rate over graded answers, in percent. */
  percent: number;
  decimals?: 0 | 1;
  /** Tooltip that says on which reports the rate is based. */
  title: string;
  /** Numbers of graded answers (blank ones included) and of ungraded ones. */
  marked: number;
  waiting: number;
}

/** Shows the word for the level only if all answers are graded and they are not too few. */
export function RateBar({ percent, decimals = 0, title, marked, waiting }: RateBarProps) {
  const { word, color } = scoreRateLevel(percent);
  const isJudged = waiting === 0 && marked >= smallSample;
  return (
    <>
      <ShareBar
        percent={isRateUnknown({ marked, waiting }) ? null : percent}
        decimals={decimals}
        title={title}
        color={isJudged ? color : undefined}
        note={
          <>
            {isJudged && ` ${word}`}
            <SampleSize n={marked} />
          </>
        }
      />
      {waiting > 0 && <WaitingCount count={waiting} />}
    </>
  );
}

/** True while there is no rate to show: answers wait for grading, and none is graded yet. */
export const isRateUnknown = ({ marked, waiting }: { marked: number; waiting: number }): boolean =>
  marked === 0 && waiting > 0;

export const WaitingCount = ({ count }: { count: number }) => <span>{` 待批改 ${count}`}</span>;
