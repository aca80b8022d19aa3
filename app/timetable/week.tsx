/** Periods and lessons of an import, by day of the week, with their clashes. */

import { Button } from '@mantine/core';
import { addDays, weekdayNames } from '#server/courses/rules.ts';
import { importStateNames, rowOutcomeNames } from '#server/import/rules.ts';
import { showImportWeek, type WeekEntry } from '#server/timetable/contract.ts';
import { api } from '../api/client.server.ts';
import { importDetail, importScreen } from '../import/screens.ts';
import { rowOutcomeTones } from '../import/terms.ts';
import { formatTime } from '../lib/dates.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/week';
import { importWeek } from './screens.ts';
import styles from './week.posts.module.css';

export const handle: ScreenHandle = { crumbs: [{ label: '导入', href: importScreen.href() }, { label: '课表' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta('课表', loaderData?.week.file_name);

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showImportWeek);
  const { id, day } = importWeek.at(url);
  return { week: await context.get(api).send(showImportWeek, { params: { id }, query: { day } }) };
}

export default function ImportWeekScreen({ loaderData: { week } }: Route.ComponentProps) {
  const { id, monday, weeks, entries } = week;
  const timezone = useTimezone();
  const days = weekdayNames.map((name, at) => ({ name, day: addDays(monday, at) }));
  const dayOf = ({ start_time }: WeekEntry) => formatTime(start_time, timezone).slice(0, 10);
  const all = weeks.reduce((sum, { count }) => sum + count, 0);
  const clashes = weeks.reduce((sum, one) => sum + one.clashes, 0);
  return (
    <Screen title={`${week.file_name}：${monday} 起的一周`} wide>
      <Facts>
        <Fact term="状态">{importStateNames[week.state]}</Fact>
        <Fact term="课时和课次">{all}</Fact>
        <Fact term="时间冲突">{clashes > 0 ? `${clashes}节` : '没有'}</Fact>
      </Facts>
      <Toolbar>
        <Button component="a" href={importDetail.href({ id })}>
          {week.state === 'checked' ? '查看并导入' : '导入详情'}
        </Button>
        <Button component="a" href={importWeek.href({ id, day: addDays(monday, -7) })} variant="default">
          上一周
        </Button>
        <Button component="a" href={importWeek.href({ id, day: addDays(monday, 7) })} variant="default">
          下一周
        </Button>
      </Toolbar>
      {weeks.length > 0 && (
        <nav className={styles.weeks} aria-label="有课的星期">
          {weeks.map((one) => (
            <a
              key={one.monday}
              href={importWeek.href({ id, day: one.monday })}
              aria-current={one.monday === monday ? 'date' : undefined}
            >
              {one.monday.slice(5)}（{one.count}节{one.clashes > 0 && `，冲突${one.clashes}`}）
            </a>
          ))}
        </nav>
      )}
      {all === 0 && <Empty>该导入没有课时和课次</Empty>}
      <div className={styles.week}>
        {days.map(({ name, day }) => {
          const its = entries.filter((entry) => dayOf(entry) === day);
          return (
            <section key={day} className={styles.day}>
              <h2>
                {name} <span>{day.slice(5)}</span>
              </h2>
              {its.length === 0 && <Empty>没有课</Empty>}
              {its.map((entry) => (
                <Entry key={entry.row} entry={entry} timezone={timezone} />
              ))}
            </section>
          );
        })}
      </div>
    </Screen>
  );
}

function Entry({ entry, timezone }: { entry: WeekEntry; timezone: string }) {
  const time = (seconds: number) => formatTime(seconds, timezone).slice(11);
  const { verdict, clashes } = entry;
  return (
    <article
      className={styles.entry}
      data-clash={clashes.length > 0 ? true : undefined}
      data-leaves={verdict === 'leaves' ? true : undefined}
    >
      <strong>
        {time(entry.start_time)}–{time(entry.end_time)}
      </strong>
      <Tag tone={rowOutcomeTones[verdict]}>{rowOutcomeNames[verdict]}</Tag>
      <span data-written>{[entry.class_name, entry.title].filter(Boolean).join(' ')}</span>
      <span data-written>{[entry.lecturer, entry.room].filter(Boolean).join(' · ') || '未安排讲师'}</span>
      {clashes.length > 0 && (
        <ul>
          {clashes.map((clash) => (
            <li key={clash} data-written>
              冲突：{clash}
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
