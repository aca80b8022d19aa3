/** 公告: list, view, and for head teachers posting, editing and deleting. */
import { Button } from '@mantine/core';
import type { AddressOf } from '../../lib/address.ts';
import { formatTime } from '../../lib/dates.ts';
import notice from '../../notices/notice.module.css';
import { noticeDeletion, noticeForm, noticeView } from '../../notices/screens.ts';
import { useTimezone } from '../../shell/use-school.ts';
import { rowAction } from '../../ui/button.tsx';
import { List } from '../../ui/list.tsx';
import type { Column } from '../../ui/list-table.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classNotices } from '../screens.ts';
import styles from './tabs.module.css';

type Props = TabProps<'notice'>;
type Row = Props['shown']['notices']['list'][number];

export function NoticeTab({ shown: { notices }, klass }: Props) {
  const timezone = useTimezone();
  const view = useAddress(classNotices);
  const mayPost = klass.is_header_teacher === 1;
  return (
    <>
      <h2 className="visually-hidden">公告</h2>
      {mayPost && (
        <div className={styles.toolbar}>
          <Button component="a" href={noticeForm.href({ class_id: klass.id })}>
            发布公告
          </Button>
        </div>
      )}
      <List
        view={view}
        result={notices}
        caption="公告列表"
        columns={columnsFor(view.here, klass.id, timezone)}
        nothing="暂无公告"
      />
    </>
  );
}

function columnsFor(here: AddressOf<typeof classNotices>, class_id: number, timezone: string): Column<Row>[] {
  return [
    {
      key: 'title',
      header: '标题',
      minWidth: 320,
      cell: ({ id, title, summary }) => (
        <>
          <a href={noticeView.href(here, { notice: id })} className={notice.title}>
            {title}
          </a>
          <span className={notice.summary}>{summary}</span>
        </>
      ),
    },
    { key: 'nickname', header: '发布人', minWidth: 90, cell: ({ nickname }) => nickname },
    { key: 'created', header: '发布时间', nowrap: true, cell: ({ created_at }) => formatTime(created_at, timezone) },
    {
      key: 'actions',
      header: '操作',
      minWidth: 150,
      cell: ({ id, title, is_can_delete }) => (
        <div className={styles.actions}>
          <a href={noticeView.href(here, { notice: id })} className={rowAction} aria-label={`查看${title}`}>
            查看
          </a>
          {is_can_delete === 1 && (
            <>
              <a href={noticeForm.href({ class_id, id })} className={rowAction} aria-label={`编辑${title}`}>
                编辑
              </a>
              <a href={noticeDeletion.href(here, { notice: id })} className={rowAction} aria-label={`删除${title}`}>
                删除
              </a>
            </>
          )}
        </div>
      ),
    },
  ];
}
