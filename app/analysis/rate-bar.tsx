/** How well a question was answered, as a bar with its number and its word. */
import { ShareBar } from '../ui/share-bar.tsx';
import { FewReports, fewReports } from './population.tsx';
import { rateLevel } from './terms.ts';

interface RateBarProps {
  /** Over the marked answers. */
  percent: number;
  decimals?: 0 | 1;
  /** Over whom, on hover. */
  title: string;
  /** Answers with a mark, blank ones among them, and answers without one. */
  marked: number;
  waiting: number;
}

/** Gives no verdict while an answer waits for its mark, or over few answers. */
export function RateBar({ percent, decimals = 0, title, marked, waiting }: RateBarProps) {
  const { word, color } = rateLevel(percent);
  const isJudged = waiting === 0 && marked >= fewReports;
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
            <FewReports n={marked} />
          </>
        }
      />
      {waiting > 0 && <Waiting count={waiting} />}
    </>
  );
}

/** True while the rate is shown as a dash: answers wait for a mark, and none has one yet. */
export const isUnmarked = ({ marked, waiting }: { marked: number; waiting: number }): boolean =>
  marked === 0 && waiting > 0;

/** How many answers a figure leaves out because nobody has marked them yet. */
export const Waiting = ({ count }: { count: number }) => <span>{` 待批改 ${count}`}</span>;
