/** The transcript as a list and as a grid (document 2, section 2.1). */
import { localValue } from '../lib/dates.ts';
import { buttonClass } from '../ui/button.tsx';
import { ChoiceFilter, FilterForm, MomentRangeFilter, TextFilter } from '../ui/filter-form.tsx';
import { Island } from '../ui/island.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { detailHref, placeSearch } from './address.ts';
import type { Detail, loadTranscript } from './detail.server.ts';
import { minutes, points } from './figures.tsx';
import { transcriptStatusChoices } from './terms.ts';
import styles from './toolbar.module.css';
import { columnsOf } from './transcript-columns.tsx';

type Loaded = NonNullable<Awaited<ReturnType<typeof loadTranscript>>>;

export function Transcript({ detail, loaded }: { detail: Detail; loaded: Loaded }) {
  const { place, timezone, view, header } = detail;
  const search = filterSearch(loaded, timezone);
  const list = <TranscriptList detail={detail} loaded={loaded} />;
  const { is_set_score, submit, revise } = header;
  return (
    <>
      <FilterForm
        action={place.base}
        keep={{ ...placeSearch(place), tab: 2, view: view === 'list' ? undefined : view, limit: search.limit }}
        resetHref={detailHref(place, 2, {}, view)}
      >
        <TextFilter label="学生姓名" name="nickname" value={search.nickname} placeholder="请输入关键字" />
        <ChoiceFilter label="作业状态" name="status" value={search.status} choices={transcriptStatusChoices} />
        <MomentRangeFilter label="提交时间" from={['start_at', search.start_at]} to={['end_at', search.end_at]} />
      </FilterForm>
      <Toolbar detail={detail} loaded={loaded} />
      {view === 'grid' ? (
        <Island
          name="transcript-grid.island"
          props={{ place, timezone, header: { is_set_score, submit, revise }, rows: loaded.page.list }}
          fallback={list}
        />
      ) : (
        list
      )}
      <Pager
        {...loaded.page}
        href={(page) => detailHref(place, 2, { ...search, page: page === 1 ? undefined : page }, view)}
      />
    </>
  );
}

/** The filter as search params; moments as the form has them. */
function filterSearch({ filter }: Loaded, timezone: string) {
  const moment = (seconds: number | undefined) => (seconds === undefined ? undefined : localValue(seconds, timezone));
  return {
    nickname: filter.nickname,
    status: filter.status,
    start_at: moment(filter.start_at),
    end_at: moment(filter.end_at),
    limit: filter.limit === 20 ? undefined : filter.limit,
  };
}

function Toolbar({ detail, loaded }: { detail: Detail; loaded: Loaded }) {
  const { place, view, timezone } = detail;
  const search = filterSearch(loaded, timezone);
  const other = view === 'grid' ? 'list' : 'grid';
  return (
    <div className={styles.toolbar}>
      <Summary detail={detail} loaded={loaded} />
      <a className={`${buttonClass('plain')} no-print`} href={detailHref(place, 2, search, other)}>
        {other === 'grid' ? '表格视图' : '列表视图'}
      </a>
      {/* A form, so that nothing makes files ahead of a click. */}
      <form method="post" action={detailHref(place, 2, search, view)} className="no-print">
        <button type="submit" name="make" value="transcript" className={buttonClass('plain')}>
          导出
        </button>
      </form>
    </div>
  );
}

function Summary({ detail, loaded: { summary } }: { detail: Detail; loaded: Loaded }) {
  const scored = detail.header.is_set_score === 2;
  const worth = (score: number) => (scored ? `，${points(score)} 分` : '');
  return (
    <p>
      总题数 {summary.total} 题{worth(summary.score)}；客观题 {summary.object_count} 题{worth(summary.object_score)}
      ；主观题 {summary.subject_count} 题{worth(summary.subject_score)}；
      <span title={`基于已提交的 ${summary.submitted} 份作业`}>平均用时 {minutes(summary.average_answer_time)}</span>
    </p>
  );
}

function TranscriptList({ detail, loaded }: { detail: Detail; loaded: Loaded }) {
  const { filter, page } = loaded;
  const filtered = [filter.nickname, filter.status, filter.start_at, filter.end_at].some((one) => one !== undefined);
  return (
    <ListTable
      caption="成绩单"
      columns={columnsOf(detail)}
      rows={page.list}
      rowKey={(row) => row.id}
      empty={
        filtered ? (
          <>
            没有符合条件的学生，<a href={detailHref(detail.place, 2, {}, detail.view)}>清除筛选</a>
          </>
        ) : (
          '暂无学生'
        )
      }
    />
  );
}
