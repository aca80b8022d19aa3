/** How well a question was answered, as a bar with its number and its word. */
import type { ReactNode } from 'react';
import { ShareBar } from '../ui/share-bar.tsx';
import { rateLevel } from './terms.ts';

interface RateBarProps {
  percent: number;
  decimals?: 0 | 1;
  /** Over whom, on hover. */
  title: string;
  note?: ReactNode;
}

export function RateBar({ percent, decimals = 0, title, note }: RateBarProps) {
  const { word, color } = rateLevel(percent);
  return (
    <ShareBar
      percent={percent}
      decimals={decimals}
      title={title}
      color={color}
      note={
        <>
          {' '}
          {word}
          {note}
        </>
      }
    />
  );
}
