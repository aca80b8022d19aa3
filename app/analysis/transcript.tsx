/** Transcript as a list or a grid. */
import { Button } from '@mantine/core';
import { formatScore } from '#server/platform/text/rules.ts';
import { formatMinutes } from '../lib/amounts.ts';
import { momentValue } from '../lib/zoned.ts';
import { ExportButton } from '../ui/export-button.tsx';
import { Island } from '../ui/island.tsx';
import { List } from '../ui/list.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Detail, loadTranscript } from './detail.server.ts';
import { transcript } from './screens.ts';
import { transcriptStatusChoices } from './terms.ts';
import styles from './transcript.analysis.module.css';
import { columnsOf } from './transcript-columns.tsx';

type TranscriptData = NonNullable<Awaited<ReturnType<typeof loadTranscript>>>;

export function Transcript({ detail, loaded }: { detail: Detail; loaded: TranscriptData }) {
  const { place, timezone, now, header } = detail;
  const { is_set_score, submit, revise } = header;
  const rows = loaded.page.list;
  const view = useAddress(transcript);
  const { filter } = view;
  const other = detail.view === 'grid' ? 'list' : 'grid';
  return (
    <List
      view={view}
      result={loaded.page}
      caption="成绩单"
      columns={columnsOf(detail)}
      nothing="暂无学员"
      nothingFound="没有符合条件的学员"
      filters={{
        first: [
          { label: '学员姓名', name: 'nickname', value: filter.nickname, placeholder: '请输入关键字' },
          { label: '作业状态', name: 'status', value: filter.status, choices: transcriptStatusChoices },
        ],
        more: [
          {
            label: '提交时间',
            from: ['start_at', momentValue(filter.start_at, timezone)],
            to: ['end_at', momentValue(filter.end_at, timezone)],
            moments: true,
          },
        ],
      }}
      actions={
        <>
          <Button component="a" variant="default" href={view.with({ view: other, page: undefined })}>
            {other === 'grid' ? '表格视图' : '列表视图'}
          </Button>
          <ExportButton action={view.page(1)} intent="transcript" />
        </>
      }
      around={(table) => (
        <>
          {detail.view === 'grid' ? (
            <Island
              name="transcript-grid.island"
              props={{ place, timezone, now, header: { is_set_score, submit, revise }, rows }}
              fallback={table}
            />
          ) : (
            table
          )}
          <p className={styles.summary}>
            <Summary detail={detail} loaded={loaded} />
            {/* Link that shows all students on one page, such as for printing. */}
            {loaded.page.total > loaded.page.limit && (
              <a className="no-print" href={view.with({ limit: loaded.page.total, page: undefined })}>
                全部显示
              </a>
            )}
          </p>
        </>
      )}
    />
  );
}

function Summary({ detail, loaded: { summary } }: { detail: Detail; loaded: TranscriptData }) {
  const scored = detail.header.is_set_score === 2;
  const worth = (score: number) => (scored ? `，${formatScore(score)} 分` : '');
  return (
    <>
      总题数 {summary.total} 题{worth(summary.score)}；客观题 {summary.object_count} 题{worth(summary.object_score)}
      ；主观题 {summary.subject_count} 题{worth(summary.subject_score)}；
      <span title={`基于已提交的 ${summary.submitted} 份作业`}>
        平均用时 {formatMinutes(summary.average_answer_time)}
      </span>
    </>
  );
}
