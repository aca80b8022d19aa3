/** 公告 (document 3, section 2): list, view, and for head teachers posting, editing and deleting. */
import { formatTime } from '../../lib/dates.ts';
import notice from '../../notices/notice.module.css';
import { useTimezone } from '../../shell/use-school.ts';
import { buttonClass, rowAction } from '../../ui/button.tsx';
import { type Column, ListTable } from '../../ui/list-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import type { loadNoticeTab } from './notice.server.ts';
import { classAddress, classSearch, type TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

type Props = TabViewProps<typeof loadNoticeTab>;
type Row = Props['data']['list'][number];

export function NoticeTab({ data: notices, klass }: Props) {
  const timezone = useTimezone();
  const mayPost = klass.is_header_teacher === 1;
  return (
    <>
      <h2 className="visually-hidden">公告</h2>
      {mayPost && (
        <div className={styles.toolbar}>
          <a href={`/classes/notice?class_id=${klass.id}`} className={buttonClass('primary')}>
            发布公告
          </a>
        </div>
      )}
      <ListTable
        caption="公告列表"
        columns={columnsFor(klass.id, classSearch(klass.id, 'notice', { page: notices.page }), timezone)}
        rows={notices.list}
        rowKey={({ id }) => id}
        empty="暂无公告"
      />
      <Pager {...notices} href={(page) => classAddress(klass.id, 'notice', { page })} />
    </>
  );
}

function columnsFor(classId: number, search: string, timezone: string): Column<Row>[] {
  const dialog = (id: number, name = '') => `/classes/detail/notice/${id}${name}${search}`;
  return [
    {
      key: 'title',
      header: '标题',
      minWidth: 320,
      cell: ({ id, title, summary }) => (
        <>
          <a href={dialog(id, '/view')} className={notice.title}>
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
          <a href={dialog(id, '/view')} className={rowAction} aria-label={`查看${title}`}>
            查看
          </a>
          {is_can_delete === 1 && (
            <>
              <a
                href={`/classes/notice?class_id=${classId}&id=${id}`}
                className={rowAction}
                aria-label={`编辑${title}`}
              >
                编辑
              </a>
              <a href={dialog(id, '/delete')} className={rowAction} aria-label={`删除${title}`}>
                删除
              </a>
            </>
          )}
        </div>
      ),
    },
  ];
}
