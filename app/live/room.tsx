/** LiveRoom: leads the user into a live room. If several groups have rooms, it asks for the group. */
import { Button } from '@mantine/core';
import { redirect } from 'react-router';
import { enterLive } from '#server/live/contract.ts';
import { api } from '../api/client.server.ts';
import { teachCalendar } from '../calendar/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/room';
import styles from './room.posts.module.css';
import { liveRoom } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '教学日历', href: teachCalendar.href() }, { label: '直播间' }],
};

export const meta: Route.MetaFunction = () => titleMeta('直播间');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { back: closeHref = teachCalendar.href(), ...query } = liveRoom.at(url);
  const answer = await context.get(api).send(enterLive, { query });
  // The redirect is safe: the API has checked that the address is the live provider's.
  if (answer.kind === 'go') throw redirect(answer.url);
  return answer.kind === 'choose' ? { ...answer, closeHref } : answer;
}

export default function LiveRoom({ loaderData: answer }: Route.ComponentProps) {
  const here = useAddress(liveRoom);
  const { back = teachCalendar.href() } = here;
  if (answer.kind === 'choose') {
    return (
      <Screen
        className={styles.page}
        dialog={
          <Dialog title="选择分组进入" closeHref={answer.closeHref}>
            <p>
              课程：<strong>{answer.title}</strong>
            </p>
            <ul className={styles.groups}>
              {answer.groups.map(({ class_group_id, group_name }) => (
                <li key={class_group_id}>
                  <Button component="a" variant="default" href={liveRoom.href({ ...here, group_id: class_group_id })}>
                    {group_name}
                  </Button>
                </li>
              ))}
            </ul>
          </Dialog>
        }
      >
        <h1>直播间</h1>
      </Screen>
    );
  }
  const { parameters, title } = answer;
  const facts = [
    [parameters.type === 'meeting' ? '班会' : '课程', title],
    ['类型', typeNames[parameters.type]],
    ['编号', String(parameters.id)],
    ['分组', parameters.group_id > 0 ? `${parameters.group_name}（${parameters.group_id}）` : '不分组'],
  ] as const;
  return (
    <Screen className={styles.page}>
      <h1>{parameters.is_playback === 1 ? '未配置回放服务' : '未配置直播服务'}</h1>
      <p role="status">
        您可以{parameters.is_playback === 1 ? '查看回放' : '进入该直播间'}
        ，但学校还没有配置相应的服务，请联系管理员。
      </p>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Button component="a" href={back}>
        返回教学日历
      </Button>
    </Screen>
  );
}

const typeNames = { period: '课时', course: '课次', meeting: '班会' } as const;
