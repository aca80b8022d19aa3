/** A bar for a rate, with its number and a word for its level. */
import { ShareBar } from '../ui/share-bar.tsx';
import { SampleSize, smallSample } from './population.tsx';
import { rateLevel } from './terms.ts';

interface RateBarProps {
  /** Rate over marked answers. */
  percent: number;
  decimals?: 0 | 1;
  /** Tooltip that describes the sample. */
  title: string;
  /** Answers with a mark (blank ones included), and answers that wait for one. */
  marked: number;
  waiting: number;
}

/** Shows no word while an answer waits for its mark, or for a small sample. */
export function RateBar({ percent, decimals = 0, title, marked, waiting }: RateBarProps) {
  const { word, color } = rateLevel(percent);
  const isJudged = waiting === 0 && marked >= smallSample;
  return (
    <>
      <ShareBar
        percent={isUnmarked({ marked, waiting }) ? null : percent}
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
      {waiting > 0 && <Waiting count={waiting} />}
    </>
  );
}

/** True while the rate is a dash: answers wait for a mark, and none has one yet. */
export const isUnmarked = ({ marked, waiting }: { marked: number; waiting: number }): boolean =>
  marked === 0 && waiting > 0;

export const Waiting = ({ count }: { count: number }) => <span>{` 待批改 ${count}`}</span>;
