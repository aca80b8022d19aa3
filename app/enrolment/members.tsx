/** List of current and former members of a class, with links to add and remove. Several pages of the class show it. */

import { Button } from '@mantine/core';
import { inClassStatus } from '#server/classes/rules.ts';
import type { MemberFilter, MemberRow, Membership } from '#server/enrolment/contract.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { memberStatusChoices } from '../classes/terms.ts';
import type { ListView } from '../lib/list-view.ts';
import { studentPasswords, studentPick, studentRecord } from '../students/screens.ts';
import { AddressForm } from '../ui/address-form.tsx';
import { actionsColumn, mobileColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { NearMoment, timeColumn } from '../ui/moment.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import styles from './enrolment.posts.module.css';
import { membersJoin, membersLeave } from './screens.ts';

interface MembersProps {
  theClass: Membership;
  members: Page<MemberRow>;
  /** View of the list on the page. Forms return to it. */
  view: ListView<unknown, MemberFilter>;
}

export function Members({ theClass, members, view }: MembersProps) {
  const { id } = theClass;
  const { name, status } = view.filter;
  const back = view.here;
  const add = theClass.is_running === 1 && (
    <Button component="a" href={studentPick.href({ class_id: id, back })}>
      添加学员
    </Button>
  );
  const actions = (
    <>
      {add}
      {theClass.present > 0 && (
        <Button component="a" href={studentPasswords.href({ class_id: id })} variant="default">
          打印初始密码
        </Button>
      )}
    </>
  );
  const anybodyThere = members.list.some(({ left_at }) => left_at === null);
  return (
    <List<MemberRow>
      view={view}
      result={members}
      caption="班级成员"
      columns={[
        {
          key: 'choose',
          header: '选择',
          nowrap: true,
          phone: 'lead',
          cell: (row) =>
            row.left_at === null && (
              <input type="checkbox" name="ids" value={row.student_id} aria-label={`选择${row.nickname}`} />
            ),
        },
        {
          key: 'name',
          header: '姓名',
          minWidth: 110,
          phone: 'name',
          cell: (row) => (
            <>
              <a href={studentRecord.href({ id: row.student_id })}>{row.nickname}</a>
              {row.school_name !== theClass.school_name && <SubLine>{row.school_name}</SubLine>}
            </>
          ),
        },
        { key: 'number', header: '学号', cell: (row) => row.number || '-' },
        mobileColumn(),
        timeColumn('joined', '加入时间', (row) => row.joined_at),
        {
          key: 'state',
          header: '状态',
          phone: 'bare',
          cell: ({ left_at, left_reason, leaving_at }) =>
            left_at === null ? (
              <>
                <Tag tone="good">在班</Tag>
                {leaving_at !== null && (
                  <SubLine>
                    <NearMoment at={leaving_at} /> 离开
                  </SubLine>
                )}
              </>
            ) : (
              <>
                <Tag tone="plain">已离开</Tag>
                <SubLine>
                  <NearMoment at={left_at} />
                  {left_reason && ` ${left_reason}`}
                </SubLine>
              </>
            ),
        },
        actionsColumn((row) => {
          const to = { id, ids: [row.student_id], back };
          return row.left_at === null
            ? [{ label: '离开', recordName: row.nickname, href: membersLeave.href(to), danger: true }]
            : [
                theClass.is_running === 1 &&
                  row.is_disabled === 0 && { label: '重新加入', recordName: row.nickname, href: membersJoin.href(to) },
              ];
        }),
      ]}
      nothing="班级还没有学员"
      nothingFound="没有符合条件的学员"
      filters={{
        first: [
          { label: '姓名、学号、手机号', name: 'name', value: name },
          { label: '状态', name: 'status', value: status, choices: memberStatusChoices },
        ],
        presets: [{ label: '在班', filter: { status: inClassStatus } }],
      }}
      actions={actions}
      next={add}
      around={(rows) => (
        <AddressForm
          href={membersLeave.href({ id, ids: [], back })}
          replacedParam="ids"
          className={styles.pick}
          label="离开班级"
        >
          {rows}
          {anybodyThere && (
            <Button type="submit" variant="default">
              让所选学员离开
            </Button>
          )}
        </AddressForm>
      )}
    />
  );
}
