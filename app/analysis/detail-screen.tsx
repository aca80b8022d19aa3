/** Frame of all views of HomeworkDetail: header, tabs, and the dialog that is open over them. */
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { hasEnded, hasFigures, recordsFault } from '#server/homework/rules.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Detail } from './detail.server.ts';
import styles from './detail-header.analysis.module.css';
import { DetailFigures, DetailHeader } from './detail-header.tsx';
import { detailScreens, detailTabs, submissions } from './screens.ts';
import { detailTabNames, noFiguresYet } from './terms.ts';

export function DetailScreen({ detail, children }: { detail: Detail; children: ReactNode }) {
  const { place, tab, header, now } = detail;
  const screen = detailScreens.of(useLocation().pathname);
  const empty = recordsFault(header) ?? (tab !== 0 && !hasFigures(header, now) && noFiguresYet);
  return (
    <Screen wide>
      <DetailHeader detail={detail} />
      <div className={styles.tabs}>
        <Tabs
          label="作业分析"
          current={String(tab)}
          tabs={detailTabs.map((one) => ({
            key: String(one),
            label: detailTabNames[one],
            href: screen.href({ ...place, tab: one }),
          }))}
        />
        <DetailFigures header={header} />
      </div>
      {empty ? (
        <Empty>
          {empty}
          {empty === noFiguresYet && <StillWaiting detail={detail} />}
        </Empty>
      ) : (
        children
      )}
    </Screen>
  );
}

/** After the deadline: number of ungraded reports, which the figures do not include, with a link to them. */
function StillWaiting({ detail: { header, now, may } }: { detail: Detail }) {
  const reports = useAddress(submissions);
  const waiting = header.submit - header.revise;
  if (!hasEnded(header, now) || waiting === 0) return null;
  return (
    <p>
      还有 {waiting} 份待批改
      {may.correct && (
        <>
          ，<a href={reports.withOnly({ status: 2 })}>去批改</a>
        </>
      )}
    </p>
  );
}
