/** Form that assigns the columns of an uploaded list. The next list from the same source is read the same way. */

import { Alert } from '@mantine/core';
import { mapImport, showMapping } from '#server/import/actions.contract.ts';
import { listIdentities, listKinds, listNames, listUsernames } from '#server/import/rules.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { handleForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { HiddenField } from '../ui/hidden-fields.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/mapping';
import styles from './import.posts.module.css';
import { importDetail, importMapping, importScreen } from './screens.ts';
import { modeChoices, nearClassChoices, newClassChoices, usernameChoices } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '导入', href: importScreen.href() }, { label: '各列的含义' }] };

export const meta: Route.MetaFunction = () => titleMeta('各列的含义');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, mapImport);
  const { id, kind } = importMapping.at(url);
  const query = kind === '' ? {} : { kind };
  const list = await context.get(api).send(showMapping, { params: { id }, query });
  return { id, list, idempotencyKey: crypto.randomUUID() };
}

const columnField = (at: number) => `column-${at}` as const;

const classField = (at: number) => `class-${at}` as const;

const nearField = (at: number) => `near-${at}` as const;

/**
 * Reads class and tick of each sheet. If the file has only one sheet, there is no tick, because that sheet is always
 * read.
 */
function sheetsIn(form: FormData): { class_name: string; is_read: 0 | 1 }[] | undefined {
  const count = Number(textOf(form, 'sheet-count'));
  if (count === 0) return undefined;
  const ticked = new Set(form.getAll('sheets').map(String));
  return Array.from({ length: Math.min(count || 0, 1000) }, (_, at) => ({
    class_name: textOf(form, classField(at)),
    is_read: count === 1 || ticked.has(String(at)) ? 1 : 0,
  }));
}

export const action = ({ url, ...sent }: Route.ActionArgs) => {
  const { id } = importMapping.at(url);
  return handleForm(sent, importDetail.href({ id }), (client, idempotencyKey, form) => {
    const columns: string[] = [];
    for (let at = 0; form.get(columnField(at)) !== null; at += 1) columns.push(textOf(form, columnField(at)));
    const kind = listKinds.find((one) => one === textOf(form, 'kind')) ?? 'student';
    const mode = textOf(form, 'mode') === 'bulk' ? 'bulk' : 'delta';
    const identity = listIdentities.find((one) => one === textOf(form, 'identity')) ?? '';
    const username = listUsernames.find((one) => one === textOf(form, 'username')) ?? '';
    const school = textOf(form, 'school');
    const new_classes = textOf(form, 'new_classes') === '1' ? 1 : 0;
    const sheets = sheetsIn(form);
    const near_classes = form.getAll('near-class').map((name, at) => ({
      name: String(name),
      choice: nearClassChoices.find((one) => one === textOf(form, nearField(at))),
    }));
    const body = { kind, mode, columns, sheets, new_classes, near_classes, school, identity, username } as const;
    return client.ask(mapImport, { params: { id }, body, idempotencyKey });
  });
};

const { ChecksField, Form, RadioField, SelectField, TextField } = formOf<
  typeof mapImport,
  `column-${number}` | `class-${number}` | `near-${number}` | 'sheet-count'
>();

const exampleOf = (examples: readonly string[][], at: number): string =>
  `如：${examples.map((cells) => cells[at] ?? '').find((cell) => cell !== '') ?? '空'}`;

export default function ImportMapping({ loaderData, actionData }: Route.ComponentProps) {
  const { id, list, idempotencyKey } = loaderData;
  const [other = 'student'] = listKinds.filter((kind) => kind !== list.kind);
  const choices = list.choices.map((choice) => [choice, choice] as const);
  return (
    <Screen title="各列的含义" card>
      {list.failure && !actionData && <Alert>{list.failure}</Alert>}
      <p>
        下面是按标题和内容猜的，请核对后保存；同一来源的下一份名单照此读取
        {list.sheets.length > 0 && '（工作表的班级除外）'}。这是<strong>{listNames[list.kind]}</strong>，
        <a href={importMapping.href({ id, kind: other })}>改为{listNames[other]}</a>；必须有{list.required.join('、')}。
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={styles.preview} aria-label="文件的前几行" tabIndex={0}>
        <table>
          <caption>文件的前{list.examples.length}行</caption>
          <thead>
            <tr>
              {list.columns.map(({ head }) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {list.examples.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have nothing else, and never move
              <tr key={row}>
                {list.columns.map(({ head }, at) => (
                  <td key={head}>{cells[at]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Form
        action={importMapping.href({ id, kind: list.kind })}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{
          kind: list.kind,
          mode: list.mode,
          new_classes: list.new_classes,
          ...Object.fromEntries(list.near_classes.map(({ choice }, at) => [nearField(at), choice || 'ask'])),
          school: list.school,
          identity: list.identity,
          username: list.username,
          'sheet-count': list.sheets.length,
          sheets: list.sheets.flatMap(({ is_read }, at) => (is_read === 1 ? [at] : [])),
          ...Object.fromEntries(list.columns.map(({ field }, at) => [columnField(at), field])),
          ...Object.fromEntries(list.sheets.map(({ class_name }, at) => [classField(at), class_name])),
        }}
        className={styles.form}
        noValidate
      >
        <HiddenField name="kind" />
        <HiddenField name="sheet-count" />
        {list.sheets.length > 1 && (
          <ChecksField
            name="sheets"
            label="读取的工作表"
            choices={list.sheets.map(({ name }, at) => [at, name] as const)}
          />
        )}
        {list.kind === 'student' &&
          list.sheets.map(({ name }, at) => (
            <TextField
              key={name}
              name={classField(at)}
              label={list.sheets.length > 1 ? `“${name}”的班级` : '班级'}
              description="没有写班级的学员进入该班级；不填则不进班级。名称相近的，检查时再确认。"
              autoComplete="off"
            />
          ))}
        {list.columns.map(({ head }, at) => (
          <SelectField
            key={head}
            name={columnField(at)}
            label={head}
            description={exampleOf(list.examples, at)}
            placeholder="不读取"
            choices={choices}
          />
        ))}
        {list.kind === 'student' && <RadioField name="new_classes" label="还没有的班级" choices={newClassChoices} />}
        {list.near_classes.map(({ name, like }, at) => (
          <div key={name}>
            <input type="hidden" name="near-class" value={name} />
            <RadioField
              name={nearField(at)}
              label={`班级“${name}”`}
              description={`还没有这个班级，相近的是“${like}”。`}
              choices={[
                ['same', `就是“${like}”`],
                ['new', `新建“${name}”`],
                ['ask', '检查以后逐条确认'],
              ]}
            />
          </div>
        ))}
        {list.schools.length > 0 && (
          <SelectField
            name="school"
            label={`没有写明学校的${list.kind === 'staff' ? '人员' : '学员'}`}
            placeholder="不导入"
            choices={list.schools.map((school) => [school, school])}
          />
        )}
        {list.kind === 'staff' && (
          <>
            <SelectField
              name="identity"
              label="没有写明身份的人员"
              description="职务（如语文教师、班主任、教研员）会按讲师读取，助理按助教；其他职务按这里的选择。"
              placeholder="不导入"
              choices={listIdentities.map((identity) => [identity, identity])}
            />
            <SelectField
              name="username"
              label="没有写明用户名的人员"
              description="用户名用来登录，已有人使用的不能导入。"
              placeholder="不导入"
              choices={usernameChoices}
            />
          </>
        )}
        <RadioField name="mode" label="范围" choices={modeChoices} />
        <Submit>保存并检查</Submit>
      </Form>
    </Screen>
  );
}
