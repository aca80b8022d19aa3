/** The user's own lessons, as cards or as a list. */

import { Button } from '@mantine/core';
import { listSessions } from '#server/sessions/contract.ts';
import { api } from '../api/client.server.ts';
import { teachCalendar } from '../calendar/screens.ts';
import { localDay, weekOf } from '../lib/dates.ts';
import { titleMeta } from '../shell/title.ts';
import type { Filters } from '../ui/filter-form.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SwitchLinks } from '../ui/switch-links.tsx';
import { usePerson, useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/manage';
import styles from './manage.posts.module.css';
import { sessionList } from './screens.ts';
import { SessionCards } from './session-cards.tsx';
import { sessionColumns } from './session-columns.tsx';
import { sessionStatusChoices, sessionTypeChoices } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('我的排课');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const sessions = await client.send(listSessions, { filter: sessionList.at(url).filter });
  return { sessions, now: client.now() };
}

export default function ScheduleManage({ loaderData: { sessions, now } }: Route.ComponentProps) {
  const view = useAddress(sessionList);
  const { filter } = view;
  const timezone = useTimezone();
  const isLecturer = usePerson()?.identity === 'teacher';
  const today = localDay(now, timezone);
  const week = weekOf(now, timezone);
  const frame = {
    view,
    result: sessions,
    nothing: isLecturer ? '还没有您的课次，课次由教务在“排课”中安排' : '您的班级还没有课次，课次由教务在“排课”中安排',
    next: (
      <Button component="a" variant="default" href={teachCalendar.href()}>
        查看教学日历
      </Button>
    ),
    nothingFound: '没有符合条件的课次',
    filters: {
      first: [
        { label: '状态', name: 'status', value: filter.status, choices: sessionStatusChoices },
        { label: '类型', name: 'class_type', value: filter.class_type, choices: sessionTypeChoices },
        { label: '上课时间', from: ['start_at', filter.start_at], to: ['end_at', filter.end_at] },
      ],
      presets: [
        { label: '今天', filter: { start_at: today, end_at: today } },
        { label: '本周', filter: { start_at: week.from, end_at: week.to } },
      ],
    } satisfies Filters,
    actions: <ViewSwitch />,
  };
  const shown = { isLecturer, here: view.here };
  return (
    <Screen title="我的排课">
      {view.place.view === 'cards' ? (
        <List {...frame} body={(rows) => <SessionCards sessions={rows} {...shown} />} />
      ) : (
        <List
          {...frame}
          caption="我的排课"
          columns={sessionColumns(shown)}
          around={(table) => <div className={styles.list}>{table}</div>}
        />
      )}
    </Screen>
  );
}

function ViewSwitch() {
  const { place, with: changed } = useAddress(sessionList);
  return (
    <SwitchLinks
      label="显示方式"
      links={[
        { label: '卡片', href: changed({ view: 'cards' }), current: place.view === 'cards' },
        { label: '列表', href: changed({ view: 'list' }), current: place.view === 'list' },
      ]}
    />
  );
}
