/** The frame of every view of HomeworkDetail: header, tabs, and whatever dialog lies over them. */
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { hasFigures, recordsFault } from '#server/homework/rules.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Detail } from './detail.server.ts';
import styles from './detail-header.module.css';
import { DetailFigures, DetailHeader } from './detail-header.tsx';
import { detailTabs, eitherDetail } from './screens.ts';
import { detailTabNames, noFiguresYet } from './terms.ts';

export function DetailScreen({ detail, children }: { detail: Detail; children: ReactNode }) {
  const { place, tab, header, now } = detail;
  const screen = eitherDetail.of(useLocation().pathname);
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
      {empty ? <Empty>{empty}</Empty> : children}
    </Screen>
  );
}
