/** A matching question (连线题): two columns, the lines between them as drawn by hand, and the same in words. */
import type { CSSProperties } from 'react';
import { RichHtml } from '../ui/rich-html.tsx';
import styles from './matching.module.css';

export interface MatchingDrawing {
  left: Place[];
  right: Place[];
  lines: MatchingLine[];
  /** Of the room between the columns, in the units of the lines. */
  room: { width: number; height: number };
}

interface Place {
  id: number;
  label: string;
  /** HTML. */
  content: string;
}

export interface MatchingLine {
  /** SVG path data. */
  path: string;
  /** Drawn rightly, drawn wrongly, or not drawn though it is right. */
  kind: 'right' | 'wrong' | 'missed';
  /** 1–C */
  words: string;
}

export function Matching({ drawing, caption }: { drawing: MatchingDrawing; caption?: string | undefined }) {
  const { left, right, lines, room } = drawing;
  const rows = { '--rows': Math.max(left.length, right.length) } as CSSProperties;
  return (
    <figure className={styles.matching}>
      <div className={styles.columns} style={rows}>
        <Column places={left} />
        <svg viewBox={`0 0 ${room.width} ${room.height}`} preserveAspectRatio="none" aria-hidden="true">
          {lines.map(({ path, kind, words }) => (
            <path key={words} d={path} data-kind={kind} vectorEffect="non-scaling-stroke" />
          ))}
        </svg>
        <Column places={right} />
      </div>
      {caption && <figcaption>{caption}</figcaption>}
    </figure>
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

/** The drawn lines in words, for those who do not see them or do not tell their colours apart. */
export function matchingWords(lines: readonly MatchingLine[], whose: 'answers' | 'sheet'): string {
  const rightOnes = lines.filter(({ kind }) => kind !== 'wrong').map(({ words }) => words);
  const right = `正确连线：${rightOnes.toSorted().join('、') || '-'}`;
  if (whose === 'answers') return right;
  const drawn = lines.flatMap(({ kind, words }) => (kind === 'missed' ? [] : [`${words}（${kindNames[kind]}）`]));
  return `学员连线：${drawn.join('、') || '未作答'}；${right}`;
}
