/** Tab 学员列表: students of a class, by default only current ones. */
import type { ClassStudentRow } from '#server/classes/contract.ts';
import { inClassStatus } from '#server/classes/rules.ts';
import { studentDetail } from '../../attendance/screens.ts';
import { actionsColumn, mobileColumn } from '../../ui/columns.tsx';
import { List } from '../../ui/list.tsx';
import { NearMoment, timeColumn } from '../../ui/moment.tsx';
import { useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { Tag } from '../../ui/tag.tsx';
import type { TabProps } from '../detail.server.ts';
import { classStudents } from '../screens.ts';
import { memberStatusChoices, memberStatusNames } from '../terms.ts';
import styles from './tabs.posts.module.css';

const leftStatus = 2;

export function StudentsTab({ shown: { students }, theClass }: TabProps<'students'>) {
  const listView = useAddress(classStudents);
  const { only_in, status } = listView.filter;
  // The checkbox 仅展示在班人员 overrides the filter by status, so the address keeps only one of them.
  const view = only_in ? listView.without('status') : listView;
  const { filter } = view;
  const address = ({ id, uid }: ClassStudentRow) => studentDetail.href({ id, uid, class_id: theClass.id });
  return (
    <List<ClassStudentRow>
      view={view}
      result={students}
      caption="学员列表"
      columns={[
        { key: 'nickname', header: '昵称', minWidth: 160, cell: (row) => <a href={address(row)}>{row.nickname}</a> },
        mobileColumn(),
        timeColumn('joined', '入班时间', (row) => row.created_at),
        {
          key: 'status',
          header: '状态',
          nowrap: true,
          phone: 'bare',
          cell: ({ valid_status, left_at }) => (
            <>
              <Tag tone={valid_status === inClassStatus ? 'good' : 'plain'}>{memberStatusNames[valid_status]}</Tag>
              {left_at > 0 && (
                <SubLine>
                  <NearMoment at={left_at} />
                </SubLine>
              )}
            </>
          ),
        },
        actionsColumn((row) => [{ label: '详情', recordName: row.nickname, href: address(row) }]),
      ]}
      nothing="暂无学员"
      nothingFound="没有符合条件的学员"
      filters={{
        first: [
          { label: '姓名', name: 'nickname', value: filter.nickname },
          { label: '手机号', name: 'mobile', value: filter.mobile },
          { label: '仅展示在班人员', name: 'only_in', checked: only_in, off: '含已退班学员' },
        ],
        more: [
          {
            label: '状态',
            name: 'status',
            value: only_in ? inClassStatus : status,
            choices: memberStatusChoices,
            disabled: only_in,
          },
        ],
      }}
      above={
        only_in && (
          <p className={styles.note}>
            {status === leftStatus && '已勾选“仅展示在班人员”，退班学员未显示。'}
            取消勾选“仅展示在班人员”后可按状态筛选：
            <a href={view.with({ status: leftStatus, only_in: false, page: undefined })}>查看已退班学员</a>
          </p>
        )
      }
    />
  );
}
