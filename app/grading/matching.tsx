/** A matching question (连线题): two columns and hand-drawn lines between them. */
import type { CSSProperties } from 'react';
import { RichHtml } from '../ui/rich-html.tsx';
import styles from './matching.work.module.css';

export interface MatchingDrawing {
  left: Place[];
  right: Place[];
  lines: MatchingLine[];
  /** Size of the space between the columns, in the units of the line paths. */
  room: { width: number; height: number };
}

interface Place {
  id: number;
  label: string;
  /** Rich text as HTML. */
  content: string;
}

export interface MatchingLine {
  /** SVG path data. */
  path: string;
  /** Correct, wrong, or correct but missing from the answer. */
  kind: 'right' | 'wrong' | 'missed';
  /** The line in words, such as 1–C. */
  words: string;
}

/** Draws a matching question. Show the lines as text beside it too: `describeMatching`, or the right answer. */
export function Matching({ drawing }: { drawing: MatchingDrawing }) {
  const { left, right, lines, room } = drawing;
  const rows = { '--rows': Math.max(left.length, right.length) } as CSSProperties;
  return (
    <div className={styles.columns} style={rows}>
      <Column places={left} />
      <svg viewBox={`0 0 ${room.width} ${room.height}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map(({ path, kind, words }) => (
          <path key={words} d={path} data-kind={kind} vectorEffect="non-scaling-stroke" />
        ))}
      </svg>
      <Column places={right} />
    </div>
  );
}

function Column({ places }: { places: Place[] }) {
  return (
    <ol>
      {places.map(({ id, label, content }) => (
        <li key={id}>
          <span>{label}.</span>
          <RichHtml html={content} />
        </li>
      ))}
    </ol>
  );
}

const kindNames = { right: '正确', wrong: '错误' } as const;

/** Describes a student's lines in words, for screen readers and colour-blind readers. */
export const describeMatching = (lines: readonly MatchingLine[]): string =>
  lines.flatMap(({ kind, words }) => (kind === 'missed' ? [] : [`${words}（${kindNames[kind]}）`])).join('、') || '—';
