import { Button } from '@mantine/core';
import { showNotice } from '#server/notices/contract.ts';
import { api } from '../api/client.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import type { Route } from './+types/view';
import styles from './notice.posts.module.css';
import { noticeForm, noticeView } from './screens.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.notice.title ?? '公告');

export async function loader({ context, url }: Route.LoaderArgs) {
  const notice = await context.get(api).send(showNotice, { params: { id: noticeView.at(url).notice } });
  return { notice, ...noticeView.opened(url) };
}

export default function ViewNotice({ loaderData: { notice, closeHref } }: Route.ComponentProps) {
  const isEdited = notice.updated_at > notice.created_at;
  return (
    <Dialog title={notice.title} closeHref={closeHref} width={760}>
      <p className={styles.facts}>
        {notice.nickname} 发布于 <NearMoment at={notice.created_at} />
        {isEdited && (
          <>
            ，编辑于 <NearMoment at={notice.updated_at} />
          </>
        )}
      </p>
      <div className={styles.shown}>
        <RichHtml html={notice.shown} />
      </div>
      <DialogActions>
        {notice.is_can_delete === 1 && (
          <Button component="a" href={noticeForm.href({ class_id: notice.class_id, id: notice.id })} variant="default">
            编辑
          </Button>
        )}
        <Button component="a" href={closeHref}>
          关闭
        </Button>
      </DialogActions>
    </Dialog>
  );
}
