import { Button } from '@mantine/core';
import { listStaff, type StaffRow, staffSchools } from '#server/account/staff.contract.ts';
import { api } from '../../api/client.server.ts';
import { linkList } from '../../identity/screens.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, mobileColumn } from '../../ui/columns.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { List } from '../../ui/list.tsx';
import { NearMoment } from '../../ui/moment.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { Tag } from '../../ui/tag.tsx';
import { usePerson } from '../../ui/use-school.ts';
import { staffAdd, staffDetail, staffEdit, staffList, staffPasswords } from '../screens.ts';
import {
  formatPermissions,
  formatSchools,
  identityChoices,
  identityNames,
  signInStateName,
  stateChoices,
} from '../terms.ts';
import type { Route } from './+types/list';

export const meta: Route.MetaFunction = () => titleMeta('人员');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listStaff);
  const client = context.get(api);
  const [staff, schools] = await Promise.all([
    client.send(listStaff, { filter: staffList.at(url).filter }),
    client.send(staffSchools),
  ]);
  return { staff, schools };
}

export default function StaffList({ loaderData: { staff, schools } }: Route.ComponentProps) {
  const view = useAddress(staffList);
  const person = usePerson();
  const { name, identity, state, school_id } = view.filter;
  const add = (
    <Button component="a" href={staffAdd.href()}>
      添加人员
    </Button>
  );
  return (
    <Screen title="人员">
      <List<StaffRow>
        view={view}
        result={staff}
        caption="人员列表"
        columns={[
          {
            key: 'name',
            header: '姓名',
            minWidth: 110,
            cell: (row) => (
              <>
                <a href={staffDetail.href({ id: row.id })}>{row.real_name}</a>
                <SubLine>{row.username}</SubLine>
              </>
            ),
          },
          { key: 'identity', header: '身份', nowrap: true, cell: (row) => identityNames[row.identity] },
          {
            key: 'school',
            header: '学校',
            cell: (row) => (
              <>
                {row.school_name}
                {row.identity === 'admin' && <SubLine>管理：{formatSchools(row)}</SubLine>}
              </>
            ),
          },
          mobileColumn(),
          { key: 'permissions', header: '权限', cell: (row) => formatPermissions(row.permissions) },
          {
            key: 'used',
            header: '最近使用',
            nowrap: true,
            cell: (row) => (row.used_at === null ? '-' : <NearMoment at={row.used_at} />),
          },
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            cell: (row) => (
              <Tag tone={row.is_disabled === 1 ? 'bad' : row.is_new ? 'warn' : 'good'}>{signInStateName(row)}</Tag>
            ),
          },
          actionsColumn((row) => [{ label: '编辑', recordName: row.real_name, href: staffEdit.href({ id: row.id }) }]),
        ]}
        nothing="暂无人员"
        nothingFound="没有符合条件的人员"
        filters={{
          first: [
            { label: '姓名、用户名、手机号', name: 'name', value: name },
            { label: '身份', name: 'identity', value: identity, choices: identityChoices },
          ],
          more: [
            schools.length > 1 && {
              label: '所属学校',
              name: 'school_id',
              value: school_id,
              choices: choicesOf(schools),
            },
            { label: '状态', name: 'state', value: state, choices: stateChoices },
          ],
          presets: [
            { label: '未激活', filter: { state: 'new' } },
            { label: '已停用', filter: { state: 'disabled' } },
          ],
        }}
        actions={
          <>
            <Button component="a" href={staffPasswords.href()} variant="default">
              打印初始密码
            </Button>
            {person?.every_school === 1 && (
              <Button component="a" href={linkList.href()} variant="default">
                登录关联
              </Button>
            )}
            {add}
          </>
        }
        next={add}
      />
    </Screen>
  );
}
