/**
 * Dialog for the private address of a calendar feed: creates, renews or revokes it. Only the response to the form shows
 * the address, because the school stores only its hash.
 */

import { Button } from '@mantine/core';
import { data } from 'react-router';
import { calendarFeed, renewCalendarFeed, revokeCalendarFeed } from '#server/calendar/contract.ts';
import { api } from '../api/client.server.ts';
import { originOf } from '../api/process.server.ts';
import { finishForm, readButton, readPostedForm, refusedForm } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Copyables } from '../ui/copyable.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Form, Submit } from '../ui/form.tsx';
import { NearMoment } from '../ui/moment.tsx';
import type { Route } from './+types/subscribe';
import { calendarScope } from './calendar-scope.server.ts';
import { subscription } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('订阅日历');

export async function loader({ context, url }: Route.LoaderArgs) {
  const feed = await context.get(api).send(calendarFeed, { query: { class_id: calendarScope(url).classId } });
  return { feed, ...subscription.opened(url) };
}

/**
 * No idempotency key: the response would be stored under it, and the private address must not be stored. A second click
 * creates a second address that replaces the first, and the browser shows the second.
 */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const client = context.get(api);
  const class_id = calendarScope(url).classId;
  const [button] = readButton(form, 'renew', 'revoke');
  if (button === 'revoke') {
    const outcome = await client.ask(revokeCalendarFeed, { query: { class_id } });
    return finishForm(context, outcome, subscription.behind(url), form);
  }
  const outcome = await client.ask(renewCalendarFeed, { body: { class_id } });
  if (!outcome.ok) return refusedForm(outcome, form);
  const headers = { 'cache-control': 'no-store' };
  return data({ address: `${originOf(request)}${outcome.data.path}` }, { headers });
}

export default function Subscribe({ loaderData, actionData }: Route.ComponentProps) {
  const { feed, closeHref } = loaderData;
  const address = actionData && 'address' in actionData ? actionData.address : undefined;
  const refused = actionData && 'msg' in actionData ? actionData : undefined;
  return (
    <Dialog title="订阅日历" closeHref={closeHref} message={refused?.msg} width={560}>
      {address !== undefined ? (
        <NewAddress address={address} />
      ) : feed.created_at === null ? (
        <p>生成一个只属于您的订阅地址，添加到手机或电脑的日历后，课程安排会自动更新。</p>
      ) : (
        <p>
          订阅地址生成于 <NearMoment at={feed.created_at} />，
          {feed.used_at === null ? (
            '还没有被读取过'
          ) : (
            <>
              最近读取于 <NearMoment at={feed.used_at} />
            </>
          )}
          。忘记地址时可以重新生成，原地址随即失效。
        </p>
      )}
      <p>知道该地址的人不用登录就能查看课程安排，请勿转发给他人；地址泄露时请停用或重新生成。</p>
      <Form>
        <DialogActions>
          {feed.created_at !== null && (
            <Submit intent="revoke" color="red">
              停用订阅地址
            </Submit>
          )}
          <Button component="a" href={closeHref} variant="default">
            关闭
          </Button>
          {!address && <Submit intent="renew">{feed.created_at === null ? '生成订阅地址' : '重新生成'}</Submit>}
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function NewAddress({ address }: { address: string }) {
  return (
    <>
      <p role="status">订阅地址已生成，仅显示这一次，请现在复制。</p>
      <Copyables texts={[{ label: '订阅地址', id: 'feed-address', value: address }]} />
      <p>
        <a href={address.replace(/^https?:/, 'webcal:')}>在日历应用中打开</a>
      </p>
    </>
  );
}
