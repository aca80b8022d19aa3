/** ScheduleManage: the signed-in person's own scheduled lessons, as cards or as a list (document 3, section 2). */
import { useOutlet } from 'react-router';
import { listSessions, SessionFilter } from '#server/sessions/contract.ts';
import { api } from '../api.server.ts';
import { formatTime } from '../lib/dates.ts';
import { listSearch, readSearch } from '../lib/search.ts';
import { usePerson, useTimezone } from '../shell/use-school.ts';
import { ChoiceFilter, FilterForm, RangeFilter } from '../ui/filter-form.tsx';
import { Pager } from '../ui/pager.tsx';
import type { Route } from './+types/manage';
import styles from './manage.module.css';
import { SessionCards } from './session-cards.tsx';
import { SessionList } from './session-list.tsx';
import { sessionStatusChoices, sessionTypeChoices } from './terms.ts';

export const meta: Route.MetaFunction = () => [{ title: '我的排课 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const filter = readSearch(SessionFilter, url.searchParams);
  const sessions = await context.get(api).send(listSessions, { query: filter });
  const view = url.searchParams.get('view') === 'list' ? ('list' as const) : ('cards' as const);
  return { filter, sessions, view, now: Math.floor(Date.now() / 1000) };
}

export default function ScheduleManage({ loaderData }: Route.ComponentProps) {
  const { filter, sessions, view, now } = loaderData;
  const dialog = useOutlet();
  const timezone = useTimezone();
  const isLecturer = usePerson()?.identity === 'teacher';
  const shown = view === 'list' ? view : undefined;
  const search = (changes: Record<string, string | number | undefined> = {}) =>
    listSearch({ view: shown, ...filter }, changes);
  const here = (changes = {}) => `/sessions${search(changes)}`;
  const reset = `/sessions${listSearch({ view: shown })}`;
  const isFiltered = [filter.start_at, filter.end_at, filter.status, filter.class_type].some(
    (value) => value !== undefined,
  );
  const empty = isFiltered ? (
    <>
      没有符合条件的课次，<a href={reset}>清除筛选</a>
    </>
  ) : (
    '暂无排课'
  );
  const spans = spansAround(formatTime(now, timezone).slice(0, 10));
  const pieces = { sessions: sessions.list, isLecturer, timezone, empty, search: search() };
  return (
    <>
      <main inert={dialog !== null}>
        <h1 className="visually-hidden">我的排课</h1>
        <FilterForm action="/sessions" keep={{ view: shown }} resetHref={reset}>
          <RangeFilter label="上课时间" from={['start_at', filter.start_at]} to={['end_at', filter.end_at]} />
          <ChoiceFilter label="状态" name="status" value={filter.status} choices={sessionStatusChoices} />
          <ChoiceFilter label="类型" name="class_type" value={filter.class_type} choices={sessionTypeChoices} />
        </FilterForm>
        <div className={`${styles.toolbar} no-print`}>
          <nav aria-label="时间范围">
            {spans.map(({ label, start_at, end_at }) => (
              <a
                key={label}
                href={here({ start_at, end_at, page: undefined })}
                aria-current={filter.start_at === start_at && filter.end_at === end_at ? 'true' : undefined}
              >
                {label}
              </a>
            ))}
          </nav>
          <nav aria-label="显示方式">
            <a href={here({ view: undefined })} aria-current={view === 'cards' ? 'true' : undefined}>
              卡片
            </a>
            <a href={here({ view: 'list' })} aria-current={view === 'list' ? 'true' : undefined}>
              列表
            </a>
          </nav>
        </div>
        {view === 'cards' ? <SessionCards {...pieces} /> : <SessionList {...pieces} />}
        <Pager {...sessions} href={(page) => here({ page })} />
      </main>
      {dialog}
    </>
  );
}

/** Everything, this day, its week from Monday. */
function spansAround(today: string) {
  const noon = new Date(`${today}T12:00:00Z`);
  const dayAt = (offset: number) => new Date(noon.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
  const sinceMonday = (noon.getUTCDay() + 6) % 7;
  return [
    { label: '全部', start_at: undefined, end_at: undefined },
    { label: '今天', start_at: today, end_at: today },
    { label: '本周', start_at: dayAt(-sinceMonday), end_at: dayAt(6 - sinceMonday) },
  ];
}
