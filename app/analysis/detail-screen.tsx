/** The frame of every view of HomeworkDetail: header, tabs, and whatever dialog lies over them. */
import type { ReactNode } from 'react';
import { useOutlet } from 'react-router';
import { Tabs } from '../ui/tabs.tsx';
import { detailHref, tabNames, tabs } from './address.ts';
import type { Detail } from './detail.server.ts';
import { DetailHeader } from './detail-header.tsx';
import styles from './detail-screen.module.css';
import { hasFigures } from './header-rules.ts';
import { noFiguresYet, recalledNotice } from './terms.ts';

export function DetailScreen({ detail, children }: { detail: Detail; children: ReactNode }) {
  const { place, tab, header, now } = detail;
  const dialog = useOutlet();
  const empty = header.status === 2 ? recalledNotice : tab !== 0 && !hasFigures(header, now) && noFiguresYet;
  return (
    <>
      {/* With a dialog open, the page behind it is out of reach. */}
      <main inert={dialog !== null}>
        <DetailHeader detail={detail} />
        <Tabs
          label="作业分析"
          current={String(tab)}
          tabs={tabs.map((one) => ({ key: String(one), label: tabNames[one], href: detailHref(place, one) }))}
        />
        <div className={styles.tab}>{empty ? <p className={styles.empty}>{empty}</p> : children}</div>
      </main>
      {dialog}
    </>
  );
}
