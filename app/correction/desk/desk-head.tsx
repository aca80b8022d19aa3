/** Whose report lies on the desk, what it came to so far, and the ways through the pile. */

import { memo } from 'react';
import { shownScore } from '#server/platform/text/rules.ts';
import { formatTime } from '../../lib/dates.ts';
import { Submit } from '../../ui/form.tsx';
import pieces from '../../ui/report.module.css';
import { useShownFields, useTimezone } from '../../ui/use-school.ts';
import type { DeskScreens } from '../screens.ts';
import { lessonWords, shownMinutes } from '../terms.ts';
import { type Desk, isRated } from './desk.ts';
import { panelForm } from './grade-panel.tsx';
import styles from './grading-desk.module.css';

interface DeskHeadProps {
  desk: Desk;
  screens: DeskScreens;
  /** Answers of this report that wait. */
  waiting: number;
  /** Nothing can be graded here. */
  closed: boolean;
  onSkip: () => void;
  onFinish: () => void;
}

export const DeskHead = memo(function DeskHead({ desk, screens, waiting, closed, onSkip, onFinish }: DeskHeadProps) {
  const { report, arrange } = desk;
  const timezone = useTimezone();
  const shown = useShownFields();
  return (
    <div className={styles.head}>
      <div>
        <h1>
          {report.nickname}
          <small>{report.pile_name}</small>
        </h1>
        {report.whereabouts.length > 0 && <p>{report.whereabouts.join(' · ')}</p>}
        {arrange && <p>{lessonWords(arrange, shown, timezone)}</p>}
        <p className={pieces.quiet}>
          提交时间 {formatTime(report.submit_time, timezone)} · 用时 {shownMinutes(report.answer_time)}
        </p>
      </div>
      <dl className={pieces.figures}>
        <Objective desk={desk} />
        <div>
          <dt>本{desk.words.pile}待批改</dt>
          <dd>{report.waiting_count} 份</dd>
        </div>
      </dl>
      <div className={styles.ways}>
        <Ways desk={desk} screens={screens} />
        {!closed && desk.address.type === 1 && <PassActions waiting={waiting} onSkip={onSkip} onFinish={onFinish} />}
      </div>
    </div>
  );
});

function Objective({ desk }: { desk: Desk }) {
  const { objective_score, objective_total_score, objective_rate } = desk.report;
  return (
    <div>
      <dt>{isRated(desk) ? '客观题正确率' : '客观题得分'}</dt>
      <dd>
        {isRated(desk) ? `${objective_rate}%` : `${shownScore(objective_score)}/${shownScore(objective_total_score)}`}
      </dd>
    </div>
  );
}

/** All questions of a student, or one question over all students. */
function Ways({ desk, screens }: { desk: Desk; screens: DeskScreens }) {
  const { address } = desk;
  if (address.type === 2 || desk.subjective.length === 0) return null;
  const way = (change: Partial<typeof address>) => screens.desk.href({ ...address, ...change });
  const links = [
    { label: '按学员', href: way({ by: undefined, order: undefined }), current: !address.by },
    { label: '按题', href: way({ by: 'question', order: undefined }), current: address.by && !address.order },
    {
      label: '按题（随机顺序）',
      href: way({ by: 'question', order: 'shuffled' }),
      current: address.by && address.order === 'shuffled',
    },
  ];
  return (
    <nav className={styles.switch} aria-label="批改方式">
      {links.map(({ label, href, current }) => (
        <a key={label} href={href} aria-current={current ? 'true' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function PassActions({ waiting, onSkip, onFinish }: Pick<DeskHeadProps, 'waiting' | 'onSkip' | 'onFinish'>) {
  return (
    <div className={styles.pass}>
      {waiting > 0 && <span className={styles.left}>还有 {waiting} 题待批改</span>}
      <Submit
        form={panelForm}
        intent="skip"
        variant="default"
        onClick={(event) => {
          event.preventDefault();
          onSkip();
        }}
      >
        跳过该学员
      </Submit>
      <Submit
        form={panelForm}
        intent="finish"
        disabled={waiting > 0}
        title={waiting > 0 ? `还有 ${waiting} 题待批改` : undefined}
        onClick={(event) => {
          event.preventDefault();
          onFinish();
        }}
      >
        完成批改
      </Submit>
    </div>
  );
}
