/** Creates first passwords for the learners of a class, as slips to print and cut. */
import {
  giveLearnerPasswords,
  type LearnerPasswordRow,
  listLearnerPasswords,
} from '#server/learners/passwords.contract.ts';
import { learnerPasswordsLimit } from '#server/learners/rules.ts';
import { api } from '../api/client.server.ts';
import { hasLearnPage } from '../api/process.server.ts';
import { learnSignIn } from '../learn/screens.ts';
import { formatTime } from '../lib/dates.ts';
import { textOf } from '../lib/form-data.ts';
import { pickedIds } from '../lib/picked-ids.ts';
import { settings } from '../settings/screens.ts';
import { readButton, readPostedForm, refusedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { learnAddress } from '../shell/printed-address.server.ts';
import { PrintedAddressNote } from '../shell/printed-address-note.tsx';
import { titleMeta } from '../shell/title.ts';
import { Empty } from '../ui/empty.tsx';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { chooseClass, PasswordSlips } from '../ui/password-slips.tsx';
import { Screen } from '../ui/screen.tsx';
import { usePerson, useTimezone } from '../ui/use-school.ts';
import type { Route } from './+types/passwords';
import { studentPasswords, studentScreen } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '学员', href: studentScreen.href() }, { label: '打印初始密码' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta('打印初始密码', loaderData?.whose.title);

export async function loader({ request, context, url }: Route.LoaderArgs) {
  requirePermission(context, listLearnerPasswords);
  const filter = studentPasswords.at(url);
  const [whose, address, isOpen] = await Promise.all([
    context.get(api).send(listLearnerPasswords, { query: filter }),
    learnAddress(request),
    hasLearnPage(),
  ]);
  return { whose, address, isOpen, here: studentPasswords.href(filter) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const body = { ids: pickedIds(form), acknowledged: textOf(form, 'acknowledged') };
  const outcome = await context.get(api).ask(giveLearnerPasswords, { body });
  if (outcome.ok) return { given: outcome.data };
  const { acknowledged } = (outcome.data ?? {}) as { acknowledged?: unknown };
  form.set('acknowledged', typeof acknowledged === 'string' ? acknowledged : '');
  return refusedForm(outcome, form);
}

const { ChecksField, Form } = formOf<typeof giveLearnerPasswords, 'pick'>();

export default function StudentPasswords({ loaderData, actionData }: Route.ComponentProps) {
  const { whose, address, isOpen, here } = loaderData;
  const zone = useTimezone();
  const person = usePerson();
  const school = person?.settings.school_name || whose.title;
  const maySet = person?.every_school === 1 && person.permissions.includes('settings');
  if (actionData && 'given' in actionData)
    return (
      <Screen title={`初始密码：${whose.title}`}>
        <p className="no-print">
          这些密码只显示这一次，请现在用浏览器的“打印”（Ctrl+P）打印后分发。<a href={here}>返回</a>
        </p>
        <PrintedAddressNote address={address} readers="learners" />
        <PasswordSlips
          slips={actionData.given.map(({ id, nickname, number, password }) => ({
            id,
            name: nickname,
            facts: [
              ['登录地址', address],
              ['账号', number],
            ],
            password,
            code: new URL(learnSignIn.href({ number, by: 'password' }), address).href,
          }))}
          note={`${school}：用手机扫描二维码登录，首次登录时请改为自己的密码。`}
        />
      </Screen>
    );
  const able = whose.list.filter(({ fault }) => fault === '');
  const unable = whose.list.filter(({ fault }) => fault !== '');
  const first = able.filter(({ state }) => state === 'none').slice(0, learnerPasswordsLimit);
  const confirms = actionData?.typed?.some(([name, value]) => name === 'acknowledged' && value !== '') === true;
  const labelOf = ({ nickname, number, state, set_at }: LearnerPasswordRow) =>
    `${nickname}（${number}）${stateTexts[state]}${state === 'first' && set_at ? `（${formatTime(set_at, zone)}）` : ''}`;
  return (
    <Screen title={`打印初始密码：${whose.title}`}>
      {!isOpen && (
        <p>
          学员端没有开启，学员还不能在本站登录。
          {maySet ? (
            <>
              请先在<a href={settings.href()}>设置</a>中开启。
            </>
          ) : (
            '请管理全部学校的教务开启。'
          )}
        </p>
      )}
      <PrintedAddressNote address={address} readers="learners" />
      {able.length === 0 ? (
        <Empty>没有可以生成初始密码的学员</Empty>
      ) : (
        <Form
          refused={actionData}
          values={{ pick: first.map(({ id }) => id), acknowledged: '' }}
          className={chooseClass}
        >
          <HiddenField name="acknowledged" />
          <ChecksField
            name="pick"
            label={`学员（${able.length}人，每次最多${learnerPasswordsLimit}人）`}
            description="学员用学号或手机号和初始密码登录，首次登录时须改为自己的密码。密码只显示一次，不能再次查看；已有密码的学员，重新生成后原来的密码作废。"
            choices={able.map((row) => [row.id, labelOf(row)])}
          />
          <Submit>{confirms ? '作废原来的密码并重新生成' : '生成并显示'}</Submit>
        </Form>
      )}
      {unable.length > 0 && (
        <p>不能生成：{unable.map(({ nickname, fault }) => `${nickname}（${fault}）`).join('、')}</p>
      )}
    </Screen>
  );
}

const stateTexts = { none: '', first: '，已生成过初始密码', own: '，已有自己的密码' } as const;
