/** Head of the desk: the student, the result so far, and links to other reports. */

import { memo } from 'react';
import { formatScore } from '#server/platform/text/rules.ts';
import { formatMinutes } from '../../lib/amounts.ts';
import { Figures } from '../../ui/figures.tsx';
import { Submit } from '../../ui/form.tsx';
import { Progress } from '../../ui/progress.tsx';
import { ReportBox, ReportTitle, SecondaryText } from '../report-frame.tsx';
import { type Desk, isRatedDesk } from './desk.ts';
import { panelForm } from './grade-panel.tsx';
import styles from './grading-desk.work.module.css';
import type { DeskAddresses } from './links.ts';

/** Element id of the finish button. It gets the focus when no answer is left to grade. */
export const finishButton = 'finish-report';

interface DeskHeadProps {
  desk: Desk;
  hrefs: DeskAddresses;
  waiting: number;
  /** Ungraded reports of the homework or exam, the open one included. */
  waitingReports: number;
  /** True if the report cannot be graded. */
  closed: boolean;
  onSkip: () => void;
  onFinish: () => void;
}

export const DeskHead = memo(function DeskHead({
  desk,
  hrefs,
  waiting,
  waitingReports,
  closed,
  onSkip,
  onFinish,
}: DeskHeadProps) {
  const { report, submitted, lesson } = desk;
  return (
    <ReportBox className={styles.head}>
      <div>
        <ReportTitle name={report.nickname} of={report.assignment_name} />
        {report.contextNames.length > 0 && <p>{report.contextNames.join(' · ')}</p>}
        {lesson && <p>{lesson}</p>}
        <SecondaryText>
          {submitted === undefined ? '未提交' : `提交时间 ${submitted} · 用时 ${formatMinutes(report.answer_time)}`}
        </SecondaryText>
      </div>
      <Figures
        figures={[
          objective(desk),
          [`本${desk.words.assignment}待批改`, `${waitingReports} 份`],
          [
            '批改进度',
            <Progress key="progress" done={report.submitted_count - waitingReports} all={report.submitted_count} />,
          ],
        ]}
        inCard
      />
      <div className={styles.ways}>
        <GradingModes desk={desk} hrefs={hrefs} />
        {!closed && desk.address.type === 1 && <PassActions waiting={waiting} onSkip={onSkip} onFinish={onFinish} />}
      </div>
    </ReportBox>
  );
});

function objective(desk: Desk): [name: string, value: string] {
  const { objective_score, objective_total_score, objective_rate } = desk.report;
  return isRatedDesk(desk)
    ? ['客观题正确率', `${objective_rate}%`]
    : ['客观题得分', `${formatScore(objective_score)}/${formatScore(objective_total_score)}`];
}

/** Switches between grading by student and by question. */
function GradingModes({ desk, hrefs }: { desk: Desk; hrefs: DeskAddresses }) {
  const { address } = desk;
  if (address.type === 2 || desk.subjective.length === 0) return null;
  const href = (change: Partial<typeof address>) => hrefs.desk({ ...address, ...change });
  const links = [
    { label: '按学员', href: href({ by: undefined, order: undefined }), current: !address.by },
    { label: '按题', href: href({ by: 'question', order: undefined }), current: address.by && !address.order },
    {
      label: '按题（随机顺序）',
      href: href({ by: 'question', order: 'shuffled' }),
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
        id={finishButton}
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
