/** Tab 公告: notices of a class. Head teachers can post, edit and delete them. */
import { Button } from '@mantine/core';
import { noticeDeletion, noticeForm, noticeView } from '../../notices/screens.ts';
import { actionsColumn } from '../../ui/columns.tsx';
import { List } from '../../ui/list.tsx';
import { timeColumn } from '../../ui/moment.tsx';
import { RichHtml } from '../../ui/rich-html.tsx';
import { useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import type { TabProps } from '../detail.server.ts';
import { classNotices } from '../screens.ts';

type NoticeRow = TabProps<'notice'>['shown']['notices']['list'][number];

export function NoticeTab({ shown: { notices }, theClass }: TabProps<'notice'>) {
  const view = useAddress(classNotices);
  const mayPost = theClass.is_header_teacher === 1;
  const post = mayPost && (
    <Button component="a" href={noticeForm.href({ class_id: theClass.id })}>
      发布公告
    </Button>
  );
  return (
    <>
      <h2 className="visually-hidden">公告</h2>
      <List<NoticeRow>
        view={view}
        result={notices}
        caption="公告列表"
        columns={[
          {
            key: 'title',
            header: '标题',
            minWidth: 320,
            cell: ({ id, title, summary }) => (
              <>
                <strong>
                  <a href={noticeView.href(view.here, { notice: id })}>{title}</a>
                </strong>
                <SubLine>
                  <RichHtml html={summary} inline />
                </SubLine>
              </>
            ),
          },
          { key: 'nickname', header: '发布人', minWidth: 90, cell: (row) => row.nickname },
          timeColumn('created', '发布时间', (row) => row.created_at),
          actionsColumn(({ id, title: recordName, is_can_delete }) => [
            { label: '查看', recordName, href: noticeView.href(view.here, { notice: id }) },
            is_can_delete === 1 && {
              label: '编辑',
              recordName,
              href: noticeForm.href({ class_id: theClass.id, id }),
            },
            is_can_delete === 1 && {
              label: '删除',
              recordName,
              href: noticeDeletion.href(view.here, { notice: id }),
              danger: true,
            },
          ]),
        ]}
        nothing="暂无公告"
        actions={post}
        next={post}
      />
    </>
  );
}
