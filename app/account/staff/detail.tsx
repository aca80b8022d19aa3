/** A member of staff: record, history and actions such as resetting the password. */
import { Button } from '@mantine/core';
import { outrankedFault } from '#server/account/rules.ts';
import { showStaff } from '#server/account/staff.contract.ts';
import { api } from '../../api/client.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Fact } from '../../ui/facts.tsx';
import { Moment, NearMoment } from '../../ui/moment.tsx';
import { RecordHeader } from '../../ui/record-header.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import { usePerson } from '../../ui/use-school.ts';
import {
  staffDetail,
  staffDisable,
  staffEdit,
  staffEnable,
  staffReset,
  staffScreen,
  staffSecondFactor,
  staffSignOut,
} from '../screens.ts';
import { formatPermissions, formatSchools, identityNames, signInStateName } from '../terms.ts';
import type { Route } from './+types/detail';

export const handle: ScreenHandle = {
  crumbs: [{ label: '人员', href: staffScreen.href() }, { label: '人员详情' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.member.real_name, '人员详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, showStaff);
  const { id } = staffDetail.at(url);
  const member = await context.get(api).send(showStaff, { params: { id } });
  return { member, here: staffDetail.href({ id }) };
}

export default function StaffDetail({ loaderData: { member, here } }: Route.ComponentProps) {
  const person = usePerson();
  const fault = outrankedFault(member, person?.permissions ?? []);
  return (
    <Screen>
      <RecordHeader
        title={
          <>
            {member.real_name}{' '}
            <Tag tone={member.is_disabled === 1 ? 'bad' : member.is_new === 1 ? 'warn' : 'good'}>
              {signInStateName(member)}
            </Tag>
          </>
        }
        facts={
          <>
            <Fact term="身份">{identityNames[member.identity]}</Fact>
            <Fact term="用户名">{member.username}</Fact>
            <Fact term="手机号">{member.mobile || '未登记'}</Fact>
            <Fact term="所属学校">{member.school_name}</Fact>
            {member.identity === 'admin' && <Fact term="管理的学校">{formatSchools(member)}</Fact>}
            <Fact term="权限">{formatPermissions(member.permissions)}</Fact>
            <Fact term="添加时间">
              <Moment at={member.created_at} />
            </Fact>
            <Fact term="最近使用">{member.used_at === null ? '从未登录' : <NearMoment at={member.used_at} />}</Fact>
            <Fact term="登录中的设备">{member.sign_ins}</Fact>
            <Fact term="两步验证">{member.has_second_factor === 1 ? '已开启' : '未开启'}</Fact>
            {member.duties && <Fact term="教学安排">{member.duties}</Fact>}
          </>
        }
      >
        {fault && <p>{fault}</p>}
      </RecordHeader>
      {fault === undefined && (
        <Toolbar>
          <Button component="a" href={staffEdit.href({ id: member.id })}>
            编辑
          </Button>
          {member.is_disabled === 0 && member.id !== person?.id && (
            <Button component="a" href={staffReset.href(here)} variant="default">
              {member.is_new === 1 ? '生成初始密码' : '重置密码'}
            </Button>
          )}
          {member.sign_ins > 0 && (
            <Button component="a" href={staffSignOut.href(here)} variant="default">
              结束全部登录
            </Button>
          )}
          {member.has_second_factor === 1 && member.id !== person?.id && (
            <Button component="a" href={staffSecondFactor.href(here)} variant="default">
              解除两步验证
            </Button>
          )}
          {member.is_disabled === 1 ? (
            <Button component="a" href={staffEnable.href(here)} variant="default">
              恢复
            </Button>
          ) : (
            <Button component="a" href={staffDisable.href(here)} variant="default">
              停用
            </Button>
          )}
        </Toolbar>
      )}
    </Screen>
  );
}
